"""Versions of projects with their pins, and changes of status, within one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy.engine import Connection

from rowbook.errors import RowbookError
from rowbook.store import Store
from rowbook.store.project_records import Activation, Conflict
from rowbook.store.project_rows import (
    add_version,
    change_status,
    check_seen,
    get_project,
    get_version,
    known_project,
    record_conflict,
)
from rowbook.store.seals.sealer import Sealer
from tests.store.samples import AT, after, dataset

REPORT: dict[str, Any] = {"columns": ["amount"]}


@pytest.fixture
def connection(store: Store) -> Iterator[Connection]:
    store.definitions.record([dataset("gl"), dataset("rates")], by="ann", at=AT)
    with store._database.writing("a test") as opened:
        yield opened


def activation(**changes: Any) -> Activation:
    values: dict[str, Any] = {"pins": {"id-gl": 1}, "seen": {}}
    return Activation("p1", "close", {"project": {"name": "close"}}, **(values | changes))


def added(connection: Connection, version: int = 1, **changes: Any) -> None:
    """A version that is active."""
    made = add_version(
        connection, Sealer(), activation(**changes), version, f"hash {version}", "ann", AT
    )
    change_status(connection, Sealer(), made, "active", "ann", AT, None, None)


def test_a_project_that_nobody_activated_is_not_there(connection: Connection) -> None:
    assert get_project(connection, "p1") is None
    assert get_version(connection, "p1", None) is None
    with pytest.raises(RowbookError, match="PROJECT_008  project 'p1' was never activated"):
        known_project(connection, "p1")


def test_a_version_comes_back_with_its_pins_the_latest_if_none_is_named(
    connection: Connection,
) -> None:
    added(connection)
    added(connection, 2, pins={"id-gl": 1, "id-rates": 1})
    first, latest = (get_version(connection, "p1", n) for n in (1, None))
    assert first is not None
    assert latest is not None
    assert (first.version, first.pins, first.content_hash) == (1, {"id-gl": 1}, "hash 1")
    assert (latest.version, latest.pins) == (2, {"id-gl": 1, "id-rates": 1})
    assert get_version(connection, "p1", 3) is None


def test_a_project_is_what_its_last_change_says(connection: Connection) -> None:
    added(connection)
    made = get_version(connection, "p1", 1)
    assert made is not None
    change_status(connection, Sealer(), made, "inactive", "ben", after(9), "too slow", None)
    now = known_project(connection, "p1")
    assert (now.status, now.changed_by, now.changed_at, now.reason) == (
        *("inactive", "ben", after(9), "too slow"),
    )


@pytest.mark.parametrize(("before", "then"), [("active", "conflict"), ("inactive", "inactive")])
def test_a_conflict_is_for_projects_that_run(
    connection: Connection, before: str, then: str
) -> None:
    added(connection)
    made = get_version(connection, "p1", 1)
    assert made is not None
    if before == "inactive":
        change_status(connection, Sealer(), made, "inactive", "ann", AT, None, None)
    conflict = Conflict("p1", "gl lost a column", REPORT)
    record_conflict(connection, Sealer(), conflict, by="ben", at=after(5))
    now = known_project(connection, "p1")
    assert now.status == then
    assert now.report == (REPORT if then == "conflict" else None)


def test_a_check_that_knew_another_version_of_a_dataset_is_void(connection: Connection) -> None:
    check_seen(connection, activation(seen={"id-gl": 1, "id-rates": 1, "id-gone": 4}))
    with pytest.raises(RowbookError) as refused:
        check_seen(connection, activation(seen={"id-gl": 2}))
    assert str(refused.value).startswith(
        "STORE_005  project 'close' was checked with version 2 of dataset 'gl', but its latest is 1"
    )
