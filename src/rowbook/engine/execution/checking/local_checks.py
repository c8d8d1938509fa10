"""Expectations of few rows, which are here: looked at by the reference engine, without a job."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.counting.counters import Count
from rowbook.engine.execution.driver.driver_rows import DriverRows
from rowbook.engine.execution.working import Working
from rowbook.engine.strategy.checks.check_columns import other_point, own_point
from rowbook.engine.strategy.stages import CheckStage
from rowbook.expectations.observation import Observation, match_observation
from rowbook.expressions.values import Value
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import (
    CheckPoint,
    Expectation,
    MatchCondition,
)
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import OutputStep
from rowbook.reference.expectations.run_checkpoints import RunCheckpoints, dataset_point
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.outputs import output_rows
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import Overflows, Row, WorkingRows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(slots=True)
class LocalChecks:
    """The same as `ExpectationChecks`, where all rows that expectations look at are here."""

    plan: ProjectPlan
    context: RunContext
    load_here: Callable[[Dataset], LoadedRows | None]
    quarantined: dict[int, int] = field(default_factory=dict)
    _matched: dict[tuple[str | None, str], Observation] = field(default_factory=dict)
    _environment: RunEnvironment = field(init=False)
    _points: RunCheckpoints = field(init=False)

    def __post_init__(self) -> None:
        self._environment = RunEnvironment(self.context, self.plan.input, self._load, Overflows())
        of_rows = [e for e in self.plan.expectations if not isinstance(e.condition, MatchCondition)]
        plan = replace(self.plan, expectations=tuple(of_rows))
        self._points = RunCheckpoints(plan, self._environment)

    @property
    def observations(self) -> tuple[tuple[Expectation, Observation], ...]:
        """In the order of the plan; of points that were not reached, none."""
        found = {each.key: seen for each, seen in self._points.observations} | self._matched
        known = (each for each in self.plan.expectations if each.key in found)
        return tuple((each, found[each.key]) for each in known)

    def look(self, stage: CheckStage, rows: DriverRows) -> DriverRows:
        """The rows that are left."""
        seq = 0 if stage.step is None else stage.step.seq
        for point in _points(stage):
            seen = self._seen_at(point, rows.working)
            left = self._points.reach(point, seen)
            if len(left.kept) < len(seen):
                rows = rows.only(left.kept)
                self.quarantined[seq] = self.quarantined.get(seq, 0) + left.quarantined
        return rows

    def looked_at(self, dataset: Dataset, loaded: LoadedRows) -> LoadedRows:
        """The rows of a dataset that are left."""
        kept = self._points.reach(dataset_point(dataset), loaded.rows).kept
        return loaded if len(kept) == len(loaded.rows) else loaded.only(kept)

    def loaded(self, dataset: Dataset, frame: DataFrame) -> DataFrame:
        return frame

    def forget(self) -> None:
        """Nothing is kept here."""

    def has(self, dataset: Dataset) -> bool:
        return False

    def left(self, seq: int, working: Working) -> Working:
        return working

    def read(self, counts: Mapping[int, Count]) -> dict[int, Count]:
        """The counts of operations; rows were counted before any were taken out."""
        return dict(counts)

    def finish(self, counts: Mapping[int, Count], load: Callable[[Dataset], object]) -> None:
        for seq, count in counts.items():
            self._match(seq, count.matched)
        self._points.finish()

    @property
    def quarantine_rows(self) -> Sequence[dict[str, Value]]:
        return self._points.quarantine

    def quarantine(self, spark: SparkSession) -> DataFrame:
        step = self.plan.quarantine
        assert step is not None
        fields = [step.columns.fields[name] for name in step.written]
        return frame_of(spark, self.quarantine_rows, fields)

    def _load(self, dataset: Dataset) -> LoadedRows:
        loaded = self.load_here(dataset)
        assert loaded is not None
        return loaded

    def _seen_at(self, point: CheckPoint, working: WorkingRows) -> Sequence[Row]:
        if point.kind != "output":
            return working.rows
        steps = (each for each in self.plan.steps if each.seq == point.seq)
        step = next(each for each in steps if isinstance(each, OutputStep))
        written = [row[None] for row in output_rows(working, step, self._environment)]
        self._match(step.seq, len(written))
        return written

    def _match(self, seq: int, count: int) -> None:
        for each in self.plan.expectations:
            if isinstance(each.condition, MatchCondition) and each.condition.seq == seq:
                self._matched[each.key] = match_observation(count)


def _points(stage: CheckStage) -> Iterator[CheckPoint]:
    """Those of a stage, each once, in their order."""
    others = (other for each in stage.others if (other := other_point(each)) is not None)
    points = (*map(own_point, stage.expectations), *others)
    return iter({(point.kind, point.seq): point for point in points}.values())
