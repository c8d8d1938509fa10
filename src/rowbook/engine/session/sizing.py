"""What a session is set to by how much a run reads.

Of tasks of a shuffle, Spark's 200 are too many for a hundred rows and too few for a billion. Its
adaptive execution joins small tasks after the fact, but never splits what a shuffle made too large.
Few rows are done before code for them is compiled, or a plan is thought over again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from rowbook.engine.session.settings import EngineSettings, ProfileName

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SETTING = "spark.sql.shuffle.partitions"
_GROWTH = 5
"""Columns packed in files take about five times as much when they are rows."""
SMALL = 2 * 2**20
"""Bytes of files that one task reads as fast as several would begin."""
FEW = 2**19
"""Bytes of files whose rows are computed before code for them is compiled: ten thousand or so."""
LOCAL = 10_000
"""Rows that are loaded and brought here in less time than Spark takes to plan how to read them."""
_PER_TASK = 64 * 2**20
_MOST = 8_192

FEW_ROWS: Mapping[str, str] = MappingProxyType(
    {
        SETTING: "1",
        "spark.sql.leafNodeDefaultParallelism": "1",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
)
"""For a run of few rows: one task, a plan made once, rows computed without compiled code."""


@dataclass(frozen=True, slots=True)
class Volume:
    """How much a run reads, in bytes."""

    bytes: int
    is_known: bool = True

    @classmethod
    def of(cls, sizes: Iterable[int]) -> Volume:
        """Of tables by their sizes; 0 is one that nobody knows."""
        found = list(sizes)
        return cls(sum(found), all(found))

    @property
    def is_small(self) -> bool:
        return self.is_known and self.bytes <= SMALL

    @property
    def is_few(self) -> bool:
        return self.is_known and self.bytes <= FEW

    @property
    def profile(self) -> ProfileName:
        return "small" if self.is_small else "bulk"


def run_conf(volume: Volume, settings: EngineSettings) -> dict[str, str]:
    """The settings for one run in a session of ours; what `engine.conf` says, stays as it says."""
    if volume.is_few and settings.sees_this_disk:
        fitting = dict(FEW_ROWS)
    else:
        fitting = {SETTING: str(shuffle_partitions(volume.bytes, settings.cores))}
    return {key: value for key, value in fitting.items() if key not in settings.conf}


def shuffle_partitions(input_bytes: int, cores: int) -> int:
    """About 64 MiB of rows for each task; no fewer tasks than cores."""
    wanted = math.ceil(input_bytes * _GROWTH / _PER_TASK)
    return max(cores, min(wanted, _MOST))


def in_one_task(frame: DataFrame) -> DataFrame:
    """Few rows in one task: grouping and joining them then needs no shuffle at all."""
    return frame.coalesce(1)
