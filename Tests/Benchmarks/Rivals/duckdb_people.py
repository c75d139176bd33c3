"""Counts people in DuckDB: over an NDJSON file, and over columns in memory.

Usage: duckdb_people.py FILE PREDICATES ROUNDS
Prints one JSON object: predicate id -> {count, columns, planning, ndjson, ndjsonThreads}, best nanoseconds of a whole
count: CPU time of one thread, wall time of more. Planning is the same count over no rows.
"""
import json
import sys
import time

import duckdb

path, predicates, rounds = sys.argv[1], json.load(open(sys.argv[2])), int(sys.argv[3])
database = duckdb.connect()
threads = database.execute("SELECT current_setting('threads')").fetchone()[0]
source = f"read_json('{path}', format='newline_delimited')"
database.execute("SET threads=1")
database.execute(f"CREATE TABLE people AS SELECT *, address.geo.lat AS lat FROM {source}")
database.execute("CREATE TABLE nobody AS SELECT * FROM people LIMIT 0")


def best(sql, clock=time.process_time_ns):
    times, count = [], None
    for _ in range(rounds):
        start = clock()
        count = database.execute(sql).fetchone()[0]
        times.append(clock() - start)
    return min(times), count


answers = {}
for predicate in predicates:
    condition = predicate["duckdb"]
    scanned = condition.replace("lat >", "address.geo.lat >")
    columns, count = best(f"SELECT count(*) FROM people WHERE {condition}")
    planning, _ = best(f"SELECT count(*) FROM nobody WHERE {condition}")
    database.execute("SET threads=1")
    ndjson, again = best(f"SELECT count(*) FROM {source} WHERE {scanned}")
    database.execute(f"SET threads={threads}")
    parallel, _ = best(f"SELECT count(*) FROM {source} WHERE {scanned}", time.perf_counter_ns)
    database.execute("SET threads=1")
    answers[predicate["id"]] = {
        "count": count if count == again else -1,
        "columns": columns,
        "planning": planning,
        "ndjson": ndjson,
        "ndjsonThreads": parallel,
    }
print(json.dumps({"version": duckdb.__version__, "threads": threads, "answers": answers}))
