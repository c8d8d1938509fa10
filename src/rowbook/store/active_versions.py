"""Which version of each project runs, and with which definitions: enough to see whether files say
something else. Read without the store's library, which takes longer than checking a workspace."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

from rowbook.store.database.json_documents import JsonObject
from rowbook.value_class import dataclass

Query: TypeAlias = Callable[[str], Iterable[Any]]
"""Rows of a statement, which may be asked of either database."""

_PROJECTS = (
    "SELECT v.project_id, v.version, v.content, v.content_hash FROM project p"
    " JOIN project_version v ON v.project_id = p.id AND v.version = p.version"
    " WHERE p.status = 'active'"
)
_PINS = (
    "SELECT n.project_id, n.dataset_id, n.dataset_version FROM project p"
    " JOIN project_pin n ON n.project_id = p.id AND n.version = p.version"
)
_DEFINITIONS = "SELECT kind, id, version, content_hash FROM definition_version ORDER BY version"


@dataclass(frozen=True, slots=True)
class ActiveVersion:
    """`pins` are versions of datasets, by id."""

    version: int
    content: JsonObject
    content_hash: str
    pins: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ActiveVersions:
    """The projects that are active, by id; and the content hashes of all that was applied, by kind
    and id and then by version, the latest last."""

    projects: Mapping[str, ActiveVersion]
    definitions: Mapping[tuple[str, str], Mapping[int, str]]


def active_versions(query: Query) -> ActiveVersions:
    pins: dict[str, dict[str, int]] = {}
    for project, dataset, version in query(_PINS):
        pins.setdefault(project, {})[dataset] = version
    projects = {
        project: ActiveVersion(version, json.loads(content), hashed, pins.get(project, {}))
        for project, version, content, hashed in query(_PROJECTS)
    }
    definitions: dict[tuple[str, str], dict[int, str]] = {}
    for kind, identity, version, hashed in query(_DEFINITIONS):
        definitions.setdefault((kind, identity), {})[version] = hashed
    return ActiveVersions(projects, definitions)


def active_versions_in(path: Path) -> ActiveVersions | None:
    """Those of a store that is a file; None where it cannot be read, or somebody is in the way."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", 0, uri=True)) as file:
            file.execute("BEGIN")
            return active_versions(file.execute)
    except (sqlite3.Error, ValueError):
        return None
