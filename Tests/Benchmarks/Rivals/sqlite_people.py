"""Counts people in SQLite, in memory, with lists as JSON text.

Usage: sqlite_people.py FILE PREDICATES ROUNDS
Prints one JSON object: predicate id -> {count, columns}, best CPU nanoseconds of a whole count.
"""
import json
import sqlite3
import sys
import time

path, predicates, rounds = sys.argv[1], json.load(open(sys.argv[2])), int(sys.argv[3])
database = sqlite3.connect(":memory:")
database.execute(
    "CREATE TABLE people (_id INTEGER PRIMARY KEY, name TEXT, age INTEGER, score REAL, active INTEGER, city TEXT,"
    " nickname TEXT, lat REAL, tags TEXT, orders TEXT)"
)


def rows():
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        plain = [row.get(key) for key in ("_id", "name", "age", "score", "active", "city", "nickname")]
        lists = [json.dumps(row[key], ensure_ascii=False) for key in ("tags", "orders")]
        yield plain + [row["address"]["geo"]["lat"]] + lists


database.executemany("INSERT INTO people VALUES (?,?,?,?,?,?,?,?,?,?)", rows())
answers = {}
for predicate in predicates:
    sql = f"SELECT count(*) FROM people WHERE {predicate['sql']}"
    times, count = [], None
    for _ in range(rounds):
        start = time.process_time_ns()
        count = database.execute(sql).fetchone()[0]
        times.append(time.process_time_ns() - start)
    answers[predicate["id"]] = {"count": count, "columns": min(times)}
print(json.dumps({"version": sqlite3.sqlite_version, "answers": answers}))
