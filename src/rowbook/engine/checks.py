"""After a job failed on a value: which columns, how many rows, and where they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.mapping import Mapped, map_columns
from rowbook.engine.text_values import fits
from rowbook.errors import Diagnostic
from rowbook.planning.datasets import Dataset
from rowbook.sources.csv_dialect import LOST
from rowbook.sources.raw import Raw
from rowbook.sources.spark_names import named

SAMPLES = 5
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class _Fault:
    """One way in which rows of a source can be at fault. `columns` show a row where the source has
    no lines; `is_bad` tells the value in the text itself."""

    code: str
    what: str
    column: str
    rows: Column
    is_bad: Callable[[str | None], bool]
    shows_value: bool = True


@dataclass(slots=True)
class _Finding:
    rows: int = 0
    samples: list[str] = field(default_factory=list)


def explain_bad_values(dataset: Dataset, raws: Sequence[Raw]) -> tuple[Diagnostic, ...]:
    """What the check of `load` failed on: one finding for each column and fault, over all sources,
    with the number of rows and up to five of them. Empty where nothing is found."""
    findings: dict[tuple[str, str], _Finding] = {}
    for raw in raws:
        mapped, unusable = map_columns(dataset, raw)
        if unusable:
            return unusable
        faults = list(_faults(raw, mapped))
        for fault, rows in zip(faults, _count(raw, faults), strict=True):
            if rows:
                finding = findings.setdefault((fault.code, fault.what), _Finding())
                finding.rows += rows
                room = SAMPLES - len(finding.samples)
                finding.samples += _samples(raw, fault, dataset, mapped, room) if room else []
    return tuple(
        Diagnostic(code, _message(dataset, what, found)) for (code, what), found in findings.items()
    )


def _faults(raw: Raw, mapped: Sequence[Mapped]) -> list[_Fault]:
    """A line that is broken has no values worth looking at."""
    found: list[_Fault] = []
    sound = F.lit(True)
    if raw.broken is not None:
        broken = named(raw.broken).isNotNull()
        sound = ~broken
        found.append(
            _Fault("DATASOURCE_007", "{lines} cannot be read", raw.broken, broken, _is_there)
        )
    for m in mapped:
        name, kind = m.field.name, m.field.type
        if m.source is None:
            continue
        if m.misfit is not None:
            what = f"{{values}} of column '{name}' not fit {kind}"
            found.append(
                _Fault("DATASET_011", what, m.source, sound & m.misfit, _misfit(m, raw))
            )
        if m.missing is not None:
            what = f"column '{name}' is not nullable, but NULL in {{rows}}"
            rows = sound & m.missing
            found.append(_Fault("DATASET_012", what, m.source, rows, _is_null, shows_value=False))
        if m.lost is not None:
            what = f"{{values}} of column '{name}' hold characters that are not in the encoding"
            found.append(_Fault("DATASOURCE_007", what, m.source, sound & m.lost, _is_lost))
    return found


def _is_there(value: str | None) -> bool:
    return value is not None


def _is_null(value: str | None) -> bool:
    return value is None


def _is_lost(value: str | None) -> bool:
    return value is not None and LOST in value


def _misfit(m: Mapped, raw: Raw) -> Callable[[str | None], bool]:
    check = fits(m.field.type, raw.form)
    return lambda value: value is not None and not check(value)
