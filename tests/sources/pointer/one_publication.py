"""Publishes what is staged in a bucket, as a process of its own that may be killed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rowbook.definitions.models.workspace import CredentialDefinition
from rowbook.locations.boundary import Boundary
from rowbook.sources import registry
from rowbook.sources.source import Publishing


def main() -> None:
    """What to publish is given as JSON: staged, run, host, root."""
    job = json.loads(sys.argv[1])
    target = job["staged"]["target"]
    grant = CredentialDefinition(ref=target["credential"], host=job["host"])
    boundary = Boundary(Path(job["root"]), (target["url"].rpartition("/")[0],), (grant,))
    staged = registry.staged_from_json(job["staged"], boundary, job["run"], 1)
    registry.publish([staged], Publishing())
