"""Writes a row to a Delta table in a process of its own, which may be killed on the way."""

from __future__ import annotations

import sys
from pathlib import Path

from rowbook.engine.session.session import EngineSettings, open_session
from rowbook.sources.delta.delta_table import DeltaTarget
from rowbook.sources.delta.source import DeltaSource
from rowbook.sources.source import WriteRequest


def main(remote: str, path: Path, run_id: str) -> None:
    with open_session(EngineSettings(remote=remote)) as engine:
        schema = "id string, note string, _period string"
        frame = engine.spark.createDataFrame([(run_id, "x", "2026-01")], schema)
        order = WriteRequest("replace", ("2026-01",), run_id, 1)
        DeltaSource().write(frame, DeltaTarget(path, {}, "data/closed"), order)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
