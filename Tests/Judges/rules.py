"""What the rules of the judges look at: the parts of filters, pipelines and documents."""

import collections
import re
import unicodedata

Rule = collections.namedtuple("Rule", "name reason applies")


def parts(value):
    """The value and everything in it."""
    yield value
    if isinstance(value, dict):
        for part in value.values():
            yield from parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from parts(part)


def members(value):
    """Every key in the value, with what stands under it."""
    for part in parts(value):
        if isinstance(part, dict):
            yield from part.items()


def operators(value):
    """Every key that begins with `$`."""
    return {key for key, _ in members(value) if key.startswith("$")}


def operands(value, *names):
    """What stands under some operators."""
    return [part for key, part in members(value) if key in names]


def uses(*names):
    """A rule's test: one of the operators is asked for."""
    return lambda case: bool(operators(case.query) & set(names))


def values_at(path, value):
    """What a dotted path finds in objects; nothing through a list."""
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return []
        value = value[key]
    return [value]


def stages(case, name):
    """What the stages of one name are given; a find's sort and projection count as stages."""
    if case.is_find:
        part = {"$sort": case.sort, "$project": case.projection}.get(name)
        return [part] if part else []
    return [stage[name] for stage in case.pipeline if name in stage]


def has_objects_in_order(case):
    """Whether two objects could be ordered: in a sort, a `$min` or a `$max`."""
    paths = {path for keys in stages(case, "$sort") for path in keys}
    for part in parts(stages(case, "$group") + stages(case, "$facet")):
        if isinstance(part, str) and part.startswith("$"):
            paths.add(part.lstrip("$"))
    found = ([value for row in case.rows for value in values_at(path, row) if isinstance(value, dict)] for path in paths)
    return any(any(value != values[0] for value in values) for values in found)


def projects_below(case):
    """Whether fields of fields are picked: Mongo gives an object that has none of them as `{}`."""
    return any("." in key for part in stages(case, "$project") for key, sign in part.items() if sign == 1)


# What is no fault of an engine's.
OWN = [
    Rule(
        "objects in an order",
        "ours (S22): Mongo orders objects by the kinds of their members first, the evaluator by their keys",
        has_objects_in_order,
    ),
    Rule("fields of fields", "ours (S21): Mongo gives an object that has no wanted field as {}", projects_below),
]


def has_inline_flags(case):
    """Whether a pattern turns an option on in its midst."""
    return any(
        isinstance(part, str) and re.search(r"(?<!^)\(\?[a-z]+\)", part)
        for part in operands(case.query, "$regex", "regex")
    )


def has_other_patterns(case):
    """Whether a pattern has a class by name or a quotation, as PCRE2's patterns do."""
    return any(
        isinstance(part, str) and ("[[:" in part or "\\Q" in part) for part in operands(case.query, "$regex", "regex")
    )


def folds_dotless_i(case, row):
    """Whether a caseless pattern could meet one of the two other letters i."""
    return "i" in operands(case.query, "$options", "options") and any(
        isinstance(part, str) and set(part) & set("\u0130\u0131") for part in parts(row)
    )


# What the patterns of Python get wrong, and so every engine that is written in it.
PYTHON = [
    Rule("inline flags", "Python wants (?s) at the start of a pattern", has_inline_flags),
    Rule("PCRE2's patterns", "Python has no [:alpha:] and no \\Q", has_other_patterns),
]
PYTHON_ROWS = [Rule("dotless i", "Python folds ı and İ to i", folds_dotless_i)]


def with_marks(query, rows):
    """The query with `\\p{Mn}` and `\\P{Mn}` of its patterns written out.

    Python's `re` has no properties. The marks are those of the documents, which is all that a pattern can meet.
    """
    texts = "".join(part for part in parts(rows) if isinstance(part, str))
    marks = sorted({sign for sign in texts + "\u0301" if unicodedata.category(sign) == "Mn"})
    return _replaced(query, "[" + "".join(marks) + "]", "[^" + "".join(marks) + "]")


def _replaced(query, marks, others):
    if isinstance(query, list):
        return [_replaced(part, marks, others) for part in query]
    if not isinstance(query, dict):
        return query
    return {
        key: part.replace("\\p{Mn}", marks).replace("\\P{Mn}", others)
        if key in ("$regex", "regex") and isinstance(part, str)
        else _replaced(part, marks, others)
        for key, part in query.items()
    }
