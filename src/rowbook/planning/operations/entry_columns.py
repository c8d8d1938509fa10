"""The columns that an append gives its rows: those of its source, and those it assigns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rowbook.definitions.models.operations import AssignmentDefinition
from rowbook.definitions.place import Place
from rowbook.errors import suggestion
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound
from rowbook.expressions.convert import convert
from rowbook.expressions.scope import SPELLINGS, Field, Scope
from rowbook.planning.columns import (
    ASSIGNABLE_TO_ENTRIES,
    COLUMN_NAME,
    PERIOD,
    Columns,
    is_system,
)
from rowbook.planning.findings import Codes
from rowbook.planning.operations.context import Context
from rowbook.planning.operations.update import conversion_hint, store, warn_of_cut
from rowbook.planning.steps import Result

CODES: Codes = {"EXPR_001": "APPEND_004", "EXPR_002": "APPEND_006"}

ADD_FIRST = (
    "give the working dataset the column before, by an update: TO_DECIMAL(NULL, 18, 2) makes an"
    " empty one"
)
_NO_PERIODS = "leave it out, or give the input dataset temporal_mode: period"


def copied_columns(
    fields: Iterable[Field], place: Place, before: Columns, context: Context
) -> list[Result]:
    """Those that the working dataset has by name, in its types."""
    results: list[Result] = []
    for field in fields:
        target = before.fields.get(field.name)
        tree = bound.Column(None, field.name, field.type, field.nullable)
        if target is not None and fits(tree, target, place, before, context):
            results.append(Result(field.name, convert(tree, target.type)))
    return results


def assigned_columns(
    assignments: Sequence[AssignmentDefinition],
    place: Place,
    scope: Scope,
    before: Columns,
    context: Context,
    *,
    may_create: bool,
) -> list[Result]:
    """With `may_create` a column may be new, as in an update; else it must be in the working
    dataset (APPEND_003)."""
    results: dict[str, Result] = {}
    for i, each in enumerate(assignments):
        here = place.at(i)
        tree = context.findings.expression(here.at("expression"), each.expression, scope, CODES)
        if not _may_assign(each.column, here.at("column"), before, results, context):
            continue
        target = before.fields.get(SPELLINGS.get(each.column, each.column))
        if target is not None:
            if fits(tree, target, here.at("column"), before, context, "expression"):
                results[each.column] = Result(each.column, convert(tree, target.type))
        elif may_create:
            at = here.at("expression")
            field = store(each.column, tree, None, at, each.expression, before, context)
            results[each.column] = Result(each.column, convert(tree, field.type), is_new=True)
        elif before.complete:
            message = f"column '{each.column}' is not in the working dataset"
            known = tuple(f.name for f in before.business)
            hint = suggestion(each.column, known, "columns")
            if "did you mean" not in (hint or ""):
                hint = ADD_FIRST
            context.findings.add(here.at("column"), "APPEND_003", message, hint)
    return list(results.values())


def _may_assign(
    column: str, place: Place, before: Columns, assigned: dict[str, Result], context: Context
) -> bool:
    findings = context.findings
    clash = before.clash(column) or next(
        (name for name in assigned if name.lower() == column.lower() and name != column), None
    )
    if not COLUMN_NAME.fullmatch(column):
        findings.add(place, "APPEND_010", f"'{column}' is not a column's name")
    elif is_system(column) and column not in ASSIGNABLE_TO_ENTRIES:
        message = f"'{column}' belongs to the system: an append may assign _period and _labels only"
        findings.add(place, "SYSTEM_COLUMN", message)
    elif column == PERIOD.name and column not in before.fields:
        message = f"'{column}' cannot be assigned: rows of the working dataset have no period"
        if before.complete:
            findings.add(place, "APPEND_003", message, _NO_PERIODS)
    elif column in assigned:
        findings.add(place, "APPEND_010", f"column '{column}' is assigned twice")
    elif clash:
        message = f"column '{column}' differs from '{clash}' only by case"
        findings.add(place, "APPEND_010", message, f"did you mean '{clash}'?")
    else:
        return True
    return False


def fits(
    tree: Bound,
    target: Field,
    place: Place,
    before: Columns,
    context: Context,
    giver: Literal["source", "expression"] = "source",
) -> bool:
    """Whether a value converts to the type of its column by itself; APPEND_003 where not."""
    if t.can_store(tree.type, target.type):
        warn_of_cut(tree.type, target, place, before, context)
        return True
    message = f"column '{target.name}' is {target.type}, the {giver} gives {tree.type}"
    hint = conversion_hint(tree.type, target.type) if giver == "expression" else None
    context.findings.add(place, "APPEND_003", message, hint)
    return False
