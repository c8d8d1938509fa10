"""Whether proposed definitions are sound beside those of the workspace: nothing is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rowbook.definitions.loading import Entry, load_document
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.definitions.yaml.nodes import SourceText
from rowbook.definitions.yaml.reader import parse
from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.workspace_check import check_files


def no_files(root: Path) -> WorkspaceFiles:
    """Of a folder that is no workspace yet."""
    none: tuple[()] = ()
    return WorkspaceFiles(root, None, none, none, none, none, none, none, none, frozenset())


def check_proposal(files: WorkspaceFiles, texts: Mapping[str, str]) -> WorkspaceFiles:
    """The workspace with these files in it; raises what is wrong with them."""
    found: dict[str, list[Entry[Any]]] = {}
    faults: list[Diagnostic] = []
    for name, text in texts.items():
        documents, wrong = parse(SourceText(name, text))
        faults += wrong
        for document in documents:
            loaded = load_document(document)
            faults += loaded.diagnostics
            if loaded.entry is not None:
                found.setdefault(str(loaded.kind), []).append(loaded.entry)
    known = replace(
        files,
        workspace=next(iter(found.get("workspace", ())), files.workspace),
        datasets=_with(files.datasets, found.get("dataset", []), texts),
        datasources=_with(files.datasources, found.get("datasource", []), texts),
        resolvers=_with(files.resolvers, found.get("resolver", []), texts),
    )
    checked = check_files(known).errors
    faults += [each for each in checked if each.position and each.position.file in texts]
    if faults:
        raise RowbookError(*dict.fromkeys(faults))
    return known


def _with(
    there: tuple[Entry[Any], ...], new: list[Entry[Any]], texts: Mapping[str, str]
) -> tuple[Entry[Any], ...]:
    """A file of the same name is taken for an earlier proposal."""
    kept = (each for each in there if each.place.document.source.file not in texts)
    return (*kept, *new)
