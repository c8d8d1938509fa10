"""Runs as the store has them, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rowbook.cli.render.expectations.verdict_table import (
    print_samples,
    print_verdict_table,
    print_waivers,
    verdicts_json,
)
from rowbook.cli.render.printing import as_text, instant, print_lines
from rowbook.cli.render.run_result import print_ledger, print_outputs, print_unmatched
from rowbook.cli.render.text_tables import print_table
from rowbook.text.plan_words import parameter_text
from rowbook.text.table_layout import TextColumn

if TYPE_CHECKING:
    from rowbook.api import Approval, Run, RunDetails, RunParameter

_LISTED = (
    TextColumn("run", long="cut"),
    TextColumn("project", long="cut"),
    TextColumn("version", spare=1),
    TextColumn("period"),
    TextColumn("status"),
    TextColumn("started (UTC)", spare=2),
    TextColumn("took", numeric=True, spare=3),
)


def print_runs(runs: Sequence[Run]) -> None:
    print_table(_LISTED, [_row(each) for each in runs])


def _row(run: Run) -> tuple[Any, ...]:
    took = _seconds(run)
    version = "draft" if run.draft else f"{run.project_version}"
    shown = f"{took:.1f} s" if took is not None else ""
    return run.id, run.project_name, version, run.period, run.status, instant(run.started_at), shown


def _seconds(run: Run) -> float | None:
    return None if run.duration_ms is None else run.duration_ms / 1000


def run_json(run: Run) -> dict[str, Any]:
    return {
        "run_id": run.id,
        "project": run.project_name,
        "version": run.project_version,
        "draft": run.draft,
        "period": run.period,
        "status": run.status,
        "started_at": as_text(run.started_at),
        "finished_at": as_text(run.finished_at),
    }


def details_json(details: RunDetails) -> dict[str, Any]:
    run = details.run
    return {
        **run_json(run),
        "as_of": run.as_of,
        "clock": as_text(run.clock),
        "trigger": run.trigger,
        "engine": run.engine,
        "requested_by": run.requested_by,
        "reopened": run.reopened,
        "parameters": [_parameter_json(each) for each in details.parameters],
        "operations": [each.as_json() for each in details.ledger],
        "outputs": [each.as_json() for each in details.outputs],
        "staged": [each.as_json() for each in details.staged],
        "approval": _approval_json(details.approval) if details.approval else None,
        "warnings": list(details.warning_records),
        "expectations": verdicts_json(details.expectations),
        "waivers": [
            {name: getattr(each, name) for name in each.__slots__} for each in details.waivers
        ],
        "resumptions": [
            {
                "number": each.number,
                "resumed_at": as_text(each.resumed_at),
                "resumed_by": each.resumed_by,
                "from_seq": each.from_seq,
                "accepted_input": each.accepted_input,
                "failure": each.failure,
            }
            for each in details.resumptions
        ],
        "verifications": [
            {
                **each.verification,
                "number": each.number,
                "recorded_at": as_text(each.recorded_at),
                "recorded_by": each.recorded_by,
            }
            for each in details.verifications
        ],
        "seal": str(details.seal) if details.seal else None,
        "error": run.failure,
    }


def _approval_json(approval: Approval) -> dict[str, Any]:
    return {
        "asked_at": as_text(approval.asked_at),
        "verdict": approval.verdict,
        "decided_at": as_text(approval.decided_at),
        "decided_by": approval.decided_by,
        "comment": approval.comment,
    }


def _parameter_json(parameter: RunParameter) -> dict[str, Any]:
    kind, default = parameter.type, parameter.default
    return {"name": parameter.name, "type": kind, "value": parameter.value, "default": default}


def print_details(details: RunDetails) -> None:
    print_lines(_head(details))
    print_ledger([each.as_json() for each in details.ledger])
    print_unmatched(details.unmatched)
    print_outputs([each.as_json() for each in details.outputs])
    print_verdict_table(details.expectations)
    print_waivers(details.waivers)
    print_samples(details.expectations)
    print_outputs([each.as_json() for each in details.staged], "staged for")
    print_lines(f"warning: {warning}" for warning in _other_warnings(details))
    if failure := details.run.failure:
        seq = failure.get("seq")
        at = f" at operation {seq} '{failure.get('operation')}'" if seq else ""
        print_lines([f"failed{at}: {failure['code']}  {failure['message']}"])


def _other_warnings(details: RunDetails) -> Iterator[str]:
    """Those that are not said of expectations already."""
    said = {f"'{each.name}' ({each.at}): {each.detail}" for each in details.expectations}
    return (each for each in details.warnings if each not in said)


def _head(details: RunDetails) -> Iterator[str]:
    run = details.run
    version = "draft" if run.draft else f"version {run.project_version}"
    yield f"run {run.id}  {run.status}"
    yield f"{run.project_name} ({version}) for {run.period}, as of {run.as_of}"
    took = _seconds(run)
    times = f"started {instant(run.started_at)} UTC" if run.started_at else "never started"
    lasted = f", took {took:.1f} s" if took is not None else ""
    yield f"{times} by {run.requested_by} on {run.engine}{lasted}"
    for parameter in details.parameters:
        yield f"parameter {parameter_text(parameter)}"
    if run.reopened:
        yield f"wrote into a closed period: {run.reopened}"
    for each in details.resumptions:
        before = (each.failure or {}).get("message", "")
        yield f"resumed {instant(each.resumed_at)} by {each.resumed_by} after {before}"
    if approval := details.approval:
        yield (
            f"waits for approval since {instant(approval.asked_at)} UTC"
            if (approval.verdict is None)
            else _verdict(approval)
        )
    for verified in details.verifications:
        verdict = verified.verification.get("verdict", "")
        yield f"verified {instant(verified.recorded_at)} UTC by {verified.recorded_by}: {verdict}"
    if details.seal:
        yield f"seal {details.seal}"


def _verdict(approval: Approval) -> str:
    said = f": {approval.comment}" if approval.comment else ""
    when = f"{instant(approval.decided_at)} UTC"
    return f"{approval.verdict} {when} by {approval.decided_by}{said}"
