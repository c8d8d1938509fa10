"""After a job failed on a value: which columns, how many rows, and where they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.loading.column_mapping import Mapped, map_columns
from rowbook.engine.loading.text_parsing import fits
from rowbook.errors import Diagnostic
from rowbook.planning.datasets import Dataset
from rowbook.sources.files.text.encodings import LOST
from rowbook.sources.raw import Raw
from rowbook.spark.column_names import column

SAMPLES = 5
_LONGEST = 60
_KEYS = 3


@dataclass(frozen=True, slots=True)
class _Fault:
    """One way in which rows of a source can be at fault: the condition for Spark, the same for the
    text of a value, and how it is said with a number of rows and how a sample is shown."""

    code: str
    column: str
    rows: Column
    is_bad: Callable[[str | None], bool]
    say: Callable[[int], str]
    show: str = "'{value}' at {place}"
    hint: str | None = None


@dataclass(slots=True)
class _Finding:
    fault: _Fault
    rows: int = 0
    samples: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReadInput:
    """What jobs read, to be asked after one failed on it."""

    datasets: list[tuple[Dataset, Sequence[Raw]]] = field(default_factory=list)

    def bad_values(self) -> tuple[Diagnostic, ...]:
        return tuple(
            found for dataset, raws in self.datasets for found in explain_bad_values(dataset, raws)
        )

    def label_of(self, path: str) -> str | None:
        """A file as the definitions have it."""
        raws = (raw for _, raws in self.datasets for raw in raws)
        labels = (raw.label_of(path) for raw in raws if raw.label_of)
        return next(filter(None, labels), None)


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
                finding = findings.setdefault((fault.code, fault.column), _Finding(fault))
                finding.rows += rows
                most = min(SAMPLES - len(finding.samples), rows)
                finding.samples += _samples(raw, fault, _keys(dataset, mapped), most)
    return tuple(_diagnostic(dataset, finding) for finding in findings.values())


def _diagnostic(dataset: Dataset, finding: _Finding) -> Diagnostic:
    said = finding.fault.say(finding.rows)
    more = " …" if finding.rows > len(finding.samples) else ""
    samples = ", ".join(finding.samples)
    message = f"dataset '{dataset.name}': {said}: {samples}{more}"
    return Diagnostic(finding.fault.code, message, hint=finding.fault.hint)


def _faults(raw: Raw, mapped: Sequence[Mapped]) -> Iterator[_Fault]:
    """A line that is broken has no values worth looking at."""
    sound = F.lit(True)
    if raw.broken is not None:
        broken = column(raw.broken).isNotNull()
        sound = ~broken
        yield _Fault(
            "DATASOURCE_007",
            raw.broken,
            broken,
            lambda value: value is not None,
            lambda n: f"{n} {'line' if n == 1 else 'lines'} cannot be read as rows",
            "{place} ({value})",
        )
    for m in mapped:
        if m.source is not None:
            yield from _faults_of(m, m.source, raw, sound)


def _faults_of(m: Mapped, source: str, raw: Raw, sound: Column) -> Iterator[_Fault]:
    name, kind = m.field.name, m.field.type
    if m.checked:
        check = fits(kind, raw.form)
        yield _Fault(
            "DATASET_011",
            source,
            sound & column(source).isNotNull() & m.value.isNull(),
            lambda value: value is not None and not check(value),
            lambda n: (
                f"{_values(n)} of column '{name}' {'does' if n == 1 else 'do'} not fit {kind}"
            ),
        )
    if not m.field.nullable:
        yield _Fault(
            "DATASET_012",
            source,
            sound & column(source).isNull(),
            lambda value: value is None,
            lambda n: f"column '{name}' is not nullable, but NULL in {n} row{'s' * (n != 1)}",
            "{place}",
        )
    if m.is_text:
        yield _Fault(
            "DATASOURCE_007",
            source,
            sound & column(source).contains(LOST),
            lambda value: value is not None and LOST in value,
            lambda n: f"{_values(n)} of column '{name}' with bytes that are no text",
            hint="set the option `encoding` of the data source to the files' encoding",
        )


def _values(n: int) -> str:
    return f"{n} value{'s' * (n != 1)}"


def _count(raw: Raw, faults: Sequence[_Fault]) -> list[int]:
    if not faults:
        return []
    row = raw.frame.agg(*(F.count_if(fault.rows) for fault in faults)).collect()[0]
    return [int(n) for n in row]


def _keys(dataset: Dataset, mapped: Sequence[Mapped]) -> dict[str, str]:
    """Columns that name a row for people, and their physical names."""
    sources = {m.field.name: m.source for m in mapped if m.source is not None}
    natural = [name for name in dataset.definition.natural_key_columns if name in sources]
    return {name: sources[name] for name in natural or list(sources)[:_KEYS]}


def _samples(raw: Raw, fault: _Fault, keys: dict[str, str], most: int) -> list[str]:
    """Rows at fault, from the text where the source has lines; by their keys elsewhere, and where
    the text, seen with other eyes, shows none."""
    if most <= 0:
        return []
    found = raw.find(fault.column, fault.is_bad, most) if raw.find else []
    if found:
        return [fault.show.format(value=_shown(bad.value), place=bad.place) for bad in found]
    shown = {name: source for name, source in keys.items() if source != fault.column}
    wanted = [column(fault.column), *(column(source) for source in shown.values())]
    text = [c.cast("string").alias(f"s{i}") for i, c in enumerate(wanted)]
    samples = []
    for value, *rest in raw.frame.filter(fault.rows).select(*text).limit(most).collect():
        row = ", ".join(f"{name} = {_quoted(v)}" for name, v in zip(shown, rest, strict=True))
        place = f"{raw.origin} where {row}" if row else raw.origin
        samples.append(fault.show.format(value=_shown(value), place=place))
    return samples


def _quoted(value: str | None) -> str:
    return "NULL" if value is None else f"'{_shown(value)}'"


def _shown(value: str | None) -> str:
    text = (value or "").replace("\r", "\\r").replace("\n", "\\n")
    return f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text
