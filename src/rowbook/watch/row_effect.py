"""What a change of a project does to the rows of its working dataset."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import Any, TypeAlias

from rowbook.engine.compare.difference import CellChange, ChangedRow, Row
from rowbook.expressions.scope import PARAMETERS
from rowbook.expressions.values import Value
from rowbook.planning.columns import ROW_ID, is_listed
from rowbook.planning.datasets import Dataset
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AnyStep, AppendStep, OutputStep
from rowbook.reference.working_rows import seen
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_checks import check_run
from rowbook.runs.preview.plain_preview import PlainInput, follow, plan_until
from rowbook.sources.contents import Keeping
from rowbook.value_class import dataclass

SHOWN = 5
"""Rows of each sort that are shown."""

_KEYS = 3
_SELECTOR = re.compile(r"\{\{\s*(\w+)\s*\}\}")

VisibleRows: TypeAlias = Mapping[Value, Row]
"""By their ids."""


@dataclass(frozen=True, slots=True)
class ChangedOperation:
    """The first operation that is not what it was; `seq` is None where that is the input."""

    seq: int | None
    name: str
    is_output: bool = False


@dataclass(frozen=True, slots=True)
class RowEffect:
    """Rows after an operation, before and after a change of it; some rows of each sort."""

    operation: ChangedOperation
    rows_before: int
    rows_after: int
    changed: int
    added: int
    gone: int
    changed_rows: tuple[ChangedRow, ...] = ()
    added_rows: tuple[Row, ...] = ()
    gone_rows: tuple[Row, ...] = ()


def first_change(old: Request, new: Request) -> ChangedOperation | None:
    """By what operations say, with the named selectors and the datasets that they use."""
    if _input_texts(old) != _input_texts(new):
        return ChangedOperation(None, new.plan.input.name)
    before, after = _operations(old), _operations(new)
    steps = {step.seq: step for plan in (old.plan, new.plan) for step in plan.steps}
    for seq in sorted(before.keys() | after.keys()):
        if before.get(seq) != after.get(seq):
            step = steps[seq]
            return ChangedOperation(seq, step.name, isinstance(step, OutputStep))
    return None


def row_effect(old: Request, new: Request, operation: ChangedOperation) -> RowEffect:
    """NotPlainError where only Spark can read the input."""
    before, after = (_rows_at(each, operation) for each in (old, new))
    keys = new.plan.input.definition.natural_key_columns
    changed = [
        ChangedRow({ROW_ID: row_id}, cells, _known_by(before[row_id], keys))
        for row_id in before.keys() & after.keys()
        if (cells := _cells(before[row_id], after[row_id]))
    ]
    added = [row for row_id, row in after.items() if row_id not in before]
    gone = [row for row_id, row in before.items() if row_id not in after]
    order = {row_id: place for place, row_id in enumerate(before)}
    changed.sort(key=lambda each: order[each.key[ROW_ID]])
    return RowEffect(
        operation,
        len(before),
        len(after),
        len(changed),
        len(added),
        len(gone),
        tuple(changed[:SHOWN]),
        tuple(added[:SHOWN]),
        tuple(gone[:SHOWN]),
    )


def count_rows(request: Request) -> int:
    """Visible rows after the last operation."""
    return len(_rows(request, plan_until(request.plan, None)))


def _rows_at(request: Request, operation: ChangedOperation) -> VisibleRows:
    return _rows(request, plan_until(request.plan, operation.seq or 0))


def _rows(request: Request, plan: ProjectPlan) -> VisibleRows:
    with ExitStack() as resources:
        resolved = resolve_run(request, keeping=Keeping(resources))
        check_run(resolved)
        working = follow(resolved, plan, PlainInput(resolved))
    names = [name for name in working.columns.fields if is_listed(name)]
    visible = (row for row in working.rows if not row["_deleted"])
    return {seen(row[ROW_ID]): {name: seen(row[name]) for name in names} for row in visible}


def _input_texts(request: Request) -> list[Any]:
    """The input, and what the project takes out of it before the first operation."""
    project: Mapping[str, Any] = request.project["project"]
    selectors: Mapping[str, Any] = project.get("selectors") or {}
    taken = _quarantines(project, "input")
    return [_dataset_text(request.plan.input), _texts(taken, selectors, request) if taken else []]


def _operations(request: Request) -> dict[int, str]:
    project: Mapping[str, Any] = request.project["project"]
    texts = {int(each["seq"]): each for each in project.get("operations") or ()}
    selectors: Mapping[str, Any] = project.get("selectors") or {}
    return {
        step.seq: json.dumps(
            [
                *_texts([texts[step.seq], *_quarantines(project, step.seq)], selectors, request),
                _reads(step),
            ]
        )
        for step in request.plan.steps
    }


def _quarantines(project: Mapping[str, Any], point: int | str) -> list[Any]:
    """The expectations of a project that take rows out at a point."""
    return [
        each
        for each in project.get("expectations") or ()
        if each.get("otherwise") == "quarantine" and str(each.get("at")) == str(point)
    ]


def _texts(operation: Any, selectors: Mapping[str, Any], request: Request) -> list[Any]:
    """All that an operation says, with the selectors and the values of parameters it uses."""
    said = [operation, _named(operation, selectors)]
    return [*said, _parameters(request, said)]


def _parameters(request: Request, texts: Any) -> list[str]:
    """The values of parameters that texts may name."""
    text = json.dumps(texts)
    values = request.plan.parameters
    return [each.text for each in values if f"{PARAMETERS}.{each.parameter.name}" in text]


def _named(operation: Any, selectors: Mapping[str, Any]) -> dict[str, Any]:
    """The selectors that an operation names, and those that these name."""
    found: dict[str, Any] = {}
    wanted = _SELECTOR.findall(json.dumps(operation))
    while wanted:
        name = wanted.pop()
        if name in selectors and name not in found:
            found[name] = selectors[name]
            wanted += _SELECTOR.findall(json.dumps(selectors[name]))
    return dict(sorted(found.items()))


def _reads(step: AnyStep) -> list[str]:
    """The datasets that an operation reads."""
    sources = [step.source] if isinstance(step, AppendStep) and step.source else []
    return [_dataset_text(each) for each in (*sources, *(join.dataset for join in step.joins))]


def _dataset_text(dataset: Dataset) -> str:
    return dataset.definition.model_dump_json()


def _cells(before: Row, after: Row) -> tuple[CellChange, ...]:
    """A column that one side lacks is NULL there."""
    names = dict.fromkeys((*before, *after))
    values = ((name, before.get(name), after.get(name)) for name in names)
    return tuple(CellChange(name, old, new) for name, old, new in values if not _same(old, new))


def _same(old: Value, new: Value) -> bool:
    """NaN is the same as itself."""
    return type(old) is type(new) and (old == new or (old != old and new != new))


def _known_by(row: Row, keys: Sequence[str]) -> Row:
    natural = [name for name in keys if name in row]
    return {name: row[name] for name in natural or islice(row, _KEYS)}
