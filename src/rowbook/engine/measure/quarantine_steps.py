"""What expectations take out of the working dataset, while a plan is followed operation by
operation."""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import DataFrame

from rowbook.engine.execution.checking.expectation_checks import ExpectationChecks
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.working import Working
from rowbook.engine.strategy.stages import CheckStage, Situation, Storage
from rowbook.engine.strategy.strategy import decide
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.quarantine_plan import only_quarantines
from rowbook.planning.project_plan import ProjectPlan


class QuarantineSteps:
    """Of rows that have all their columns, and ids."""

    def __init__(self, plan: ProjectPlan, environment: Environment, storage: Storage) -> None:
        taking = replace(only_quarantines(plan), quarantine=None)
        self._checks = ExpectationChecks(taking, environment, storage, _none)
        stages = decide(taking, Situation(ending="preview")).stages
        checks = (replace(each, storage=storage) for each in stages if isinstance(each, CheckStage))
        self._stages = {each.step.seq if each.step else 0: each for each in checks}

    def after(self, seq: int) -> tuple[CheckStage, ...]:
        """The stage at which rows are taken out after an operation, if there is one."""
        stage = self._stages.get(seq)
        return () if stage is None else (stage,)

    def left(self, seq: int, working: Working) -> Working:
        """After an operation; 0: before the first."""
        stage = self._stages.get(seq)
        return working if stage is None else self._checks.look(stage, working)

    def loaded(self, dataset: Dataset, frame: DataFrame) -> DataFrame:
        return self._checks.loaded(dataset, frame)


def _none(seq: int) -> DataFrame:
    raise AssertionError(f"rows have their ids after {seq}")
