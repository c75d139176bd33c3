"""Runs emitted filters and pipelines on an independent engine against the evaluator's answers.

    python judge.py cases.ndjson secantus

Each line of the file is a case: `rows`, what to ask (`filter` with `sort`, `skip`, `limit`, `projection`, or `pipeline`)
and `want`, the documents that the evaluator finds. What an engine is known to get wrong is left out by a rule over the
query or the documents, never by naming a case. Every rule is printed with its reason and what it left out, and so is
one that hides no disagreement any more. A judge that is asked too little has failed.
"""

import base64
import collections
import datetime
import importlib
import json
import math
import sys
import time
import uuid

import bson


# Reading


def decode(value):
    """Extended JSON as Python values; a date is a naive datetime in UTC."""
    if isinstance(value, list):
        return [decode(part) for part in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (key, content), = value.items()
        if key == "$numberLong":
            return int(content)
        if key == "$numberDouble":
            return float(content)
        if key == "$date":
            return decode_date(content)
        if key == "$uuid":
            return bson.Binary.from_uuid(uuid.UUID(content))
        if key == "$oid":
            return bson.ObjectId(content)
        if key == "$binary":
            return base64.b64decode(content["base64"])
    return {key: decode(part) for key, part in value.items()}


def decode_date(content):
    epoch = datetime.datetime(1970, 1, 1)
    if isinstance(content, dict):
        return epoch + datetime.timedelta(milliseconds=int(content["$numberLong"]))
    return datetime.datetime.strptime(content, "%Y-%m-%dT%H:%M:%S.%fZ")


class Case:
    """A question, its documents, and the answer."""

    def __init__(self, line):
        data = json.loads(line)
        self.name = data["name"]
        self.format = data["format"]
        self.rows = [decode(row) for row in data["rows"]]
        self.want = [decode(row) for row in data["want"]]
        self.is_find = "pipeline" not in data
        self.filter = decode(data.get("filter", {}))
        self.pipeline = decode(data.get("pipeline", []))
        self.sort = data.get("sort")
        self.projection = data.get("projection")
        self.skip = data.get("skip")
        self.limit = data.get("limit")

    @property
    def query(self):
        return self.filter if self.is_find else self.pipeline

    @property
    def is_by_row(self):
        """Whether each row is found or not for itself."""
        return self.is_find and self.sort is None and self.projection is None and not self.skip and not self.limit

    def without(self, identities):
        """The same question without some rows."""
        case = Case.__new__(Case)
        case.__dict__.update(self.__dict__)
        case.rows = [row for row in self.rows if row["_id"] not in identities]
        case.want = [row for row in self.want if row.get("_id") not in identities]
        return case


# Comparing


def is_same(a, b):
    """Equal, with the order of keys free and sums of doubles within rounding; True is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        if isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b):
            return True
        return a == b or math.isclose(a, b, rel_tol=1e-12)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_same, a, b))
    return type(a) is type(b) and a == b


# Judging


class Tally:
    """What came of a judge's cases."""

    def __init__(self):
        self.cases = 0
        self.rows = 0
        self.pipelines = 0
        self.faults = []
        self.excluded = collections.Counter()
        self.wrong = collections.Counter()


def answer(engine, case):
    """The engine's documents, or the error that it raises."""
    try:
        return engine.run(case)
    except Exception as error:  # Whatever an engine raises is its answer.
        return error


def agrees(engine, case):
    found = answer(engine, case)
    return isinstance(found, list) and is_same(found, case.want), found


def judge(engine, cases):
    tally = Tally()
    for case in cases:
        rule = next((rule for rule in engine.RULES if rule.applies(case)), None)
        if rule:
            exclude(engine, tally, rule, case)
            continue
        case = without_rows(engine, tally, case)
        if not case.rows:
            continue
        is_right, found = agrees(engine, case)
        tally.cases += 1
        tally.rows += len(case.rows)
        tally.pipelines += 0 if case.is_find else 1
        if not is_right:
            tally.faults.append((case, found))
    return tally


def exclude(engine, tally, rule, case):
    tally.excluded[rule.name] += 1
    if tally.wrong[rule.name] < 3 and not agrees(engine, case)[0]:
        tally.wrong[rule.name] += 1


def without_rows(engine, tally, case):
    """The case without the rows that an engine reads wrongly; all of them where rows hang together."""
    left_out = set()
    for rule in engine.ROW_RULES:
        rows = {row["_id"] for row in case.rows if rule.applies(case, row)} - left_out
        if not rows:
            continue
        if not case.is_by_row:
            exclude(engine, tally, rule, case)
            return case.without({row["_id"] for row in case.rows})
        others = {row["_id"] for row in case.rows} - rows
        exclude(engine, tally, rule, case.without(others))
        left_out |= rows
    return case.without(left_out) if left_out else case


def report(engine, tally, seconds):
    print(
        f"{engine.name} {engine.version}: {tally.cases} questions, {tally.pipelines} of them pipelines, "
        f"over {tally.rows} documents in {seconds:.0f} s"
    )
    for rule in engine.RULES + engine.ROW_RULES:
        print(f"  left out {tally.excluded[rule.name]:6}  {rule.name}: {rule.reason}")
    for rule in engine.RULES + engine.ROW_RULES:
        if not tally.wrong[rule.name]:
            print(f"  \"{rule.name}\" hides no disagreement here: take it out if it never does")
    for case, found in tally.faults[:10]:
        show(case, found)
    print(f"  disagreements: {len(tally.faults)}")
    short = [
        f"only {count} {what}"
        for what, count, least in zip(("questions", "pipelines"), (tally.cases, tally.pipelines), engine.LEAST)
        if count < least
    ]
    for text in short:
        print(f"  {text}: the rules leave out too much")
    return not (tally.faults or short)


def show(case, found):
    print(f"  {case.name}: {case.format}\n    asked {case.query}")
    if not isinstance(found, list):
        print(f"    raised {type(found).__name__}: {found}")
    elif case.is_by_row:
        want = {row["_id"] for row in case.want}
        got = {row["_id"] for row in found}
        for row in case.rows:
            if (row["_id"] in want) != (row["_id"] in got):
                print(f"    {'must' if row['_id'] in want else 'must not'} find {row}")
                break
    else:
        print(f"    rows {case.rows}\n    want {case.want}\n    got  {found}")


def main():
    path, name = sys.argv[1:]
    engine = importlib.import_module("judge_" + name).Engine()
    with open(path, encoding="utf-8") as file:
        cases = [Case(line) for line in file]
    start = time.time()
    tally = judge(engine, cases)
    engine.close()
    sys.exit(0 if report(engine, tally, time.time() - start) else 1)


if __name__ == "__main__":
    main()
