#!/usr/bin/env python3
"""Loads `pql serve` and the handlers of Sources/Peer with wrk, and prints requests a second and their ratios.

    python3 run.py [--no-build] [--seconds N] [--entities N] [--only get,post]
"""
import argparse
import base64
import collections
import http.client
import json
import os
import re
import shutil
import subprocess
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

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"Authorization": AUTHORIZATION, "Content-Type": "application/json"}
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


def fill(server, count):
    for first in range(0, count, 100):
        books = [
            {"_id": f"b{n:06d}", "n": n, "title": f"Title {n}", "author": f"Author {n % 100}", "text": PAD}
            for n in range(first, min(first + 100, count))
        ]
        status, _, data = server.request("POST", "/appdata/kid/Book", json.dumps(books))
        if status != 201:
            raise SystemExit(f"{server.name}: {status} {data[:300]}")


def wrk(server, kind, connections, seconds, extra=""):
    """Requests a second, the 99th percentile in milliseconds, microseconds of processor a request, and errors."""
    before = server.cpu_seconds()
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", f"{HERE}/load.lua"]
    output = subprocess.run(
        command + [f"http://127.0.0.1:{server.port}", "--", kind, extra], capture_output=True, text=True, check=True
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
        only = set(filter(None, arguments.only.split(",")))
        for name, kind, connections, has_peer in MEASUREMENTS:
            if only and kind not in only:
                continue
            results = [
                wrk(server, kind, connections, arguments.seconds, since if kind == "delta" else "")
                for server in servers if server is servers[0] or has_peer
            ]
            factor = 100 if kind == "post100" else 1
            line = f"{name:28}" + "".join(show(result, factor) for result in results)
            if len(results) > 1:
                line += f"{results[0].rate / results[1].rate:>9.2f}{results[0].cpu / results[1].cpu:>9.2f}"
            errors = sum(result.errors for result in results)
            print(line + (f"  {errors} errors" if errors else ""), flush=True)
        print(f"memory at the end: " + ", ".join(f"{server.name} {server.rss_mb():.0f} MB" for server in servers))
    finally:
        for server in servers:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
