#!/usr/bin/env python3
"""Everyday tasks in a shell, done by pql, jq and DuckDB: prints a Markdown table of keystrokes and times.

    python3 tasks.py [--pql PATH] [--rows 200000] [--rounds 3] [--only 3,7]

The files are made in a folder of their own. DuckDB's program comes from PyPI (duckdb-cli), jq from the system. All
answers of a task are compared by the number of their rows; a tool that needs another program for a task has none here.
"""
import argparse
import csv
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CITIES = [("Boston", "MA"), ("Salem", "MA"), ("Burlington", "VT"), ("Zürich", "ZH"), ("Austin", "TX"), ("Reno", "NV")]

# What is asked, then the commands. None: the tool cannot do it alone. `duckdb -c` prints CSV, JSON or a box by option.
TASKS = [
    ("count the open orders",
     "pql run o.ndjson \"status == 'open'\" --count",
     "jq -n '[inputs|select(.status==\"open\")]|length' o.ndjson",
     "duckdb -c \"from 'o.ndjson' select count(*) where status='open'\""),
    ("the open orders above 900",
     "pql run o.ndjson \"status == 'open' AND total > 900\"",
     "jq -c 'select(.status==\"open\" and .total>900)' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' where status='open' and total>900\""),
    ("names with “smith”, whatever the case",
     "pql run o.ndjson \"name CONTAINS[c] 'smith'\"",
     "jq -c 'select(.name|ascii_downcase|contains(\"smith\"))' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' where name ilike '%smith%'\""),
    ("names that begin with “zoe”, accents or not",
     "pql run o.ndjson \"name BEGINSWITH[cd] 'zoe'\"",
     None,
     "duckdb -jsonlines -c \"from 'o.ndjson' where strip_accents(name) ilike 'zoe%'\""),
    ("by a field in an object",
     "pql run o.ndjson \"address.zip == '02134'\"",
     "jq -c 'select(.address.zip==\"02134\")' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' where address.zip='02134'\""),
    ("with a tag",
     "pql run o.ndjson \"tags CONTAINS 'gift'\"",
     "jq -c 'select(.tags|index(\"gift\"))' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' where list_contains(tags,'gift')\""),
    ("with an item dearer than 490",
     "pql run o.ndjson 'ANY items.price > 490'",
     "jq -c 'select(any(.items[];.price>490))' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' where len(list_filter(items,lambda i:i.price>490))>0\""),
    ("without a note",
     "pql run o.ndjson 'note == nil'",
     "jq -c 'select(.note==null)' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' where note is null\""),
    ("of a day",
     "pql run o.ndjson \"placed BETWEEN {'2024-03-01','2024-03-02'}\"",
     "jq -c 'select(.placed>=\"2024-03-01\" and .placed<=\"2024-03-02\")' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' where placed between '2024-03-01' and '2024-03-02'\""),
    ("one of three states",
     "pql run o.ndjson \"address.state IN {'MA','VT','NV'}\"",
     "jq -c 'select(.address.state|IN(\"MA\",\"VT\",\"NV\"))' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' where address.state in ('MA','VT','NV')\""),
    ("by a regular expression",
     "pql run o.ndjson \"name MATCHES 'A[a-m].*son'\"",
     "jq -c 'select(.name|test(\"^A[a-m].*son$\"))' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' where regexp_full_match(name,'A[a-m].*son')\""),
    ("the ten dearest",
     "pql run o.ndjson --sort -total --limit 10",
     "jq -sc 'sort_by(-.total)[:10][]' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' order by total desc limit 10\""),
    ("two fields of each",
     "pql run o.ndjson --fields name,total",
     "jq -c '{name,total}' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' select name,total\""),
    ("a value computed for each",
     "pql run o.ndjson --fields 'id,sum=price*qty'",
     "jq -c '{id,sum:(.price*.qty)}' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' select id,price*qty as sum\""),
    ("two fields as CSV",
     "pql run o.ndjson --fields name,total -o csv",
     "(echo name,total;jq -r '[.name,.total]|@csv' o.ndjson)",
     "duckdb -csv -c \"from 'o.ndjson' select name,total\""),
    ("rows of a CSV file",
     "pql run p.csv \"age >= 65 AND city == 'Reno'\"",
     None,
     "duckdb -jsonlines -c \"from 'p.csv' where age>=65 and city='Reno'\""),
    ("rows of a CSV file in gzip",
     "pql run p.csv.gz \"age >= 65 AND city == 'Reno'\"",
     None,
     "duckdb -jsonlines -c \"from 'p.csv.gz' where age>=65 and city='Reno'\""),
    ("a list inside one object",
     "pql run d.json --rows data 'total > 990'",
     "jq -c '.data[]|select(.total>990)' d.json",
     "duckdb -jsonlines -c \"from (from 'd.json' select unnest(data,recursive:=true)) where total>990\""),
    ("several files at once",
     "pql run 'parts/*.ndjson' 'total > 990'",
     "jq -c 'select(.total>990)' parts/*.ndjson",
     "duckdb -jsonlines -c \"from 'parts/*.ndjson' where total>990\""),
    ("how many of each status",
     "pql run o.ndjson --group-by status",
     "jq -sc 'group_by(.status)[]|{status:.[0].status,count:length}' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' select status,count(*) group by all\""),
    ("sum and mean by state",
     "pql run o.ndjson --group-by address.state --compute sum:total,avg:total",
     "jq -sc 'group_by(.address.state)[]|{s:.[0].address.state,t:(map(.total)|add),a:(map(.total)|add/length)}' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' select address.state,sum(total),avg(total) group by 1\""),
    ("how many in each month",
     "pql run o.ndjson --group-by 'month(placed)'",
     "jq -sc 'group_by(.placed[5:7])[]|{m:.[0].placed[5:7],count:length}' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' select month(placed),count(*) group by all\""),
    ("the median by status",
     "pql run o.ndjson --group-by status --compute median:total",
     "jq -sc 'group_by(.status)[]|(map(.total)|sort) as $t|{s:.[0].status,"
     "m:(($t[length/2|floor]+$t[(length-1)/2|floor])/2)}' o.ndjson",
     "duckdb -jsonlines -c \"from 'o.ndjson' select status,median(total) group by all\""),
    ("the names that occur",
     "pql run o.ndjson --compute distinct:name",
     "jq -r .name o.ndjson|sort -u",
     "duckdb -jsonlines -c \"from 'o.ndjson' select distinct name\""),
    ("what fields there are",
     "pql fields o.ndjson",
     None,
     "duckdb -c \"summarize from 'o.ndjson'\""),
    ("into a table of SQLite",
     "pql import o.ndjson --into o.sqlite --table o",
     None,
     "duckdb -c \"install sqlite;load sqlite;attach 'o.sqlite' as s(type sqlite);create table s.o as from 'o.ndjson'\""),
]


def make(folder, rows):
    """The files, the same for the same number of rows."""
    rnd = random.Random(1)
    first = ["Ann", "Bob", "Zoë", "Aldo", "Mia", "Abel", "Ivo", "Zoe"]
    last = ["Smith", "Anderson", "Jackson", "Blacksmith", "Meier", "Ashe", "Olson"]
    orders = []
    for number in range(rows):
        city, state = rnd.choice(CITIES)
        price, qty = round(rnd.uniform(1, 100), 2), rnd.randint(1, 9)
        order = {
            "id": number, "name": f"{rnd.choice(first)} {rnd.choice(last)}", "status": rnd.choice(["open", "paid", "sent"]),
            "total": round(rnd.uniform(1, 1000), 2), "price": price, "qty": qty,
            "placed": f"2024-{rnd.randint(1, 12):02}-{rnd.randint(1, 28):02}T{rnd.randint(0, 23):02}:30:00Z",
            "address": {"city": city, "state": state, "zip": f"0{rnd.randint(2100, 2199)}"},
            "tags": rnd.sample(["gift", "bulk", "new", "late"], rnd.randint(0, 3)),
            "items": [{"sku": f"s{rnd.randint(1, 99)}", "price": rnd.randint(1, 500)} for _ in range(rnd.randint(1, 3))],
        }
        if number % 3:
            order["note"] = "leave at the door"
        orders.append(order)
    lines = [json.dumps(order, ensure_ascii=False, separators=(",", ":")) for order in orders]
    with open(f"{folder}/o.ndjson", "w") as file:
        file.write("\n".join(lines) + "\n")
    os.mkdir(f"{folder}/parts")
    for part in range(4):
        with open(f"{folder}/parts/{part}.ndjson", "w") as file:
            file.write("\n".join(lines[part::4]) + "\n")
    with open(f"{folder}/d.json", "w") as file:
        json.dump({"data": orders[: rows // 10]}, file, ensure_ascii=False)
    with open(f"{folder}/p.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "name", "age", "city", "joined"])
        for number in range(rows):
            person = [number, f"{rnd.choice(first)} {rnd.choice(last)}", rnd.randint(1, 99), rnd.choice(CITIES)[0]]
            writer.writerow(person + [f"20{rnd.randint(10, 24)}-01-02"])
    with open(f"{folder}/p.csv", "rb") as plain, gzip.open(f"{folder}/p.csv.gz", "wb") as packed:
        shutil.copyfileobj(plain, packed)


def run(command, folder, path, rounds):
    """The least seconds of some rounds, and the output; None if the command fails."""
    best, output = None, ""
    for _ in range(rounds):
        for made in ["o.sqlite"]:
            if os.path.exists(f"{folder}/{made}"):
                os.remove(f"{folder}/{made}")
        begin = time.monotonic()
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=dict(os.environ, PATH=path), capture_output=True)
        seconds = time.monotonic() - begin
        if done.returncode:
            return None, done.stderr.decode()[:300]
        best, output = min(best or seconds, seconds), done.stdout.decode()
    return best, output


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pql", required=True, help="a release build of the tool")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="pql-tasks-")
    try:
        packages = f"{folder}/packages"
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", packages, "duckdb-cli"], check=True)
        os.mkdir(f"{folder}/bin")
        os.symlink(os.path.abspath(arguments.pql), f"{folder}/bin/pql")
        found = [os.path.join(place, "duckdb") for place, _, files in os.walk(packages) if "duckdb" in files]
        os.symlink(found[0], f"{folder}/bin/duckdb")
        make(folder, arguments.rows)
        path = f"{folder}/bin:{os.environ['PATH']}"
        only = {int(number) for number in arguments.only.split(",") if number}
        print(f"| {arguments.rows:,} orders | pql | jq | DuckDB |\n|---|---|---|---|")
        for number, (what, *commands) in enumerate(TASKS, 1):
            if only and number not in only:
                continue
            cells, counts, times = [], [], []
            for command in commands:
                seconds, output = run(command, folder, path, arguments.rounds) if command else (None, "")
                if seconds is None:
                    cells.append("–")
                    times.append(None)
                    if command:
                        print(f"{what}: {command}: {output}", file=sys.stderr)
                    continue
                cells.append(f"{len(command)} keys, {seconds:.2f} s")
                times.append(seconds)
                counts.append(len(output.splitlines()))
            keys = [len(command) if seconds else None for command, seconds in zip(commands, times)]
            notes = []
            for name, count, seconds in list(zip(["pql", "jq", "DuckDB"], keys, times))[1:]:
                if keys[0] and count and keys[0] > count:
                    notes.append(f"longer than {name}")
                if times[0] and seconds and times[0] > seconds:
                    notes.append(f"slower than {name}")
            note = f" ({', '.join(notes)})" if notes else ""
            print(f"| {what}{note}: `{commands[0]}` | " + " | ".join(cells) + " |", flush=True)
            if len(set(counts)) > 1:
                print(f"{what}: lines of output {counts}", file=sys.stderr)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
