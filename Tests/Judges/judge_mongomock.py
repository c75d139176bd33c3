"""mongomock: find filters and pipelines."""

import mongomock

from rules import (
    OWN,
    PYTHON,
    PYTHON_ROWS,
    Rule,
    holds_containers_in_list,
    negates_options,
    operands,
    operators,
    parts,
    stages,
    tests,
    uses,
    values_at,
    with_marks,
)


def mixes_bools(case, row):
    """Whether a bool could meet 0 or 1."""
    def kinds(value):
        found = list(parts(value))
        return (
            any(isinstance(part, bool) for part in found),
            any(not isinstance(part, bool) and isinstance(part, (int, float)) and part in (0, 1) for part in found),
        )
    asked = kinds(case.query)
    held = kinds({key: part for key, part in row.items() if key != "_id"})
    return asked[0] and held[1] or asked[1] and held[0] or not case.is_find and all(held)


def sizes_no_list(case, row):
    """Whether the size of what is no list is asked for."""
    return any(
        not isinstance(found, list)
        for path, test in tests(case.query)
        if "$size" in operators(test)
        for found in values_at(path, row)
    )


def goes_below_value(case, row):
    """Whether a path goes on below a value that is no object, or a list that holds something else than objects."""
    paths = [path for path, _ in tests(case.query)] + [path for keys in stages(case, "$sort") for path in keys]
    return any(
        not (isinstance(found, dict) or isinstance(found, list) and found and all(isinstance(x, dict) for x in found))
        for path in paths
        for end in range(1, path.count(".") + 1)
        for found in values_at(".".join(path.split(".")[:end]), row)
    )


def negates_element(case):
    """Whether an $elemMatch has $not for the element itself."""
    return any("$not" in part for part in operands(case.query, "$elemMatch"))


def orders_kinds(case):
    """Whether the least or greatest of values of several kinds is asked for."""
    for operand in operands(case.pipeline, "$min", "$max"):
        paths = {part.lstrip("$") for part in parts(operand) if isinstance(part, str)}
        found = [value for row in case.rows for path in paths for value in values_at(path, row) if value is not None]
        if len({float if isinstance(value, int) else type(value) for value in found}) > 1:
            return True
    return False


class Engine:
    name = "mongomock"
    version = mongomock.__version__
    LEAST = (3_000, 500)
    RULES = OWN + PYTHON + [
        Rule("$expr", "lacks $type, $reduce and $anyElementTrue in expressions; misreads $isArray", uses("$expr")),
        Rule("$setDifference", "mongomock lacks it", uses("$setDifference")),
        Rule("$type 10", "mongomock lacks the type null", lambda case: 10 in operands(case.query, "$type")),
        Rule("$geoWithin", "mongomock has no places", uses("$geoWithin")),
        Rule("$not in $elemMatch", "mongomock reads it as a field of the element", negates_element),
        Rule("$options under $not", "mongomock takes $options for an operator there", negates_options),
        Rule("least of kinds", "$min and $max of several kinds fail", orders_kinds),
    ]
    ROW_RULES = PYTHON_ROWS + [
        Rule("bools", "True is 1 in Python", mixes_bools),
        Rule("$size", "mongomock counts a single value as one, and the keys of an object", sizes_no_list),
        Rule("below a value", "a path below what is no object finds nothing, not even missing", goes_below_value),
        Rule(
            "elements of elements",
            "$elemMatch with operators looks into lists in the list",
            lambda case, row: uses("$elemMatch")(case) and holds_containers_in_list(row, (list,)),
        ),
    ]

    def run(self, case):
        collection = mongomock.MongoClient().db.c
        if case.rows:
            collection.insert_many(case.rows)
        if not case.is_find:
            return list(collection.aggregate(with_marks(case.pipeline, case.rows)))
        found = collection.find(with_marks(case.filter, case.rows), case.projection)
        if case.sort:
            found = found.sort([(key, int(sign)) for key, sign in case.sort.items()])
        if case.skip:
            found = found.skip(case.skip)
        if case.limit:
            found = found.limit(case.limit)
        return list(found)

    def close(self):
        pass
