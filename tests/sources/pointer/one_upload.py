"""Writes one table of a bucket once, as a process of its own that may be killed."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path

from rowbook.definitions.models.workspace import CredentialDefinition
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.session.session import EngineSettings, open_session
from rowbook.locations.boundary import Boundary
from rowbook.sources import registry
from rowbook.sources.source import WriteRequest
from tests.sources.one_write import PERIODIC


def main() -> None:
    """What to write is given as JSON: engine, root, host, target, rows, period, run."""
    job = json.loads(sys.argv[1])
    target = job["target"]
    grant = CredentialDefinition(ref=target["credential"], host=job["host"])
    boundary = Boundary(Path(job["root"]), (target["url"].rpartition("/")[0],), (grant,))
    with open_session(EngineSettings(remote=job["engine"])) as engine:
        rows = [
            {"account": account, "amount": Decimal(amount), "_period": job["period"]}
            for account, amount in job["rows"]
        ]
        frame = frame_of(engine.spark, rows, PERIODIC.fields)
        order = WriteRequest("replace", (job["period"],), job["run"], 1)
        registry.write(frame, registry.target_from_json(target, boundary), order)
