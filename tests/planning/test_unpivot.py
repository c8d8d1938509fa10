"""Wide tables: what unpivot may say, and what a dataset then wants of its source."""

from __future__ import annotations

import pytest

from rowbook.definitions.models.dataset import UnpivotDefinition
from rowbook.planning.declared_columns import declared_columns, stored_columns, wanted_folders
from tests.sources.tables import dataset
from tests.support.trial import Trial

RATES = "{name: day, type: date}, {name: currency, type: string}, {name: rate, type: decimal}"


def text(unpivot: str, columns: str = RATES) -> str:
    table = f"name: t, unpivot: {{{unpivot}}}, columns: [{columns}]"
    return f"dataset: {{name: d, main_table: {{{table}}}}}\n"


def test_columns_of_the_source_become_rows(trial: Trial) -> None:
    trial.accepts(text("columns: [USD, Swiss Franc], name: currency, value: rate, nulls: keep"))


def test_names_may_be_values_of_another_type(trial: Trial) -> None:
    columns = "{name: year, type: integer}, {name: amount, type: float}"
    trial.accepts(text('columns: ["2024", "2025"], name: year, value: amount', columns))


@pytest.mark.parametrize(
    ("unpivot", "message"),
    [
        ("columns: [A], name: ⟦curency, value: rate", "column 'curency' is not declared"),
        ("columns: [A], name: currency, value: ⟦rates", "column 'rates' is not declared"),
        (
            "columns: [A], name: currency, value: ⟦currency",
            "cannot hold both the name and the value",
        ),
        ("columns: ⟦[], name: currency, value: rate", "unpivot lists no columns"),
        ("columns: [A, B, ⟦A], name: currency, value: rate", "column 'A' stands twice"),
        ("columns: [⟦day, B], name: currency, value: rate", "column 'day' is declared too"),
        ("columns: [⟦rate], name: currency, value: rate", "column 'rate' is declared too"),
        ("columns: [⟦_period], name: currency, value: rate", "belong to the system"),
        ("columns: [⟦A], name: day, value: rate", "has a name that is no date"),
    ],
)
def test_what_cannot_be_is_refused_where_it_stands(
    trial: Trial, unpivot: str, message: str
) -> None:
    (found,) = trial.refuses(text(unpivot), "DATASET_018")
    assert message in found.message


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            "{name: currency, type: string, source: ⟦c}, {name: rate, type: float}",
            "column 'currency' is made by unpivot, and has no `source`",
        ),
        (
            "{name: currency, type: string}, {name: rate, type: float},"
            " {name: ⟦_row_id, type: string}",
            "rows that are made of one have no id of their own in the source",
        ),
        (
            "{name: currency, type: string}, {name: rate, type: float},"
            " {name: a, type: string, source: USD}",
            "column 'USD' is declared too",
        ),
    ],
)
def test_columns_that_are_made_are_not_in_the_source(
    trial: Trial, columns: str, message: str
) -> None:
    listed = "⟦USD" if "source: USD" in columns else "USD"
    unpivot = f"columns: [{listed}], name: currency, value: rate"
    (found,) = trial.refuses(text(unpivot, columns), "DATASET_018")
    assert message in found.message


UNPIVOT = UnpivotDefinition(columns=("USD", "GBP"), name="currency", value="rate")


def test_a_source_must_have_the_columns_that_become_rows() -> None:
    wanted = dataset("day date!", "currency string", "rate float!", "note string", unpivot=UNPIVOT)
    found = declared_columns(wanted, by_position=False, partitions=())
    assert [(f.name, str(f.type), f.nullable, source) for f, source in found] == [
        ("day", "date", False, "day"),
        ("note", "string", True, "note"),
        ("USD", "float", True, "USD"),
        ("GBP", "float", True, "GBP"),
    ]


def test_ids_that_the_source_has_are_not_those_of_the_rows_made() -> None:
    wanted = dataset("currency string", "rate float", unpivot=UNPIVOT)
    assert [f.name for f, _ in stored_columns(wanted, ("_row_id", "_labels"))] == ["_labels"]


def test_a_period_that_columns_are_named_by_is_in_no_folder() -> None:
    by_month = UnpivotDefinition(columns=("2026-01",), name="_period", value="rate")
    wanted = dataset("_period string", "rate float", mode="period", unpivot=by_month)
    assert wanted_folders(wanted, ("2026-01",)) == {}
