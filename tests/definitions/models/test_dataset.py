"""Datasets: a table, its columns, and the lookups beside it."""

from __future__ import annotations

import pytest

from tests.definitions.models.samples import TABLE, dataset, model_of, refusal


def test_a_column_may_be_null_and_is_named_as_in_the_source() -> None:
    (column,) = model_of(f"dataset: {{name: d, {TABLE}}}").main_table.columns
    assert (column.name, column.type) == ("a", "string")
    assert (column.nullable, column.source, column.description) == (True, None, None)


def test_a_dataset_is_active_and_has_the_default_resolver() -> None:
    read = model_of(f"dataset: {{name: d, {TABLE}}}")
    assert (read.status, read.resolver_id, read.version) == ("active", None, None)
    assert read.main_table.temporal_mode is None


def test_lookups_may_pin_a_version() -> None:
    (lookup,) = dataset(
        'lookups: [{alias: l, dataset_id: e, dataset_version: 2, "on": TRUE}]'
    ).lookups
    assert (lookup.alias, lookup.dataset_id, lookup.dataset_version) == ("l", "e", 2)
    assert lookup.on == "TRUE"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("status: retired", "YAML_004"),
        ("version: two", "YAML_004"),
        ("lookups: [{alias: l, dataset_id: e}]", "YAML_003"),
    ],
)
def test_faults_of_form_are_refused(more: str, code: str) -> None:
    assert refusal(f"dataset: {{name: d, {more}, {TABLE}}}")[0] == code
