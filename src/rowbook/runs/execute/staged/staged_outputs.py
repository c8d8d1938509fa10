"""Outputs that are staged: recorded by the run that computed them, found again by whoever publishes
them, maybe another process on another day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rowbook.errors import RowbookError
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.clock import check_run_id
from rowbook.runs.prepare.resolve import ResolvedOutput
from rowbook.sources import registry
from rowbook.sources.source import Publishing, StagedOutput, WriteResult
from rowbook.sources.source_errors import UnreachableError, output_error
from rowbook.store import RunRecord

NOT_OURS = (LookupError, TypeError, ValueError, AttributeError)
"""What a record raises that Rowbook did not make."""


@dataclass(frozen=True, slots=True)
class StagedResult:
    """A staged output, and what the run will say of it."""

    staged: StagedOutput
    result: OutputResult

    @property
    def seq(self) -> int:
        return self.staged.seq

    def as_json(self) -> dict[str, Any]:
        return {**self.staged.as_json(), "output": self.result.as_json()}

    def published(self, written: WriteResult) -> OutputResult:
        return replace(self.result, **written.counts)


def recorded_output(
    workspace: OpenWorkspace, run_id: str, seq: int, recorded: Mapping[str, Any]
) -> StagedResult:
    """DATASOURCE_004 where it goes outside the boundary, STORE_002 where the record is none of
    Rowbook's."""
    check_run_id(run_id)
    try:
        staged = registry.staged_from_json(recorded, workspace.boundary, run_id, seq)
        return StagedResult(staged, OutputResult.from_json(recorded["output"]))
    except NOT_OURS as cause:
        message = f"the store does not say where run {run_id} staged its output {seq}"
        raise RowbookError.of("STORE_002", message) from cause


def recorded_outputs(workspace: OpenWorkspace, record: RunRecord) -> tuple[StagedResult, ...]:
    """Those of a run that are not published, in order."""
    run_id = record.run.id
    return tuple(
        recorded_output(workspace, run_id, each.seq, each.staged) for each in record.unpublished
    )


def damages(outputs: tuple[StagedResult, ...]) -> dict[int, str]:
    """Why outputs cannot be published as they were staged, by seq; OUTPUT_006 where that cannot be
    found out."""
    found = {}
    for each in outputs:
        label = each.staged.target.label
        try:
            why = registry.damage(each.staged)
        except UnreachableError as cause:
            raise output_error(label, f"cannot be reached: {cause}") from cause
        except NOT_OURS:
            why = "the store does not say what was staged"
        if why is not None:
            found[each.seq] = f"{label}: {why}"
    return found


def published_before(lost: StagedResult) -> OutputResult | None:
    """What became of rows that are staged no longer: None where they were not published. To ask is
    to publish them, which does nothing where that was done, and else finds nothing to publish."""
    try:
        (written,) = registry.publish((lost.staged,), Publishing(has_turn=True))
    except UnreachableError as cause:
        raise output_error(lost.staged.target.label, f"cannot be reached: {cause}") from cause
    except (RowbookError, *NOT_OURS):
        return None
    return lost.published(written)


def destination_contents(outputs: Sequence[ResolvedOutput]) -> dict[str, Any]:
    """What the destinations of a run hold now, by their labels; nothing where none is there."""
    found = {}
    for each in outputs:
        try:
            contents = registry.contents(registry.existing(each.target))
        except RowbookError as error:
            if error.diagnostics[0].code != "DATASOURCE_006":
                raise
            contents = ()
        found[each.target.label] = [content.as_json() for content in contents]
    return found
