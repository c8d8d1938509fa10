"""After a job failed on a value: which columns, how many rows, and where they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.loading.column_mapping import Mapped, map_columns
from rowbook.errors import Diagnostic
from rowbook.planning.datasets import Dataset
from rowbook.reference.loading import load_faults
from rowbook.sources.files.text.encodings import LOST
from rowbook.sources.files.text.form_guesses import form_hint
from rowbook.sources.files.text.plain_text import fits
from rowbook.sources.raw import Raw
from rowbook.spark.column_names import column


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
    hint: Callable[[Sequence[str]], str | None] = lambda _: None


@dataclass(slots=True)
class _Finding:
    fault: _Fault
    rows: int = 0
    samples: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


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
        possible = list(_faults(raw, mapped))
        for fault, rows in zip(possible, _count(raw, possible), strict=True):
            if rows:
                finding = findings.setdefault((fault.code, fault.column), _Finding(fault))
                finding.rows += rows
                most = min(load_faults.SAMPLES - len(finding.samples), rows)
                for sample, text in _samples(raw, fault, _keys(dataset, mapped), most):
                    finding.samples.append(sample)
                    finding.texts += [] if text is None else [text]
    return tuple(_diagnostic(dataset, finding) for finding in findings.values())


def _diagnostic(dataset: Dataset, finding: _Finding) -> Diagnostic:
    text = finding.fault.say(finding.rows)
    message = load_faults.with_samples(dataset, text, finding.samples, finding.rows)
    return Diagnostic(finding.fault.code, message, hint=finding.fault.hint(finding.texts))


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
            load_faults.broken_lines,
            "{place} ({value})",
        )
    for m in mapped:
        if m.source is not None:
            yield from _faults_of(m, m.source, raw, sound)


def _faults_of(m: Mapped, source: str, raw: Raw, sound: Column) -> Iterator[_Fault]:
    name, kind = m.field.name, m.field.type
    if m.checked:
        check, form = fits(kind, m.form), m.form
        is_parsed = m.fitted is None
        yield _Fault(
            "DATASET_011",
            source,
            sound & column(source).isNotNull() & m.value.isNull(),
            lambda value: value is not None and not check(value),
            lambda n: load_faults.misfits(name, kind, n),
            hint=lambda texts: form_hint(texts, kind, form) if is_parsed else None,
        )
    if not m.field.nullable:
        yield _Fault(
            "DATASET_012",
            source,
            sound & column(source).isNull(),
            lambda value: value is None,
            lambda n: load_faults.nulls(name, n),
            "{place}",
        )
    if m.is_text:
        yield _Fault(
            "DATASOURCE_007",
            source,
            sound & column(source).contains(LOST),
            lambda value: value is not None and LOST in value,
            lambda n: load_faults.lost(name, n),
            hint=lambda _: raw.encoding_hint() if raw.encoding_hint else None,
        )


def _count(raw: Raw, possible: Sequence[_Fault]) -> list[int]:
    if not possible:
        return []
    row = raw.frame.agg(*(F.count_if(fault.rows) for fault in possible)).collect()[0]
    return [int(n) for n in row]


def _keys(dataset: Dataset, mapped: Sequence[Mapped]) -> dict[str, str]:
    sources = {m.field.name: m.source for m in mapped if m.source is not None}
    return load_faults.key_columns(dataset, sources)


def _samples(
    raw: Raw, fault: _Fault, keys: dict[str, str], most: int
) -> list[tuple[str, str | None]]:
    """Rows at fault and their texts, from the text where the source has lines; by their keys
    elsewhere, and where the text, seen with other eyes, shows none."""
    if most <= 0:
        return []
    found = raw.find(fault.column, fault.is_bad, most) if raw.find else []
    if found:
        return [
            (fault.show.format(value=load_faults.shortened(bad.value), place=bad.place), bad.value)
            for bad in found
        ]
    shown = {name: source for name, source in keys.items() if source != fault.column}
    wanted = [column(fault.column), *(column(source) for source in shown.values())]
    text = [c.cast("string").alias(f"s{i}") for i, c in enumerate(wanted)]
    samples = []
    for value, *rest in raw.frame.filter(fault.rows).select(*text).limit(most).collect():
        place = load_faults.row_place(raw.origin, dict(zip(shown, rest, strict=True)))
        shown_as = fault.show.format(value=load_faults.shortened(value), place=place)
        samples.append((shown_as, value))
    return samples
