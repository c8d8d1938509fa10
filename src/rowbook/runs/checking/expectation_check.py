"""The expectations of a run, from its beginning to the decision to publish."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rowbook.expectations.judgement import waive
from rowbook.expectations.observation import Observation
from rowbook.expectations.stop_messages import warning_diagnostics
from rowbook.expectations.verdict import Verdict, Waiver
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.runs.checking.past_measures import PastMeasures, past_measures
from rowbook.runs.checking.run_verdicts import (
    StoppedRun,
    all_seen,
    judge_run,
    recorded_verdicts,
    stop_error,
)
from rowbook.runs.checking.waivers import WaiverRequest
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request
from rowbook.store import Lease, this_process


@dataclass(slots=True)
class ExpectationCheck:
    """`given` are waivers that are not recorded yet, `recorded` those of earlier attempts; `past`
    is what these, or the run that it repeats, compared themselves with."""

    workspace: OpenWorkspace
    request: Request
    lease: Lease
    given: tuple[Waiver, ...] = ()
    past: PastMeasures = field(default_factory=dict)
    recorded: tuple[Waiver, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    @property
    def waivers(self) -> tuple[Waiver, ...]:
        return (*self.recorded, *self.given)

    def begin(self) -> None:
        """Records who waived what before anything is computed."""
        if self.given:
            with self.workspace.store.writing_as(self.lease, at=at_present()) as writes:
                for each in self.given:
                    writes.waive({name: getattr(each, name) for name in each.__slots__})

    def judge(self, observations: Iterable[tuple[Expectation, Observation]]) -> tuple[str, ...]:
        """Records what became of each; gives what the run warns of."""
        plan, context = self.request.plan, self.request.context
        if not plan.expectations:
            return ()
        seen, past = all_seen(plan, observations), self.past or self._past()
        return self._keep(judge_run(seen, context, past, self.waivers))

    def judge_again(self) -> tuple[str, ...]:
        """As `judge`, of a run whose rows were computed, looked at and staged before."""
        record = self.workspace.store.runs.record(self.request.context.run_id)
        found = recorded_verdicts(record)
        return self._keep(waive(found, self.waivers)) if found else ()

    def decide(self, published: Sequence[str], unpublished: Sequence[str]) -> None:
        """EXPECT_101 where the run must not publish: what it did before, and what it would."""
        run_id, is_draft = self.request.context.run_id, self.request.is_draft
        run = StoppedRun(run_id, is_draft, tuple(published), tuple(unpublished))
        if error := stop_error(self.verdicts, run):
            raise error

    def _past(self) -> PastMeasures:
        return past_measures(self.request.plan, self.request.context, lambda: self.workspace.store)

    def _keep(self, verdicts: tuple[Verdict, ...]) -> tuple[str, ...]:
        self.verdicts = verdicts
        store, found = self.workspace.store, warning_diagnostics(verdicts)
        record = store.runs.record(self.request.context.run_id)
        said = {each.warning.get("message") for each in record.warnings}
        with store.writing_as(self.lease, at=at_present()) as writes:
            writes.record_expectations([each.as_json() for each in verdicts])
            for each in found:
                if each.message not in said:
                    writes.warn({"code": each.code, "message": each.message})
        return tuple(each.message for each in found)


def new_waivers(request: Request, wanted: WaiverRequest) -> tuple[Waiver, ...]:
    """Those of who runs this process (EXPECT_011)."""
    return wanted.waivers(request.plan, this_process().user, at_present())
