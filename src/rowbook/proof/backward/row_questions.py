"""What somebody asks of rows, by an id or by values, as questions about rows of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation

from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound, Call, Column, Constant, conjuncts
from rowbook.expressions.folding import FALSE, TRUE, both, either, negated
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind
from rowbook.expressions.values import EXACT
from rowbook.planning.columns import OPERATION_SEQ, ROW_ID
from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AppendStep, OutputStep
from rowbook.proof.backward.backward_condition import Question, RowQuestion, SourceQuestion

_ID = Column(None, ROW_ID, t.STRING, False)
_ADDED_BY = Column(None, OPERATION_SEQ, t.INTEGER, True)
_LENGTH = 36
"""Of an id; what is shorter is how one begins."""

_SEEN_ON_ROWS = frozenset({Kind.FLOAT, Kind.TIMESTAMP})
"""Types of whose values texts tell only when they are there."""


def id_condition(row_id: str) -> Bound:
    function = "=" if len(row_id) >= _LENGTH else "STARTS_WITH"
    return Call(function, (_ID, Constant(row_id, t.STRING)), t.BOOLEAN, False)


def figure_rows(seq: int, where: Bound) -> Iterator[Sequence[Question]]:
    """The rows of an output that a condition is TRUE for, one try after the other. By its id, a row
    is looked for where it is read before all that made rows are."""
    output = CheckPoint("output", seq)
    if any(_is_of_one_id(part) for part in conjuncts(where)):
        read = Call("ISNULL", (_ADDED_BY,), t.BOOLEAN, False)
        yield (RowQuestion(output, both(read, where)),)
    yield (RowQuestion(output, where),)


def _is_of_one_id(part: Bound) -> bool:
    match part:
        case Call("=", (Column(None, name), Constant()) | (Constant(), Column(None, name))):
            return name == ROW_ID
    return False


def rows_with_values(plan: ProjectPlan, values: Mapping[str, str]) -> Iterator[Question]:
    """Rows that have these values where they are read, where they are written, or, if an operation
    made them, in the end; and what becomes of them."""
    found = values_condition(plan.input.readable.fields, values)
    if found != FALSE:
        yield RowQuestion(CheckPoint("input"), found, onward=True)
    for step in plan.steps:
        if isinstance(step, AppendStep) and step.source is not None:
            found = values_condition(step.source.readable.fields, values)
            if found != FALSE:
                yield SourceQuestion(step.seq, found)
        elif isinstance(step, OutputStep):
            fields = {name: step.columns.fields[name] for name in step.written}
            found = values_condition(fields, values)
            if found != FALSE:
                yield RowQuestion(CheckPoint("output", step.seq), found, onward=True)
    last = plan.steps[-1].columns.fields if plan.steps else plan.columns.fields
    found = values_condition(last, values)
    if found != FALSE:
        made = negated(Call("ISNULL", (_ADDED_BY,), t.BOOLEAN, False))
        yield RowQuestion(CheckPoint("end"), both(made, found))


def values_condition(fields: Mapping[str, Field], values: Mapping[str, str]) -> Bound:
    """TRUE on rows whose columns have values that somebody means by these texts; FALSE where there
    is no such column."""
    if not values or any(name not in fields for name in values):
        return FALSE
    return both(*(_is_meant(fields[name], text) for name, text in values.items()))


def _is_meant(field: Field, text: str) -> Bound:
    if field.type.kind in _SEEN_ON_ROWS:
        return TRUE
    column = Column(None, field.name, field.type, field.nullable)
    value = _value(field.type, text)
    found = FALSE if value is None else Call("=", (column, value), t.BOOLEAN, True)
    if text.upper() == "NULL":
        return either(found, Call("ISNULL", (column,), t.BOOLEAN, False))
    return found


def _value(kind: t.Type, text: str) -> Constant | None:
    match kind.kind:
        case Kind.BOOLEAN:
            known = {"true": True, "false": False}.get(text.lower())
            return None if known is None else Constant(known, kind)
        case Kind.DATE:
            try:
                return Constant(date.fromisoformat(text), kind)
            except ValueError:
                return None
        case Kind.INTEGER | Kind.DECIMAL:
            return _number(kind, text)
    return Constant(text, kind)


def _number(kind: t.Type, text: str) -> Constant | None:
    try:
        number = Decimal(text)
        if not number.is_finite():
            return None
        held = EXACT.quantize(number, Decimal(1).scaleb(-kind.scale))
    except InvalidOperation:
        return None
    if held != number:
        return None
    return Constant(int(held), kind) if kind.kind is Kind.INTEGER else Constant(held, kind)
