"""Scenarios: rows in, a project, and what must come out."""

from __future__ import annotations

from typing import Any

from rowbook.definitions.models.project import InlineProject
from tests.definitions.models.samples import model_of


def scenario(more: str) -> Any:
    return model_of(f"scenario: {{name: it works, period: 2026, {more}}}")


def test_a_project_is_named_or_written_out() -> None:
    assert scenario("project: close, expect: {}").project == "close"
    inline = scenario("project: {input_dataset_id: d}, expect: {}").project
    assert isinstance(inline, InlineProject)


def test_rows_are_compared_exactly_and_in_any_order() -> None:
    match = scenario("project: p, expect: {}").match
    assert (match.mode, match.order, match.tolerance, match.ignore) == ("exact", False, {}, ())


def test_what_an_entry_of_the_ledger_leaves_out_is_not_checked() -> None:
    (entry,) = scenario("project: p, expect: {ledger: [{seq: 10, added: 0}]}").expect.ledger
    assert entry.model_dump(exclude_none=True) == {"seq": 10, "added": 0}


def test_cells_keep_how_they_were_written() -> None:
    (row,) = (
        scenario('project: p, input: {d: {rows: [{a: 1, b: "1"}]}}, expect: {}').input["d"].rows
    )
    assert [(cell.text, cell.plain) for cell in row.values()] == [("1", True), ("1", False)]
