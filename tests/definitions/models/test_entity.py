"""What is left out, and who is who: SPEC section 1."""

from __future__ import annotations

import uuid

import pytest
from pydantic import ValidationError

from rowbook.definitions.models.entity import NAMESPACE, canonical_id, derived_id
from rowbook.definitions.models.operations import OutputOperation
from rowbook.definitions.models.project import ProjectDefinition
from tests.definitions.models.samples import dataset, model_of, operation

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
