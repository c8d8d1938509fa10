"""Expressions are computed by code that Spark compiles, as runs of many rows compute them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark(spark: SparkSession) -> Iterator[SparkSession]:
    from tests.engine.running import COMPILED, settings

    with settings(spark, COMPILED) as compiling:
        yield compiling
