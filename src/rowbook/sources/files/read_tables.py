"""Reading places, whatever their kind."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import SparkSession

from rowbook.sources.files.bundles import alike
from rowbook.sources.files.csv.read import read_csv
from rowbook.sources.files.excel.read import read_excel
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.json.read import read_json
from rowbook.sources.files.orc.read import read_orc
from rowbook.sources.files.parquet.read import read_parquet
from rowbook.sources.raw import Raw

_READERS = {
    "csv": read_csv,
    "excel": read_excel,
    "json": read_json,
    "orc": read_orc,
    "parquet": read_parquet,
}


def read_places(spark: SparkSession, places: Sequence[FileTable]) -> tuple[Raw, ...]:
    """Files of one physical schema are read together: headers and footers now, rows in a job."""
    return tuple(raw for group in alike(places) for raw in _READERS[group[0].kind](spark, group))
