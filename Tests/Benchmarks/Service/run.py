#!/usr/bin/env python3
"""Loads `pql serve`, the handlers of Sources/Peer and Kinto with wrk, and prints requests a second and their ratios.

`pql serve` is asked by a user with a session, in a private collection in which all entities are the user's.

    python3 run.py [--no-build] [--seconds N] [--entities N] [--only get,post]

Kinto comes from PyPI into a folder of its own. It keeps its records in memory, where it is fastest, has 10,000 of them,
and answers in one process; `pql serve` and the handlers keep theirs in a file.
"""
import argparse
import base64
import collections
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
AUTHORIZATION = "Basic " + base64.b64encode(b"kid:master-secret").decode()
PAD = "lorem ipsum " * 15


Result = collections.namedtuple("Result", "rate p99 cpu errors")


class Server:
    """A process that prints `listening on http://127.0.0.1:PORT`."""

    def __init__(self, name, command):
        self.name = name
        start = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL)
        for line in self.process.stdout:
            found = re.match(r"listening on http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        else:
            raise SystemExit(f"{name} did not start")
        self.start_ms = (time.monotonic() - start) * 1000
        self.authorization = AUTHORIZATION

    def sign_up(self):
        """From here on requests are those of a user."""
        status, _, data = self.request("POST", "/user/kid", json.dumps({"username": "ann", "password": "secret-ann"}))
        if status != 201:
            raise SystemExit(f"{self.name}: {status} {data[:300]}")
        self.authorization = "Kinvey " + json.loads(data)["_kmd"]["authtoken"]

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"Authorization": self.authorization, "Content-Type": "application/json"}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), data

    def rss_mb(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait()


KINTO = """
[server:main]
use = egg:waitress#main
listen = 127.0.0.1:{port}
threads = 4
[app:main]
use = egg:kinto
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.userid_hmac_secret = benchmark
kinto.batch_max_requests = 100
kinto.bucket_create_principals = system.Authenticated
multiauth.policies = basicauth
multiauth.policy.basicauth.use = kinto.core.authentication.BasicAuthAuthenticationPolicy
[loggers]
keys = root
[handlers]
keys =
[formatters]
keys =
[logger_root]
level = ERROR
handlers =
"""


class Kinto(Server):
    """The service from PyPI; without a process where it cannot be installed."""

    name = "Kinto"
    records = 10_000

    def __init__(self, folder):
        self.authorization = AUTHORIZATION
        packages = f"{folder}/kinto"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", packages, "kinto"]
        installed = subprocess.run(command, capture_output=True, text=True)
        self.process = None
        if installed.returncode:
            print(f"left out: Kinto cannot be installed: {installed.stderr.strip().splitlines()[-1:]}")
            return
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        with open(f"{folder}/kinto.ini", "w") as file:
            file.write(KINTO.format(port=self.port))
        environment = dict(os.environ, PYTHONPATH=packages)
        self.process = subprocess.Popen(
            [sys.executable, "-c", "import sys, kinto.__main__ as k; k.main(sys.argv[1:])"]
            + ["start", "--ini", f"{folder}/kinto.ini"],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + 30
        while True:
            try:
                self.request("GET", "/v1/")
                break
            except OSError:
                if time.monotonic() > end:
                    raise SystemExit("Kinto did not start")
                time.sleep(0.1)
        self.fill()

    def fill(self):
        self.request("PUT", "/v1/buckets/kid")
        self.request("PUT", "/v1/buckets/kid/collections/Book")
        for first in range(0, self.records, 100):
            path = "/buckets/kid/collections/Book/records"
            batch = {"defaults": {"method": "PUT"}, "requests": [
                {"path": f"{path}/b{n:06d}", "body": {"data": book(n)}} for n in range(first, first + 100)
            ]}
            status, _, data = self.request("POST", "/v1/batch", json.dumps(batch))
            if status != 200 or any(answer["status"] >= 300 for answer in json.loads(data)["responses"]):
                raise SystemExit(f"Kinto: {status} {data[:300]}")


def book(n):
    return {"n": n, "title": f"Title {n}", "author": f"Author {n % 100}", "text": PAD}


def fill(server, count):
    for first in range(0, count, 100):
        books = [
            {"_id": f"b{n:06d}", **book(n)}
            for n in range(first, min(first + 100, count))
        ]
        status, _, data = server.request("POST", "/appdata/kid/Book", json.dumps(books))
        if status != 201:
            raise SystemExit(f"{server.name}: {status} {data[:300]}")


def beside_kinto(kinto, ours, seconds):
    """Prints Kinto's rates beside those that were measured for the same requests."""
    print(f"\n{'':28}{'Kinto, in memory':>33}{'ours : Kinto':>14}")
    for name, kind in [("GET by id", "get"), ("POST one, 64 connections", "post"), ("list of 20, indexed", "list")]:
        if name in ours:
            result = wrk(kinto, "kinto-" + kind, 64, seconds)
            errors = f"  {result.errors} errors" if result.errors else ""
            print(f"{name:28}{show(result, 1)}{ours[name].rate / max(1, result.rate):>14.0f}{errors}", flush=True)


def wrk(server, kind, connections, seconds, extra=""):
    """Requests a second, the 99th percentile in milliseconds, microseconds of processor a request, and errors."""
    before = server.cpu_seconds()
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", f"{HERE}/load.lua"]
    output = subprocess.run(
        command + [f"http://127.0.0.1:{server.port}", "--", kind, server.authorization, extra], capture_output=True, text=True, check=True
    ).stdout
    requests, duration, p99, errors = map(int, re.search(r"RESULT (\d+) (\d+) (\d+) (\d+)", output).groups())
    cpu = (server.cpu_seconds() - before) * 1e6 / max(1, requests)
    return Result(requests / (duration / 1e6), p99 / 1000, cpu, errors)


def show(result, factor):
    return f"{result.rate * factor:>12,.0f}{result.p99:>8.1f} ms{result.cpu / factor:>7.0f} µs"


MEASUREMENTS = [
    # name, kind, connections, does the peer have it
    ("GET by id", "get", 64, True),
    ("list of 20, indexed", "list", 64, True),
    ("list of the 20 newest", "newest", 64, False),
    ("count, indexed", "count", 64, False),
    ("list of 20, no index", "scan", 4, False),
    ("delta of nothing", "delta", 64, False),
    ("POST one, 1 connection", "post", 1, True),
    ("POST one, 64 connections", "post", 64, True),
    ("POST 100, 64 connections", "post100", 64, True),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--pql", help="another pql than the release build here")
    arguments = parser.parse_args()
    if not arguments.no_build:
        for product in ["pql", "Peer"]:
            subprocess.run(["swift", "build", "-c", "release", "--product", product], cwd=HERE, check=True)
    folder = tempfile.mkdtemp(prefix="service-benchmark-")
    products = f"{HERE}/.build/release"
    pql = [
        arguments.pql or f"{products}/pql", "serve", "--data", f"{folder}/service.sqlite", "--listen", "127.0.0.1:0",
        "--app", "kid:app-secret:master-secret", "--rate", "off", "--log", "off", "--delta", "all", "--index", "Book:author,-n",
    ]
    servers = [Server("pql serve", pql)]
    servers[0].sign_up()
    if os.path.exists(f"{products}/Peer"):
        servers.append(Server("by hand", [f"{products}/Peer", f"{folder}/peer.sqlite", "0"]))
    try:
        for server in servers:
            begin = time.monotonic()
            fill(server, arguments.entities)
            print(f"{server.name}: started in {server.start_ms:.0f} ms, {arguments.entities} entities in "
                  f"{time.monotonic() - begin:.1f} s, then {server.rss_mb():.0f} MB")
        _, headers, _ = servers[0].request("GET", "/appdata/kid/Book?limit=1")
        since = headers.get("X-Kinvey-Request-Start", "")
        # What others do on the machine moves the rates; the processor's time a request is steadier.
        title = f"{'a second':>12}{'p99':>11}{'CPU':>10}"
        print(f"{'':28}{'pql serve':>33}{'by hand':>33}\n{'':28}{title}{title}{'ratio':>9}{'of CPU':>9}")
        ours = {}
        only = set(filter(None, arguments.only.split(",")))
        for name, kind, connections, has_peer in MEASUREMENTS:
            if only and kind not in only:
                continue
            results = [
                wrk(server, kind, connections, arguments.seconds, since if kind == "delta" else "")
                for server in servers if server is servers[0] or has_peer
            ]
            ours[name] = results[0]
            factor = 100 if kind == "post100" else 1
            line = f"{name:28}" + "".join(show(result, factor) for result in results)
            if len(results) > 1:
                line += f"{results[0].rate / results[1].rate:>9.2f}{results[0].cpu / results[1].cpu:>9.2f}"
            errors = sum(result.errors for result in results)
            print(line + (f"  {errors} errors" if errors else ""), flush=True)
        print(f"memory at the end: " + ", ".join(f"{server.name} {server.rss_mb():.0f} MB" for server in servers))
        kinto = Kinto(folder)
        if kinto.process:
            servers.append(kinto)
            beside_kinto(kinto, ours, arguments.seconds)
    finally:
        for server in servers:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
