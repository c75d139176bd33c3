#!/usr/bin/env python3
"""Asks what a table that lies in several places does with our statements, by the plans that the stores print.

    spread.py          partitions and a second PostgreSQL behind postgres_fdw; Parquet files in folders, by DuckDB

The SQL is that of `pql translate`, so the tool must be built. A statement passes if its plan leaves out the places that
cannot hold a row, has the condition where the rows are, and gives the rows of a table in one place. Ends with 1
otherwise, with 77 when a store is not installed. Grammar/stores.md says what is pushed down.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from judge_sql import PostgreSQL, skip

PQL = os.environ.get("PQL", pathlib.Path(__file__).parents[2] / ".build/debug/pql")
SCHEMA = {
    "type": "object", "x-primary-key": "id", "required": ["id", "region", "year", "total", "item"],
    "properties": {"id": {"type": "integer"}, "region": {"type": "string"}, "year": {"type": "integer"},
                   "total": {"type": "number"}, "item": {"type": "string"}, "note": {"type": "string"}}}
COLUMNS = "id bigint, region text, year bigint, total double precision, item text, note text"
ROWS = ("SELECT i AS id, (ARRAY['asia', 'eu', 'us'])[1 + i % 3] AS region, 2023 + i % 4 AS year, "
        "CAST(i % 1000 AS double precision) AS total, 'item ' || i % 50 AS item, "
        "CASE WHEN i % 7 > 0 THEN 'note ' || i END AS note FROM generate_series(1, 30000) AS t(i)")

# The query, options, the regions whose partitions are read, and whether the far PostgreSQL tests the condition.
QUESTIONS = [
    ("region == 'us' AND total > 990", [], ["us"], True),
    ("region == 'eu' AND total > 990", [], ["eu"], None),
    ("region IN {'eu', 'asia'} AND item == 'item 7'", [], ["asia", "eu"], None),
    ("item == 'item 7' AND total BETWEEN {100, 200}", [], ["asia", "eu", "us"], True),
    ("year == 2024 AND note == nil", [], ["asia", "eu", "us"], True),
    ("NOT (region == 'us') AND total < 3", [], ["asia", "eu"], None),
    ("item BEGINSWITH 'item 4'", [], ["asia", "eu", "us"], False),
    ("item CONTAINS '49'", [], ["asia", "eu", "us"], True),
    ("item CONTAINS[cd] 'ITEM 49'", [], ["asia", "eu", "us"], False),
    ("TRUEPREDICATE", ["--sort", "item", "--limit", "5"], ["asia", "eu", "us"], False),
    ("total > 900", ["--sort", "id", "--limit", "5"], ["asia", "eu", "us"], True),
    ("total > 900 AND id > 29000", ["--sort", "id", "--limit", "5"], ["asia", "eu", "us"], True),
]
PARTITIONS = f"""
CREATE EXTENSION postgres_fdw;
CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '{{host}}', dbname 'postgres', use_remote_estimate 'true');
CREATE USER MAPPING FOR judge SERVER far OPTIONS (user 'judge');
CREATE TABLE sales ({COLUMNS}) PARTITION BY LIST (region);
CREATE TABLE sales_asia PARTITION OF sales FOR VALUES IN ('asia');
CREATE TABLE sales_eu PARTITION OF sales FOR VALUES IN ('eu');
CREATE FOREIGN TABLE sales_us PARTITION OF sales FOR VALUES IN ('us') SERVER far OPTIONS (table_name 'sales_us');
INSERT INTO sales SELECT * FROM ({ROWS}) AS r WHERE region <> 'us';
CREATE TABLE whole AS SELECT * FROM ({ROWS}) AS r;
ANALYZE sales_asia; ANALYZE sales_eu; ANALYZE sales_us; ANALYZE whole;
"""
FAR = f"CREATE TABLE sales_us ({COLUMNS}); INSERT INTO sales_us SELECT * FROM ({ROWS}) AS r WHERE region = 'us'; ANALYZE;"
# A condition that only one folder's files can satisfy, and those that the reader tests within the files.
FOLDERS = [
    ("region == 'us' AND total > 990", 1, "total>990.0"),
    ("region IN {'eu', 'us'} AND item == 'item 7'", 2, "item='item 7'"),
    ("NOT (region == 'us') AND total < 3", 2, "total<3.0"),
    ("total > 900 AND id > 29000", 3, "id>29000"),
    ("item BEGINSWITH 'item 49'", 3, "item>='item 49'"),
]


def translated(question, store, table, options, schema, whole=False):
    command = [str(PQL), "translate", question, "--to", store, "--table", table, "--primary-key", "id", "--schema", schema, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{question}: {done.stderr}")
    if whole:
        return done.stdout
    lines = done.stdout.split("\n")
    values = [line.removeprefix("-- bindings: ") for line in lines if line.startswith("-- bindings: ")]
    return lines[0], json.loads(values[0]) if values else []


def run(store, folder, text):
    path = os.path.join(folder, "spread.sql")
    pathlib.Path(path).write_text(text, encoding="utf-8")
    os.chmod(path, 0o644)
    output = store.psql(path)
    if "ERROR:" in output:
        sys.exit(output)
    return output


def execution(sql, values, before=""):
    texts = ["'" + str(value).replace("'", "''") + "'" for value in values]
    given = "(" + ", ".join(texts) + ")" if texts else ""
    return f"PREPARE q AS {sql};\n{before}EXECUTE q{given};\nDEALLOCATE q;\n"


def partitions(schema, folder):
    near, far, wrong = PostgreSQL(), None, 0
    try:
        far = PostgreSQL()
        run(far, folder, FAR)
        # The fold function, in case a question asks for it.
        run(near, folder, translated("item CONTAINS[cd] 'a'", "postgresql", "sales", ["--functions"], schema, whole=True))
        run(near, folder, PARTITIONS.format(host=far.folder))
        print("| PostgreSQL, partitions by region, one behind postgres_fdw | partitions read | sent to the other server |\n|---|---|---|")
        for question, options, regions, isRemote in QUESTIONS:
            sql, values = translated(question, "postgresql", "sales", options, schema)
            plan = run(near, folder, execution(sql, values, "EXPLAIN (VERBOSE, COSTS OFF) "))
            read = [region for region in ("asia", "eu", "us") if f"sales_{region}" in plan]
            remote = " ".join(line.split("Remote SQL: ", 1)[1].strip() for line in plan.split("\n") if "Remote SQL: " in line)
            rows = run(near, folder, execution(sql, values))
            whole = run(near, folder, execution(*translated(question, "postgresql", "whole", options, schema)))
            isTested = " WHERE " in remote if isRemote is not None else None
            if read != regions or isTested != isRemote or sorted(rows.split("\n")) != sorted(whole.split("\n")):
                wrong += 1
                print(f"{question}: read {read}, sent {remote}\n{plan}", file=sys.stderr)
            sent = re.sub(r".* FROM public\.sales_us( WHERE )?", r"\1", remote).strip()
            name = " ".join([question, *options])
            print(f"| `{name}` | {', '.join(read)} | {'`' + sent + '`' if sent else '' if not remote else 'all rows'} |")
    finally:
        near.close()
        if far:
            far.close()
    return wrong


def parquet(schema, folder):
    try:
        import duckdb
    except ImportError:
        return skip("the Python package duckdb is not installed")
    connection, wrong = duckdb.connect(), 0
    files = os.path.join(folder, "files")
    rows = ROWS.replace("(ARRAY['asia', 'eu', 'us'])[1 + i % 3]", "(['asia', 'eu', 'us'])[1 + i % 3]")
    connection.execute(f"CREATE TABLE whole AS {rows}")
    connection.execute(f"COPY whole TO '{files}' (FORMAT parquet, PARTITION_BY (region))")
    connection.execute(f"CREATE VIEW sales AS SELECT * FROM read_parquet('{files}/*/*.parquet', hive_partitioning = true)")
    print("| DuckDB, Parquet files in folders by region | files read of 3 | tested while reading |\n|---|---|---|")
    for question, count, tested in FOLDERS:
        sql, values = translated(question, "duckdb", "sales", [], schema)
        plan = connection.execute("EXPLAIN ANALYZE " + sql, values).fetchall()[0][1]
        text = re.sub(r"[│\s]+", " ", plan)
        read = re.search(r"Total Files Read: (\d+)", text)
        sql, values = translated(question, "duckdb", "sales", ["--sort", "id"], schema)
        other, same = translated(question, "duckdb", "whole", ["--sort", "id"], schema)
        def ids(sql, values):
            table = connection.execute(sql, values)
            at = [column[0] for column in table.description].index("id")
            return [row[at] for row in table.fetchall()]
        isTested = tested.replace(" ", "") in plan.replace(" ", "").replace("│", "").replace("\n", "")
        if read is None or int(read[1]) != count or not isTested or ids(sql, values) != ids(other, same):
            wrong += 1
            print(f"{question}\n{plan}", file=sys.stderr)
        print(f"| `{question}` | {read[1] if read else '?'} | {tested if isTested else 'nothing'} |")
    return wrong


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        schema = os.path.join(folder, "sales.json")
        pathlib.Path(schema).write_text(json.dumps(SCHEMA), encoding="utf-8")
        results = [partitions(schema, folder), parquet(schema, folder)]
    sys.exit(1 if any(result not in (0, 77) for result in results) else max(results))


if __name__ == "__main__":
    main()
