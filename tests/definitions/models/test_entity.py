"""How single values are read, what is left out, and who is who: SPEC section 1."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from pydantic import ValidationError

from rowbook.definitions.loading import load_document
from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.entity import NAMESPACE, canonical_id, derived_id
from rowbook.definitions.models.operations import DeleteOperation, OutputOperation, UpdateOperation
from rowbook.definitions.models.project import InlineProject, ProjectDefinition
from rowbook.definitions.yaml.nodes import Scalar
from tests.definitions.yaml.samples import document_of


def model_of(text: str) -> Any:
    loaded = load_document(document_of(text))
    assert loaded.diagnostics == ()
    assert loaded.entry is not None
    return loaded.entry.model


def refusal(text: str) -> tuple[str, str]:
    """Code and message of the one finding."""
    (found,) = load_document(document_of(text)).diagnostics
    return found.code, found.message


TABLE = "main_table: {name: t, columns: [{name: a, type: string}]}"


def dataset(more: str) -> DatasetDefinition:
    model = model_of(f"dataset: {{name: d, {more}, {TABLE}}}")
    assert isinstance(model, DatasetDefinition)
    return model


def operation(text: str) -> Any:
    model = model_of(f"project: {{name: p, input_dataset_id: d, operations: [{text}]}}")
    return model.operations[0]


# --- single values


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


def test_null_is_an_expression_where_a_value_is_assigned() -> None:
    def update(expression: str) -> str:
        return (
            "{seq: 1, name: a, type: update, arguments:"
            f" {{assignments: [{{column: c, expression: {expression}}}]}}}}"
        )

    assert operation(update("NULL")).arguments.assignments[0].expression == "NULL"
    assert refusal(f"project: {{name: p, input_dataset_id: d, operations: [{update('')}]}}") == (
        "YAML_003",
        "required key 'expression' is missing",
    )


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


# --- identity


def test_the_namespace_is_that_of_the_specification() -> None:
    assert str(NAMESPACE) == "6f1d2c3a-5b4e-5a77-9c0d-2f8f3f0c5a11"


def test_a_derived_id_is_known_for_ever() -> None:
    assert derived_id("dataset", "gl_entries") == "edbc01a2-52f9-57f9-a8c7-70daec46e7c7"
    assert derived_id("dataset", "gl_entries") == str(
        uuid.uuid5(uuid.UUID("6f1d2c3a-5b4e-5a77-9c0d-2f8f3f0c5a11"), "dataset:gl_entries")
    )


def test_an_id_is_stated_or_derived() -> None:
    stated = dataset("id: 550E8400-E29B-41D4-A716-446655440000")
    assert stated.identity == stated.id == "550e8400-e29b-41d4-a716-446655440000"
    derived = dataset("description: x")
    assert (derived.id, derived.identity) == (None, derived_id("dataset", "d"))


@pytest.mark.parametrize("written", ["d", "550e8400", '""', "550e8400-e29b-41d4-a716-44665544000g"])
def test_an_id_is_a_uuid(written: str) -> None:
    code, message = refusal(f"dataset: {{name: d, id: {written}, {TABLE}}}")
    assert (code, message) == ("YAML_004", f"'{written.strip(chr(34))}' is not a UUID")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("550E8400-E29B-41D4-A716-446655440000", "550e8400-e29b-41d4-a716-446655440000"),
        ("550e8400e29b41d4a716446655440000", "550e8400-e29b-41d4-a716-446655440000"),
        ("gl_entries", "gl_entries"),
        ("d5e6f7g8-0000-0000-0000-000000000010", "d5e6f7g8-0000-0000-0000-000000000010"),
        ("", ""),
    ],
)
def test_an_id_has_one_spelling(text: str, expected: str) -> None:
    assert canonical_id(text) == expected


# --- models


def test_models_do_not_change() -> None:
    model = dataset("description: x")
    with pytest.raises(ValidationError):
        model.description = "y"  # type: ignore[misc]


def test_what_is_left_out_has_its_default() -> None:
    model = dataset("description: x")
    assert (model.status, model.version, model.lookups, model.resolver_id) == (
        *("active", None, (), None),
    )
    written = operation("{seq: 1, name: a, type: output}")
    assert isinstance(written, OutputOperation)
    assert (written.arguments.mode, written.arguments.include_deleted) == ("replace", False)
    assert written.arguments.columns is None
    project = model_of("project: {name: p, input_dataset_id: d}")
    assert isinstance(project, ProjectDefinition)
    assert (project.operations, project.selectors, project.calendar_id) == ((), {}, None)


def test_a_project_in_a_scenario_needs_no_name() -> None:
    model = model_of(
        'scenario: {name: s, period: "2026", expect: {working: {rows: []}},'
        " project: {input_dataset_id: d}}"
    )
    assert isinstance(model.project, InlineProject)
    assert model.project.name == "inline"


def test_parameters_are_arguments() -> None:
    written = operation(
        "{seq: 1, name: a, type: update, parameters: {assignments: [{column: c, expression: 1}]}}"
    )
    assert isinstance(written, UpdateOperation)
    assert written.arguments.assignments[0].column == "c"


def test_empty_arguments_may_be_left_empty() -> None:
    written = operation("{seq: 1, name: a, type: delete, arguments: }")
    assert isinstance(written, DeleteOperation)
    assert written.arguments == {}


def test_the_order_of_the_file_is_kept() -> None:
    model = model_of(
        "project: {name: p, input_dataset_id: d, selectors: {z: a, b: c}, operations:"
        " [{seq: 3, name: x, type: delete}, {seq: 1, name: y, type: delete}]}"
    )
    assert list(model.selectors) == ["z", "b"]
    assert [each.seq for each in model.operations] == [3, 1]
