"""The part of docs/functions.md that is not about functions: prose, with computed examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgen.markdown import code, table
from docgen.sample import FIELDS, GROUP, LINE, shown, worked
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import is_literal
from rowbook.expressions.scope import Scope, Table
from rowbook.expressions.selectors import MAX_EXPANDED
from rowbook.expressions.syntax.lexer import MAX_LENGTH
from rowbook.expressions.syntax.parser import MAX_DEPTH, MAX_LIST_ITEMS

_INTRODUCTION = """\
One language serves selectors, assignments, joins, aggregations and the rules of resolvers. An
expression is checked before anything runs: every name, every type, every call. It can read the
columns in scope and nothing else.

Keywords and function names may be written in any case, `sum` as well as `SUM`. Names of columns,
tables and aliases are case-sensitive."""

_REFERENCES = """\
- `column` is a column of the working dataset. In a `source_selector` and in an append's aggregation
  it is a column of the source. It is never a column of a join.
- `table.column` names the main table: `gl.amount`.
- `alias.column` names a lookup of the dataset or a join of the same update: `rates.rate`.
- `param.name` is the value of a [parameter](projects.md#parameters) of the project.
- System columns such as `_period` may be read like any other. `_source_dataset` is another name of
  `_source_dataset_id`.

An unknown column is [EXPR_002](errors.md#expr_002), an unknown table or alias
[EXPR_003](errors.md#expr_003)."""

_SELECTORS = """\
`{{name}}` stands for a condition that the project defines under `selectors`, as if it were written
there in parentheses. It may stand wherever a condition may, also inside another selector, but not
in a circle. Inside quotes it is plain text. In YAML, put the whole value in quotes:
`selector: "{{material}} AND status = 'posted'"`."""

_AFTER_LITERALS = """\
Inside a text, a doubled quote stands for the quote, and a backslash before any character for that
character. Numbers have a point, no thousands separators and no exponent. A number with a point is
an exact decimal, never a float. A whole number beyond 64 bits is a decimal too. A date or timestamp
that is written out must exist ([EXPR_006](errors.md#expr_006))."""

_AFTER_OPERATORS = """\
Parentheses group as usual. Comparisons do not chain: write `1 < x AND x < 3`. `NOT` is always the
operator, also before a parenthesis: `NOT(a) = b` means `NOT (a = b)`. `AND(a, b, …)` and
`OR(a, b, …)` may be written as functions.

`LIKE` is case-sensitive and matches the whole text: `%` stands for any text, `_` for one character,
and a backslash before either for the character itself.

Days are added to a date on the left. A date minus a date is refused: `DATEDIFF(end, start)` gives
the days between them. Nothing is added to a timestamp."""

_CASE = """\
`CASE WHEN condition THEN value … [ELSE value] END` takes the first branch whose condition is TRUE.
Without ELSE the result is NULL where none is. All values have one common type."""

_NULL = """\
NULL means that a value is missing. An operator or function with a NULL gives NULL, unless its
description says otherwise; this holds for MIN and MAX too, while LEAST and GREATEST pass it over.
`COALESCE`, `ISNULL`, `NULLIF`, `IF`,
`CASE` and `IS NULL` are there to handle it. AND and OR know three values: a NULL counts as unknown.

A selector takes a row only where it is TRUE, so not where it is NULL. In a join, a NULL key matches
nothing. A division by zero is NULL, and so is a conversion of a value that does not convert."""

_TYPES = """\
| type | values |
| --- | --- |
| `string` | text |
| `integer` | whole numbers of 64 bits |
| `decimal(p,s)` | exact numbers of p digits, at most 38, s of them after the point |
| `float` | approximate numbers of 64 bits |
| `boolean` | TRUE and FALSE |
| `date` | days |
| `timestamp` | instants in UTC, to the microsecond |

`decimal` alone is `decimal(24,6)`.

Types convert on their own in these cases only:

- integer to decimal to float, and date to timestamp (its midnight);
- when a value is stored in a column: a decimal to one of another precision or scale, rounded half
  up, and a decimal without decimals to integer.

Everything else is written out, as in `TO_DECIMAL(text, 18, 2)`. Comparing or combining other types
is [EXPR_004](errors.md#expr_004). An integer or decimal that does not fit its type ends the run
with an error; it is never cut and never becomes NULL."""

_DECIMALS = """\
Decimals are exact. The type of a result follows from the types of its parts, never from the values:

- `+` and `-` keep the larger scale (the number of decimals);
- `*` adds the scales;
- `/` has at least 6 decimals;
- a sum has ten digits more than its column, an average four decimals more.

A result that would need more than 38 digits loses decimals, but keeps 6 of those it has.
`rowbook validate` warns where a sum or product loses some, and where a quotient has fewer than its
parts ([EXPR_009](errors.md#expr_009)). Among decimals an integer counts as `decimal(20,0)`, a
literal one as wide as it is written."""

_NEW_COLUMNS = """\
A column that a project makes has room to grow: at least 18 digits before the point, and at least 6
decimals if it is made from literals alone, unless TO_DECIMAL names the scale. An existing column
keeps its type; `rowbook validate` warns where storing cuts decimals of a column that the project
made ([UPDATE_007](errors.md#update_007)). A bare NULL has no type, so a new column needs one that
says it: `TO_DECIMAL(NULL, 18, 2)`, `TO_STRING(NULL)`, `DATE(NULL)`."""

_LITERALS = (
    ("integer", "42"),
    ("decimal", "0.90"),
    ("text", "'Sales'"),
    ("text", '"Sales"'),
    ("text with a quote", "'the year''s end'"),
    ("text with a quote", r"'the year\'s end'"),
    ("truth value", "TRUE"),
    ("missing value", "NULL"),
    ("date", "DATE('2026-01-31')"),
    ("timestamp", "TIMESTAMP('2026-01-31T10:00:00Z')"),
)

_OPERATORS = (
    ("OR", "one of them is TRUE", "is_manual OR amount < 0"),
    ("AND", "all of them are TRUE", "is_manual AND amount < 0"),
    ("NOT", "the opposite", "NOT is_manual"),
    ("= <> != < <= > >=", "comparison; `!=` is `<>`", "account_code <> '5000'"),
    ("IS NULL, IS NOT NULL", "whether a value is missing", "cost_center_code IS NULL"),
    ("IN, NOT IN", "whether a value is in a list", "account_code IN ('4000', '4010')"),
    ("BETWEEN … AND …, NOT BETWEEN", "both ends included", "quantity BETWEEN 1 AND 7"),
    ("LIKE, NOT LIKE", "whether a text has a form", "journal_id LIKE 'JE-2026-%'"),
    ("+ -", "sum, difference; a date and days", "posting_date + 1"),
    ("* / %", "product, quotient, remainder with the sign of the left side", "-7 % 3"),
    ("-", "the negative", "-amount"),
)
_LEVELS = (1, 2, 3, 4, 4, 4, 4, 4, 5, 6, 7)

_NULL_CASES = (
    "NULL AND FALSE",
    "NULL AND TRUE",
    "NULL OR TRUE",
    "NULL OR FALSE",
    "NOT NULL",
    "cost_center_code = NULL",
    "quantity IN (7, NULL)",
    "quantity IN (1, NULL)",
    "MAX(1, NULL)",
    "amount / 0",
    "TO_INTEGER('n/a')",
)

_DECIMAL_CASES = (
    "amount + rate",
    "amount * rate",
    "amount / rate",
    "amount * 1.19",
    "quantity / 2",
    "ROUND(amount * rate, 2)",
    "amount * weight",
)

_NEW_COLUMN_CASES = ("0.19", "amount", "ROUND(amount * rate, 2)", "amount * rate")


def language_sections() -> Iterator[str]:
    """Everything before the functions."""
    yield _INTRODUCTION
    yield "## The rows of the examples"
    yield from _sample()
    yield "## References"
    yield _REFERENCES
    yield "## Literals"
    yield _values(_LITERALS, ("literal", "written", "value", "type"))
    yield _AFTER_LITERALS
    yield "## Operators"
    yield "From the loosest (1) to the tightest (7):"
    yield _operator_table()
    yield _AFTER_OPERATORS
    yield "### CASE"
    yield _CASE
    yield _examples(("CASE WHEN amount < 0 THEN 'credit' ELSE 'debit' END",))
    yield "## Named selectors"
    yield _SELECTORS
    yield "## NULL"
    yield _NULL
    yield _examples(_NULL_CASES)
    yield "## Types"
    yield _TYPES
    yield "### Decimals"
    yield _DECIMALS
    yield _examples(_DECIMAL_CASES)
    yield _NEW_COLUMNS
    yield _new_columns()
    yield "## Limits"
    yield _limits()


def _sample() -> Iterator[str]:
    yield "All values on this page are computed. Examples read this journal line, in table `gl`:"
    yield table(
        ("column", "type", "value"),
        [(code(f.name), str(f.type), code(shown(LINE[f.name]))) for f in FIELDS],
    )
    names = ("account_code", "journal_id", "quantity", "amount")
    yield "Examples of aggregates read three lines of one group; the rest is as above:"
    yield table(
        [code(name) for name in names],
        [[code(shown(line[name])) for name in names] for line in GROUP],
    )
    yield "The run starts at 2026-02-03T09:30:00Z, for the period `2026-01`."


def _values(rows: Sequence[tuple[str, str]], head: Sequence[str]) -> str:
    lines = [(what, worked(text)) for what, text in rows]
    return table(
        head, [(what, code(w.expression), code(w.value), str(w.type)) for what, w in lines]
    )


def _operator_table() -> str:
    rows = []
    for level, (operators, meaning, example) in zip(_LEVELS, _OPERATORS, strict=True):
        value = worked(example).value
        rows.append((str(level), code(operators), meaning, code(example), code(value)))
    return table(("level", "operators", "meaning", "example", "value"), rows)


def _examples(expressions: Sequence[str]) -> str:
    lines = map(worked, expressions)
    return table(
        ("expression", "value", "type"),
        [(code(w.expression), code(w.value), str(w.type)) for w in lines],
    )


def _new_columns() -> str:
    rows = []
    for text in _NEW_COLUMN_CASES:
        tree = bind(text, Scope(Table.of(FIELDS), "gl")).tree
        made = t.new_column_type(tree.type, literals_only=is_literal(tree))
        rows.append((code(text), str(tree.type), str(made)))
    return table(("expression", "its type", "a new column of it"), rows)


def _limits() -> str:
    return f"""\
| what | at most |
| --- | --- |
| characters of an expression | {MAX_LENGTH:,} |
| depth; a chain of ANDs or ORs is one level, in a sum each `+` is one | {MAX_DEPTH} |
| items of an IN list or arguments of a call | {MAX_LIST_ITEMS:,} |
| parts of an expression with its named selectors put in | {MAX_EXPANDED:,} |
| digits of a number | {t.MAX_PRECISION} |

Beyond a limit, `rowbook validate` reports [EXPR_008](errors.md#expr_008)."""
