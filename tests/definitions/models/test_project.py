"""Projects: an input dataset and the operations on it."""

from __future__ import annotations

from rowbook.definitions.models.project import InlineProject
from tests.definitions.models.samples import model_of


def test_a_project_in_a_scenario_needs_no_name() -> None:
    model = model_of(
        'scenario: {name: s, period: "2026", expect: {working: {rows: []}},'
        " project: {input_dataset_id: d}}"
    )
    assert isinstance(model.project, InlineProject)
    assert model.project.name == "inline"


def test_the_order_of_the_file_is_kept() -> None:
    model = model_of(
        "project: {name: p, input_dataset_id: d, selectors: {z: a, b: c}, operations:"
        " [{seq: 3, name: x, type: delete}, {seq: 1, name: y, type: delete}]}"
    )
    assert list(model.selectors) == ["z", "b"]
    assert [each.seq for each in model.operations] == [3, 1]
