"""The fingerprint of rows and their control totals, by Spark (reference/evidence says what it is).

As text for Spark to parse: with many columns, calls into the JVM would cost more than the hashes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind
from rowbook.reference.evidence.row_evidence import (
    HALF,
    SALT,
    SUMMED,
    ColumnTotal,
    RowEvidence,
    Total,
    described,
    row_evidence,
)
from rowbook.spark.observed_metrics import ObservedMetrics, is_exact

ROWS = "rows"
_LOWER = (1 << HALF) - 1


def evidence_metrics(fields: Sequence[Field]) -> dict[str, Column]:
    """Aggregates over a frame that has these columns, in their types."""
    return {name: F.expr(text) for name, text in _metrics(fields)}


def evidence_of(metrics: Mapping[str, Any], fields: Sequence[Field]) -> RowEvidence:
    a, b, c, d = (int(metrics[f"hash{n}"] or 0) for n in range(4))
    totals = tuple(
        ColumnTotal(f.name, metrics[f"count{place}"], _total(metrics, place, f))
        for place, f in enumerate(fields)
        if f.type.kind in SUMMED
    )
    return RowEvidence(described(fields), metrics[ROWS], (a, b, c, d), totals)


class ObservedEvidence:
    """`frame` has the rows of a frame, and its evidence is taken by the job that writes them, if
    they are `few`: hashing costs a fifth of what writing does, and of many rows the files tell it
    when somebody asks. None is taken where that could count rows twice."""

    def __init__(self, frame: DataFrame, fields: Sequence[Field], *, few: bool) -> None:
        self._fields = tuple(fields)
        self._observed = None
        if few and is_exact(frame):
            self._observed = ObservedMetrics(frame, evidence_metrics(fields))
        self.frame = frame if self._observed is None else self._observed.frame

    def found(self, rows: int) -> RowEvidence | None:
        """Of so many rows as were written; without rows there may have been no job."""
        if not rows:
            return row_evidence((), self._fields)
        told = self._observed.found() if self._observed else None
        return evidence_of(told, self._fields) if told and told[ROWS] == rows else None


def frame_evidence(frame: DataFrame, fields: Sequence[Field]) -> RowEvidence:
    """Of all rows, by a job of its own."""
    metrics = [metric.alias(name) for name, metric in evidence_metrics(fields).items()]
    return evidence_of(frame.agg(*metrics).collect()[0].asDict(), fields)


def _metrics(fields: Sequence[Field]) -> Iterator[tuple[str, str]]:
    yield ROWS, "count(1)"
    names = [_quoted(f.name) for f in fields]
    hashed = [_quoted(f.name) for f in fields if f.type.kind is not Kind.FLOAT]
    hashed += [f"isnull({_quoted(f.name)})" for f in fields if f.type.kind is Kind.FLOAT]
    parts = ", ".join((*hashed, *(f"isnull({each})" for each in hashed)))
    for number in (0, 1):
        row_hash = f"xxhash64('{number + 1} {SALT}', {parts})"
        yield f"hash{2 * number}", f"sum(shiftrightunsigned({row_hash}, {HALF}))"
        yield f"hash{2 * number + 1}", f"sum({row_hash} & {_LOWER}L)"
    for place, (field, name) in enumerate(zip(fields, names, strict=True)):
        match field.type.kind:
            case Kind.INTEGER:
                yield f"count{place}", f"count({name})"
                yield f"upper{place}", f"sum(shiftright({name}, {HALF}))"
                yield f"lower{place}", f"sum({name} & {_LOWER}L)"
            case Kind.DECIMAL:
                yield f"count{place}", f"count({name})"
                yield f"sum{place}", f"try_sum({name})"
            case Kind.FLOAT:
                yield f"count{place}", f"count({name})"
                yield f"sum{place}", f"sum({name})"
            case _:
                continue


def _total(metrics: Mapping[str, Any], place: int, field: Field) -> Total:
    if field.type.kind is not Kind.INTEGER:
        found: Total = metrics[f"sum{place}"]
        return found
    upper, lower = metrics[f"upper{place}"], metrics[f"lower{place}"]
    return None if upper is None else (int(upper) << HALF) + int(lower)


def _quoted(name: str) -> str:
    escaped = name.replace("`", "``")
    return f"`{escaped}`"
