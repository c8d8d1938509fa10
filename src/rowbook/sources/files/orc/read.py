"""Reading orc files: physical types. An orc file does not number its rows: they are told apart by
their content."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import SparkSession

from rowbook.sources.files.bundles import Placed, bundle
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.orc.footer import read_orc_footer
from rowbook.sources.files.scan import scan_typed, typed_raw
from rowbook.sources.raw import Raw


def read_orc(spark: SparkSession, places: Sequence[FileTable]) -> tuple[Raw, ...]:
    """One Raw for all files of the same physical schema: Spark alone would take one file's schema
    for all, and NULL for what another lacks."""
    found = bundle(places, _signature)
    return tuple(
        typed_raw(scan_typed(spark, each, "orc"), each, with_rows=found.with_rows)
        for each in found.each
    )


def _signature(placed: Placed) -> str:
    return read_orc_footer(placed.file.path, placed.name).signature
