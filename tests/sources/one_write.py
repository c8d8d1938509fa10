"""Writes one table once, as a process of its own that may be killed: see test_killed_writes."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path

from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.session.session import EngineSettings, open_session
from rowbook.sources import registry
from rowbook.sources.registry import write
from rowbook.sources.source import WriteRequest
from rowbook.write_points import write_point
from tests.sources.postgres_books import granting
from tests.sources.tables import dataset

PERIODIC = dataset("account string!", "amount decimal(18,2)", "_period string", mode="period")


def main() -> None:
    """What to write is given as JSON: engine, root, target, rows, period, run."""
    job = json.loads(sys.argv[1])
    with open_session(EngineSettings(remote=job["engine"])) as engine:
        rows = [
            {"account": account, "amount": Decimal(amount), "_period": job["period"]}
            for account, amount in job["rows"]
        ]
        frame = frame_of(engine.spark, rows, PERIODIC.fields)
        order = WriteRequest(
            "replace",
            (job["period"],),
            job["run"],
            1,
            lambda _: write_point("a publication was announced"),
        )
        database = job["target"].get("database") or {"credential": None, "url": ""}
        boundary = granting(Path(job["root"]), database["credential"], database["url"])
        write(frame, registry.target_from_json(job["target"], boundary), order)
