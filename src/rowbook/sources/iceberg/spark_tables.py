"""Tables of Iceberg as Spark knows them, while it reads or writes one.

Spark asks no catalog of a company. It is given the metadata file itself, where that is on a disk;
in an object store it needs the keys of the bucket too, which Iceberg takes from a catalog alone. So
there it gets one of folders, with a copy of the metadata. The session has the keys only until the
catalog is there, and by then nothing was computed.
"""

from __future__ import annotations

import json
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.sources.iceberg.lake_files import write_new
from rowbook.sources.iceberg.staging_table import FIRST
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.stores.object_path import DataPath
from rowbook.sources.stores.spark_access import catalog_settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TABLE = "t"


@dataclass(frozen=True, slots=True)
class SnapshotScan:
    """Of tables in one warehouse; what must stay until rows are read is in `resources`."""

    spark: SparkSession
    warehouse: DataPath
    resources: ExitStack

    def frame(self, metadata: TableMetadata, options: Mapping[str, str] | None = None) -> DataFrame:
        """The failures of Spark go out as they are."""
        reader = self.spark.read.format("iceberg").options(**(options or {}))
        settings = catalog_settings(self.spark, self.warehouse)
        if not settings:
            frame = reader.load(metadata.file)
            frame.schema  # noqa: B018 - at a remote, the first question about the table
            return frame
        folder = self.resources.enter_context(tempfile.TemporaryDirectory(prefix="rowbook-lake-"))
        file = Path(folder, _TABLE, FIRST)
        file.parent.mkdir(parents=True)
        write_new(file, json.dumps(metadata.content).encode())
        with _catalog(self.spark, folder, _TABLE, settings) as catalog:
            return reader.load(f"{catalog}.{_TABLE}")


@contextmanager
def folder_table(spark: SparkSession, folder: DataPath) -> Iterator[str]:
    """The name of the table in a folder, for as long as something is written to it."""
    settings = catalog_settings(spark, folder)
    with _catalog(spark, str(folder.parent), folder.name, settings) as catalog:
        yield f"`{catalog}`.`{folder.name}`"


@contextmanager
def _catalog(
    spark: SparkSession, warehouse: str, table: str, access: Mapping[str, str]
) -> Iterator[str]:
    """A catalog of the tables in a folder. Spark makes it with the first question about one, and
    keeps it as it was made."""
    name = f"rowbook_{uuid.uuid4().hex}"
    key = f"spark.sql.catalog.{name}"
    settings = {
        key: "org.apache.iceberg.spark.SparkCatalog",
        f"{key}.type": "hadoop",
        f"{key}.warehouse": warehouse,
        f"{key}.cache-enabled": "false",
    }
    with _settings(spark, settings):
        if access:
            with _settings(spark, {f"{key}.hadoop.{each}": access[each] for each in access}):
                spark.table(f"`{name}`.`{table}`").schema  # noqa: B018 - the first question
        yield name


@contextmanager
def _settings(spark: SparkSession, values: Mapping[str, str]) -> Iterator[None]:
    try:
        for each, value in values.items():
            spark.conf.set(each, value)
        yield
    finally:
        for each in values:
            spark.conf.unset(each)
