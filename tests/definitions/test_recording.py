"""Definitions as the store keeps them: plain data for JSON, and back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rowbook.definitions.loading import Entry, load_document
from rowbook.definitions.recording import content_at, content_of, entry_of, recorded_name
from rowbook.errors import RowbookError
from tests.definitions.yaml.samples import document_of


def entry(text: str) -> Entry[Any]:
    loaded = load_document(document_of(text))
    assert loaded.diagnostics == ()
    assert loaded.entry is not None
    return loaded.entry


def again(text: str) -> Any:
    """The model after it was recorded and read back."""
    recorded = json.loads(json.dumps(content_of(entry(text))))
    return entry_of(recorded, "the store").model


DATASET = {"name": "d", "main_table": {"name": "t", "columns": []}}


def source(options: str) -> str:
    return f"datasource: {{name: s, type: csv, options: {{{options}}}}}"


@pytest.mark.parametrize("name", ["TRUE", "True", "true", "False"])
def test_a_name_that_looks_like_a_truth_stays_as_it_was_written(name: str) -> None:
    text = f"dataset: {{name: {name}, main_table: {{name: t, columns: []}}}}"
    assert again(text).name == name
    assert recorded_name(content_of(entry(text)), "dataset") == name


def test_a_truth_is_one_however_it_is_spelled() -> None:
    column = "{name: a, type: string, nullable: FALSE}"
    model = again(f"dataset: {{name: d, main_table: {{name: t, columns: [{column}]}}}}")
    assert model.main_table.columns[0].nullable is False


def test_comments_and_layout_are_left_out() -> None:
    assert content_of(
        entry("# why\ndatasource:\n  name: s  # here\n  type: 'csv'\n  options: {header: true}\n")
    ) == {"datasource": {"name": "s", "type": "csv", "options": {"header": True}}}


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("12", 12),
        ("-12", -12),
        ("999999999999999", 999999999999999),
        ("9999999999999999", "9999999999999999"),
        ("007", "007"),
        ("+1", "+1"),
        ("0x10", "0x10"),
        ("10.50", "10.50"),
        ("1e3", "1e3"),
        ('"12"', "12"),
        ('"true"', "true"),
        ("false", False),
        ("TRUE", "TRUE"),
        ("False", "False"),
        ("null", None),
        ("", None),
        ('"null"', "null"),
        ("NO", "NO"),
    ],
)
def test_a_value_stays_what_is_written(written: str, kept: object) -> None:
    assert content_of(entry(source(f"a: {written}")))["datasource"]["options"] == {"a": kept}


def test_the_version_of_a_dataset_is_left_to_the_store() -> None:
    text = "dataset: {name: d, version: 3, main_table: {name: t, columns: [{name: a, type: date}]}}"
    assert "version" not in content_of(entry(text))["dataset"]
    assert again(text).version is None


def test_a_definition_at_a_place_is_recorded_alike() -> None:
    read = entry(source("a: 1"))
    assert content_at("datasource", read.place) == content_of(read)


def test_what_is_read_back_is_the_same_model() -> None:
    text = (
        "project: {name: p, input_dataset_id: d, selectors: {z: 'a > 0', b: '{{z}}'}, operations:"
        " [{seq: 2, name: é, type: update, arguments: {assignments:"
        " [{column: c, expression: NULL}, {column: e, expression: 0.10}]}}]}"
    )
    assert again(text).model_dump() == {
        **entry(text).model.model_dump(),
        "operations": again(text).model_dump()["operations"],
    }
    (assigned, other) = again(text).operations[0].arguments.assignments
    assert (assigned.expression.upper(), other.expression) == ("NULL", "0.10")
    assert list(again(text).selectors) == ["z", "b"]


@pytest.mark.parametrize(
    ("written", "seq"),
    [("7", 7), ("007", 7), ("+3", 3), ("0x10", 16), ("9999999999999999", 9999999999999999)],
)
def test_a_number_is_read_back_however_it_was_written(written: str, seq: int) -> None:
    text = (
        "project: {name: p, input_dataset_id: d, operations: [{seq: 1, name: 007, type: delete}]}"
    )
    (operation,) = again(text.replace("seq: 1", f"seq: {written}")).operations
    assert (operation.seq, operation.name) == (seq, "007")


def test_what_was_read_back_is_recorded_alike() -> None:
    first = content_of(entry(source('a: 007, b: "12", c: 12, d: "007", e: "", f: 1e3')))
    assert content_of(entry_of(first, "the store")) == first


def test_a_place_in_a_number_that_stayed_text_is_behind_its_quote() -> None:
    read = entry_of({"dataset": DATASET | {"description": "007"}}, "here")
    found = read.place.at("description").diagnostic("X", "x", span=(2, 3))
    assert str(found.position) == "here:8:23"


def test_a_fault_in_what_was_recorded_has_a_place_there() -> None:
    with pytest.raises(RowbookError) as caught:
        entry_of({"datasource": {"name": "s", "type": "xls"}}, "datasource s version 2")
    (found,) = caught.value.diagnostics
    assert (found.code, str(found.position)) == ("YAML_004", "datasource s version 2:4:13")


def test_what_is_no_definition_is_refused() -> None:
    with pytest.raises(RowbookError) as caught:
        entry_of({}, "here")
    assert [d.code for d in caught.value.diagnostics] == ["YAML_009"]
