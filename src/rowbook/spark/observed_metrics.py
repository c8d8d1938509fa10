"""Figures about rows, taken by the job that computes them anyway.

They are exact where no task is ever repeated: in one process. On a cluster a lost executor's stages
run again and count again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql.utils import is_remote

_MOMENT, _TRIES = 50, 600
"""Milliseconds, and how many of these moments listeners have in a session that is busy."""


class ObservedMetrics:
    """A frame whose metrics are read by the first job that computes it."""

    def __init__(self, frame: DataFrame, metrics: Mapping[str, Column]) -> None:
        self._observation = Observation()
        named = [metric.alias(name) for name, metric in metrics.items()]
        self.frame = frame.observe(self._observation, *named)

    def found(self) -> dict[str, Any] | None:
        """What was observed. Spark's listeners are told a moment after the job. Rows that were
        optimised away are told of with no metrics at all, or never (SPARK-54620): once listeners
        know of all that happened, nothing more is waited for."""
        observation = self._observation._jo
        if observation is None:
            return None
        told, tries = observation.future().isCompleted, 0
        while not told() and not self._is_idle() and tries < _TRIES:
            tries += 1
        with contextlib.suppress(Py4JError):  # no metrics at all
            return self._observation.get if told() else None
        return None

    def _is_idle(self) -> bool:
        """Whether listeners know of all that happened, after a moment."""
        try:
            session = self.frame.sparkSession._jsparkSession
            session.sparkContext().listenerBus().waitUntilEmpty(_MOMENT)
        except Py4JError:
            return False
        return True


def is_exact(frame: DataFrame) -> bool:
    """Whether metrics are: driver and executors are one process."""
    if is_remote():
        return False
    master = frame.sparkSession.conf.get("spark.master", None) or ""
    return master == "local" or master.startswith("local[")
