"""montydb: find filters."""

import sys

import montydb

from rules import (
    OWN,
    PYTHON,
    PYTHON_ROWS,
    Rule,
    holds_containers_in_list,
    negates_options,
    operands,
    parts,
    uses,
    with_marks,
)


def ignore_generators(report):
    """A generator of montydb's that goes on after its end is reported otherwise, once for each element."""
    if report.exc_type is not RuntimeError:
        sys.__unraisablehook__(report)


sys.unraisablehook = ignore_generators


def matches_elements(case):
    """Whether an $elemMatch has operators for the element itself."""
    return any(any(key.startswith("$") for key in part) for part in operands(case.query, "$elemMatch"))


class Engine:
    name = "montydb"
    version = montydb.__version__
    LEAST = (2_500, 0)
    RULES = OWN + PYTHON + [
        Rule("pipelines", "montydb has find only", lambda case: not case.is_find),
        Rule("$geoWithin", "montydb has no places", uses("$geoWithin")),
        Rule("$expr", "montydb has no $expr", uses("$expr")),
        Rule("$options under $not", "montydb takes $options for an operator there", negates_options),
    ]
    ROW_RULES = PYTHON_ROWS + [
        Rule(
            "elements of elements",
            "$elemMatch with operators looks into lists and at the keys of objects in the list",
            lambda case, row: matches_elements(case) and holds_containers_in_list(row),
        ),
        Rule(
            "null in a list",
            "a negated test of null in $elemMatch is made of the whole list",
            lambda case, row: matches_elements(case) and any(None in part for part in parts(row) if isinstance(part, list)),
        ),
    ]

    def __init__(self):
        montydb.set_storage(":memory:", storage="memory", use_bson=True)
        self.collection = montydb.MontyClient(":memory:").db.c

    def run(self, case):
        self.collection.delete_many({})
        if case.rows:
            self.collection.insert_many(case.rows)
        found = self.collection.find(with_marks(case.filter, case.rows), case.projection)
        if case.sort:
            found = found.sort([(key, int(sign)) for key, sign in case.sort.items()])
        if case.skip:
            found = found.skip(case.skip)
        if case.limit:
            found = found.limit(case.limit)
        return list(found)

    def close(self):
        pass
