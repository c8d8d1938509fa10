"""What an append makes rows from, as written."""

from __future__ import annotations

import pytest

from rowbook.definitions.models.entries import DatasetReference
from rowbook.definitions.models.operations import AppendArguments
from tests.support.trial import Trial, project


def test_a_source_is_the_working_dataset_or_another() -> None:
    assert AppendArguments.model_validate({"source": "working"}).source == "working"
    found = AppendArguments.model_validate({"source": {"dataset_id": "working"}}).source
    assert found == DatasetReference(dataset_id="working")


def test_any_other_word_is_no_source(trial: Trial) -> None:
    (found,) = trial.refuses(
        project("- {seq: 1, name: a, type: append, arguments: {source: ⟦budget}}"), "YAML_004"
    )
    assert found.message == "'source' must be a dataset, or working, not 'budget'"
    assert found.hint == "write source: {dataset_id: budget} for a dataset of that name"


@pytest.mark.parametrize("word", ["ignore", "''"])
def test_an_unmatched_row_fails_is_dropped_or_kept(trial: Trial, word: str) -> None:
    (found,) = trial.refuses(
        project(
            "- {seq: 1, name: a, type: append, arguments: {source: working, joins: [{alias: r,"
            f' dataset_id: rates, on: "gl.currency = r.currency", unmatched: ⟦{word}}}]}}}}'
        ),
        "YAML_004",
    )
    assert "allowed: error, drop, keep" in (found.hint or "")


def test_a_joins_many_is_for_appends_alone(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(
            "- {seq: 1, name: a, type: update, arguments: {joins: [{alias: r, dataset_id: rates,"
            ' on: "gl.currency = r.currency", ⟦many: true}], assignments: [{column: a,'
            " expression: r.rate}]}}"
        ),
        "YAML_002",
    )
    assert "many" in found.message
