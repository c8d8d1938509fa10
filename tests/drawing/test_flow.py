"""A plan as cards: input, operations, and what stands beside each."""

from __future__ import annotations

from rowbook.drawing.flow import Note, _limited, flow_of
from tests.drawing.plans import sample


def test_the_operations_stand_in_their_order_with_their_types() -> None:
    assert [(row.step.kind, row.step.label) for row in flow_of(sample()).rows] == [
        ("update", "10 update"),
        ("update", "20 update"),
        ("delete", "30 delete"),
        ("append", "40 append"),
        ("update", "50 update"),
        ("aggregate", "60 aggregate"),
        ("output", "70 output"),
        ("output", "80 output"),
    ]


def test_only_outputs_write() -> None:
    writing = {row.step.kind for row in flow_of(sample()).rows if row.writes}
    assert writing == {"output"}


def test_the_start_is_the_input_at_its_version() -> None:
    start = flow_of(sample()).start
    assert (start.kind, start.label, start.title) == ("dataset", "input, version 1", "gl_entries")


def test_what_is_bad_is_not_left_out_for_want_of_room() -> None:
    notes = [*(Note(str(n)) for n in range(8)), Note("gone", "bad")]
    assert [note.text for note in _limited(notes)] == [
        *("0", "1", "2", "3", "4", "gone", "and 3 lines more")
    ]
