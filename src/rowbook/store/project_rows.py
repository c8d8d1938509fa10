"""Rows of projects, inside a transaction: versions with their pins, changes of status."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.errors import RowbookError
from rowbook.store.database.json_documents import JsonObject
from rowbook.store.database.tables import (
    definition,
    project,
    project_change,
    project_pin,
    project_version,
)
from rowbook.store.project_records import (
    Activation,
    Conflict,
    Project,
    ProjectStatus,
    ProjectVersion,
)
from rowbook.store.seals.canonical_records import Subject
from rowbook.store.seals.seal import SealKind
from rowbook.store.seals.sealer import Sealer

_SEALED_AS: dict[ProjectStatus, SealKind] = {
    "active": "project activated",
    "inactive": "project deactivated",
    "conflict": "project in conflict",
}

PROJECTS = sa.select(
    project,
    project_change.c.changed_at,
    project_change.c.changed_by,
    project_change.c.reason,
    project_change.c.report,
).join(
    project_change,
    (project_change.c.project_id == project.c.id)
    & (
        project_change.c.number
        == sa.select(sa.func.max(project_change.c.number))
        .where(project_change.c.project_id == project.c.id)
        .correlate(project)
        .scalar_subquery()
    ),
)


def record_conflict(
    connection: Connection, sealer: Sealer, conflict: Conflict, *, by: str, at: datetime
) -> None:
    """Puts a project into conflict, inside a transaction of the writer. One that is inactive stays
    so: it does not run anyway, and activating it checks everything anew."""
    now = known_project(connection, conflict.project_id)
    latest = get_version(connection, now.id, now.version)
    if latest is not None and now.status != "inactive":
        why, report = conflict.reason, conflict.report
        change_status(connection, sealer, latest, "conflict", by, at, why, report)


def get_project(connection: Connection, found: str) -> Project | None:
    row = connection.execute(PROJECTS.where(project.c.id == found)).mappings().first()
    return Project(**row) if row else None


def known_project(connection: Connection, found: str) -> Project:
    """As `get_project`, where it must have been activated."""
    now = get_project(connection, found)
    if now is None:
        raise RowbookError.of("PROJECT_008", f"project '{found}' was never activated")
    return now


def get_version(connection: Connection, found: str, version: int | None) -> ProjectVersion | None:
    """A version of a project with its pins, the latest if none is named."""
    v, p = project_version, project_pin
    statement = sa.select(v).where(v.c.project_id == found)
    if version is None:
        statement = statement.order_by(v.c.version.desc()).limit(1)
    else:
        statement = statement.where(v.c.version == version)
    row = connection.execute(statement).mappings().first()
    if row is None:
        return None
    pins = sa.select(p.c.dataset_id, p.c.dataset_version).where(
        p.c.project_id == found, p.c.version == row["version"]
    )
    pinned = {pin.dataset_id: pin.dataset_version for pin in connection.execute(pins)}
    return ProjectVersion(**row, pins=pinned)


def check_seen(connection: Connection, given: Activation) -> None:
    """Refuses an activation whose check knew another latest version of a dataset."""
    d = definition.c
    statement = sa.select(d.id, d.name, d.latest).where(
        d.kind == "dataset", d.id.in_(list(given.seen))
    )
    for row in connection.execute(statement):
        if row.latest != given.seen[row.id]:
            raise RowbookError.of(
                "STORE_005",
                f"project '{given.name}' was checked with version {given.seen[row.id]} of dataset"
                f" '{row.name}', but its latest is {row.latest}",
            )


def add_version(
    connection: Connection,
    sealer: Sealer,
    given: Activation,
    version: int,
    hashed: str,
    by: str,
    at: datetime,
) -> ProjectVersion:
    made = ProjectVersion(
        given.project_id, given.name, version, given.content, hashed, at, by, dict(given.pins)
    )
    if version == 1:
        row = {"id": given.project_id, "name": given.name, "version": 1, "status": "active"}
        connection.execute(project.insert().values(**row))
    values = {name: getattr(made, name) for name in ProjectVersion.__slots__ if name != "pins"}
    connection.execute(project_version.insert().values(**values))
    pins = [
        {"project_id": made.project_id, "version": version, "dataset_id": d, "dataset_version": n}
        for d, n in given.pins.items()
    ]
    if pins:
        connection.execute(project_pin.insert(), pins)
    subject = Subject("project version", (made.project_id, version))
    sealer.seal(connection, "project version recorded", subject, at=at, by=by)
    return made


def change_status(
    connection: Connection,
    sealer: Sealer,
    version: ProjectVersion,
    status: ProjectStatus,
    by: str,
    at: datetime,
    reason: str | None,
    report: JsonObject | None,
) -> None:
    c = project_change.c
    last = connection.scalar(
        sa.select(sa.func.max(c.number)).where(c.project_id == version.project_id)
    )
    number = (last or 0) + 1
    key = {"version": version.version, "status": status}
    connection.execute(project.update().where(project.c.id == version.project_id).values(**key))
    connection.execute(
        project_change.insert().values(
            **key,
            project_id=version.project_id,
            number=number,
            changed_at=at,
            changed_by=by,
            reason=reason,
            report=report,
        )
    )
    subject = Subject("project change", (version.project_id, number))
    sealer.seal(connection, _SEALED_AS[status], subject, at=at, by=by)
