#!/usr/bin/env python3
"""Runs translated queries in a real store and compares with the rows that they must find.

    judge_sql.py postgresql CASES…    a private cluster on a Unix socket, PostgreSQL 15 or later
    judge_sql.py duckdb CASES…        the Python package duckdb
    judge_sql.py mariadb CASES…       a private server on a Unix socket, and the Python package pymysql
    judge_sql.py sqlite CASES…        the Python package apsw, which brings a newer SQLite than the system's

CASES are files that `SQL_CASES=folder swift test --filter 'TypedCasesTests|AgreementTests'` writes. Prints the pairs of queries and rows
that were compared; ends with 1 when an answer differs, with 77 when the store is not installed.
"""
import csv
import datetime
import glob
import io
import json
import math
import os
import pathlib
import pwd
import shutil
import struct
import subprocess
import sys
import tempfile
import time

# What the language computes in doubles and a store refuses, a fault of DuckDB's planner, and what MariaDB lacks beside
# MySQL, columns of the outer row in a derived table: loud, so no wrong answer.
REFUSALS = ("out of range", "Out of Range", "overflow", "underflow", "complex result", "is undefined",
            "cannot take logarithm", "Overflow", "INTERNAL Error: Attempted to access index",
            "Unknown table 'docs' in SELECT", "Unknown column 'docs.")
# Fewer bits than ints have: stores calculate with those of their columns, unless one is cast.
FEWER_BITS = ("integer out of range", "smallint out of range", "INT32", "INT16")
COLUMNS = [("x", "int"), ("y", "double"), ("n", "int"), ("m", "double"), ("s", "text"), ("t", "text"),
           ("b", "bool"), ("d", "date"), ("e", "date")]
TABLES = ["docs", "kids", "bosses", "toys", "parts"]
FOLDED = [f"{name}_{letters}" for name in "st" for letters in ("c", "d", "cd")]


def key(setup):
    """What gives the position of a row: the keys of related tables begin at 1."""
    return "id - 1" if setup else "id"


def refuses(answer):
    return any(word in answer for word in REFUSALS) and not any(word in answer for word in FEWER_BITS)


def fits(kind, bits, value):
    """Whether a number is exact in so many bits."""
    if value is None or kind == "double" and not math.isfinite(value):
        return True
    if kind == "int":
        return -2 ** (bits - 1) <= value < 2 ** (bits - 1)
    return abs(value) < 3e38 and struct.unpack("f", struct.pack("f", value))[0] == value


def narrow(rows, bits):
    """The rows whose numbers fit, at their positions; None for the others."""
    numbers = [(name, kind) for name, kind in COLUMNS if kind in ("int", "double")]
    return [row if all(fits(kind, bits, loaded(row.get(name))) for name, kind in numbers) else None for row in rows]


def narrowest(columns, rows, types, narrower):
    """The types of columns, those of numbers with as few bits as hold all values."""
    found = {name: types[kind] for name, kind in columns}
    for name, kind in columns:
        for bits, type in narrower.get(kind, []):
            if all(fits(kind, bits, loaded(row.get(name))) for row in rows if row is not None):
                found[name] = type
    return found


def plain(value):
    """The value without its kind, as text or None."""
    if value is None:
        return None
    (kind, inner), = value.items()
    if kind == "bool":
        return "true" if inner else "false"
    if kind == "data":
        return "\\x" + bytes(inner).hex()
    return inner


def loaded(value):
    """The value without its kind, as Python has it."""
    if value is None:
        return None
    (kind, inner), = value.items()
    if kind == "int":
        return int(inner)
    if kind == "double":
        return float(inner)
    if kind == "list":
        return [loaded(element) for element in inner]
    if kind == "object":
        return {key: loaded(element) for key, element in inner.items()}
    if kind == "data":
        return bytes(inner)
    return inner


class PostgreSQL:
    TYPES = {"int": "bigint", "double": "double precision", "text": "text", "bool": "boolean", "date": "timestamptz"}
    NARROW = {"int": [(32, "integer"), (16, "smallint")], "double": [(32, "real")]}
    # The answer does not depend on the connection's time zone, with columns that have one and columns that have none.
    ZONES = ["UTC", "America/New_York", "Asia/Tokyo"]
    zone = "UTC"

    def __init__(self):
        found = [path for path in glob.glob("/usr/lib/postgresql/*/bin") + [os.path.dirname(shutil.which("initdb") or "")]
                 if os.path.exists(os.path.join(path, "initdb")) and os.path.exists(os.path.join(path, "postgres"))]
        if not found or not (shutil.which("psql") or os.path.exists(os.path.join(found[0], "psql"))):
            sys.exit(skip("PostgreSQL is not installed"))
        self.bin = sorted(found)[-1]
        self.folder = tempfile.mkdtemp(prefix="judge-")
        # The server refuses to run as root.
        self.user = None
        if os.getuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self.user = "postgres" if "postgres" in names else "nobody"
            os.chmod(self.folder, 0o755)
            shutil.chown(self.folder, self.user)
        self.data = os.path.join(self.folder, "data")
        self.server("initdb", "-D", self.data, "-E", "UTF8", "--locale=C.UTF-8", "-A", "trust", "-U", "judge", "-N")
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off"
        self.server("pg_ctl", "-D", self.data, "-w", "-l", os.path.join(self.folder, "log"), "-o", options, "start")

    def define(self, statements):
        path = os.path.join(self.folder, "functions.sql")
        pathlib.Path(path).write_text("".join(statement + ";\n" for statement in statements), encoding="utf-8")
        output = self.psql(path)
        if output.strip():
            sys.exit(f"the functions could not be made:\n{output[:2000]}")

    def server(self, name, *arguments):
        command = [os.path.join(self.bin, name), *arguments]
        if self.user:
            command = ["runuser", "-u", self.user, "--", *command]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/")
        if done.returncode:
            sys.exit(f"{name} failed:\n{done.stdout}")

    def close(self):
        subprocess.run(
            (["runuser", "-u", self.user, "--"] if self.user else [])
            + [os.path.join(self.bin, "pg_ctl"), "-D", self.data, "-m", "immediate", "stop"],
            stdout=subprocess.DEVNULL, cwd="/")
        shutil.rmtree(self.folder, ignore_errors=True)

    def literal(self, value):
        text = plain(value)
        return "NULL" if text is None else "'" + text.replace("'", "''") + "'"

    def script(self, rows, cases, setup):
        lines = ["SET client_min_messages = error;", f"DROP TABLE IF EXISTS {', '.join(TABLES)};",
                 f"SET timezone = '{self.zone}';", "\\pset format csv", "\\pset tuples_only on", "\\pset null ~nil~"]
        if setup:
            lines += [statement + ";" for statement in setup]
        elif rows and isinstance(rows[0], str):
            lines.append("CREATE TABLE docs (id bigint PRIMARY KEY, doc jsonb);")
            lines += [f"INSERT INTO docs VALUES ({number}, {self.literal({'text': row})});"
                      for number, row in enumerate(rows)]
        else:
            columns = COLUMNS + [(name, "text") for name in FOLDED]
            types = narrowest(columns, rows, self.TYPES, self.NARROW) | {"e": "timestamp"}
            declared = ", ".join(f"{name} {types[name]}" for name, _ in columns)
            lines.append(f"CREATE TABLE docs (id bigint PRIMARY KEY, {declared});")
            lines.append("CREATE TABLE kids (owner bigint, a bigint, b text);")
            for number, row in enumerate(rows):
                if row is None:
                    continue
                values = ", ".join(self.literal(row.get(name)) for name, _ in columns)
                lines.append(f"INSERT INTO docs VALUES ({number}, {values});")
                for kid in (row.get("k") or {"list": []})["list"]:
                    kid = kid["object"]
                    pair = ", ".join(self.literal(kid.get(name)) for name in ("a", "b"))
                    lines.append(f"INSERT INTO kids VALUES ({number}, {pair});")
        for number, case in enumerate(cases):
            lines.append(f"\\echo @@ {number}")
            statement = case.get("sql") or f"SELECT {key(setup)} FROM docs WHERE {case['where']} ORDER BY id"
            lines.append(f"PREPARE q AS {statement};")
            given = ", ".join(map(self.literal, case["bindings"]))
            lines.append(f"EXECUTE q{'(' + given + ')' if given else ''};\nDEALLOCATE q;")
        return "\n".join(lines)

    def psql(self, path):
        psql = shutil.which("psql") or os.path.join(self.bin, "psql")
        done = subprocess.run([psql, "-X", "-qAt", "-h", self.folder, "-U", "judge", "-d", "postgres", "-f", path],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/",
                              env={**os.environ, "PGCLIENTENCODING": "UTF8", "LC_ALL": "C.UTF-8"})
        return done.stdout

    def answers(self, rows, cases, setup=()):
        path = os.path.join(self.folder, "script.sql")
        pathlib.Path(path).write_text(self.script(rows, cases, setup), encoding="utf-8")
        head, *parts = self.psql(path).split("@@ ")
        if head.strip():
            sys.exit(f"the tables could not be made:\n{head}")
        if len(parts) != len(cases):
            sys.exit(f"{len(parts)} answers to {len(cases)} queries")
        for part in parts:
            text = part.split("\n", 1)[1]
            wrong = [line for line in text.split("\n") if "ERROR:" in line]
            # An empty line is a row of one empty text.
            yield wrong[0] if wrong else [[None if value == "~nil~" else value for value in row or [""]]
                                          for row in csv.reader(io.StringIO(text, newline=""))]


class DuckDB:
    TYPES = {"int": "BIGINT", "double": "DOUBLE", "text": "VARCHAR", "bool": "BOOLEAN", "date": "TIMESTAMPTZ"}
    NARROW = {"int": [(32, "INTEGER"), (16, "SMALLINT")], "double": [(32, "FLOAT")]}
    ZONES = PostgreSQL.ZONES
    zone = "UTC"

    def __init__(self):
        try:
            import duckdb
        except ImportError:
            sys.exit(skip("the Python package duckdb is not installed"))
        self.duckdb = duckdb
        self.connection = duckdb.connect()

    def define(self, statements):
        for statement in statements:
            self.connection.execute(statement)

    def close(self):
        self.connection.close()

    def answers(self, rows, cases, setup=()):
        run = self.connection.execute
        run("SET TimeZone = 'UTC'")
        for table in TABLES:
            run(f"DROP TABLE IF EXISTS {table}")
        for statement in setup:
            run(statement)
        if not setup:
            self.fill(rows)
        run(f"SET TimeZone = '{self.zone}'")
        for case in cases:
            try:
                statement = case.get("sql") or f"SELECT {key(setup)} FROM docs WHERE {case['where']}"
                yield run(statement, [loaded(b) for b in case["bindings"]]).fetchall()
            except self.duckdb.Error as error:
                yield str(error).split("\n")[0]

    def fill(self, rows):
        run = self.connection.execute
        hasKids = any("k" in row for row in rows if row)
        columns = COLUMNS + ([(name, "text") for name in FOLDED] if hasKids else [])
        types = narrowest(columns, rows, self.TYPES, self.NARROW) | {"e": "TIMESTAMP"}
        declared = ", ".join(f"{name} {types[name]}" for name, _ in columns)
        nested = rows and not hasKids
        run(f"CREATE TABLE docs (id BIGINT, {declared}{', l VARCHAR[], o STRUCT(a BIGINT)' if nested else ''})")
        run("CREATE TABLE kids (owner BIGINT, a BIGINT, b VARCHAR)")
        names = [name for name, _ in columns] + (["l", "o"] if nested else [])
        for number, row in enumerate(rows):
            if row is None:
                continue
            values = [number] + [loaded(row.get(name)) for name in names]
            run(f"INSERT INTO docs VALUES ({', '.join('?' * len(values))})", values)
            for kid in (row.get("k") or {"list": []})["list"]:
                run("INSERT INTO kids VALUES (?, ?, ?)",
                    [number] + [loaded(kid["object"].get(name)) for name in ("a", "b")])


class MariaDB:
    """A dialect that is made by public means, for MySQL, with MariaDB's name of the collation.

    sqlglot, where it is installed, checks that the statements are MySQL's.
    """
    TYPES = {"int": "BIGINT", "double": "DOUBLE", "text": "TEXT", "bool": "BOOLEAN", "date": "DATETIME(3)"}

    def __init__(self):
        try:
            import pymysql
        except ImportError:
            sys.exit(skip("the Python package pymysql is not installed"))
        server = shutil.which("mariadbd") or shutil.which("mariadbd", path="/usr/sbin")
        if not server or not shutil.which("mariadb-install-db"):
            sys.exit(skip("MariaDB is not installed"))
        self.pymysql = pymysql
        try:
            import sqlglot
            self.parse = lambda statement: sqlglot.parse_one(statement, read="mysql")
        except ImportError:
            print("whether the statements are MySQL's is not checked: the Python package sqlglot is not installed")
            self.parse = len
        self.folder = tempfile.mkdtemp(prefix="judge-")
        user = ["--user=root"] if os.getuid() == 0 else []
        subprocess.run(["mariadb-install-db", "--no-defaults", f"--datadir={self.folder}/data", "--auth-root-authentication-method=normal",
                        *user], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        socket = f"{self.folder}/socket"
        self.server = subprocess.Popen(
            [server, "--no-defaults", f"--datadir={self.folder}/data", f"--socket={socket}", "--skip-networking", *user],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                self.connection = pymysql.connect(unix_socket=socket, user="root", charset="utf8mb4", autocommit=True)
                break
            except pymysql.Error:
                time.sleep(0.2)
        self.cursor = self.connection.cursor()
        self.cursor.execute("CREATE DATABASE judged CHARACTER SET utf8mb4")
        self.cursor.execute("USE judged")
        self.cursor.execute("SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin")
        self.cursor.execute("SET time_zone = '+05:00'")

    def close(self):
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def define(self, statements):
        for statement in statements:
            self.cursor.execute(statement)

    def bound(self, value):
        """The value as it is bound: a number that MySQL does not have is refused here."""
        value = loaded(value)
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            raise ValueError("out of range")
        return value

    def answers(self, rows, cases, setup=()):
        run = self.cursor.execute
        for table in TABLES:
            run(f"DROP TABLE IF EXISTS {table}")
        run("SET sql_mode = concat(@@sql_mode, ',NO_BACKSLASH_ESCAPES')")
        for statement in setup:
            run(statement)
        run("SET sql_mode = DEFAULT")
        if not setup:
            self.fill(rows)
        for case in cases:
            try:
                statement = case.get("sql") or f"SELECT {key(setup)} FROM docs WHERE {case['where']}"
                self.parse(statement)
                run("PREPARE q FROM %s", [statement])
                values = [self.bound(value) for value in case["bindings"]]
                for place, value in enumerate(values):
                    run(f"SET @b{place} = %s", [value])
                run("EXECUTE q" + (" USING " + ", ".join(f"@b{place}" for place in range(len(values))) if values else ""))
                yield [list(row) for row in self.cursor.fetchall()]
            except Exception as error:
                yield str(error)

    def fill(self, rows):
        run = self.cursor.execute
        columns = COLUMNS + [(name, "text") for name in FOLDED]
        types = {name: self.TYPES[kind] for name, kind in columns} | {"e": "DATETIME(6)"}
        run(f"CREATE TABLE docs (id BIGINT PRIMARY KEY, {', '.join(f'{name} {types[name]}' for name, _ in columns)})")
        run("CREATE TABLE kids (owner BIGINT, a BIGINT, b TEXT)")
        for number, row in enumerate(rows):
            values = [number] + [loaded(row.get(name)) for name, _ in columns]
            values = [value.removesuffix("Z") if kind == "date" and value else value
                      for value, kind in zip(values, ["int"] + [kind for _, kind in columns])]
            run(f"INSERT INTO docs VALUES ({', '.join(['%s'] * len(values))})", values)
            for kid in (row.get("k") or {"list": []})["list"]:
                run("INSERT INTO kids VALUES (%s, %s, %s)",
                    [number] + [loaded(kid["object"].get(name)) for name in ("a", "b")])


class SQLite:
    def __init__(self):
        try:
            import apsw
        except ImportError:
            sys.exit(skip("the Python package apsw is not installed"))
        self.apsw = apsw
        print(f"SQLite {apsw.sqlite_lib_version()}")

    def close(self):
        pass

    def answers(self, rows, cases, table):
        connection = self.apsw.Connection(":memory:")
        connection.execute(table)
        for row in rows:
            connection.execute(f"INSERT INTO docs VALUES ({', '.join('?' * len(row))})", [loaded(v) for v in row])
        for case in cases:
            try:
                yield list(connection.execute(f"SELECT rowid - 1 FROM docs WHERE {case['where']}",
                                              [loaded(b) for b in case["bindings"]]))
            except self.apsw.Error as error:
                yield str(error)


def unquoted(rows, count):
    """The rows of a statement whose first values are JSON, as the keys of groups of documents are."""
    return [[value if value is None or place >= count else json.loads(value) for place, value in enumerate(row)]
            for row in rows]


def same(expected, got, may_be_json=False):
    def alike(a, b):
        return may_be_json and isinstance(b, str) and same_json(a, b) or same_value(a, b)
    return len(expected) == len(got) and all(
        len(a) == len(b) and all(map(alike, a, b)) for a, b in zip(expected, got))


def whole(digits):
    """A number without a point in JSON: a double beyond 64 bits, whose digits `jsonb` writes out."""
    return int(digits) if -2 ** 63 <= int(digits) < 2 ** 63 else float(digits)


def same_json(expected, got):
    """A value with its kind, and a store's JSON."""
    try:
        value = json.loads(got, parse_int=whole)
    except ValueError:
        return False
    kinds = {bool: "bool", int: "number", float: "number", str: "text", list: "list", dict: "object"}
    kind = next(iter(expected)) if expected else None
    if kind in ("list", "object"):
        return value == json.loads(json.dumps(loaded(expected), ensure_ascii=False).replace("\U0010ffff", ""))
    return {"int": "number", "double": "number"}.get(kind, kind) == kinds.get(type(value)) and same_value(expected, value)


def instant(got):
    """A date of a store as `yyyy-MM-ddTHH:mm:ss.SSSZ`."""
    if isinstance(got, datetime.datetime):
        got = (got if got.tzinfo else got.replace(tzinfo=datetime.timezone.utc)).astimezone(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S.%f").rjust(26, "0") + "+00"
    if got.startswith('"'):
        got = json.loads(got)
    day, time = got.replace("T", " ").replace("Z", "+00").removesuffix("+00").split(" ")
    seconds, _, fraction = time.partition(".")
    return f"{day}T{seconds}.{fraction[:3].ljust(3, '0')}Z"


def same_value(expected, got):
    """A value with its kind, and what a store gave: text or a value; documents by their id."""
    if expected is None or got is None:
        return expected is None and got is None
    (kind, inner), = expected.items()
    if kind == "int" and isinstance(got, str) and got.startswith("{"):
        got = json.loads(got)["id"]
    if kind == "bool":
        return inner == (got in (True, "t"))
    if kind in ("list", "object"):
        return False
    if kind == "date":
        return inner == instant(got)
    if kind in ("int", "double"):
        a, b = float(inner), float(got)
        return a == b or a != a and b != b or abs(a - b) <= 1e-12 * abs(a)
    # psql prints nothing for the last scalar of Unicode.
    return got in (inner, inner.replace("\U0010ffff", ""))


def skip(reason):
    print(f"not checked: {reason}")
    return 77


def main():
    stores = {"postgresql": PostgreSQL, "duckdb": DuckDB, "mariadb": MariaDB, "sqlite": SQLite}
    if len(sys.argv) < 3 or sys.argv[1] not in stores:
        sys.exit(__doc__)
    store = stores[sys.argv[1]]()
    pairs = statements = wrong = refused = 0
    try:
        functions = pathlib.Path(sys.argv[2]).with_name(f"functions-{sys.argv[1]}.json")
        if functions.exists():
            store.define(json.loads(functions.read_text(encoding="utf-8"))["functions"])
        for path in sys.argv[2:]:
            given = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
            rows, cases, answered = given["rows"], given["cases"], []
            tables = [given[name] for name in ("table", "setup") if name in given]
            for zone in getattr(store, "ZONES", ["UTC"]):
                store.zone = zone
                # The store writes dates with the zone's offset, which is not read here.
                asked = [case for case in cases if zone == "UTC" or '"date"' not in json.dumps(case.get("rows"))]
                answered += [(case, answer) for case, answer in zip(asked, store.answers(rows, asked, *tables))]
            # The same questions over columns of fewer bits, by the rows that fit there.
            if hasattr(store, "NARROW") and not tables and isinstance(rows[0], dict) and "x" in rows[0]:
                few, store.zone = narrow(rows, 16), "UTC"
                asked = [case | {"doubtful": case["doubtful"] + [number for number, row in enumerate(few) if row is None]}
                         for case in cases if "sql" not in case]
                answered += [(case, answer) for case, answer in zip(asked, store.answers(few, asked))]
            for case, answer in answered:
                if isinstance(answer, str):
                    if refuses(answer):
                        refused += 1
                        continue
                    difference = answer
                elif "sql" in case:
                    statements += 1
                    if same(case["rows"], unquoted(answer, case.get("json", 0)), case.get("mayBeJSON")):
                        continue
                    difference = f"expected {case['rows']}\n  got {answer}"
                else:
                    found = {int(row[0]) for row in answer}
                    doubtful = set(case["doubtful"])
                    pairs += len(rows) - len(doubtful)
                    apart = (found ^ set(case["expected"])) - doubtful
                    if not apart:
                        continue
                    row = min(apart)
                    difference = f"row {json.dumps(rows[row], ensure_ascii=False)} found: {row in found}"
                wrong += 1
                if wrong <= int(os.environ.get("SHOW", "10")):
                    print(f"{os.path.basename(path)}: {case['query']}\n  {case.get('sql') or case['where']}\n  {case['bindings']}\n"
                          f"  {difference}", file=sys.stderr)
    finally:
        store.close()
    print(f"{sys.argv[1]}: {pairs} pairs of a query and a row, {statements} whole statements; "
          f"{wrong} differ, {refused} refused by the store")
    sys.exit(1 if wrong or not pairs else 0)


if __name__ == "__main__":
    main()
