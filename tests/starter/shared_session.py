"""Commands on the session that all tests share, instead of one that each starts for itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from rowbook.engine.session import session
from rowbook.engine.session.session import Engine, EngineSettings, adopt_session
from rowbook.engine.session.sizing import SETTING
from rowbook.runs.execute import execute_run
from rowbook.runs.preview import spark_preview
from rowbook.scenarios import spark_execution
from tests.engine.running import settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_COMMANDS = (execute_run, spark_preview, spark_execution)
"""What commands need Spark for; what these import is looked through too."""


@contextmanager
def shared_session(spark: SparkSession) -> Iterator[list[EngineSettings]]:
    """Whatever a command of this process needs Spark for, it does on this session. What it sets
    there, by the size of its data, is afterwards as it was. Gives what sessions were asked for."""
    asked_for: list[EngineSettings] = []

    def opened(asked: EngineSettings, *, debug: bool = False) -> Engine:
        del debug
        asked_for.append(asked)
        return adopt_session(spark)

    loaded = [m for name, m in sys.modules.items() if name.startswith("rowbook.")]
    openers = [m for m in loaded if m is not session and hasattr(m, "open_session")]
    assert len(openers) >= len(_COMMANDS)
    with pytest.MonkeyPatch.context() as patch, settings(spark, {SETTING: "2"}):
        for module in openers:
            patch.setattr(module, "open_session", opened)
        yield asked_for
