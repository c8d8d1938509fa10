"""Data sources: a type, options of single values, and where the secret is."""

from __future__ import annotations

import pytest

from tests.definitions.models.samples import model_of, refusal


@pytest.mark.parametrize("type_", ["parquet", "csv", "json", "orc", "delta", "jdbc", "iceberg"])
def test_the_type_is_a_format_or_a_database(type_: str) -> None:
    source = model_of(f"datasource: {{name: s, type: {type_}}}")
    assert (source.type, source.options, source.status) == (type_, {}, "active")
    assert source.credential_ref is None


def test_options_keep_how_they_were_written() -> None:
    source = model_of('datasource: {name: s, type: csv, options: {header: true, delimiter: "1"}}')
    assert {name: (cell.text, cell.plain) for name, cell in source.options.items()} == {
        "header": ("true", True),
        "delimiter": ("1", False),
    }


def test_an_option_is_a_single_value() -> None:
    found = refusal("datasource: {name: s, type: csv, options: {root: [a]}}")
    assert found[0] == "YAML_004"
