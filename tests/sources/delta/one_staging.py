"""Stages an output to a bucket, as a process of its own that may be killed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rowbook.definitions.models.workspace import CredentialDefinition
from rowbook.engine.session.session import EngineSettings, open_session
from rowbook.locations.boundary import Boundary
from rowbook.sources import registry
from rowbook.sources.source import WriteRequest


def main() -> None:
    """What to stage is given as JSON: target, run, period, host, root."""
    job = json.loads(sys.argv[1])
    grant = CredentialDefinition(ref=job["target"]["credential"], host=job["host"])
    allowed = job["target"]["url"].rpartition("/")[0]
    boundary = Boundary(Path(job["root"]), (allowed,), (grant,))
    target = registry.target_from_json(job["target"], boundary)
    settings = EngineSettings(master="local[1]", profile="small", extras=frozenset({"delta", "s3"}))
    with open_session(settings) as engine:
        rows = engine.spark.createDataFrame([("a", job["period"])], "id string, _period string")
        registry.stage(rows, target, WriteRequest("replace", (job["period"],), job["run"], 1))
