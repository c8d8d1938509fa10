"""What is said of a source whose rows are not as its dataset declares them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from rowbook.errors import Diagnostic, did_you_mean, listing
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Type
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import is_periodic, source_of

SAMPLES = 5
_LONGEST = 60
_KEYS = 3


def missing_columns(
    dataset: Dataset, origin: str, missing: Collection[str], columns: Sequence[str]
) -> Iterator[Diagnostic]:
    """DATASET_010 for physical columns that a source lacks, DATASET_015 where one of them is the
    period, which the place does not tell either; `columns` are those that are there."""
    period = source_of(dataset, PERIOD.name) if is_periodic(dataset) else None
    names = [name for name in missing if name != period]
    if names:
        one = len(names) == 1
        named = ", ".join(f"'{name}'" for name in names)
        near = {name: did_you_mean(name, columns) for name in names}
        meant = [f"did you mean '{n}' for '{name}'?" for name, n in near.items() if n]
        yield Diagnostic(
            "DATASET_010",
            f"dataset '{dataset.name}': column{'' if one else 's'} {named}"
            f" {'is' if one else 'are'} missing in {origin}",
            hint="  ".join([*meant, f"columns: {listing(columns)}"]),
        )
    if period in missing:
        yield Diagnostic(
            "DATASET_015",
            f"dataset '{dataset.name}': {origin} does not say which of its rows are of the run's"
            f" period: it has no column '{period}', and other periods have the same place",
            hint="say `period_from:` with the column that holds a date; or keep each period at a"
            " place of its own, by {{identifier}} in the rule's path, or {{YYYY}} and {{MM}}",
        )


def unlike(dataset: Dataset, origin: str, field: Field, source: str, physical: str) -> Diagnostic:
    """DATASET_011 for a whole column, whose physical type cannot become the declared one."""
    return Diagnostic(
        "DATASET_011",
        f"dataset '{dataset.name}': column '{field.name}' is declared as {field.type}, but"
        f" '{source}' in {origin} is {physical}",
        hint="declare the type that the source has, and convert in the project",
    )


def broken_lines(rows: int) -> str:
    return f"{rows} {'line' if rows == 1 else 'lines'} cannot be read as rows"


def misfits(column: str, kind: Type, rows: int) -> str:
    does = "does" if rows == 1 else "do"
    return f"{rows} value{'s' * (rows != 1)} of column '{column}' {does} not fit {kind}"


def nulls(column: str, rows: int) -> str:
    return f"column '{column}' is not nullable, but NULL in {rows} row{'s' * (rows != 1)}"


def lost(column: str, rows: int) -> str:
    return f"{rows} value{'s' * (rows != 1)} of column '{column}' with bytes that are no text"


def with_samples(dataset: Dataset, text: str, samples: Sequence[str], rows: int) -> str:
    more = " …" if rows > len(samples) else ""
    return f"dataset '{dataset.name}': {text}: {', '.join(samples)}{more}"


def key_columns(dataset: Dataset, sources: Mapping[str, str]) -> dict[str, str]:
    """Columns that name a row for people, and their physical names, of all that there are."""
    natural = [name for name in dataset.definition.natural_key_columns if name in sources]
    return {name: sources[name] for name in natural or list(sources)[:_KEYS]}


def row_place(origin: str, keys: Mapping[str, str | None]) -> str:
    """Where a row is that stands on no line."""
    row = ", ".join(f"{name} = {_quoted(value)}" for name, value in keys.items())
    return f"{origin} where {row}" if row else origin


def shortened(value: str | None) -> str:
    text = (value or "").replace("\r", "\\r").replace("\n", "\\n")
    return f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text


def _quoted(value: str | None) -> str:
    return "NULL" if value is None else f"'{shortened(value)}'"
