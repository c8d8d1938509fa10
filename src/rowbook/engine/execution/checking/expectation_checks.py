"""The expectations of a run as its stages reach them: what is seen of each, and rows taken out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from rowbook.engine.counting.counters import CheckFlag, Count, read_all
from rowbook.engine.counting.rows_gone import GoneRows
from rowbook.engine.execution.checking.compared_sides import (
    FAILED,
    ComparedSides,
    Figures,
    against_of,
)
from rowbook.engine.execution.checking.key_groups import (
    EarlierGroups,
    GroupViolations,
    KeyGroups,
    group_violations,
    observe_groups,
)
from rowbook.engine.execution.checking.quarantine_frames import (
    Taking,
    quarantine_rows,
    quarantine_table,
)
from rowbook.engine.execution.checking.row_marks import MarkRequest, mark_rows
from rowbook.engine.execution.checking.row_totals import (
    CHECKED,
    VIOLATED,
    TotalRequest,
    row_totals,
)
from rowbook.engine.execution.checking.row_views import RowPlace, RowView
from rowbook.engine.execution.checking.violations import row_violations
from rowbook.engine.execution.checkpoint import checkpoint
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.passed_groups import PassedGroups
from rowbook.engine.execution.summary import LevelFrames
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.engine.strategy.checks.check_columns import columns_told, other_point, own_point
from rowbook.engine.strategy.checks.check_places import grouping_of, keys_of
from rowbook.engine.strategy.stages import CheckStage, Storage
from rowbook.expectations.judgement import is_tolerated
from rowbook.expectations.observation import Observation, match_observation
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import (
    CheckPoint,
    Expectation,
    ExpectationKey,
    GroupCondition,
    MatchCondition,
    RowCondition,
)
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import OutputStep, Result
from rowbook.spark.column_names import column

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class _Place:
    """Rows that are looked at, and where what is computed of them is kept. `told_after`: they have
    no ids, and are told by those there are after this operation, once more."""

    frame: DataFrame
    rows: RowPlace
    storage: Storage
    told_after: int | None = None
    totals: EarlierGroups | None = None


@dataclass(slots=True)
class ExpectationChecks:
    plan: ProjectPlan
    environment: Environment
    storage: Storage
    """Of rows and groups of datasets other than the working one."""
    with_ids: Callable[[int], DataFrame]
    """The rows of the working dataset after an operation, computed once more, with ids."""
    quarantined: dict[int, int] = field(default_factory=dict)
    """Visible rows that were taken out after an operation, by its seq; 0: of the input."""
    _seen: dict[ExpectationKey, Observation] = field(default_factory=dict)
    _marked: dict[int, tuple[MarkRequest, _Place]] = field(default_factory=dict)
    """Those whose marks nobody counted yet, by number, with the rows that they are about."""
    _sides: ComparedSides = field(init=False)
    _takings: dict[int, list[Taking]] = field(default_factory=dict)
    _taken: list[DataFrame] = field(default_factory=list)
    _counts: dict[int, Count] = field(default_factory=dict)
    """What is known of marks."""
    _gone: GoneRows = field(default_factory=GoneRows)
    _loaded: dict[tuple[str, int], DataFrame] = field(default_factory=dict)
    _rows: dict[int, DataFrame] = field(default_factory=dict)
    """Those that were computed once more."""

    def __post_init__(self) -> None:
        self._sides = ComparedSides(self.environment)

    @property
    def observations(self) -> tuple[tuple[Expectation, Observation], ...]:
        """In the order of the plan; of points that were not reached, none."""
        found = ((each, self._seen.get(each.key)) for each in self.plan.expectations)
        return tuple((each, seen) for each, seen in found if seen is not None)

    def look(
        self,
        stage: CheckStage,
        working: Working,
        levels: LevelFrames | None = None,
        passed: Mapping[ExpectationKey, PassedGroups] | None = None,
    ) -> Working:
        """The rows that are left, with marks. `levels` are those of the aggregate whose groups the
        stage looks at; `passed` are groups by expectation."""
        if stage.until is not None:
            return self._mark_early(stage, working)
        seq = 0 if stage.step is None else stage.step.seq
        batch: list[tuple[Expectation, bool]] = []
        for i, each in enumerate(stage.expectations):
            if each.otherwise == "quarantine" and self._can_take(each):
                working = self._look_at(batch, working, stage, levels, passed or {})
                batch = []
                working = self._take(each, working, stage, seq)
            else:
                batch.append((each, i in stage.marked))
        working = self._look_at(batch, working, stage, levels, passed or {})
        for each in stage.others:
            other = other_point(each)
            assert other is not None
            self._sides.measure_other(each, working.frame, self._place(other, working, stage).rows)
        self._seen.update(self._sides.compare([*stage.expectations, *stage.others]))
        self._seen.update(self._sides.keep(stage.storage))
        return working

    def loaded(self, dataset: Dataset, frame: DataFrame) -> DataFrame:
        """The rows of a dataset that are left; while they are looked at, others see all of them."""
        key = dataset.id, dataset.version
        if key not in self._loaded:
            self._loaded[key] = frame
            for each in self.plan.expectations:
                if each.point.dataset is not None and _is_same(each.point.dataset, dataset):
                    self._loaded[key] = self._look_at_dataset(each, self._loaded[key], dataset)
        return self._loaded[key]

    def forget(self) -> None:
        """What was loaded, as data was replaced."""
        self._loaded.clear()

    def has(self, dataset: Dataset) -> bool:
        """Whether anything looks at a dataset where it is loaded."""
        points = (each.point.dataset for each in self.plan.expectations)
        return any(each is not None and _is_same(each, dataset) for each in points)

    def left(self, seq: int, working: Working) -> Working:
        """Rows computed once more, without those that were taken out after an operation."""
        for each in self._takings.get(seq, ()):
            working = replace(working, frame=each.split(working.frame, self.environment)[1])
        return working

    def finish(self, counts: Mapping[int, Count], load: Callable[[Dataset], object]) -> None:
        """What operations that must match did, and datasets that no operation read."""
        for each in self.plan.expectations:
            if isinstance(each.condition, MatchCondition) and each.condition.seq in counts:
                self._seen[each.key] = match_observation(counts[each.condition.seq].matched)
            elif each.point.dataset is not None and each.key not in self._seen:
                load(each.point.dataset)

    def read(self, counts: Mapping[int, Count]) -> dict[int, Count]:
        """The counts of operations among all, with rows that were taken out; those of marks become
        observations."""
        whole = self._gone.with_those(counts)
        self._counts |= {seq: count for seq, count in whole.items() if seq < 0}
        for number, (request, place) in list(self._marked.items()):
            found = request.counts(self._counts)
            if found is not None:
                del self._marked[number]
                self._observe_marked(self.plan.expectations[number], place, *found)
        return {seq: count for seq, count in whole.items() if seq >= 0}

    def quarantine(self, spark: SparkSession) -> DataFrame:
        assert self.plan.quarantine is not None
        return quarantine_table(spark, self._taken, self.plan.quarantine)

    def _observe_marked(
        self, expectation: Expectation, place: _Place, checked: int, violated: int
    ) -> None:
        if isinstance(expectation.condition, RowCondition):
            seen = self._rows_seen(expectation, expectation.condition, place, checked, violated)
        else:
            seen = match_observation(checked)
        self._seen[expectation.key] = seen

    def _rows_seen(
        self,
        expectation: Expectation,
        condition: RowCondition,
        place: _Place,
        checked: int,
        violated: int,
    ) -> Observation:
        if not violated:
            return Observation("rows", checked)
        after, view = place.told_after, RowView.of(expectation, place.rows)
        frame = place.frame if after is None else self._rows_with_ids(after)
        found = row_violations(expectation, condition.that, view, frame, self.environment)
        return Observation("rows", checked, violated, samples=found.samples())

    def _rows_with_ids(self, seq: int) -> DataFrame:
        if seq not in self._rows:
            self._rows[seq] = self.with_ids(seq)
        return self._rows[seq]

    def _place(self, point: CheckPoint, working: Working, stage: CheckStage) -> _Place:
        rows = RowPlace(working.columns.fields, output=self._output(point))
        return _Place(working.frame, rows, stage.storage)

    def _output(self, point: CheckPoint) -> OutputStep | None:
        if point.kind != "output":
            return None
        steps = (each for each in self.plan.steps if each.seq == point.seq)
        return next(each for each in steps if isinstance(each, OutputStep))

    def _look_at(
        self,
        batch: Sequence[tuple[Expectation, bool]],
        working: Working,
        stage: CheckStage,
        levels: LevelFrames | None,
        passed: Mapping[ExpectationKey, PassedGroups],
    ) -> Working:
        """At rows, without taking any."""
        views: list[tuple[Expectation, _Place]] = []
        marks: list[MarkRequest] = []
        for each, marked in batch:
            condition = each.condition
            place = self._place(own_point(each), working, stage)
            if columns_told(each) & working.dropped:
                place = replace(place, told_after=0 if stage.step is None else stage.step.seq)
            if marked or isinstance(condition, MatchCondition):
                that = condition.that if isinstance(condition, RowCondition) else None
                number = self._number(each)
                marks.append(MarkRequest(number, RowView.of(each, place.rows, stage.since), that))
                self._marked[number] = marks[-1], place
                continue
            if levels is not None and stage.groups_of is not None and each.key in stage.chosen:
                totals = EarlierGroups(levels, stage.chosen[each.key], stage.groups_of)
                place = replace(place, totals=totals)
            elif stage.of_pass is not None and each.key in stage.passed:
                totals = EarlierGroups(passed[stage.passed[each.key]], None, stage.of_pass)
                place = replace(place, totals=totals)
            views.append((each, place))
        self._observe(views)
        return mark_rows(working, marks, self.environment) if marks else working

    def _mark_early(self, stage: CheckStage, working: Working) -> Working:
        rows, until = RowPlace(working.columns.fields), stage.until
        marks: list[MarkRequest] = []
        of_groups: list[MarkRequest] = []
        for i, each in enumerate(stage.expectations):
            assert isinstance(each.condition, RowCondition)
            that = each.condition.that
            request = MarkRequest(self._number(each), RowView.of(each, rows), that, early=True)
            (of_groups if i in stage.by_group else marks).append(request)
        marked = mark_rows(working, marks, self.environment)
        asked = (each.of_groups(until, self.environment) for each in of_groups)
        return marked.counted(*(counter for some in asked for counter in some))

    def _number(self, expectation: Expectation) -> int:
        keys = (each.key for each in self.plan.expectations)
        return next(i for i, key in enumerate(keys) if key == expectation.key)

    def _observe(self, views: Sequence[tuple[Expectation, _Place]]) -> None:
        """Of rows of one frame, here and now; of conditions that compare, one side."""
        if not views:
            return
        frame = views[0][1].frame
        totals: dict[ExpectationKey, TotalRequest] = {}
        figures: dict[ExpectationKey, Figures | None] = {}
        groupings: dict[tuple[object, ...], list[tuple[Expectation, _Place]]] = {}
        for each, place in views:
            view, condition = RowView.of(each, place.rows), each.condition
            if keys_of(each):
                told_by = id(place.totals.groups) if place.totals else None
                groupings.setdefault((told_by, *grouping_of(each)), []).append((each, place))
            elif isinstance(condition, RowCondition):
                totals[each.key] = TotalRequest(view, that=condition.that)
            elif isinstance(condition, GroupCondition) and place.totals is not None:
                groups = self._groups(each, condition.measures, place)
                figures[each.key] = groups.figures(condition.measures)
            elif isinstance(condition, GroupCondition):
                totals[each.key] = TotalRequest(view, condition.measures)
        found = row_totals(list(totals.values()), frame, self.environment)
        figures |= zip(totals, found, strict=True)
        for each, place in views:
            if each.key in figures:
                self._note_figures(each, figures[each.key], place)
        for together in groupings.values():
            self._observe_groups(together)

    def _note_figures(
        self, expectation: Expectation, figures: Figures | None, place: _Place
    ) -> None:
        condition = expectation.condition
        if isinstance(condition, RowCondition):
            seen = FAILED
            if figures is not None:
                counts = (int(str(figures[name] or 0)) for name in (CHECKED, VIOLATED))
                seen = self._rows_seen(expectation, condition, place, *counts)
            self._seen[expectation.key] = seen
            return
        self._sides.add_figures(expectation, figures)
        self._measure_other_dataset(expectation)
        self._seen.update(self._sides.compare([expectation]))

    def _groups(
        self, expectation: Expectation, measures: Sequence[Result], place: _Place
    ) -> KeyGroups:
        totals = place.totals
        asked = keys_of(expectation), measures, place.frame, self.environment
        view = RowView.of(expectation, place.rows, totals.since if totals else None)
        return KeyGroups.of_totals(totals, view, *asked) if totals else KeyGroups.of(view, *asked)

    def _observe_groups(self, together: Sequence[tuple[Expectation, _Place]]) -> None:
        (first, place), *_ = together
        groups = self._groups(first, [m for each, _ in together for m in _measures(each)], place)
        if against_of(first) is not None:
            self._sides.add_groups(first, groups)
            self._measure_other_dataset(first)
            self._seen.update(self._sides.compare([first]))
            return
        found = [group_violations(each, groups, self.environment) for each, _ in together]
        for (each, _), seen in zip(together, observe_groups(found), strict=True):
            self._seen[each.key] = seen

    def _measure_other_dataset(self, expectation: Expectation) -> None:
        """The other side, where it is a dataset: it is known at once."""
        other = other_point(expectation)
        if other is not None and other.dataset is not None:
            place = self._dataset_place(other.dataset)
            self._sides.measure_other(expectation, place.frame, place.rows)

    def _dataset_place(self, dataset: Dataset, frame: DataFrame | None = None) -> _Place:
        rows = self.environment.load(dataset) if frame is None else frame
        return _Place(rows, RowPlace(dataset.readable.fields, of_dataset=True), self.storage)

    def _can_take(self, expectation: Expectation) -> bool:
        """Not where it compares with rows that are still to come."""
        other = other_point(expectation)
        is_known = other is None or other.dataset is not None
        return is_known or self._sides.has_other_groups(expectation)

    def _take(
        self, expectation: Expectation, working: Working, stage: CheckStage, seq: int
    ) -> Working:
        place = self._place(expectation.point, working, stage)
        taking = self._taking(expectation, place)
        if taking is None:
            return working
        names = dict.fromkeys((*working.kept, *working.hidden))
        rows = working.frame.select(*map(column, names))
        taken, left = taking.split(rows, self.environment)
        taken = checkpoint(taken, stage.storage)
        visible = F.count(F.when(not_deleted(), F.lit(1)))
        total, shown = taken.agg(F.count(F.lit(1)), visible).collect()[0]
        self._note_taken(expectation, taken, int(total))
        self.quarantined[seq] = self.quarantined.get(seq, 0) + int(shown)
        self._takings.setdefault(seq, []).append(taking)
        self._count_gone(working, taken, seq)
        return replace(working, frame=left)

    def _count_gone(self, working: Working, taken: DataFrame, seq: int) -> None:
        """Rows taken out of the input are simply not there, for operations."""
        counters = [c for c in working.counters if seq or isinstance(c, CheckFlag)]
        self._gone.add(counters, lambda some: read_all(some, taken))

    def _look_at_dataset(
        self, expectation: Expectation, frame: DataFrame, dataset: Dataset
    ) -> DataFrame:
        """Of a dataset that is loaded once more, what was seen first counts."""
        place, known = self._dataset_place(dataset, frame), self._seen.get(expectation.key)
        if expectation.otherwise != "quarantine":
            if known is None:
                self._observe([(expectation, place)])
            return frame
        taking = self._taking(expectation, place)
        if taking is None:
            return frame
        taken, left = taking.split(frame, self.environment)
        if known is None:
            taken = checkpoint(taken, place.storage)
            self._note_taken(expectation, taken, taken.count())
        else:
            self._seen[expectation.key] = known
        return left

    def _taking(self, expectation: Expectation, place: _Place) -> Taking | None:
        """Observes it; None where no rows go."""
        environment, condition = self.environment, expectation.condition
        view = RowView.of(expectation, place.rows)
        if isinstance(condition, RowCondition):
            self._observe([(expectation, place)])
            taking = Taking(view, condition.that)
        else:
            groups = self._group_violations(expectation, view, place)
            self._seen[expectation.key] = observe_groups([groups])[0]
        seen = self._seen[expectation.key]
        if not seen.violated or seen.failure is not None or not is_tolerated(expectation, seen):
            return None
        if not isinstance(condition, RowCondition):
            taking = Taking.by_keys(view, groups.keys, groups.faulty_keys(), place.storage)
        if not expectation.whole:
            return taking
        return taking.whole(expectation.whole, place.frame, environment, place.storage)

    def _group_violations(
        self, expectation: Expectation, view: RowView, place: _Place
    ) -> GroupViolations:
        keys, measures = keys_of(expectation), _measures(expectation)
        groups = KeyGroups.of(view, keys, measures, place.frame, self.environment)
        self._measure_other_dataset(expectation)
        other = self._sides.take_other_groups(expectation)
        return group_violations(expectation, groups, self.environment, other)

    def _note_taken(self, expectation: Expectation, taken: DataFrame, total: int) -> None:
        seen = self._seen[expectation.key]
        self._seen[expectation.key] = replace(seen, quarantined=total)
        step = self.plan.quarantine
        if step is not None and total:
            rows = quarantine_rows(taken, expectation, step, self.environment.compiler)
            self._taken.append(rows)


def _measures(expectation: Expectation) -> tuple[Result, ...]:
    condition = expectation.condition
    return condition.measures if isinstance(condition, GroupCondition) else ()


def _is_same(a: Dataset, b: Dataset) -> bool:
    return (a.id, a.version) == (b.id, b.version)
