"""Iceberg's own catalogs in the shared session, to see that it reads what we write, and we what it
writes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from rowbook.sources.iceberg.catalogs.catalog import CatalogAddress
from rowbook.sources.iceberg.catalogs.sql_catalog import DEFAULT_NAME
from tests.support.postgres_server import PASSWORD

_names = itertools.count(1)


@contextmanager
def own_catalog(spark: SparkSession, lake: CatalogAddress) -> Iterator[str]:
    """The name that Spark knows it by. Of catalogs in databases, those in PostgreSQL."""
    name = f"itself_{next(_names)}"
    key = f"spark.sql.catalog.{name}"
    settings = {
        key: "org.apache.iceberg.spark.SparkCatalog",
        f"{key}.type": lake.catalog,
        f"{key}.warehouse": str(lake.warehouse),
        f"{key}.cache-enabled": "false",
    }
    if lake.catalog == "jdbc":
        name = DEFAULT_NAME
        key = f"spark.sql.catalog.{name}"
        settings = {
            key: "org.apache.iceberg.spark.SparkCatalog",
            f"{key}.type": "jdbc",
            f"{key}.uri": lake.options["url"],
            f"{key}.jdbc.user": lake.options["user"],
            f"{key}.jdbc.password": PASSWORD,
            f"{key}.jdbc.schema-version": "V1",
            f"{key}.warehouse": str(lake.warehouse),
            f"{key}.cache-enabled": "false",
        }
    if lake.catalog == "rest":
        settings[f"{key}.uri"] = lake.options["uri"]
    for each, value in settings.items():
        spark.conf.set(each, value)
    try:
        yield name
    finally:
        for each in settings:
            spark.conf.unset(each)
