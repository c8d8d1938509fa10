"""What the store knows about a project, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from rowbook.store.database.json_documents import JsonObject

ProjectStatus: TypeAlias = Literal["active", "inactive", "conflict"]


@dataclass(frozen=True, slots=True)
class Activation:
    """A project that was found sound. `pins` are the versions of its datasets by id; `seen` the
    latest versions that the check knew: a newer one by now means that the check is void."""

    project_id: str
    name: str
    content: JsonObject
    pins: Mapping[str, int]
    seen: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Conflict:
    """What a breaking change of a pinned dataset does to a project; `report` says what broke."""

    project_id: str
    reason: str
    report: JsonObject


@dataclass(frozen=True, slots=True)
class Project:
    """A project as it stands: the version that counts, its status, since when and why."""

    id: str
    name: str
    version: int
    status: ProjectStatus
    changed_at: datetime
    changed_by: str
    reason: str | None
    report: JsonObject | None


@dataclass(frozen=True, slots=True)
class ProjectVersion:
    """A version of a project, as it was activated first."""

    project_id: str
    name: str
    version: int
    content: JsonObject
    content_hash: str
    activated_at: datetime
    activated_by: str
    pins: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ProjectChange:
    version: int
    status: ProjectStatus
    changed_at: datetime
    changed_by: str
    reason: str | None
    report: JsonObject | None


@dataclass(frozen=True, slots=True)
class Activated:
    """What an activation came to: a new version, or the latest one, active again."""

    version: ProjectVersion
    is_new: bool
