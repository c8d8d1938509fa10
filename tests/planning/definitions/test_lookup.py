"""A shelf of definitions: by name or id, at a version, the pinned one or the latest."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.planning.definitions.lookup import Missing, Shelf, Version

RATES = "6f1d2c3a-5b4e-5a77-9c0d-2f8f3f0c5a99"


def dataset(version: int, status: str = "active") -> Version[DatasetDefinition]:
    table = {"name": "t", "columns": [{"name": "a", "type": "string"}]}
    model = DatasetDefinition.model_validate(
        {"name": "rates", "id": RATES, "status": status, "main_table": table}
    )
    return Version(model, version)


def shelf(
    *versions: Version[DatasetDefinition], pins: Mapping[str, int] | None = None
) -> Shelf[DatasetDefinition]:
    return Shelf("dataset", versions, uncertain=False, pins=pins)


@pytest.mark.parametrize("reference", ["rates", RATES, RATES.upper()])
def test_a_name_an_id_and_another_spelling_of_it_find_the_same(reference: str) -> None:
    assert shelf(dataset(1)).find(reference) == dataset(1)


def test_the_latest_active_version_is_found() -> None:
    assert shelf(dataset(1), dataset(3, "disabled"), dataset(2)).find("rates") == dataset(2)


def test_a_pin_counts_where_no_version_is_named() -> None:
    pinned = shelf(dataset(1), dataset(2), pins={RATES: 1})
    assert pinned.find("rates") == dataset(1)
    assert pinned.find("rates", 2) == dataset(2)


def test_what_is_missing_says_why() -> None:
    both = shelf(dataset(1), dataset(2, "disabled"))
    assert both.find("rats") == Missing(
        "unknown", "dataset 'rats' is not defined", "did you mean 'rates'?  datasets: rates"
    )
    assert both.find("rates", 3) == Missing(
        "version", "dataset 'rates' has no version 3", "versions: 1, 2"
    )
    assert both.find("rates", 2) == Missing("disabled", "dataset 'rates' is disabled")


def test_where_a_file_could_not_be_read_nothing_is_surely_missing() -> None:
    empty: Shelf[DatasetDefinition] = Shelf("dataset", [], uncertain=True)
    found = empty.find("rates")
    assert isinstance(found, Missing)
    assert found.uncertain
