"""Reading csv files: every column as text, no line lost, none taken for something it is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.errors import RowbookError
from rowbook.sources import csv_lines
from rowbook.sources.csv_dialect import CsvDialect, dialect_of
from rowbook.sources.files import DataFile, plain_path, spark_path
from rowbook.sources.places import SourcePlace
from rowbook.sources.raw import BadValue, Raw
from rowbook.sources.spark_names import named

BROKEN = "__broken"
_CORRUPT = "__corrupt"
_NULL = "\x01\x02rowbook\x02\x01"
"""What Spark takes for NULL where no `null_text` is given: no file holds it."""


class _Alike(NamedTuple):
    """What files that are read together have in common."""

    head: csv_lines.Head
    partitions: tuple[str, ...]


def read_csv(spark: SparkSession, place: SourcePlace) -> tuple[Raw, ...]:
    """A place's rows, one Raw for all files that have the same header."""
    dialect = dialect_of(place.options, place.shown)
    wanted, others = place.files()
    groups: dict[_Alike, list[DataFile]] = {}
    for file in wanted or others[-1:]:
        head = csv_lines.read_head(file.path, dialect, place.name_of(file))
        groups.setdefault(_Alike(head, tuple(file.partitions)), []).append(file)
    raws = [_read(spark, place, dialect, alike, files) for alike, files in groups.items()]
    if wanted:
        return tuple(raws)
    return tuple(replace(raw, frame=raw.frame.where(F.lit(False))) for raw in raws)


def _read(
    spark: SparkSession,
    place: SourcePlace,
    dialect: CsvDialect,
    alike: _Alike,
    files: Sequence[DataFile],
) -> Raw:
    shown = [(file.path, place.name_of(file)) for file in files]
    names = csv_lines.column_names(alike.head, dialect)
    twice = sorted({n for n in names if n and names.count(n) > 1})
    if twice:
        message = f"{shown[0][1]}: column '{twice[0]}' stands twice in the header"
        raise RowbookError.of("DATASOURCE_007", message)
    tails = [
        csv_lines.unclosed_tail(path, dialect, alike.head.line_end, name) for path, name in shown
    ]
    fields = [f"c{i}" for i in range(len(names))]
    frame = _scan(spark, place, dialect, fields, files)
    text = _decoded(dialect)
    broken = _broken(fields, alike.head.line_end, [tail for tail in tails if tail])
    columns = [text(F.col(c)).alias(n) for c, n in zip(fields, names, strict=True) if n]
    partitions = [named(name) for name in alike.partitions if name not in names]
    return Raw(
        frame.select(*columns, *partitions, broken.alias(BROKEN)),
        shown[0][1] if len(shown) == 1 else place.shown,
        as_text=True,
        period=place.period,
        find=_finder(shown, dialect, names),
        form=dialect.form,
        by_position=not dialect.header,
        partitions=alike.partitions,
        broken=BROKEN,
    )


def _scan(
    spark: SparkSession,
    place: SourcePlace,
    dialect: CsvDialect,
    fields: Sequence[str],
    files: Sequence[DataFile],
) -> DataFrame:
    """Fields by position: Spark must not match, guess or rename anything."""
    schema = s.StructType([s.StructField(name, s.StringType()) for name in (*fields, _CORRUPT)])
    options = {
        "header": str(dialect.header).lower(),
        "sep": dialect.delimiter,
        "quote": dialect.quote,
        "escape": dialect.escape,
        "encoding": dialect.spark_charset,
        "multiLine": "true",
        "mode": "PERMISSIVE",
        "columnNameOfCorruptRecord": _CORRUPT,
        "nullValue": _NULL if dialect.null_text is None else dialect.null_text,
        "emptyValue": "",
    }
    if place.path.is_dir():
        options["basePath"] = plain_path(place.path)
    reader = spark.read.schema(schema).options(**options)
    return reader.csv([spark_path(file.path) for file in files])


def _broken(fields: Sequence[str], line_end: str, tails: Sequence[str]) -> Column:
    """Text where a line has more or fewer fields than the first, a quote was never closed, or a
    line ends unlike the first one and its end became part of a value."""
    if not fields:
        return F.lit(None).cast("string")
    corrupt, last = F.col(_CORRUPT), F.col(fields[-1])
    # Spark refuses a query that reads the corrupt column alone: the first field comes along.
    found = corrupt.isNotNull() | (F.col(fields[0]) == F.lit(_NULL))
    if line_end == "\n":
        found = found | last.endswith("\r")
    for tail in tails:
        found = found | last.endswith(tail)
    return F.when(found, F.coalesce(corrupt, last))


def _decoded(dialect: CsvDialect) -> Callable[[Column], Column]:
    translation = dialect.translation
    if translation is None:
        return lambda column: column
    was, now = translation
    return lambda column: F.translate(column, was, now)


def _finder(
    files: Sequence[tuple[Path, str]], dialect: CsvDialect, names: tuple[str, ...]
) -> Callable[[str, Callable[[str | None], bool], int], list[BadValue]]:
    def find(column: str, is_bad: Callable[[str | None], bool], most: int) -> list[BadValue]:
        if column != BROKEN and column not in names:
            return []
        index = None if column == BROKEN else names.index(column)
        return csv_lines.find(files, dialect, index, column, is_bad, most)

    return find
