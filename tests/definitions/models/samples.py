"""Definitions read from their text, for tests of the models."""

from __future__ import annotations

from typing import Any

from rowbook.definitions.loading import load_document
from rowbook.definitions.models.dataset import DatasetDefinition
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
