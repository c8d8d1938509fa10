"""Which of the operations of a failed job it was, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rowbook.engine.execution.entries.entry_faults import entry_fault
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.failures.explain_failure import RetryPart, because, explain
from rowbook.engine.execution.failures.required_rows import first_unmet
from rowbook.engine.execution.failures.retry_parts import parts_of
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.errors import Diagnostic, OperationRef, RowbookError
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AnyStep, AppendStep


@dataclass(frozen=True, slots=True)
class FailedSteps:
    """Operations of a job that failed, from where the plan was last computed."""

    plan: ProjectPlan
    steps: tuple[AnyStep, ...]
    start: Working
    environment: Environment

    def explained(
        self, error: Exception, doing: str | OperationRef, read: ReadInput
    ) -> RowbookError:
        found = entry_fault(error, self.steps, self.start, self.environment)
        if isinstance(found, Diagnostic):
            return because(error, self._unmet(found.operation) or found)
        appends = {
            step.source.name: step_label(step)
            for step in self.steps
            if isinstance(step, AppendStep)
            and step.source
            and step.source.name != self.plan.input.name
        }
        operations = [step_label(step) for step in self.plan.steps]
        return explain(found, self._parts, read, appends, doing, operations, self._unmet)

    def _unmet(self, before: OperationRef | None = None) -> Diagnostic | None:
        """Which REQUIRE found no value, of operations before one."""
        steps = [step for step in self.steps if before is None or step.seq < before.seq]
        return first_unmet(steps, self.start, self.environment)

    def _parts(self) -> Iterator[RetryPart]:
        return parts_of(self.steps, self.start, self.environment)
