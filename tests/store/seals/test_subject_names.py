"""What is sealed is called as people know it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rowbook.store import Activation, Store
from rowbook.store.seals.subject_names import SubjectNames
from tests.store.places import Place
from tests.store.samples import AT, dataset
from tests.store.seals.tampering import findings, tamper


@pytest.fixture
def store(sqlite: Place) -> Iterator[Store]:
    with sqlite.open() as opened:
        yield opened


def called(store: Store, subject: str) -> str | None:
    with store._database.reading() as connection:
        return SubjectNames.of(connection, {"greg-id": "gregorian"}).find(subject)


def test_definitions_and_projects_have_names_and_versions(store: Store) -> None:
    for n in (1, 2):
        store.definitions.record([dataset("gl", n=n)], by="ann", at=AT)
    store.projects.activate(Activation("p1", "monthly close", {}, {"id-gl": 2}), by="ann", at=AT)
    assert called(store, "definition dataset id-gl 1") == "dataset 'gl' version 1"
    assert called(store, "dataset id-gl") == "dataset 'gl'"
    assert called(store, "project version p1 1") == "project 'monthly close' version 1"
    assert called(store, "project change p1 1") == "change 1 of project 'monthly close'"
    assert called(store, "project p1") == "project 'monthly close'"
    assert called(store, "period greg-id 2026-01 closed") == (
        "period 2026-01 closed in calendar 'gregorian'"
    )


@pytest.mark.parametrize(
    "subject", ["", "store", "run r1", "verification r1 1", "definition dataset other 1"]
)
def test_what_the_store_has_no_name_for_is_left_as_it_is(store: Store, subject: str) -> None:
    store.definitions.record([dataset("gl")], by="ann", at=AT)
    assert called(store, subject) is None


def test_a_version_that_is_gone_is_called_as_those_that_are_left(store: Store) -> None:
    for n in (1, 2):
        store.definitions.record([dataset("gl", n=n)], by="ann", at=AT)
    tamper(store, "DELETE FROM definition_version WHERE version = 1")
    assert findings(store) == [
        "record changed: dataset 'gl' version 1, sealed as 'definition recorded' by seal 1:"
        " it is gone from the store"
    ]
