#!/usr/bin/env python3
"""Runs everyday queries in a real PostgreSQL beside an expert's SQL for the same question and prints how the times compare.

    plans.py [ROWS]    300,000 people unless told, twice as many orders; a private cluster on a Unix socket

The SQL is that of `pql translate`, so the tool must be built. Each statement is planned and runs five times; the fastest run
counts, with its planning. Ends with 1 when the two give different numbers of rows, with 77 when PostgreSQL is not installed.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from judge_sql import PostgreSQL

PQL = os.environ.get("PQL", pathlib.Path(__file__).parents[2] / ".build/debug/pql")
PERSON = {"name": "string", "age": "integer", "city": "string", "score": "number"}
ORDER = {"total": "number"}


def properties(types):
    return {name: {"type": kind} for name, kind in types.items()}


SCHEMA = {
    "type": "object", "x-primary-key": "id", "required": ["id", "name"],
    "properties": properties(PERSON) | {
        "id": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}},
        "boss": {"type": "object", "x-table": "people", "x-foreign-key": "boss_id", "x-key": "id",
                 "properties": properties(PERSON) | {"id": {"type": "integer"}}},
        "orders": {"type": "array", "x-table": "orders", "x-foreign-key": "person_id", "x-key": "id",
                   "items": {"type": "object", "properties": properties(ORDER)}}}}

TABLES = """
CREATE TABLE people (id bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, age bigint, city text, score double precision,
    boss_id bigint, tags jsonb);
INSERT INTO people SELECT i, 'Name ' || i * 7919 % {rows}, i % 100, 'City ' || i % 500, i % 10007 / 100.0, (i * 31) % {rows} + 1,
    jsonb_build_array('t' || i % 300, 't' || i % 301, 't' || i % 303) || CASE WHEN i % 50 = 0 THEN '["a", "b"]' ELSE '[]' END::jsonb
    FROM generate_series(1, {rows}::bigint) i;
CREATE TABLE orders (id bigint PRIMARY KEY, person_id bigint, total double precision);
INSERT INTO orders SELECT i, (i * 17) % {rows} + 1, i % 10000 FROM generate_series(1, {rows}::bigint * 2) i;
CREATE TABLE docs (id bigint PRIMARY KEY, doc jsonb);
INSERT INTO docs SELECT id, jsonb_build_object('id', id, 'name', name, 'age', age, 'city', city, 'score', score, 'tags', tags,
    'address', jsonb_build_object('zip', lpad((id % 9973)::text, 5, '0'))) FROM people;
"""
# The expert's; those that are left out here are in what `pql translate --indexes` suggests.
INDEXES = """
CREATE INDEX ON people (name); CREATE INDEX ON people (boss_id);
CREATE INDEX ON orders (person_id); CREATE INDEX ON orders (total);
CREATE INDEX ON docs USING gin (doc);
"""

# The query, the table, the options of `pql translate`, and the expert's SQL.
QUESTIONS = [
    ("city == 'City 17' AND age == 17", "people", [], "city = 'City 17' AND age = 17"),
    ("name BEGINSWITH 'Name 123'", "people", [], "name >= 'Name 123' AND name < 'Name 124'"),
    ("age IN {3, 5, 7, 11, 13}", "people", [], "age = ANY (ARRAY[3, 5, 7, 11, 13])"),
    ("score > 100", "people", [], "score > 100"),
    ("score BETWEEN {10, 10.02}", "people", [], "score BETWEEN 10 AND 10.02"),
    ("city == 'City 17' AND NOT (name == 'Name 1')", "people", [], "city = 'City 17' AND name <> 'Name 1'"),
    ("TRUEPREDICATE", "people", ["--sort", "name", "--limit", "20"], "TRUE ORDER BY name LIMIT 20"),
    ("boss.id == 4711", "people", [], "boss_id = 4711"),
    ("boss.name == 'Name 4711'", "people", [], "boss_id IN (SELECT id FROM people WHERE name = 'Name 4711')"),
    ("boss.age > 98", "people", [], "boss_id IN (SELECT id FROM people WHERE age > 98)"),
    ("ANY tags == 'a' AND ANY tags == 'b' AND ANY tags == 't50'", "people", [], "tags ?& ARRAY['a', 'b', 't50']"),
    ("ANY tags IN {'t7', 't299'}", "people", [], "tags ?| ARRAY['t7', 't299']"),
    ("NONE tags == 't7'", "people", [], "NOT tags ? 't7'"),
    ("tags.@count > 4", "people", [], "jsonb_array_length(tags) > 4"),
    ("ANY orders.total > 9998", "people", [], "id IN (SELECT person_id FROM orders WHERE total > 9998)"),
    ("orders.@sum.total > 19990", "people", [],
     "id IN (SELECT person_id FROM orders GROUP BY 1 HAVING sum(total) > 19990)"),
    ("city == 'City 17' AND orders.@sum.total > 9000", "people", [],
     "city = 'City 17' AND (SELECT sum(total) FROM orders WHERE person_id = people.id) > 9000"),
    ("orders.@count > 2", "people", [], "id IN (SELECT person_id FROM orders GROUP BY 1 HAVING count(*) > 2)"),
    ("address.zip == '01234'", "docs", [], "doc @> '{\"address\": {\"zip\": \"01234\"}}'"),
    ("ANY tags == 't7'", "docs", [], "doc -> 'tags' ? 't7'"),
    ("tags.@count > 4", "docs", [], "jsonb_array_length(doc -> 'tags') > 4"),
    ("age == 42 AND score * 2 > 199", "docs", [], "doc -> 'age' = '42' AND (doc ->> 'score')::float8 * 2 > 199"),
]


def asked(question, table, options, schema):
    given = ["--storage", "document"] if table == "docs" else ["--schema", schema]
    command = [str(PQL), "translate", question, "--to", "postgresql", "--table", table, "--primary-key", "id", *given, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{question}: {done.stderr}")
    return done.stdout


def translated(question, table, options, schema):
    lines = asked(question, table, options, schema).split("\n")
    values = [line.removeprefix("-- bindings: ") for line in lines if line.startswith("-- bindings: ")]
    texts = ["'" + str(value).replace("'", "''") + "'" for value in (json.loads(values[0]) if values else [])]
    return f"PREPARE q AS {lines[0]}", f"EXECUTE q{'(' + ', '.join(texts) + ')' if texts else ''}"


def measured(store, folder, statements):
    """The milliseconds of each statement's fastest run, and its number of rows."""
    lines = []
    for prepare, execute in statements:
        lines += [prepare + ";", *["DISCARD PLANS;", "\\echo @@", f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {execute};"] * 5, "DEALLOCATE q;"]
    path = os.path.join(folder, "plans.sql")
    pathlib.Path(path).write_text("\n".join(lines), encoding="utf-8")
    os.chmod(path, 0o644)
    plans = [json.loads(part)[0] for part in store.psql(path).split("@@\n")[1:]]
    runs = [plans[at:at + 5] for at in range(0, len(plans), 5)]
    return [(min(plan["Planning Time"] + plan["Execution Time"] for plan in run), run[0]["Plan"]["Actual Rows"]) for run in runs]


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 300_000
    store = PostgreSQL()
    differ = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            schema = os.path.join(folder, "person.json")
            pathlib.Path(schema).write_text(json.dumps(SCHEMA), encoding="utf-8")
            tables = os.path.join(folder, "tables.sql")
            suggested = {index for question, table, options, _ in QUESTIONS
                         for index in asked(question, table, [*options, "--indexes"], schema).splitlines()}
            script = [TABLES.format(rows=rows), INDEXES, *sorted(suggested), "VACUUM ANALYZE;"]
            pathlib.Path(tables).write_text("\n".join(script), encoding="utf-8")
            output = store.psql(tables)
            if output.strip():
                sys.exit(output)
            statements = []
            for question, table, options, expert in QUESTIONS:
                what = "doc" if table == "docs" else f"{table}.*"
                statements.append(translated(question, table, options, schema))
                statements.append((f"PREPARE q AS SELECT {what} FROM {table} WHERE {expert}", "EXECUTE q"))
            results = measured(store, folder, statements)
    finally:
        store.close()
    print(*sorted(suggested), sep="\n")
    print(f"| PostgreSQL, {rows} rows | ours, ms | expert, ms | ratio | rows |\n|---|---|---|---|---|")
    ratios = []
    for (question, table, options, _), (ours, found), (theirs, same) in zip(QUESTIONS, results[::2], results[1::2]):
        ratios.append(ours / theirs)
        differ += found != same
        name = re.sub(r"\|", r"\\|", " ".join([question, *options[:2]])) + (" (jsonb)" if table == "docs" else "")
        print(f"| {name} | {ours:.2f} | {theirs:.2f} | {ours / theirs:.2f} | {found}{'' if found == same else f', not {same}'} |")
    print(f"| mean | | | {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f} | |")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
