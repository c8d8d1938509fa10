"""Recorded definitions for planning: which version counts, and what is disabled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.definitions.from_records import RecordedDefinition, recorded_definitions
from rowbook.planning.definitions.lookup import Missing, Version

TABLE = {"name": "t", "columns": [{"name": "a", "type": "string"}]}


def record(kind: str, name: str, version: int = 1, **more: Any) -> RecordedDefinition:
    return RecordedDefinition(kind, version, {kind: {"name": name, **more}})


def dataset(version: int, **more: Any) -> RecordedDefinition:
    return record("dataset", "d", version, main_table=TABLE, **more)


def known(*recorded: RecordedDefinition, default: str | None = None) -> Definitions:
    return recorded_definitions(recorded, Boundary(Path("/w")), default_resolver=default)


def version_of(found: Version[Any] | Missing | None) -> int:
    assert isinstance(found, Version)
    return found.version


def test_the_newest_version_of_a_dataset_is_found_and_the_older_one_by_number() -> None:
    definitions = known(dataset(2), dataset(1))
    assert version_of(definitions.dataset("d", None)) == 2
    assert version_of(definitions.dataset("d", 1)) == 1


def test_a_dataset_that_was_disabled_is_so_in_all_versions() -> None:
    found = known(dataset(1), dataset(2, status="disabled")).dataset("d", 1)
    assert found == Missing("disabled", "dataset 'd' is disabled")


def test_a_data_source_that_was_disabled_is_so() -> None:
    old = record("datasource", "s", 1, type="csv")
    new = record("datasource", "s", 2, type="csv", status="disabled")
    assert known(old, new).datasource("s") == Missing("disabled", "datasource 's' is disabled")


def test_the_default_resolver_is_the_named_one_or_the_marked_one() -> None:
    marked, other = record("resolver", "r", 3, is_default=True), record("resolver", "q", 4)
    assert version_of(known(marked, other).default_resolver()) == 3
    assert version_of(known(marked, other, default="q").default_resolver()) == 4
    assert known(other).default_resolver() is None


def test_gregorian_is_always_there() -> None:
    calendar = known().calendar("gregorian")
    assert not isinstance(calendar, Missing)
    assert calendar.name == "gregorian"


def test_a_recorded_calendar_that_is_none_is_an_error() -> None:
    with pytest.raises(RowbookError) as caught:
        known(record("calendar", "c"))
    assert {d.code for d in caught.value.diagnostics} == {"PERIOD_003"}
