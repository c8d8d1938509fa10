"""Ctrl-C while the JVM works: the work is dropped first, then the interrupt is raised."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

from tests.engine.conftest import Program

if TYPE_CHECKING:
    pass


def test_ctrl_c_cancels_the_query_and_leaves_the_session_usable(program: Program) -> None:
    with program.start(
        """
        from rowbook.engine.session.session import EngineSettings, open_session
        with open_session(EngineSettings(profile="small")) as engine:
            from pyspark.sql import functions as F
            print("ready", flush=True)
            try:
                engine.spark.range(10**13).select(F.sum(F.col("id") % 7)).collect()
            except KeyboardInterrupt:
                print("cancelled, and", engine.spark.range(3).count())
        """
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=100) == ("cancelled, and 3\n", "")
        finally:
            process.kill()
