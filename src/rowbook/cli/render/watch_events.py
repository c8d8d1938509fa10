"""What happens while a workspace is watched, for people, as lines, and for programs, as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rowbook.api import (
    ChangedOperation,
    ChangedRow,
    Checked,
    RoundEnd,
    RoundStart,
    RowEffect,
    RowsCompared,
    RowsCounted,
    RowsFailed,
    RowsLeftOut,
    ScenariosRun,
    WatchEvent,
)
from rowbook.cli.render.diagnostics import as_json, coloured, columns_of, lines
from rowbook.cli.render.scenarios import scenario_report as report
from rowbook.errors import Diagnostic
from rowbook.text.table_layout import format_table_value
from rowbook.text.visible import number, visible

_REASONS = 3
_CELLS = 8


def event_lines(event: WatchEvent, folder: str, *, once: bool) -> Iterator[str]:
    """`folder` leads from the user to the workspace."""
    match event:
        case RoundStart(changes):
            if changes:
                saved = ", ".join(f"{each.file} {_SAID[each.change]}" for each in changes)
                yield visible(f"{datetime.now():%H:%M:%S}  {saved}")
        case Checked():
            yield from _findings(event.findings, folder)
            if not event.errors:
                yield "no errors in the definitions"
        case ScenariosRun():
            yield from _scenarios(event, folder)
        case RowsCounted(project, period, rows):
            yield visible(f"{project} for {period}: {number(rows, 'row')} after its last operation")
        case RowsCompared(project, period, effect):
            yield from map(visible, _effect(f"{project} for {period}", effect))
        case RowsLeftOut(project, period, reason, operation):
            at = f", {_operation(operation)}" if operation else ""
            yield visible(f"{project} for {period}{at}: no rows are shown, {reason}")
        case RowsFailed(project, period, errors):
            yield visible(f"{project} for {period} fails:")
            yield from _findings(errors, folder)
        case RoundEnd(_, seconds):
            ending = "" if once else "; waiting for a save, Ctrl-C ends"
            yield f"{seconds:.1f} s{ending}"
            if not once:
                yield ""


def event_json(event: WatchEvent) -> str:
    """One object in one line."""
    name, values = _json(event)
    return json.dumps({"event": name, **values}, ensure_ascii=False, default=_plain)


_SAID = {"new": "is new", "changed": "changed", "gone": "is gone"}


def _findings(diagnostics: tuple[Diagnostic, ...], folder: str) -> Iterator[str]:
    paint, columns = coloured(sys.stdout), columns_of(sys.stdout)
    for each in diagnostics:
        yield from lines(each, folder, paint=paint, columns=columns)


def _scenarios(event: ScenariosRun, folder: str) -> Iterator[str]:
    """Those that passed are counted, the others explained."""
    if not event.results:
        yield f"no scenario of {event.total} is touched"
        return
    paint, columns = coloured(sys.stdout), columns_of(sys.stdout)
    for result in event.results:
        if result.status != "passed":
            yield from report.details(
                result,
                lambda each: lines(each, folder, paint=paint, columns=columns),
                folder=folder,
                paint=paint,
            )
    why = ", ".join(event.reasons[:_REASONS])
    more = f" and {len(event.reasons) - _REASONS} more" if len(event.reasons) > _REASONS else ""
    of = f"{len(event.results)} of {number(event.total, 'scenario')}"
    chosen = f"{of}, by {why}{more}" if why else number(event.total, "scenario")
    yield visible(f"{chosen}: {report.summary(event.results)}")


def _effect(project: str, effect: RowEffect) -> Iterator[str]:
    counts = ((effect.changed, "changed"), (effect.added, "added"), (effect.gone, "gone"))
    told = ", ".join(f"{number(count, 'row')} {word}" for count, word in counts if count)
    total = (
        f"of {effect.rows_before:,}"
        if effect.rows_before == effect.rows_after
        else (f"{effect.rows_before:,} before, {effect.rows_after:,} after")
    )
    where = f"{project}, {_operation(effect.operation)}"
    yield f"{where}: {told} ({total})" if told else f"{where}: no row is other than before"
    for row in effect.changed_rows:
        cells = ", ".join(
            f"{each.column} {_cell(each.before)} → {_cell(each.after)}" for each in row.cells
        )
        yield f"  ~ {_named(row.known_by or row.key)}: {cells}"
    for sign, rows in (("+", effect.added_rows), ("-", effect.gone_rows)):
        yield from (f"  {sign} {_named(row)}" for row in rows)
    shown = len(effect.changed_rows) + len(effect.added_rows) + len(effect.gone_rows)
    if (left := effect.changed + effect.added + effect.gone - shown) > 0:
        yield f"    and {number(left, 'row')} more"


def _operation(operation: ChangedOperation) -> str:
    if operation.seq is None:
        return f"input {operation.name}"
    return f"operation {operation.seq} '{operation.name}'"


def _named(row: Mapping[str, Any]) -> str:
    """The first cells that hold something."""
    cells = [f"{name} {_cell(value)}" for name, value in row.items() if value is not None]
    return ", ".join(cells[:_CELLS]) + (" …" if len(cells) > _CELLS else "")


def _cell(value: Any) -> str:
    return "NULL" if value is None else format_table_value(value)


def _json(event: WatchEvent) -> tuple[str, dict[str, Any]]:
    match event:
        case RoundStart(changes):
            return "round", {"changes": [{"file": c.file, "change": c.change} for c in changes]}
        case Checked():
            return "checked", {"errors": [as_json(each) for each in event.findings]}
        case ScenariosRun():
            chosen = {"reasons": event.reasons, "total": event.total}
            return "scenarios", {**chosen, **report.as_json(event.results, "reference", as_json)}
        case RowsCounted(project, period, rows):
            return "rows_counted", {"project": project, "period": period, "rows": rows}
        case RowsCompared(project, period, effect):
            return "rows", {"project": project, "period": period, **_effect_json(effect)}
        case RowsLeftOut(project, period, reason, operation):
            left_out = {"project": project, "period": period, "reason": reason}
            return "rows_left_out", {**left_out, "operation": _operation_json(operation)}
        case RowsFailed(project, period, errors):
            found = [as_json(each) for each in errors]
            return "rows_failed", {"project": project, "period": period, "errors": found}
        case RoundEnd(ok, seconds):
            return "end", {"ok": ok, "seconds": round(seconds, 3)}


def _effect_json(effect: RowEffect) -> dict[str, Any]:
    return {
        "operation": _operation_json(effect.operation),
        "rows_before": effect.rows_before,
        "rows_after": effect.rows_after,
        "changed": effect.changed,
        "added": effect.added,
        "gone": effect.gone,
        "changed_rows": [_changed_json(row) for row in effect.changed_rows],
        "added_rows": list(effect.added_rows),
        "gone_rows": list(effect.gone_rows),
    }


def _changed_json(row: ChangedRow) -> dict[str, Any]:
    cells = [{"column": c.column, "before": c.before, "after": c.after} for c in row.cells]
    return {**row.key, "known_by": row.known_by, "cells": cells}


def _operation_json(operation: ChangedOperation | None) -> dict[str, Any] | None:
    return {"seq": operation.seq, "name": operation.name} if operation else None


def _plain(value: Any) -> str:
    """JSON has neither decimals nor dates: they are text, exactly."""
    return format_table_value(value).replace(",", "")
