"""The life of a project: versions with pins, active, inactive, in conflict."""

from __future__ import annotations

from typing import Any

import pytest

from rowbook.errors import RowbookError
from rowbook.store import Activation, Conflict, Store
from tests.store.forking import Forks
from tests.store.places import Place
from tests.store.samples import AT, after, dataset
from tests.support.refusal import refusal

OPERATIONS: dict[str, Any] = {"selectors": {"z": "1 = 1", "a": "2 = 2"}, "operations": [{"seq": 1}]}


def activate(store: Store, content: dict[str, Any] = OPERATIONS, **pins: int) -> tuple[int, bool]:
    given = Activation("p1", "close", content, pins)
    done = store.projects.activate(given, by="ann", at=AT)
    return done.version.version, done.is_new


def break_gl(store: Store) -> None:
    conflict = Conflict("p1", "gl lost column b", {"operations": [{"seq": 1, "column": "b"}]})
    changed = dataset("gl", columns=["a"])
    store.definitions.record([changed], by="ben", at=after(5), conflicts=[conflict])


def status(store: Store) -> str:
    found = store.projects.get("close")
    assert found is not None
    return found.status


def test_a_project_that_was_never_activated_is_not_there(store: Store) -> None:
    assert store.projects.get("close") is None
    assert store.projects.active("close") is None
    assert store.projects.all() == ()
    assert store.projects.history("close") == ()


def test_activating_records_content_and_pins_verbatim(store: Store) -> None:
    assert activate(store, gl=3, fx=1) == (1, True)
    found = store.projects.active("close")
    assert found is not None
    assert found.content == OPERATIONS
    assert list(found.content["selectors"]) == ["z", "a"]
    assert found.pins == {"gl": 3, "fx": 1}
    assert (found.version, found.activated_by, found.activated_at) == (1, "ann", AT)


def test_a_changed_project_or_another_pin_is_the_next_version(store: Store) -> None:
    activate(store, gl=3)
    assert activate(store, {"operations": []}, gl=3) == (2, True)
    assert activate(store, {"operations": []}, gl=4) == (3, True)
    first = store.projects.version("close", 1)
    assert first is not None
    assert (first.content, first.pins) == (OPERATIONS, {"gl": 3})
    latest = store.projects.version("p1")
    assert latest is not None
    assert latest.version == 3


def test_activating_what_is_active_changes_nothing(store: Store) -> None:
    activate(store, gl=3)
    assert activate(store, gl=3) == (1, False)
    assert len(store.projects.history("close")) == 1


def test_a_project_that_was_deactivated_does_not_run_until_it_is_activated(store: Store) -> None:
    activate(store)
    stopped = store.projects.deactivate("close", by="ben", at=after(1), reason="year end")
    assert (stopped.status, stopped.reason, stopped.changed_by) == ("inactive", "year end", "ben")
    assert store.projects.active("close") is None
    assert activate(store) == (1, False)
    assert store.projects.active("close") is not None
    statuses = [change.status for change in store.projects.history("close")]
    assert statuses == ["active", "inactive", "active"]


def test_deactivating_twice_leaves_the_first_reason(store: Store) -> None:
    activate(store)
    store.projects.deactivate("close", by="ben", at=after(1), reason="year end")
    again = store.projects.deactivate("close", by="ann", at=after(2), reason="again")
    assert again.reason == "year end"


def test_deactivating_what_was_never_activated_is_refused(store: Store) -> None:
    with pytest.raises(RowbookError, match="PROJECT_008  project 'close' was never activated"):
        store.projects.deactivate("close", by="ann", at=AT)


def test_a_breaking_change_puts_the_project_into_conflict(store: Store) -> None:
    activate(store, gl=1)
    break_gl(store)
    found = store.projects.get("close")
    assert found is not None
    assert (found.status, found.reason) == ("conflict", "gl lost column b")
    assert found.report == {"operations": [{"seq": 1, "column": "b"}]}
    assert (found.changed_by, found.changed_at) == ("ben", after(5))
    assert store.projects.active("close") is None
    assert store.definitions.get("dataset", "gl") is not None


def test_activating_resolves_a_conflict_with_the_old_pin_or_a_new_one(store: Store) -> None:
    activate(store, gl=1)
    break_gl(store)
    assert activate(store, gl=1) == (1, False)
    assert status(store) == "active"
    break_again = Conflict("p1", "again", {})
    store.definitions.record([], by="ben", at=after(6), conflicts=[break_again])
    assert activate(store, gl=2) == (2, True)
    assert status(store) == "active"
    reports = [change.report for change in store.projects.history("close")]
    assert reports == [None, {"operations": [{"seq": 1, "column": "b"}]}, None, {}, None]


def test_an_inactive_project_gets_into_no_conflict(store: Store) -> None:
    activate(store, gl=1)
    store.projects.deactivate("close", by="ann", at=after(1))
    break_gl(store)
    assert status(store) == "inactive"


def test_a_conflict_of_an_unknown_project_records_nothing(store: Store) -> None:
    with pytest.raises(RowbookError, match="PROJECT_008"):
        break_gl(store)
    assert store.definitions.latest("dataset") == ()


def test_projects_that_pin_a_dataset_are_found_by_their_version_that_counts(store: Store) -> None:
    activate(store, gl=1, fx=1)
    activate(store, gl=2)
    other = Activation("p2", "budget", {}, {"gl": 1})
    store.projects.activate(other, by="ann", at=AT)
    third = Activation("p3", "asleep", {}, {"gl": 1})
    store.projects.activate(third, by="ann", at=AT)
    store.projects.deactivate("p3", by="ann", at=AT)
    pinning = [(p.name, p.version, p.pins["gl"]) for p in store.projects.pinning("gl")]
    assert pinning == [("budget", 1, 1), ("close", 2, 2)]
    assert store.projects.pinning("fx") == ()
    assert [p.name for p in store.projects.all()] == ["asleep", "budget", "close"]


def test_an_activation_that_was_checked_with_an_older_dataset_is_refused(store: Store) -> None:
    store.definitions.record([dataset("gl", n=1)], by="ann", at=AT)
    store.definitions.record([dataset("gl", n=2)], by="ben", at=AT)
    stale = Activation("p1", "close", {}, {"id-gl": 1}, seen={"id-gl": 1})
    finding = refusal(lambda: store.projects.activate(stale, by="ann", at=AT))
    assert finding.code == "STORE_005"
    assert finding.message == (
        "project 'close' was checked with version 1 of dataset 'gl', but its latest is 2"
    )
    kept = Activation("p1", "close", {}, {"id-gl": 1}, seen={"id-gl": 2})
    assert store.projects.activate(kept, by="ann", at=AT).is_new


def test_a_name_that_comes_with_another_id_is_refused(store: Store) -> None:
    activate(store)
    with pytest.raises(RowbookError, match="STORE_006  the project 'close' has the ids p1 and p2"):
        store.projects.activate(Activation("p2", "close", {}, {}), by="ann", at=AT)


def test_a_renamed_project_is_the_same_one(store: Store) -> None:
    activate(store)
    renamed = Activation("p1", "closing", {"operations": []}, {})
    assert store.projects.activate(renamed, by="ann", at=AT).version.version == 2
    assert store.projects.get("close") is None
    assert [c.version for c in store.projects.history("closing")] == [1, 2]


def test_eight_processes_activating_at_once_make_eight_versions(place: Place, forks: Forks) -> None:
    ended = forks.at_once("activate", place, [{"me": n} for n in range(8)])
    assert [e.text for e in ended] == [""] * 8
    assert sorted(e.result for e in ended) == list(range(1, 9))
    with place.open() as store:
        assert [c.version for c in store.projects.history("p1")] == list(range(1, 9))
