"""docs/functions.md: the language, and every function from the table that the binder uses."""

from __future__ import annotations

from collections.abc import Iterator

from docgen.coverage import UndocumentedError
from docgen.function_examples import EXAMPLES, NOTES, NULLS, RESULTS
from docgen.language import language_sections
from docgen.markdown import code, ended, generated_from, page, sentence, slug, table
from docgen.sample import worked, worked_in_order, worked_on_summary, worked_over_group
from rowbook.expressions.functions import FUNCTIONS, SPELLINGS, Function, Group, Nulls
from rowbook.expressions.types import Type

_HOW_TO_READ = """\
In a signature, brackets mean that an argument may be left out, `…` that it may be repeated, and
`literal` that it must be written out. Arguments of type *value* have one common type, except where
there is only one of them."""

_AGGREGATES = """\
These make one value of the rows of a group. They may stand in an `aggregate` operation, in the
aggregation of an `append` and in the [windows](operations.md#windows) of an update, nowhere else
([EXPR_007](errors.md#expr_007)). Any expression may stand inside one, except another aggregate, and
they may be combined: `SUM(amount) / COUNT(*)`. A column outside of them must be a key of the group
([AGGREGATE_007](errors.md#aggregate_007))."""

_IN_ORDER = """\
These tell of a row's place among the rows of its group. They stand in
[windows](operations.md#windows) of an update that have an `order_by`, nowhere else
([WINDOW_004](errors.md#window_004)). The examples are the values on three rows in the order of
their amounts."""


_SUMMARIES = """\
These may stand in the `assignments` of an `aggregate` that has `levels`, nowhere else
([AGGREGATE_011](errors.md#aggregate_011)). In the example the level is called `account`."""

_INTRODUCTIONS = {
    Group.AGGREGATE: _AGGREGATES,
    Group.WINDOW: _IN_ORDER,
    Group.SUMMARY: _SUMMARIES,
}
_COMPUTATIONS = {
    Group.AGGREGATE: worked_over_group,
    Group.WINDOW: worked_in_order,
    Group.SUMMARY: worked_on_summary,
}

_NULL_WORDS = {Nulls.POSSIBLE: "NULL if any argument is NULL, and where there is no answer"}


def functions_page() -> str:
    """The page; UndocumentedError where a function has no example."""
    _check()
    return page(
        generated_from("src/rowbook/expressions"),
        "# Expressions and functions",
        *language_sections(),
        "## Functions",
        _HOW_TO_READ,
        _index(),
        *(part for group in Group for part in _group(group)),
    )


def _check() -> None:
    names = FUNCTIONS.keys()
    computed = {name for name, f in FUNCTIONS.items() if callable(f.result)}
    for problem, found in (
        ("no example", names - EXAMPLES.keys()),
        ("not a function", (EXAMPLES.keys() | NULLS.keys() | NOTES.keys()) - names),
        ("no words for its result", computed - RESULTS.keys()),
        ("words for a result that has a type", RESULTS.keys() - computed),
    ):
        if found:
            raise UndocumentedError(
                f"{', '.join(sorted(found))}: {problem} in function_examples.py"
            )


def _index() -> str:
    rows = [
        (group.value, " ".join(f"[{f.name}](#{slug(f.name)})" for f in functions))
        for group in Group
        if (functions := _of(group))
    ]
    return table(("about", "functions"), rows)


def _of(group: Group) -> list[Function]:
    return [f for f in FUNCTIONS.values() if f.group is group]


def _group(group: Group) -> Iterator[str]:
    functions = _of(group)
    if not functions:
        return
    yield f"### {group.value}"
    if group in _INTRODUCTIONS:
        yield _INTRODUCTIONS[group]
    for function in functions:
        yield from _function(function)


def _function(function: Function) -> Iterator[str]:
    yield f"#### {function.name}"
    yield f"{code(function.usage)}: {ended(function.doc)}"
    also = [name for name, meant in SPELLINGS.items() if meant == function.name]
    if also and also[0] not in function.doc:
        yield f"Also written {also[0]}."
    nulls = NULLS.get(function.name) or _NULL_WORDS.get(function.nulls, function.nulls.value)
    yield f"Gives {_result(function)}. {sentence(nulls)}"
    if function.name in NOTES:
        yield NOTES[function.name]
    compute = _COMPUTATIONS.get(function.group, worked)
    rows = [
        (code(w.expression), code(w.value), str(w.type))
        for w in map(compute, EXAMPLES[function.name])
    ]
    yield table(("example", "value", "type"), rows)


def _result(function: Function) -> str:
    match function.result:
        case Type() as fixed:
            return str(fixed)
        case str():
            return "the common type of its values"
        case _:
            return RESULTS[function.name]
