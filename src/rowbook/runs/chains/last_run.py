"""Whether a run would do again what the last one of its project and period did."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rowbook.errors import RowbookError, reason
from rowbook.runs.compare.past_runs import past_run, why_changed
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedRun, resolve_run
from rowbook.runs.prepare.run_snapshot import input_changes, input_records, take_snapshot
from rowbook.sources import registry
from rowbook.sources.source_errors import NotAskedError
from rowbook.store import JsonObject
from rowbook.value_class import dataclass

_NO_RULES = ("rowbook", "spark", "now", "datasets")
"""What a snapshot has beside the rules: its own time, and the input, which is compared apart."""


@dataclass(frozen=True, slots=True)
class LastRun:
    """The last completed run, if there is one; `why` a run would not do the same again, None where
    it would."""

    run_id: str | None
    why: str | None


def compare_with_last_run(
    workspace: OpenWorkspace, request: Request, *, with_clock: bool = False, connect: bool = True
) -> LastRun:
    """By the snapshot of the last run: rules, versions, contents of what is read; and what it wrote
    is still there. `with_clock`: the clock was asked for, and counts too. Without `connect` no
    server is asked, and what it has is not known."""
    period, runs = request.context.period.identifier, workspace.store.runs
    done = runs.newest(project=request.context.project_id, period=period, status="completed")
    last = next((each for each in done if not each.draft), None)
    before = runs.snapshot(last.id) if last else None
    if last is None or before is None:
        return LastRun(None, f"it never ran for {period}")
    try:
        resolved = resolve_run(request, workspace.store, connect=connect)
        if not connect and _asks_servers(resolved):
            return LastRun(last.id, "databases were not asked")
        if any(isinstance(each.failure, NotAskedError) for each in resolved.tables):
            return LastRun(last.id, "Spark's catalog was not asked")
        why = _difference(resolved, before, with_clock=with_clock)
        return LastRun(last.id, why or _loss(workspace, last.id))
    except RowbookError as error:
        return LastRun(last.id, error.diagnostics[0].message)
    except OSError as error:
        return LastRun(last.id, reason(error))


def _asks_servers(resolved: ResolvedRun) -> bool:
    tables = (each.table for each in resolved.tables if each.table is not None)
    targets = (each.target for each in resolved.outputs)
    return any(map(registry.is_server, tables)) or any(map(registry.is_server, targets))


def _difference(resolved: ResolvedRun, before: JsonObject, *, with_clock: bool) -> str | None:
    """Of files that are not as old or as large as they were, the content decides."""
    now = _stored(take_snapshot(resolved))
    if now["version"] != before["version"]:
        return f"version {resolved.request.version} of it did not run yet"
    if _rules(now) != _rules(before):
        return "what it uses was changed"
    if with_clock and now["now"] != before["now"]:
        return "its clock is another"
    if not _input_change(before, now):
        return None
    datasets = _stored(input_records(resolved.with_fingerprints()))
    return _input_change(before, {**now, "datasets": datasets})


def _loss(workspace: OpenWorkspace, run_id: str) -> str | None:
    """Why what the run wrote is not there any more. Rows that it added to those of others cannot be
    told from them, and are taken to be there."""
    past = past_run(workspace, run_id)
    kept = (each for each in past.tables if each.rows is not None)
    losses = (why_changed(table, past, workspace.store) for table in kept)
    return next((f"what it wrote was changed: {why}" for why in losses if why), None)


def _rules(snapshot: Mapping[str, Any]) -> dict[str, Any]:
    datasets = [
        {key: value for key, value in each.items() if key != "locations"}
        for each in snapshot["datasets"]
    ]
    rules = {key: value for key, value in snapshot.items() if key not in _NO_RULES}
    return {**rules, "datasets": datasets}


def _input_change(before: JsonObject, now: JsonObject) -> str | None:
    """What is read otherwise; a place that is read no more is a change too."""
    changes = input_changes(before["datasets"], now["datasets"])
    changes = changes or input_changes(now["datasets"], before["datasets"])
    return str(changes[0]) if changes else None


def _stored(value: Any) -> Any:
    """As the store gives it back."""
    return json.loads(json.dumps(value))
