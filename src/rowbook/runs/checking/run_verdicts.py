"""A run before it publishes: its expectations judged, and whether they stop it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from rowbook.errors import Diagnostic, RowbookError, listing
from rowbook.expectations.judgement import judge, waive
from rowbook.expectations.observation import Observation
from rowbook.expectations.stop_messages import stop_diagnostics
from rowbook.expectations.verdict import Verdict, Waiver
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.runs.checking.past_measures import PastMeasures
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from rowbook.store import RunRecord


@dataclass(frozen=True, slots=True)
class EarlierJudgement:
    """What a run was judged by that is resumed or repeated: its waivers, and what it compared
    itself with."""

    waivers: tuple[Waiver, ...] = ()
    past: PastMeasures = field(default_factory=dict)

    @classmethod
    def of(cls, record: RunRecord) -> EarlierJudgement:
        verdicts = recorded_verdicts(record)
        return cls(
            tuple(Waiver(**each.waiver) for each in record.waivers),
            {(each.owner, each.name): each.other_measures for each in verdicts},
        )


NEVER_JUDGED = EarlierJudgement()


def recorded_verdicts(record: RunRecord) -> tuple[Verdict, ...]:
    return tuple(Verdict.from_json(each.verdict) for each in record.expectations)


_NOT_SEEN = Observation(failure="it was not looked at")


def all_seen(
    plan: ProjectPlan, observations: Iterable[tuple[Expectation, Observation]]
) -> tuple[tuple[Expectation, Observation], ...]:
    """What was seen of every expectation of a plan: one that nobody looked at has not passed."""
    seen = {each.key: observation for each, observation in observations}
    return tuple((each, seen.get(each.key, _NOT_SEEN)) for each in plan.expectations)


def judge_run(
    observations: Iterable[tuple[Expectation, Observation]],
    context: RunContext,
    past: PastMeasures,
    waivers: Sequence[Waiver] = (),
) -> tuple[Verdict, ...]:
    moment = context.moment
    found = (judge(each, seen, moment, past.get(each.key)) for each, seen in observations)
    return waive(found, waivers)


@dataclass(frozen=True, slots=True)
class StoppedRun:
    """What a stop is told of: the run, and its destinations, before and after it."""

    run_id: str
    is_draft: bool
    published: tuple[str, ...] = ()
    unpublished: tuple[str, ...] = ()

    @property
    def consequence(self) -> str:
        if self.is_draft:
            return "what the draft computed is in its sandbox"
        kept = f"as they were: {listing(self.unpublished)}" if self.unpublished else ""
        if not self.published:
            return f"nothing was published; {kept}" if kept else "nothing was published"
        said = f"published before: {listing(self.published)}"
        return f"{said}; {kept}" if kept else said


def stop_error(verdicts: Sequence[Verdict], run: StoppedRun) -> RowbookError | None:
    """EXPECT_101 for all that stop, with the ways on; None where nothing does."""
    found = stop_diagnostics(verdicts, run.consequence)
    if not found:
        return None
    first, *others = found
    hint = "; or ".join(_ways([each for each in verdicts if each.stops], run))
    return RowbookError(replace(first, hint=hint), *map(_as_the_first, others))


def _ways(stopping: Sequence[Verdict], run: StoppedRun) -> Iterable[str]:
    yield "correct the rows or the rules, and run again"
    names = " ".join(f"--waive {_quoted(name)}" for name in dict.fromkeys(v.name for v in stopping))
    going_on = "complete the draft" if run.is_draft else "publish what was computed"
    yield f'{going_on}: rowbook runs resume {run.run_id} {names} --reason "…"'
    if any(each.otherwise == "stop" and each.checked for each in stopping):
        yield "let such rows go to a quarantine table, with `otherwise: quarantine`"


def _as_the_first(diagnostic: Diagnostic) -> Diagnostic:
    return replace(diagnostic, hint="correct it too, or waive it in the same command")


def _quoted(name: str) -> str:
    escaped = "".join(f"\\{each}" if each in '\\"$`' else each for each in name)
    return f'"{escaped}"'
