"""Stages or publishes an output to a lake in a bucket, as a process of its own that may be
killed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rowbook.definitions.models.workspace import CredentialDefinition
from rowbook.engine.session.session import EngineSettings, open_session
from rowbook.locations.boundary import Boundary
from rowbook.sources import registry
from rowbook.sources.source import Extra, Publishing, WriteRequest
from tests.sources.stores.buckets import REFERENCE


def main() -> None:
    """What to do is given as JSON: staged, or target and period; run, host, root."""
    job = json.loads(sys.argv[1])
    target = job.get("target") or job["staged"]["target"]
    allowed = target["catalog"]["options"]["warehouse"].rpartition("/")[0]
    grant = CredentialDefinition(ref=REFERENCE, host=job["host"])
    boundary = Boundary(Path(job["root"]), (allowed,), (grant,))
    if "staged" in job:
        staged = registry.staged_from_json(job["staged"], boundary, job["run"], 1)
        registry.publish([staged], Publishing())
        return
    jars: frozenset[Extra] = frozenset({"iceberg", "s3"})
    settings = EngineSettings(master="local[1]", profile="small", extras=jars)
    with open_session(settings) as engine:
        rows = engine.spark.createDataFrame([("a", job["period"])], "id string, _period string")
        order = WriteRequest("replace", (job["period"],), job["run"], 1)
        registry.stage(rows, registry.target_from_json(job["target"], boundary), order)
