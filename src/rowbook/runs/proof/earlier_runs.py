"""From a row that a run read to the run that wrote it, through datasets that runs register."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

from rowbook.errors import RowbookError
from rowbook.expressions.bound import Bound, Column, Constant, OneOf
from rowbook.expressions.folding import TRUE
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD, ROW_ID
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import OutputStep
from rowbook.proof.backward.backward_condition import RowQuestion
from rowbook.proof.explain_figure import ExplainOptions, RunLabel, explain_figure
from rowbook.proof.explanation import Explanation
from rowbook.proof.figure import Figure
from rowbook.proof.life_story import LifeStories
from rowbook.proof.replay import SourceRow
from rowbook.proof.row_life import RowTrace
from rowbook.runs.compare.past_runs import PastRun, destination_of
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.proof.many_rows_error import ManyRowsError
from rowbook.runs.proof.run_replay import RunReplay, replayed_run
from rowbook.store import Production
from rowbook.value_class import dataclass

_MOST_ROWS = 200
"""Rows by whose values others are looked for; of more, all are replayed."""
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class _Origin:
    """Rows of an output of an earlier run that rows are, by their numbers there; `how` they were
    told, and how many are not alone."""

    run: RunReplay
    step: OutputStep
    numbers: frozenset[int]
    how: str
    ambiguous: int
    missing: int

    @property
    def warnings(self) -> tuple[str, ...]:
        words = {"have no row of their own": self.missing, "match several rows": self.ambiguous}
        found = tuple(
            f"{rows:,} of the rows {what}, {self.how}" for what, rows in words.items() if rows
        )
        return (*self.run.warnings, *found)


class EarlierRuns:
    """Replays are kept as long as it is open."""

    def __init__(
        self,
        workspace: OpenWorkspace,
        use: SparkUse,
        resources: ExitStack,
        *,
        accept_changed_input: bool,
    ) -> None:
        self._workspace, self._use, self._resources = workspace, use, resources
        self._accepts = accept_changed_input
        self._replays: dict[tuple[str, int], RunReplay] = {}
        self._productions: dict[str, list[tuple[Production, tuple[str, ...]]]] = {}

    def traces(self, source: SourceRow, run: RunReplay, depth: int = 0) -> tuple[RowTrace, ...]:
        """The lives that a row had in the runs before; a run that cannot be replayed is named with
        the reason."""
        found: list[RowTrace] = []
        for production, sources in self._produced([source], run).items():
            past = self._workspace.store.runs.record(production[0]).run
            about = past.id, past.project_name, past.project_version, past.period
            try:
                origin = self._origin(production, sources)
            except (RowbookError, ManyRowsError) as error:
                found.append(RowTrace(*about, (), warnings=(_unknown(error),)))
                continue
            stories = LifeStories(origin.run.replay)
            rows = []
            for number in sorted(origin.numbers):
                life = stories.story(number)
                member = origin.run.replay.lives[number].birth.members[0]
                if member.source is not None and depth < _DEEPEST:
                    earlier = self.traces(member.source, origin.run, depth + 1)
                    life = replace(life, earlier=earlier)
                rows.append(life)
            found.append(
                RowTrace(*about, tuple(rows), inputs=origin.run.inputs, warnings=origin.warnings)
            )
        return tuple(found)

    def explanations(
        self, figure: Figure, run: RunReplay, limit: int, depth: int = 0
    ) -> tuple[Explanation, ...]:
        """What rows of a figure are made of that earlier runs wrote: the columns of numbers that
        went into it."""
        sources = {s.key: s for term in figure.terms for s in term.sources}
        found: list[Explanation] = []
        for production, rows in self._produced(list(sources.values()), run).items():
            names = _number_columns(figure, rows)
            try:
                origin = self._origin(production, rows)
            except (RowbookError, ManyRowsError) as error:
                found.append(self._unexplained(production, error))
                continue
            there = [name for name in names if name in origin.step.written]
            if depth < _DEEPEST:
                found += [self._explained(origin, name, limit, depth) for name in there]
        return tuple(found)

    def _explained(self, origin: _Origin, column: str, limit: int, depth: int) -> Explanation:
        run = origin.run
        figure = Figure(run.replay, origin.step.seq, column, None, origin.numbers)
        options = ExplainOptions(limit=limit, is_wanted=lambda _: False)
        found = explain_figure(figure, run_label(run.past, origin.step), options)
        return replace(
            found,
            inputs=run.inputs,
            warnings=(*origin.warnings, *found.warnings),
            earlier=self.explanations(figure, run, limit, depth + 1),
        )

    def _unexplained(
        self, production: tuple[str, int], error: RowbookError | ManyRowsError
    ) -> Explanation:
        past = self._workspace.store.runs.record(production[0]).run
        about = past.id, past.project_name, past.project_version, past.period
        output, formula = str(production[1]), "not replayed"
        return Explanation(
            *about, output, "", None, 0, formula, (), None, True, warnings=(_unknown(error),)
        )

    def _produced(
        self, sources: Sequence[SourceRow], run: RunReplay
    ) -> dict[tuple[str, int], list[SourceRow]]:
        """Rows by the output, as run and seq, that wrote them."""
        found: dict[tuple[str, int], list[SourceRow]] = {}
        for source in sources:
            production = self._production(source, run)
            if production is not None:
                found.setdefault((production.run_id, production.seq), []).append(source)
        return found

    def _production(self, source: SourceRow, run: RunReplay) -> Production | None:
        """The last run before that wrote the row's dataset, for its period."""
        dataset, store, past = source.dataset, self._workspace.store, run.past.run
        identity = dataset.origin.id if dataset.origin else dataset.id
        period = source.values.get(PERIOD.name)
        if identity not in self._productions:
            self._productions[identity] = [
                (each, store.runs.record(each.run_id).run.writes_into)
                for each in store.definitions.productions(identity)
            ]
        begun = past.started_at or past.created_at
        for each, periods in self._productions[identity]:
            is_before = each.run_id != past.id and each.recorded_at <= begun
            if is_before and (period is None or period in periods):
                return each
        return None

    def _origin(self, production: tuple[str, int], sources: Sequence[SourceRow]) -> _Origin:
        run = self._replay(production, sources)
        step = run.replay.step_at(production[1]).step
        assert isinstance(step, OutputStep)
        names, how = _told_by(step, sources)
        places: dict[tuple[Value, ...], list[int]] = {}
        for number, row in Figure(run.replay, step.seq, step.written[0], None).written.items():
            places.setdefault(tuple(row[name] for name in names), []).append(number)
        matches = [places.get(_key(source, names), []) for source in sources]
        numbers = frozenset(number for found in matches for number in found)
        ambiguous = sum(len(found) > 1 for found in matches)
        return _Origin(run, step, numbers, how, ambiguous, sum(not found for found in matches))

    def _replay(self, production: tuple[str, int], sources: Sequence[SourceRow]) -> RunReplay:
        """One of a part of the rows is of no use for others."""
        if production not in self._replays or self._replays[production].part is not None:
            run_id, seq = production

            def questions(plan: ProjectPlan) -> Iterator[Sequence[RowQuestion]]:
                step = next(each for each in plan.steps if each.seq == seq)
                assert isinstance(step, OutputStep)
                yield (RowQuestion(CheckPoint("output", seq), _condition(step, sources)),)

            self._replays[production] = self._resources.enter_context(
                replayed_run(
                    self._workspace,
                    run_id,
                    seq,
                    questions,
                    self._use,
                    accept_changed_input=self._accepts,
                )
            )
        return self._replays[production]


def run_label(past: PastRun, step: OutputStep) -> RunLabel:
    run = past.run
    return RunLabel(run.id, run.project_name, run.project_version, run.period, destination_of(step))


def _told_by(step: OutputStep, sources: Sequence[SourceRow]) -> tuple[tuple[str, ...], str]:
    """The columns that tell rows of an output: their kept ids, else their natural key, else all."""
    written = set(step.written)
    if ROW_ID in written and all(source.values.get(ROW_ID) is not None for source in sources):
        return (ROW_ID,), "by their ids"
    natural = _natural_key(sources[0].dataset)
    if natural and written.issuperset(natural):
        return natural, f"by {', '.join(natural)}"
    known = sources[0].values.keys()
    return tuple(name for name in step.written if name in known), "by all columns"


def _natural_key(dataset: Dataset) -> tuple[str, ...]:
    keys = tuple(dataset.definition.natural_key_columns)
    return (*keys, PERIOD.name) if keys and PERIOD.name in dataset.readable.fields else keys


def _condition(step: OutputStep, sources: Sequence[SourceRow]) -> Bound:
    """One that all these rows meet, and few others."""
    names, _ = _told_by(step, sources)
    for name in names if len(sources) <= _MOST_ROWS else ():
        values = [source.values.get(name) for source in sources]
        plain = [v for v in values if v is not None and not isinstance(v, float)]
        if len(plain) == len(values):
            field = step.columns.fields[name]
            items = tuple(Constant(value, field.type) for value in dict.fromkeys(plain))
            return OneOf(Column(None, name, field.type, True), items, True)
    return TRUE


def _key(source: SourceRow, names: Sequence[str]) -> tuple[Value, ...]:
    values: Mapping[str, Value] = source.values
    return tuple(values.get(name) for name in names)


def _number_columns(figure: Figure, sources: Sequence[SourceRow]) -> list[str]:
    """Those of the rows' dataset that went into the figure."""
    keys = {source.key for source in sources}
    fields = sources[0].dataset.readable.fields
    read = {
        name
        for term in figure.terms
        if any(source.key in keys for source in term.sources)
        for name in term.slice.columns
    }
    return [name for name in fields if name in read and fields[name].type.is_numeric]


def _unknown(error: RowbookError | ManyRowsError) -> str:
    why = error.diagnostics[0].message if isinstance(error, RowbookError) else str(error)
    return f"the run that wrote it cannot be replayed: {why}"
