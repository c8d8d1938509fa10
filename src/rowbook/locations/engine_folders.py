"""Folders that an engine shares with others: for checkpoints, and for what drafts write."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rowbook.definitions.models.workspace import EngineDefinition
from rowbook.locations.boundary import Boundary
from rowbook.value_class import dataclass

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://.")
_OUTSIDE = "name it, or a folder above it, under allowed_locations"


@dataclass(frozen=True, slots=True)
class FolderFault:
    key: str
    message: str
    hint: str


def folder_faults(engine: EngineDefinition, boundary: Boundary) -> Iterator[FolderFault]:
    folder = engine.checkpoint_dir
    if folder is not None and not (folder.startswith("/") or _URL.match(folder)):
        message = f"'{folder}' means another folder for each executor"
        yield FolderFault("checkpoint_dir", message, "write a whole path, or a URL")
    elif folder is not None and not boundary.contains(folder):
        message = f"'{folder}' is outside the workspace and its allowed_locations"
        yield FolderFault("checkpoint_dir", message, _OUTSIDE)
    sandbox = engine.sandbox
    if sandbox is not None and _URL.match(sandbox):
        message = f"'{sandbox}' is not a folder of the file system"
        yield FolderFault("sandbox", message, "write a path that all executors see")
    elif sandbox is not None and not boundary.contains(sandbox):
        message = f"'{sandbox}' is outside the workspace and its allowed_locations"
        yield FolderFault("sandbox", message, _OUTSIDE)
