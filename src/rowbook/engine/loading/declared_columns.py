"""What a run wants of a dataset's places, found without Spark: periods, folders, physical names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from rowbook.engine.run_context import RunContext
from rowbook.errors import Diagnostic, did_you_mean, listing
from rowbook.expressions.scope import Field
from rowbook.planning.columns import ALWAYS, PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.resolution.locate import ResolvedLocation


def is_periodic(dataset: Dataset) -> bool:
    return dataset.definition.main_table.temporal_mode == "period"


def source_of(dataset: Dataset, name: str) -> str:
    columns = dataset.definition.main_table.columns
    return next((c.source for c in columns if c.name == name and c.source), name)


def declared_columns(
    dataset: Dataset, *, by_position: bool, partitions: Collection[str]
) -> Iterator[tuple[Field, str]]:
    """Declared columns with their physical names. `by_position`: those of the source are c1, c2 …,
    the `partitions` aside, which stand in folders' names."""
    positions = iter(range(1, len(dataset.fields) + 1))
    sources = {c.name: c.source for c in dataset.definition.main_table.columns if c.source}
    for field in dataset.fields:
        source = sources.get(field.name, field.name)
        if by_position and source not in partitions:
            source = f"c{next(positions)}"
        yield field, source


def stored_columns(dataset: Dataset, physical: Collection[str]) -> Iterator[tuple[Field, str]]:
    """Loaded though they are not declared: system columns of the source, and the period."""
    declared = {f.name for f in dataset.fields}
    for field in ALWAYS:
        if field.name in physical and field.name not in declared:
            yield replace(field, nullable=True), field.name
    if is_periodic(dataset) and PERIOD.name not in declared:
        yield PERIOD, PERIOD.name


def accepted_periods(context: RunContext, located: Sequence[ResolvedLocation]) -> tuple[str, ...]:
    """What rows may have: the run's period, and finer ones that the places were resolved for."""
    finer = (period for place in located for period in place.periods)
    return tuple(dict.fromkeys((context.period.identifier, *finer)))


def wanted_folders(dataset: Dataset, periods: Collection[str]) -> Mapping[str, Collection[str]]:
    """What a place need be read of: for a periodic table, the folders of these periods."""
    return {source_of(dataset, PERIOD.name): periods} if is_periodic(dataset) else {}


def missing_columns(
    dataset: Dataset, origin: str, physical: Sequence[str], missing: Collection[str]
) -> Iterator[Diagnostic]:
    """DATASET_010 for physical columns that a source lacks; DATASET_015 where one of them is the
    period, which the place does not tell either."""
    period = source_of(dataset, PERIOD.name) if is_periodic(dataset) else None
    names = [name for name in missing if name != period]
    if names:
        one = len(names) == 1
        named = ", ".join(f"'{name}'" for name in names)
        near = {name: did_you_mean(name, physical) for name in names}
        meant = [f"did you mean '{n}' for '{name}'?" for name, n in near.items() if n]
        yield Diagnostic(
            "DATASET_010",
            f"dataset '{dataset.name}': column{'' if one else 's'} {named}"
            f" {'is' if one else 'are'} missing in {origin}",
            hint="  ".join([*meant, f"columns: {listing(physical)}"]),
        )
    if period in missing:
        yield Diagnostic(
            "DATASET_015",
            f"dataset '{dataset.name}': {origin} does not say which of its rows are of the run's"
            f" period: it has no column '{period}', and other periods have the same place",
            hint="add the column to the data, or keep it at a place for each period: {{identifier}}"
            " in the rule's path, or {{YYYY}} and {{MM}}",
        )
