#!/usr/bin/env python3
"""Describes real tables by `pql catalogue` and runs queries that are translated with nothing but the description.

    catalogue.py       tables with every type, in PostgreSQL and in DuckDB

The tool must be built. A query passes if the rows are those named here; a query that cannot be must be refused before it
runs. Ends with 1 otherwise, with 77 when a store is not installed.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from judge_sql import PostgreSQL, skip
from spread import PQL, execution, run

TABLES = {
    "postgresql": """
CREATE TYPE state AS ENUM ('open', 'paid');
CREATE DOMAIN label AS varchar(20) NOT NULL;
CREATE TABLE customer (id uuid PRIMARY KEY, name text NOT NULL, code char(4), born date);
CREATE TABLE orders (id bigint PRIMARY KEY, customer_id uuid REFERENCES customer, state state, price numeric(9, 2),
  placed timestamptz(3), tags text[], sizes int[], extra json, more jsonb, mail label, rank real, flags boolean[],
  took interval, photo bytea, isgift boolean, small smallint, roles state[], prices numeric(9, 2)[], hour time, ip inet,
  grid text[] DEFAULT '{{a,b}}');
CREATE VIEW recent AS SELECT * FROM orders;
CREATE TABLE line (order_id bigint REFERENCES orders (id), item state, amount numeric);
INSERT INTO customer VALUES ('00000000-0000-0000-0000-000000000001', 'Ann', 'a', '1990-05-01'),
  ('00000000-0000-0000-0000-000000000002', 'Bob', 'b', '2000-05-01');
INSERT INTO orders VALUES
  (1, '00000000-0000-0000-0000-000000000001', 'open', 9.5, '2024-01-01T00:00:00Z', '{red,blue}', '{1,2}', '{"a": 1}',
    '{"a": [1]}', 'x@y', 1.5, '{true}', '1 day', 'ab', true, 3, '{open}', '{1.5}', '10:00'),
  (2, '00000000-0000-0000-0000-000000000002', 'paid', 0.1, '2025-01-01T00:00:00Z', '{green}', '{}', '{"a": 2}', '5', 'q', 2.5,
    '{false}', '1 hour', 'cd', false, 4, '{paid,NULL}', '{0.5}', '12:00'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO line VALUES (1, 'open', 2), (1, 'paid', 0.3), (2, 'paid', 7), (3, NULL, 0.1), (3, NULL, 0.2);
CREATE SCHEMA shop;
CREATE TABLE shop.orders (id bigint PRIMARY KEY, name text);
CREATE TABLE shop."line.part" (id int, order_id bigint REFERENCES shop.orders (id), size int);
INSERT INTO shop.orders VALUES (7, 'x'), (8, 'y');
INSERT INTO shop."line.part" VALUES (1, 7, 5), (2, 8, 6);
""",
    "duckdb": """
CREATE TYPE state AS ENUM ('open', 'paid');
CREATE TABLE customer (id UUID PRIMARY KEY, name VARCHAR NOT NULL, code VARCHAR, born DATE);
CREATE TABLE orders (id BIGINT PRIMARY KEY, customer_id UUID REFERENCES customer (id), state state, price DECIMAL(9, 2),
  placed TIMESTAMPTZ, tags VARCHAR[], sizes INTEGER[], more STRUCT(a INTEGER, "b c" VARCHAR[]), mail VARCHAR, rank REAL,
  flags BOOLEAN[], took INTERVAL, photo BLOB, isgift BOOLEAN, small SMALLINT, roles state[], prices DECIMAL(9, 2)[],
  hour TIME, big HUGEINT, few UINTEGER, three INTEGER[3], sent TIMESTAMP_S, seen TIMESTAMP_NS);
CREATE VIEW recent AS SELECT * FROM orders;
CREATE TABLE line (order_id BIGINT REFERENCES orders (id), item state, amount DECIMAL(18, 3));
INSERT INTO customer VALUES ('00000000-0000-0000-0000-000000000001', 'Ann', 'a', '1990-05-01'),
  ('00000000-0000-0000-0000-000000000002', 'Bob', 'b', '2000-05-01');
INSERT INTO orders VALUES
  (1, '00000000-0000-0000-0000-000000000001', 'open', 9.5, '2024-01-01T00:00:00Z', ['red', 'blue'], [1, 2],
    {'a': 1, 'b c': ['z']}, 'x@y', 1.5, [true], INTERVAL 1 DAY, 'ab', true, 3, ['open'], [1.5], '10:00', 7, 7, [1, 2, 3],
    '2024-01-01 10:00:00', '2024-01-01 10:00:00'),
  (2, '00000000-0000-0000-0000-000000000002', 'paid', 0.1, '2025-01-01T00:00:00Z', ['green'], [], {'a': 2, 'b c': []}, 'q', 2.5,
    [false], INTERVAL 1 HOUR, 'cd', false, 4, ['paid', NULL], [0.5], '12:00', 8, 8, [4, 5, 6], '2025-01-01 10:00:00',
    '2025-01-01 10:00:00'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL);
INSERT INTO line VALUES (1, 'open', 2), (1, 'paid', 0.3), (2, 'paid', 7), (3, NULL, 0.1), (3, NULL, 0.2);
CREATE SCHEMA shop;
CREATE TABLE shop.orders (id bigint PRIMARY KEY, name text);
CREATE TABLE shop."line.part" (id int, order_id bigint REFERENCES shop.orders (id), size int);
INSERT INTO shop.orders VALUES (7, 'x'), (8, 'y');
INSERT INTO shop."line.part" VALUES (1, 7, 5), (2, 8, 6);
""",
}

# The query over orders, and the ids of its rows; or the code of its error and a word of it.
QUESTIONS = [
    ("state == 'open'", [1]), ("state != 'open'", [2, 3]), ("state IN {'paid', 'gone'}", [2]), ("state == nil", [3]),
    ("price > 9", [1]), ("price == 0.1", [2]), ("price BETWEEN {0.1, 9.5}", [1, 2]), ("price == nil", [3]),
    ("placed >= CAST('2024-06-01T00:00:00Z', 'NSDate')", [2]), ("placed < CAST('2024-06-01T00:00:00Z', 'NSDate')", [1]),
    ("ANY tags == 'red'", [1]), ("tags.@count == 1", [2]), ("ANY sizes > 1", [1]), ("sizes.@count == 0", [2]),
    ("NONE tags == 'red'", [2, 3]), ("ANY tags IN {'red', 'green', 'x', 'x', 'x', 'x', 'x', 'x', 'x', 'y'}", [1, 2]),
    ("NOT (ANY tags IN {'red', 'x'})", [2, 3]), ("ANY sizes == 2", [1]), ("ANY sizes == 2.5", []), ("2 IN sizes", [1]),
    ("NOT 2.0 IN sizes", [2, 3]), ("ANY sizes IN {2, 3000000000}", [1]), ("NONE flags == TRUE", [2, 3]), ("mail CONTAINS '@'", [1]), ("rank > 2", [2]), ("isgift == TRUE", [1]), ("small == 4", [2]),
    ("small * small * small * small > 250", [2]), ("rank + rank > 4", [2]), ("-small == -3", [1]),
    ("customer.name == 'Ann'", [1]), ("customer.code == 'b'", [2]), ("customer == nil", [3]),
    ("ANY line.amount > 5", [2]), ("line.@max.amount > 5", [2]), ("NOT line.@max.amount > 5", [1, 3]),
    ("line.@min.amount <= 0.3", [1, 3]), ("line.@max.item > 'open'", [1, 2]),
    ("customer.orders.@max.placed > CAST('2024-06-01T00:00:00Z', 'NSDate')", [2]),
    ("customer.orders.@max.placed < CAST('2024-06-01T00:00:00Z', 'NSDate')", [1]),
    ("NOT customer.orders.@max.placed < CAST('2024-06-01T00:00:00Z', 'NSDate')", [2, 3]),
    ("customer.orders.@min.placed == CAST('2025-01-01T00:00:00Z', 'NSDate')", [2]),
    ("customer.orders.@min.placed != CAST('2025-01-01T00:00:00Z', 'NSDate')", [1, 3]), ("ANY line.item == 'open'", [1]), ("line.@sum.amount == 2.3", [1]),
    ("line.@sum.amount == 0.3", [3]), ("line.@avg.amount == 0.15", [3]), ("line.@count == 2", [1, 3]), ("customer.id == CAST('00000000-0000-0000-0000-000000000002', 'NSUUID')", [2]),
    ("customer.born < CAST('1995-01-01T00:00:00Z', 'NSDate')", [1]),
    ("customer.born == CAST('1990-05-01T00:00:00Z', 'NSDate')", [1]),
    ("customer.born == CAST('1990-05-01T00:00:00.001Z', 'NSDate')", []),
    ("NOT customer.born >= CAST('1990-05-01T00:00:00.001Z', 'NSDate')", [1, 3]),
    ("customer.born IN {CAST('1990-05-01', 'NSDate'), CAST('2000-05-01', 'NSDate')}", [1, 2]),
    ("customer.born BETWEEN {CAST('1990-05-01', 'NSDate'), CAST('2000-04-30T23:59:59Z', 'NSDate')}", [1]),
    ("ANY roles == 'open'", [1]), ("NONE roles == 'open'", [2, 3]), ("roles.@count == 1", [1]), ("'open' IN roles", [1]),
    ("'pen' IN roles", []), ("ANY prices > 1", [1]), ("prices.@sum > 1", [1]), ("hour < '11:00'", [1]),
    ("took == 'x'", "interval"), ("stat == 'open'", "state"), ("price == 'a'", "price"), ("small BEGINSWITH 'x'", "small"),
]
OF_STORE = {
    "postgresql": [("extra.a == 2", [2]), ("ip == '10.0.0.1'", "inet"), ("ANY more.a == 1", [1]), ("more == 5", [2]),
        ("ANY grid == 'a'", []), ("NONE grid IN {'a', 'b'}", [1, 2, 3])],
    "duckdb": [
        ("more.a == 2", [2]), ("big == 7", "hugeint"), ("-few < 0", [1, 2]), ("ANY three == 2", [1]), ("three.@count == 3", [1, 2]),
        ("sent > CAST('2024-06-01T00:00:00Z', 'NSDate')", [2]), ("year(sent) == 2024", [1]),
        ("seen > CAST('2024-06-01T00:00:00Z', 'NSDate')", [2]), ("year(seen) == 2024 AND seen == sent", [1]),
    ],
}
# The query over a view, its options, and the ids of its rows in order.
OF_VIEW = [("TRUEPREDICATE", ["--limit", "2"], [1, 2]), ("price != nil", ["--sort", "-price", "--limit", "1"], [1])]

# The query over a table of another schema, and the ids of its rows.
OF_SCHEMA = [
    ("name == 'x'", "shop.orders", [7]), ("order.name == 'y'", 'shop."line.part"', [2]),
    ("order != nil AND size > 5", 'shop."line.part"', [2]), ("state == 'open'", "shop.orders", "state"),
]


def pql(*arguments):
    done = subprocess.run([str(PQL), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.stdout, done.stderr if done.returncode else None


def translated(question, store, path, table="orders", options=("--sort", "id")):
    output, error = pql("translate", question, "--to", store, "--table", table, "--catalogue", path, *options)
    lines = output.split("\n")
    values = [line.removeprefix("-- bindings: ") for line in lines if line.startswith("-- bindings: ")]
    return lines[0], json.loads(values[0]) if values else [], error


def judge(store, folder, describe, ids):
    path = os.path.join(folder, store + ".json")
    pathlib.Path(path).write_text(describe(pql("catalogue", store)[0]), encoding="utf-8")
    wrong = 0
    questions = [(question, "orders", ["--sort", "id"], ids) for question, ids in QUESTIONS + OF_STORE[store]]
    questions += [(question, "recent", options, ids) for question, options, ids in OF_VIEW]
    questions += [(question, table, ["--sort", "id"], ids) for question, table, ids in OF_SCHEMA]
    for question, table, options, expected in questions:
        sql, values, error = translated(question, store, path, table, options)
        if isinstance(expected, str):
            isRight = error is not None and expected in error.lower()
        else:
            isRight = error is None and ids(sql, values) == expected
        if not isRight:
            wrong += 1
            found = error or f"{ids(sql, values)}\n{sql}\n{values}"
            print(f"{store}: {question}: expected {expected}, not {found}", file=sys.stderr)
    print(f"{store}: {len(questions)} queries by the catalogue, {wrong} wrong")
    return wrong


def plain(value):
    """A bound value as the store reads it: dates and UUIDs are objects in the note."""
    if isinstance(value, dict):
        value = next(iter(value.values()))
    return value


def postgresql(folder):
    store = PostgreSQL()
    try:
        run(store, folder, TABLES["postgresql"])

        def describe(statement):
            return run(store, folder, "\\pset format unaligned\n\\pset tuples_only on\n" + statement.rstrip() + ";\n")

        def ids(sql, values):
            before = "\\pset format unaligned\n\\pset tuples_only on\nSET timezone = 'Asia/Tokyo';\n"
            output = run(store, folder, before + execution(sql, [plain(value) for value in values]))
            return [int(line.split("|")[0]) for line in output.split("\n") if line[:1].isdigit()]

        return judge("postgresql", folder, describe, ids)
    finally:
        store.close()


def duckdb(folder):
    try:
        import duckdb
    except ImportError:
        return skip("the Python package duckdb is not installed")
    connection = duckdb.connect()
    connection.execute(TABLES["duckdb"])
    connection.execute("SET timezone = 'Asia/Tokyo'")

    def ids(sql, values):
        return [row[0] for row in connection.execute(sql, [plain(value) for value in values]).fetchall()]

    return judge("duckdb", folder, lambda statement: connection.execute(statement).fetchone()[0], ids)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        results = [postgresql(folder), duckdb(folder)]
    sys.exit(1 if any(result not in (0, 77) for result in results) else max(results))


if __name__ == "__main__":
    main()
