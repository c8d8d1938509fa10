"""What a run wants of a dataset's places, found without Spark: periods, folders, physical names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from rowbook.errors import RowbookError
from rowbook.expressions.scope import Field
from rowbook.periods import Period
from rowbook.planning.columns import ALWAYS, PERIOD, ROW_ID
from rowbook.planning.datasets import Dataset

if TYPE_CHECKING:
    from rowbook.planning.resolution.locate import ResolvedLocation
    from rowbook.planning.run_context import RunContext


def is_periodic(dataset: Dataset) -> bool:
    return dataset.definition.main_table.temporal_mode == "period"


def source_of(dataset: Dataset, name: str) -> str:
    columns = dataset.definition.main_table.columns
    return next((c.source for c in columns if c.name == name and c.source), name)


def declared_columns(
    dataset: Dataset, *, by_position: bool, partitions: Collection[str]
) -> Iterator[tuple[Field, str]]:
    """Columns of the source that a dataset declares, with their physical names: those that unpivot
    lists instead of the two that it makes of them. `by_position`: those of the source are c1, c2 …,
    the `partitions` aside, which stand in folders' names."""
    unpivot = dataset.unpivot
    listed, made = (unpivot.columns, (unpivot.name, unpivot.value)) if unpivot else ((), ())
    positions = (name for i in count(1) if (name := f"c{i}") not in listed)
    sources = {c.name: c.source for c in dataset.definition.main_table.columns if c.source}
    for field in dataset.fields:
        if field in made:
            continue
        source = sources.get(field.name, field.name)
        if by_position and source not in partitions:
            source = next(positions)
        yield field, source
    for field in unpivot.wide if unpivot else ():
        yield field, field.name


def stored_columns(dataset: Dataset, physical: Collection[str]) -> Iterator[tuple[Field, str]]:
    """Loaded though they are not declared: system columns of the source, and the period, unless
    that is told by a date. A row of which several are made is none of them."""
    declared = {f.name for f in dataset.fields}
    for field in ALWAYS:
        if field.name == ROW_ID and dataset.unpivot:
            continue
        if field.name in physical and field.name not in declared:
            yield replace(field, nullable=True), field.name
    if is_periodic(dataset) and PERIOD.name not in declared and not dataset.period_from:
        yield PERIOD, PERIOD.name


def source_fields(dataset: Dataset) -> dict[str, Field]:
    """What rows have before columns become rows, by the names that definitions have for it."""
    declared = declared_columns(dataset, by_position=False, partitions=())
    return {field.name: field for field, _ in declared}


def loaded_fields(dataset: Dataset, fields: Mapping[str, Field]) -> dict[str, Field]:
    """What rows have, of all that was mapped, once columns became rows."""
    if dataset.unpivot is None:
        return dict(fields)
    rest = {name: f for name, f in fields.items() if name not in dataset.unpivot.columns}
    return {**{f.name: f for f in dataset.fields}, **rest}


def accepted_periods(
    periods: Iterable[str], located: Sequence[ResolvedLocation]
) -> tuple[str, ...]:
    """What rows may have: the periods that are read, and finer ones that the places were resolved
    for."""
    finer = (period for place in located for period in place.periods)
    return tuple(dict.fromkeys((*periods, *finer)))


def wanted_folders(dataset: Dataset, periods: Collection[str]) -> Mapping[str, Collection[str]]:
    """What a place need be read of: for a periodic table, the folders of these periods."""
    if not is_periodic(dataset) or dataset.period_from or dataset.reads_all:
        return {}
    if dataset.unpivot and dataset.unpivot.name.name == PERIOD.name:
        return {}
    return {source_of(dataset, PERIOD.name): periods}


def dated_periods(context: RunContext, periods: Sequence[str]) -> tuple[Period, ...]:
    """The periods that a date may lie in, of those that rows may have: the finest, in the order of
    time, none of which share days. DATASET_015 where each shares its days with another period, as
    adjustments do."""
    calendar, own = context.calendar, context.period
    accepted = [calendar.parse(each) for each in periods]
    others = {p.level: [q for q in accepted if q.level != p.level] for p in accepted}
    finest = [p for p in accepted if not any(_is_part(q, p) for q in others[p.level])]
    regular = [p for p in finest if calendar.covers(p.level, p.start) == p]
    if accepted and not regular:
        message = f"the days of {own.identifier} are those of another period too: a date does not"
        hint = "give the rows a `_period` column instead of period_from"
        raise RowbookError.of("DATASET_015", f"{message} say which a row is of", hint=hint)
    return tuple(sorted(regular, key=lambda p: p.start))


def _is_part(period: Period, of: Period) -> bool:
    return of.start <= period.start and period.end <= of.end
