"""Projects that were activated: immutable versions with their pins, and what became of them."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from rowbook.errors import RowbookError
from rowbook.store.active_versions import ActiveVersions, active_versions
from rowbook.store.database.connections import StoreDatabase
from rowbook.store.database.json_documents import content_hash
from rowbook.store.database.tables import project, project_change, project_pin
from rowbook.store.project_records import (
    Activated,
    Activation,
    Project,
    ProjectChange,
    ProjectVersion,
)
from rowbook.store.project_rows import (
    PROJECTS,
    add_version,
    change_status,
    check_seen,
    get_project,
    get_version,
    known_project,
)
from rowbook.store.references import find_id, rename
from rowbook.store.seals.sealer import Sealer


class Projects:
    def __init__(self, database: StoreDatabase, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    def activate(
        self, given: Activation, *, by: str, at: datetime, reason: str | None = None
    ) -> Activated:
        """Makes the next version, or the latest one active again where nothing changed."""
        with self._database.writing("activation") as connection:
            check_seen(connection, given)
            rename(connection, project, {given.project_id: given.name}, "project")
            latest = get_version(connection, given.project_id, None)
            hashed = content_hash(given.content)
            is_new = latest is None or (
                (latest.name, latest.content_hash, latest.pins)
                != (given.name, hashed, dict(given.pins))
            )
            if latest is None or is_new:
                before = latest.version if latest else 0
                latest = add_version(connection, self._sealer, given, before + 1, hashed, by, at)
            now = get_project(connection, given.project_id)
            if now is None or now.version != latest.version or now.status != "active":
                change_status(connection, self._sealer, latest, "active", by, at, reason, None)
            return Activated(latest, is_new)

    def deactivate(
        self, reference: str, *, by: str, at: datetime, reason: str | None = None
    ) -> Project:
        """Stops a project from running; one that is inactive stays as it is."""
        with self._database.writing("deactivation") as connection:
            found = find_id(connection, project, reference)
            latest = get_version(connection, found, None) if found else None
            if latest is None:
                raise RowbookError.of("PROJECT_008", f"project '{reference}' was never activated")
            now = known_project(connection, latest.project_id)
            if now.status != "inactive":
                change_status(connection, self._sealer, latest, "inactive", by, at, reason, None)
            return known_project(connection, latest.project_id)

    def get(self, reference: str) -> Project | None:
        """A project by name or id; None if it was never activated."""
        with self._database.reading() as connection:
            found = find_id(connection, project, reference)
            return get_project(connection, found) if found else None

    def all(self) -> tuple[Project, ...]:
        with self._database.reading() as connection:
            statement = PROJECTS.order_by(project.c.name)
            return tuple(Project(**row) for row in connection.execute(statement).mappings())

    def version(self, reference: str, version: int | None = None) -> ProjectVersion | None:
        with self._database.reading() as connection:
            found = find_id(connection, project, reference)
            return get_version(connection, found, version) if found else None

    def active(self, reference: str) -> ProjectVersion | None:
        """The version that runs; None where the project is not active."""
        with self._database.reading() as connection:
            found = find_id(connection, project, reference)
            now = get_project(connection, found) if found else None
            if now is None or now.status != "active":
                return None
            return get_version(connection, now.id, now.version)

    def all_active(self) -> ActiveVersions:
        with self._database.reading() as connection:
            return active_versions(connection.exec_driver_sql)

    def history(self, reference: str) -> tuple[ProjectChange, ...]:
        """The changes of a project's status, oldest first."""
        with self._database.reading() as connection:
            c, found = project_change.c, find_id(connection, project, reference)
            statement = sa.select(
                c.version, c.status, c.changed_at, c.changed_by, c.reason, c.report
            ).where(c.project_id == found)
            rows = connection.execute(statement.order_by(c.number))
            return tuple(ProjectChange(**row) for row in rows.mappings())

    def pinning(self, dataset_id: str) -> tuple[ProjectVersion, ...]:
        """The versions that count of the projects that pin a dataset and are not inactive: those
        that a change of it may break."""
        statement = (
            sa.select(project.c.id, project.c.version)
            .join(
                project_pin,
                (project_pin.c.project_id == project.c.id)
                & (project_pin.c.version == project.c.version),
            )
            .where(project_pin.c.dataset_id == dataset_id, project.c.status != "inactive")
            .order_by(project.c.name)
        )
        with self._database.reading() as connection:
            rows = connection.execute(statement).all()
            found = (get_version(connection, row.id, row.version) for row in rows)
            return tuple(version for version in found if version is not None)
