"""SecantusDB: find filters and pipelines, asked over MongoDB's wire protocol."""

import tempfile
from importlib.metadata import version

import pymongo
import secantus

from rules import OWN, PYTHON, PYTHON_ROWS, Rule, operands, parts, uses, with_marks


def asks_type_of_missing(case):
    """Whether the `$type` of a variable, or of what is computed, is compared with `missing` or `null`."""
    return any(
        isinstance(sides, list) and len(sides) == 2 and sides[1] in ("missing", "null")
        and isinstance(sides[0], dict)
        and (isinstance(sides[0].get("$type"), dict) or str(sides[0].get("$type")).startswith("$$"))
        for sides in operands(case.query, "$eq", "$ne"))


def follows_a_path_through_a_list(case, row):
    """Whether a path of an expression, `$a.b`, meets a list on its way."""
    for part in parts(case.query):
        if isinstance(part, str) and part.startswith("$") and not part.startswith("$$"):
            value = row
            for key in part[1:].split(".")[:-1]:
                value = value.get(key) if isinstance(value, dict) else None
                if isinstance(value, list):
                    return True
    return False


class Engine:
    name = "SecantusDB"
    version = version("secantusdb")
    LEAST = (4_000, 800)
    RULES = OWN + PYTHON + [
        Rule("$facet", "an expression finds nothing through the list that $facet makes", uses("$facet")),
        Rule("missing values", "$type never calls what has a name, or is computed, missing", asks_type_of_missing),
    ]
    ROW_RULES = PYTHON_ROWS + [
        Rule("lists on the way", "an expression's path finds nothing through a list", follows_a_path_through_a_list),
    ]

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.server = secantus.SecantusDBServer(storage_path=self.folder.name)
        self.server.start()
        client = pymongo.MongoClient(self.server.uri)
        self.collection = client.judge.cases

    def run(self, case):
        self.collection.delete_many({})
        if case.rows:
            self.collection.insert_many(case.rows)
        if not case.is_find:
            return list(self.collection.aggregate(with_marks(case.pipeline, case.rows)))
        found = self.collection.find(with_marks(case.filter, case.rows), case.projection)
        if case.sort:
            found = found.sort([(key, int(sign)) for key, sign in case.sort.items()])
        if case.skip:
            found = found.skip(case.skip)
        if case.limit:
            found = found.limit(case.limit)
        return list(found)

    def close(self):
        self.collection.database.client.close()
        self.server.stop()
        self.folder.cleanup()
