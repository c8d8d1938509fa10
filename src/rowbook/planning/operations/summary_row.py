"""The columns of a summary row: which may be filled, and which its assignments see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from rowbook.definitions.place import Place
from rowbook.expressions import types as t
from rowbook.expressions.scope import LEVEL, Field, Scope, Table
from rowbook.planning.columns import COLUMN_NAME, Columns, is_system
from rowbook.planning.operations.context import Context

SummaryPart: TypeAlias = Literal["key", "result", "assigned"]
"""What fills a column of the summary row."""

_ALREADY: Mapping[SummaryPart, str] = {
    "key": "a group key",
    "result": "a result",
    "assigned": "assigned",
}


def may_hold(
    part: SummaryPart,
    column: str,
    place: Place,
    before: Columns,
    filled: Mapping[str, SummaryPart],
    context: Context,
) -> bool:
    """Whether a column may be filled; `filled` are those that are. AGGREGATE_005, AGGREGATE_006."""
    findings = context.findings
    clash = before.clash(column) or next(
        (each for each in filled if each.lower() == column.lower() and each != column), None
    )
    if is_system(column):
        what = "cannot hold a result" if part == "result" else "cannot be set"
        findings.add(place, "AGGREGATE_005", f"'{column}' belongs to the system and {what}")
    elif not COLUMN_NAME.fullmatch(column):
        findings.add(place, "DATASET_001", f"'{column}' is not a column's name")
    elif filled.get(column) == part:
        findings.add(place, "AGGREGATE_006", f"{part} column '{column}' stands twice")
    elif column in filled:
        message = f"'{column}' is {_ALREADY[filled[column]]} already"
        findings.add(place, "AGGREGATE_006", message)
    elif clash:
        message = f"{part} column '{column}' differs from '{clash}' only by case"
        findings.add(place, "AGGREGATE_006", message)
    else:
        return True
    return False


def summary_scope(
    scope: Scope, before: Columns, fields: Iterable[Field], *, has_levels: bool
) -> Scope:
    """What assignments see: keys, results, and LEVEL() where there are levels. Other columns of the
    dataset are NULL on a summary row; to read one is a mistake."""
    level = (Field(LEVEL, t.STRING, nullable=False),) if has_levels else ()
    main = Table.of((*fields, *level), complete=before.complete)
    return Scope(
        main,
        scope.main_name,
        selectors=scope.selectors,
        parameters=scope.parameters,
        absent=frozenset(before.fields) - frozenset(main.fields),
    )
