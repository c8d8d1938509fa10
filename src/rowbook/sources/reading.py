"""Reading a place, whatever its kind."""

from __future__ import annotations

from pyspark.sql import SparkSession

from rowbook.sources.csv import read_csv
from rowbook.sources.parquet import read_parquet
from rowbook.sources.places import SourcePlace
from rowbook.sources.raw import Raw

_READERS = {"csv": read_csv, "parquet": read_parquet}


def read_place(spark: SparkSession, place: SourcePlace) -> tuple[Raw, ...]:
    """The rows at a place: one Raw, or one for each physical schema among its files. Reads headers
    and footers now; rows are read when a job runs."""
    return _READERS[place.kind](spark, place)
