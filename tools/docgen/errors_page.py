"""docs/errors.md: the catalogue of codes, each with an example and what `validate` says to it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from docgen.coverage import RUN_TIME, check_coverage
from docgen.examples import Example, file_examples, outcome
from docgen.markdown import block, ended, generated_from, page, sentence, slug, table
from docgen.special import special_examples
from rowbook.errors.codes import CODES, Code

TITLES = {
    "YAML": "Files",
    "WORKSPACE": "Workspace",
    "DATASET": "Datasets",
    "DATASOURCE": "Data sources",
    "RESOLVER": "Resolvers",
    "PARAMETER": "Parameters",
    "PERIOD": "Periods and calendars",
    "PROJECT": "Projects",
    "SELECTOR": "Named selectors and conditions",
    "EXPR": "Expressions",
    "JOIN": "Joins and lookups",
    "UPDATE": "Update",
    "WINDOW": "Windows of an update",
    "EXPECT": "Expectations",
    "AGGREGATE": "Aggregate",
    "APPEND": "Append",
    "OUTPUT": "Output",
    "SYSTEM": "System columns",
    "SCENARIO": "Scenarios",
    "USAGE": "Command line",
}

_INTRODUCTION = """\
Every finding has a code. `rowbook validate` reports all findings of a workspace at once, without
starting Spark and without reading data. A finding says what is wrong, where, and what to do:

- first the file, line and column, then the code and the message;
- for a fault in an expression, the expression with the faulty part underlined;
- last, what to do about it.

An error keeps a project from running. A warning does not; it is marked as such. Where an operation
has a code of its own for a case, that one is reported instead of the general one: an unknown column
is EXPR_002 in an update and APPEND_006 in an append.

A code that is marked *found when the project runs* depends on data or on the period, so
`rowbook validate` cannot report it. Rules such as BR-010 or V-003 are the requirements that a code
enforces.

Most examples are checked together with [a small ledger](error-examples/base/ledger.yaml), those of
scenarios also with [a short project](error-examples/base/close.yaml). Their definitions are then in
`rowbook.yaml`, and the example is in the file that the finding names. The output below each example
is what `rowbook validate` prints for it."""


def errors_page() -> str:
    """The page; UndocumentedError where a code has neither example nor reason for having none."""
    examples = file_examples() | special_examples()
    check_coverage(examples.keys())
    groups = [(p, list(codes)) for p, codes in groupby(CODES.values(), key=_prefix)]
    contents = table(
        ("codes", "about"),
        [(_range(codes), f"[{_title(p)}](#{slug(_title(p))})") for p, codes in groups],
    )
    return page(
        generated_from("src/rowbook/errors/codes.py and docs/error-examples"),
        "# Errors and warnings",
        _INTRODUCTION,
        contents,
        *(part for prefix, codes in groups for part in _group(prefix, codes, examples)),
    )


def _prefix(code: Code) -> str:
    return code.code.partition("_")[0]


def _title(prefix: str) -> str:
    return TITLES.get(prefix, prefix.capitalize())


def _range(codes: list[Code]) -> str:
    names = [each.code for each in codes]
    first, last = min(names), max(names)
    return first if first == last else f"{first} … {last}"


def _group(prefix: str, codes: list[Code], examples: dict[str, Example]) -> Iterator[str]:
    yield f"## {_title(prefix)}"
    for code in codes:
        yield f"### {code.code}"
        yield f"**{sentence(code.meaning)}**"
        yield f"What to do: {ended(code.remedy)}"
        if code.rules:
            yield f"Enforces {_listed(code.rules)}."
        if code.code in RUN_TIME:
            yield f"*Found when the project runs.* {RUN_TIME[code.code]}"
        else:
            yield from _example(examples[code.code])


def _example(example: Example) -> Iterator[str]:
    yield f"Example: {example.what}"
    if example.shown:
        yield block("yaml", example.shown)
    command = " ".join(("rowbook", *example.command))
    yield block("text", f"$ {command}\n{outcome(example).text}")


def _listed(rules: tuple[str, ...]) -> str:
    return rules[0] if len(rules) == 1 else f"{', '.join(rules[:-1])} and {rules[-1]}"
