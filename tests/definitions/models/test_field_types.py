"""How single values are read: each from its text, the way its field asks for."""

from __future__ import annotations

import pytest

from rowbook.definitions.yaml.nodes import Scalar
from tests.definitions.models.samples import TABLE, dataset, model_of, refusal


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("gl", "gl"),
        ('"gl entries"', "gl entries"),
        ("NO", "NO"),
        ("on", "on"),
        ("2026", "2026"),
        ("10.50", "10.50"),
        ("true", "true"),
        ("2026-01-31", "2026-01-31"),
        ('""', ""),
        ('"null"', "null"),
    ],
)
def test_text_is_what_is_written(written: str, expected: str) -> None:
    assert dataset(f"description: {written}").description == expected


@pytest.mark.parametrize("written", ["null", "~", "", "NULL"])
def test_a_key_without_value_counts_as_left_out(written: str) -> None:
    assert dataset(f"description: {written}").description is None
    assert refusal(f"dataset: {{name: {written}, {TABLE}}}") == (
        "YAML_003",
        "required key 'name' is missing",
    )


@pytest.mark.parametrize("written", ["[a]", "{a: b}"])
def test_text_is_no_list_and_no_mapping(written: str) -> None:
    assert refusal(f"dataset: {{name: d, description: {written}, {TABLE}}}") == (
        "YAML_004",
        "'description' must be text",
    )


@pytest.mark.parametrize(("written", "expected"), [("3", 3), ("+3", 3), ("0x10", 16), ("007", 7)])
def test_whole_numbers(written: str, expected: int) -> None:
    assert dataset(f"version: {written}").version == expected


@pytest.mark.parametrize("written", ["3.0", '"3"', "three", "1e3", "true", "[3]", "1_000"])
def test_what_is_no_whole_number(written: str) -> None:
    code, message = refusal(f"dataset: {{name: d, version: {written}, {TABLE}}}")
    assert code == "YAML_004"
    assert message.startswith("'version' must be a whole number")


COLUMN = (
    "dataset: {name: d, main_table: {name: t, columns: [{name: a, type: date, nullable: true}]}}"
)


@pytest.mark.parametrize(
    ("written", "expected"), [("true", True), ("False", False), ("TRUE", True), ("null", True)]
)
def test_booleans(written: str, expected: bool) -> None:
    text = COLUMN.replace("true", written)
    assert model_of(text).main_table.columns[0].nullable is expected


@pytest.mark.parametrize("written", ["yes", "on", "1", '"true"', "tRue"])
def test_what_is_no_boolean(written: str) -> None:
    text = COLUMN.replace("true", written)
    code, message = refusal(text)
    assert (code, message.split(",")[0]) == ("YAML_004", "'nullable' must be true or false")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"amount > 0"', "amount > 0"),
        ("amount > 0", "amount > 0"),
        ("1", "1"),
        ("0.10", "0.10"),
        ("TRUE", "TRUE"),
        ("|\n  a\n  AND b\n", "a\nAND b\n"),
    ],
)
def test_expressions_are_text_whatever_they_look_like(written: str, expected: str) -> None:
    text = (
        "project:\n name: p\n input_dataset_id: d\n operations:\n - seq: 1\n   name: a\n"
        f"   type: delete\n   selector: {written.replace(chr(10), chr(10) + '   ')}\n"
    )
    assert model_of(text).operations[0].selector == expected


def test_a_cell_keeps_its_text() -> None:
    model = model_of(
        'scenario: {name: s, period: "2026", project: p, expect: {error: {code: X}},'
        ' input: {d: {rows: [{a: 10.50, b: "10.50", c: null, d: NO}]}}}'
    )
    (row,) = model.input["d"].rows
    assert [(name, isinstance(cell, Scalar) and cell.text) for name, cell in row.items()] == [
        ("a", "10.50"),
        ("b", "10.50"),
        ("c", "null"),
        ("d", "NO"),
    ]
    assert row["c"].is_null


@pytest.mark.parametrize("written", ["d", "550e8400", '""', "550e8400-e29b-41d4-a716-44665544000g"])
def test_an_id_is_a_uuid(written: str) -> None:
    code, message = refusal(f"dataset: {{name: d, id: {written}, {TABLE}}}")
    assert (code, message) == ("YAML_004", f"'{written.strip(chr(34))}' is not a UUID")
