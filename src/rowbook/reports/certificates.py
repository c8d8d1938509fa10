"""Certificates: what the store knows of verified runs, and where the pages go."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rowbook import __version__
from rowbook.definitions.recording import recorded_name
from rowbook.errors import RowbookError
from rowbook.reports.certificate_page import (
    CertifiedRun,
    SealText,
    certificate_html,
    certificate_json,
)
from rowbook.reports.running import report_of
from rowbook.reports.saving import check_place, save
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.run_snapshot import snapshot_of
from rowbook.runs.verify.verification import Verification
from rowbook.store import JsonObject, content_hash, this_process
from rowbook.text.number_format import instant

_PAGE, _JSON = "certificate", "certificate's JSON"


def check_places(path: Path) -> Path:
    """Where a certificate of that name goes; USAGE_001 where it or what is beside it cannot."""
    if path.suffix == ".json":
        message = f"the {_PAGE} cannot go to {path}: that is where its JSON goes"
        raise RowbookError.of("USAGE_001", message, hint="name a file that ends with .html")
    check_place(path.with_suffix(".json"), _JSON)
    return check_place(path, _PAGE)


def save_certificate(workspace: OpenWorkspace, found: Sequence[Verification], path: Path) -> None:
    """The page, and JSON beside it."""
    runs = [_certified(workspace, each) for each in found]
    by, at = this_process().user, instant(at_present())
    made = f"Verified by {by}, {at}, with Rowbook {__version__}."
    text = json.dumps(certificate_json(runs, made), indent=2, ensure_ascii=False)
    save(f"{text}\n", path.with_suffix(".json"), _JSON)
    save(certificate_html(runs, made), path, _PAGE)


def _certified(workspace: OpenWorkspace, found: Verification) -> CertifiedRun:
    run_id = found.run.id
    snapshot = snapshot_of(workspace.store, run_id, "has nothing to certify")
    digests = (
        (content.name, content.digest)
        for place in found.inputs
        for content in place.contents
        if content.digest and content.digest.startswith("sha256:") and content.version is None
    )
    return CertifiedRun(
        found,
        report_of(workspace, run_id),
        tuple(_definitions(snapshot)),
        tuple(dict(digests).items()),
        _seal(workspace, found.record.number),
    )


def _definitions(snapshot: JsonObject) -> Iterator[tuple[str, str, str, str]]:
    project, version = snapshot["project"], snapshot["version"]
    name = recorded_name(project, "project")
    yield "project", name, str(version or "draft"), content_hash(project)
    for each in snapshot["definitions"]:
        kind, content = each["kind"], each["content"]
        yield kind, recorded_name(content, kind), str(each["version"]), content_hash(content)


def _seal(workspace: OpenWorkspace, number: int | None) -> SealText | None:
    if number is None:
        return None
    each = next(e for e in workspace.store.seals.export() if e["number"] == number)
    return SealText(number, each["statement"], each["hash"], each["signature"], each["public_key"])
