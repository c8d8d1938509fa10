"""Reading csv files: every column as text, no line lost, none taken for something it is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as s
from pyspark.sql.utils import is_remote

from rowbook.sources.files.bundles import PERIOD_OF_PLACE, Bundle
from rowbook.sources.files.csv import header, records
from rowbook.sources.files.csv.dialect import CsvDialect, dialect_of
from rowbook.sources.files.csv.header import CsvHeader
from rowbook.sources.files.csv.line_records import (
    FEWEST_CORES,
    WORTH_SPLITTING,
    lines_are_records,
)
from rowbook.sources.files.csv.typed_records import TypedRecords
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.scan import period_of_place, scan_options, scan_paths
from rowbook.sources.files.text.content_guesses import encoding_hint
from rowbook.sources.files.typed_copy import TypedText
from rowbook.sources.raw import BadValue, Raw
from rowbook.sources.stores.object_path import DataPath, byte_size
from rowbook.spark.column_names import column, named

BROKEN = "__broken"
_CORRUPT = "__corrupt"
_NULL = "\x01\x02rowbook\x02\x01"
"""What Spark takes for NULL where no `null_text` is given: no file holds it."""


def read_csv(spark: SparkSession, places: Sequence[FileTable]) -> tuple[Raw, ...]:
    """One Raw for all files with the same header, as far as they can be read together."""
    dialect = dialect_of(places[0].options, places[0].label)
    found = header.csv_bundles(places, dialect)
    raws = [_read(spark, each, dialect) for each in found.each]
    if found.with_rows:
        return tuple(raws)
    return tuple(replace(raw, frame=raw.frame.where(F.lit(False))) for raw in raws)


def _read(spark: SparkSession, each: Bundle[CsvHeader], dialect: CsvDialect) -> Raw:
    label = [(placed.file.path, placed.name) for placed in each.files]
    names = header.unique_names(each.shape, dialect, each.files[0].name)
    line_end = each.shape.line_end
    splits = _may_split(spark, [path for path, _ in label], dialect, line_end)
    tails: list[str | None] = []
    if not splits:
        tails = [header.unclosed_tail(path, dialect, line_end, name) for path, name in label]
    fields = [f"c{i}" for i in range(len(names))]
    frame = _scan(spark, each, dialect, fields, splits=splits)
    text = _decoded(dialect)
    columns = {n: text(F.col(c)) for c, n in zip(fields, names, strict=True) if n}
    columns |= {name: column(name) for name in each.partitions}
    columns[BROKEN] = _broken(fields, line_end, [tail for tail in tails if tail])
    period = period_of_place(each, frame.metadataColumn("_metadata"))
    columns |= period
    return Raw(
        frame.select(*named(columns)),
        each.origin,
        as_text=True,
        period=None if period else each.place.period,
        find=_finder(label, dialect, names),
        form=dialect.form,
        by_position=not dialect.header,
        partitions=each.partitions,
        broken=BROKEN,
        period_column=PERIOD_OF_PLACE if period else None,
        label_of=each.label_of,
        encoding_hint=lambda: encoding_hint((path for path, _ in label), dialect.encoding),
        text=TypedText.of(each, TypedRecords(names, dialect, line_end)),
    )


def _may_split(
    spark: SparkSession, paths: Sequence[DataPath], dialect: CsvDialect, line_end: str
) -> bool:
    """Whether it is worth it, and no row can be lost by it. A remote is taken to have cores."""
    if all(byte_size(path) < WORTH_SPLITTING for path in paths):
        return False
    if not is_remote() and spark.sparkContext.defaultParallelism < FEWEST_CORES:
        return False
    return all(lines_are_records(path, dialect, line_end) for path in paths)


def _scan(
    spark: SparkSession,
    each: Bundle[CsvHeader],
    dialect: CsvDialect,
    fields: Sequence[str],
    *,
    splits: bool,
) -> DataFrame:
    """Fields by position: Spark must not match, guess or rename anything. What is above the header
    are the first rows of a scan of one file, which is never split."""
    begins_below = dialect.header_row > 1
    schema = s.StructType([s.StructField(name, s.StringType()) for name in (*fields, _CORRUPT)])
    options = {
        "header": str(dialect.header and not begins_below).lower(),
        "sep": dialect.delimiter,
        "quote": dialect.quote,
        "escape": dialect.escape,
        "encoding": dialect.spark_charset,
        "multiLine": str(not splits).lower(),
        "mode": "PERMISSIVE",
        "columnNameOfCorruptRecord": _CORRUPT,
        "nullValue": _NULL if dialect.null_text is None else dialect.null_text,
        "emptyValue": "",
        **scan_options(each),
    }
    rows = spark.read.schema(schema).options(**options).csv(scan_paths(each))
    return rows.where(F.monotonically_increasing_id() > each.shape.above) if begins_below else rows


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
        return lambda value: value
    was, now = translation
    return lambda value: F.translate(value, was, now)


def _finder(
    files: Sequence[tuple[DataPath, str]], dialect: CsvDialect, names: tuple[str, ...]
) -> Callable[[str, Callable[[str | None], bool], int], list[BadValue]]:
    def find(column: str, is_bad: Callable[[str | None], bool], most: int) -> list[BadValue]:
        if column != BROKEN and column not in names:
            return []
        index = None if column == BROKEN else names.index(column)
        return records.find(files, dialect, index, column, is_bad, most)

    return find
