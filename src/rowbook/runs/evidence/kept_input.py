"""The contents of what a run reads, kept as evidence while it is at work."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rowbook.definitions.models.workspace import KeptEvidence, WorkspaceDefinition
from rowbook.errors import RowbookError, reason
from rowbook.locations.removal import evidence_folder
from rowbook.runs.prepare.resolve import ResolvedRun, ResolvedTable
from rowbook.sources import registry
from rowbook.sources.content_folder import SMALL, ContentFolder

_MOST: dict[KeptEvidence, int | None] = {"all": None, "small": SMALL}


@dataclass(frozen=True, slots=True)
class KeptInput:
    """What is read, with all that identifies it; a place whose content could not be kept is told of
    in `warnings`."""

    resolved: ResolvedRun
    warnings: tuple[str, ...] = ()


def keeps_evidence(settings: WorkspaceDefinition | None) -> bool:
    return settings is None or settings.evidence != "none"


def keep_input(resolved: ResolvedRun) -> KeptInput:
    """A run goes on where evidence cannot be kept, with a warning: it is none that its figures
    need."""
    request, warnings = resolved.request, list[str]()
    settings = request.settings
    if not keeps_evidence(settings):
        return KeptInput(resolved)
    most = _MOST[settings.evidence if settings else "small"]
    folder = ContentFolder(evidence_folder(request.root), request.kept_input, most)

    def kept(each: ResolvedTable) -> ResolvedTable:
        if each.table is None:
            return each
        try:
            contents = registry.keep_contents(each.table, each.contents, folder)
            return replace(each, contents=contents)
        except (RowbookError, OSError) as cause:
            warnings.append(f"no evidence is kept of {each.table.label}: {reason(cause)}")
            return each

    found = resolved.with_tables(kept)
    _remove_if_empty(request.kept_input)
    return KeptInput(found, tuple(warnings))


def _remove_if_empty(folder: Path) -> None:
    """Whose files are named by runs; one that is read from meanwhile stays."""
    try:
        folder.rmdir()
    except OSError:
        return
