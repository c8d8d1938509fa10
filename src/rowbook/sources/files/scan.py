"""One scan over a bundle of files, and what each row's file says about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from rowbook.errors import RowbookError
from rowbook.sources.files.bundles import PERIOD_OF_PLACE, Bundle
from rowbook.sources.files.listing import FileKind, plain_path, spark_path
from rowbook.sources.raw import Raw
from rowbook.sources.stores.spark_access import scan_settings
from rowbook.spark.causes import innermost_cause, unread_path
from rowbook.spark.column_names import column

_FEW = 8
"""Files whose names are compared with that of each row."""


def scan_paths(bundle: Bundle[Any]) -> list[str]:
    return [spark_path(placed.file.path) for placed in bundle.files]


def scan_options(bundle: Bundle[Any]) -> dict[str, str]:
    base = {"basePath": plain_path(bundle.place.base)} if bundle.partitions else {}
    return {**base, **scan_settings(bundle.files[0].file.path)}


def scan_typed(
    spark: SparkSession, bundle: Bundle[Any], kind: FileKind, known: StructType | None = None
) -> DataFrame:
    """DATASOURCE_007 where Spark cannot read them; columns that are `known` it need not look
    for."""
    reader = spark.read.option("mergeSchema", "false").options(**scan_options(bundle))
    if known is not None:
        reader = reader.schema(known)
    try:
        frame = reader.format(kind).load(scan_paths(bundle))
        frame.schema  # noqa: B018 - at a remote, the first question about the files
    except PySparkException as cause:
        raise unreadable(bundle, cause) from cause
    return frame


def unreadable(bundle: Bundle[Any], cause: Exception) -> RowbookError:
    path = unread_path(cause)
    label = (bundle.label_of(path) if path else None) or bundle.origin
    reason = innermost_cause(cause).text
    return RowbookError.of("DATASOURCE_007", f"{label} cannot be read: {reason}")


def file_name(bundle: Bundle[Any], metadata: Column) -> Column:
    """The file of a row as the definitions have it, so that nothing depends on the machine. Of few
    files the names are known, and no text need be made for a row."""
    path, depth = metadata["file_path"], bundle.depth or bundle.files[0].file.depth
    if not depth:
        return F.lit(bundle.place.label)
    name, start = F.substring_index(path, "/", -depth), _start(bundle)
    if start:
        name = F.concat(F.lit(start), name)
    if len(bundle.files) > _FEW:
        return name
    names = [each for each in map(bundle.file_name, bundle.files) if each is not None]
    if len(names) == len(bundle.files) == 1:
        return F.lit(names[0])
    for each in reversed(names):
        ends = F.endswith(path, F.lit(f"/{each.removeprefix(start)}"))
        name = F.when(ends, F.lit(each)).otherwise(name)
    return name


def _start(bundle: Bundle[Any]) -> str:
    """What names have before those parts of a path that are in them."""
    if bundle.depth is not None:
        return bundle.files[0].scheme
    return f"{bundle.place.label}/"


def period_of_place(bundle: Bundle[Any], metadata: Column) -> dict[str, Column]:
    """The period of a row's place, where the files of a bundle have different ones."""
    periods = bundle.periods
    if len(periods) == 1:
        return {}
    name = file_name(bundle, metadata)
    (period, files), *rest = periods.items()
    found = F.when(name.isin(files), F.lit(period))
    for period, files in rest:
        found = found.when(name.isin(files), F.lit(period))
    return {PERIOD_OF_PLACE: found.cast("string")}


def typed_raw(
    frame: DataFrame,
    bundle: Bundle[Any],
    *,
    with_rows: bool,
    ids: Mapping[str, Column] | None = None,
    never_null: frozenset[str] = frozenset(),
) -> Raw:
    """Rows of files that know their types; `ids` are what tells each row from every other."""
    period = period_of_place(bundle, frame.metadataColumn("_metadata"))
    added = {**(ids or {}), **period}
    rows = frame.select(
        *map(column, frame.columns), *(value.alias(name) for name, value in added.items())
    )
    return Raw(
        rows if with_rows else rows.where(F.lit(False)),
        bundle.origin,
        period=None if period else bundle.place.period,
        identity=tuple(ids or ()),
        partitions=bundle.partitions,
        period_column=PERIOD_OF_PLACE if period else None,
        never_null=never_null,
        label_of=bundle.label_of,
    )
