"""Small tables in files, and what comes out of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from rowbook.definitions.dataset import (
    ColumnDefinition,
    DatasetDefinition,
    TableDefinition,
    TemporalMode,
)
from rowbook.engine.collect import collect
from rowbook.engine.context import RunContext
from rowbook.engine.loading import load
from rowbook.errors import RowbookError
from rowbook.periods import GREGORIAN
from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.known import Version
from rowbook.runs.clock import parse_moment
