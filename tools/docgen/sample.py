"""The journal lines that the examples of the language are computed on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal

from docgen.coverage import UndocumentedError
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import Binding, bind
from rowbook.expressions.evaluate import Evaluators, Row, Value, evaluate, evaluate_aggregate
from rowbook.expressions.scalars.casts import to_string
from rowbook.expressions.scope import LEVEL, Field, Scope, Table
from rowbook.expressions.syntax.printer import quoted
from rowbook.expressions.types import Type
from rowbook.periods import GREGORIAN
from rowbook.planning.columns import ROW_ID
from rowbook.planning.run_context import moment_in
from rowbook.planning.steps import SortKey, Window
from rowbook.reference.group_windows import WindowGroup, in_window_order
from rowbook.reference.working_rows import JoinedRow, read_cell

FIELDS = (
    Field("journal_id", t.STRING, nullable=False),
    Field("description", t.STRING),
    Field("account_code", t.STRING, nullable=False),
    Field("cost_center_code", t.STRING),
    Field("posting_date", t.DATE, nullable=False),
    Field("posted_at", t.TIMESTAMP),
    Field("quantity", t.INTEGER),
    Field("amount", t.decimal(18, 2), nullable=False),
    Field("rate", t.decimal(18, 6)),
    Field("weight", t.FLOAT),
    Field("is_manual", t.BOOLEAN, nullable=False),
)

LINE: dict[str, Value] = {
    "journal_id": "JE-2026-017",
    "description": "  Sales in January ",
    "account_code": "4000",
    "cost_center_code": None,
    "posting_date": date(2026, 1, 31),
    "posted_at": datetime(2026, 1, 31, 18, 45, tzinfo=UTC),
    "quantity": 7,
    "amount": Decimal("-1234.50"),
    "rate": Decimal("0.920000"),
    "weight": 2.5,
    "is_manual": False,
}
"""The row of the examples."""

GROUP: tuple[dict[str, Value], ...] = tuple(
    {**LINE, "journal_id": journal, "quantity": quantity, "amount": Decimal(amount)}
    for journal, quantity, amount in (
        ("JE-2026-017", 7, "-1234.50"),
        ("JE-2026-018", 2, "-300.00"),
        ("JE-2026-018", None, "34.50"),
    )
)
"""The rows of the examples of aggregates."""

MOMENT = moment_in(GREGORIAN.parse("2026-01"), GREGORIAN, datetime(2026, 2, 3, 9, 30, tzinfo=UTC))

_SCOPE = Scope(Table.of(FIELDS), "gl", requires=())
_SUMMARY = Scope(Table.of((*FIELDS, Field(LEVEL, t.STRING, nullable=False))), "gl")
_GROUPED = Scope(Table.of(FIELDS), "gl", keys=frozenset({"account_code"}))
_ORDERED = replace(_GROUPED, window="order")


@dataclass(frozen=True, slots=True)
class Worked:
    """An expression with its value, as a reader sees it, and its type."""

    expression: str
    value: str
    type: Type


def worked(expression: str) -> Worked:
    """The expression on the sample row."""
    tree = _bound(expression, _SCOPE).tree
    return Worked(expression, shown(evaluate(tree, _row(LINE), MOMENT)), tree.type)


def worked_on_summary(expression: str) -> Worked:
    """The expression on a summary row of the level `account`."""
    tree = _bound(expression, _SUMMARY).tree
    row = _row({**LINE, LEVEL: "account"})
    return Worked(expression, shown(evaluate(tree, row, MOMENT)), tree.type)


def worked_over_group(expression: str) -> Worked:
    """The expression with aggregates over the sample rows."""
    tree = _bound(expression, _GROUPED).tree
    rows = [_row(line) for line in GROUP]
    return Worked(expression, shown(evaluate_aggregate(tree, rows, MOMENT)), tree.type)


def worked_in_order(expression: str) -> Worked:
    """The expression on each of the sample rows, in the order of their amounts."""
    tree = _bound(expression, _ORDERED).tree
    rows: list[JoinedRow] = [{None: {ROW_ID: str(i), **line}} for i, line in enumerate(GROUP)]
    window = Window("n", (), None, (SortKey("amount"),), ())
    group = WindowGroup(in_window_order(rows, window), window, Evaluators(read_cell, MOMENT))
    values = map(group.value(tree), range(len(rows)))
    return Worked(expression, ", ".join(map(shown, values)), tree.type)


def shown(value: Value) -> str:
    """A value as it could be written in an expression."""
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).upper()
        case str():
            return quoted(value)
        case _:
            return to_string(value)


def _bound(expression: str, scope: Scope) -> Binding:
    binding = bind(expression, scope)
    if binding.faults:
        raise UndocumentedError(f"the example {expression} is faulty: {binding.faults[0].message}")
    return binding


def _row(line: dict[str, Value]) -> Row:
    return {(None, name): value for name, value in line.items()}
