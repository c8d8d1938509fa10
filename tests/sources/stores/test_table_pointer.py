"""The pointer says which objects are a table, and what it does not know it does not guess."""

from __future__ import annotations

import json

import pytest

from rowbook.sources.stores.table_pointer import (
    PointedFile,
    PublishedOutput,
    TablePointer,
    parsed_pointer,
)

FILE = PointedFile("r1_10/part-0.parquet", 1_024, "etag-1")
FIRST = PublishedOutput("r1", 10, "r1_10/state.json")
POINTER = TablePointer().with_output([FILE], FIRST).with_closed("r0", 10).with_closed("r0", 10)


def test_it_is_read_as_it_was_written() -> None:
    assert parsed_pointer(POINTER.as_bytes()) == POINTER


def test_outputs_are_told_by_run_and_operation_and_those_given_up_are_counted() -> None:
    assert POINTER.output("r1", 10) == FIRST
    assert POINTER.output("r1", 20) is None
    assert (POINTER.closings("r0", 10), POINTER.closings("r1", 10)) == (2, 0)


def test_a_further_output_says_what_the_table_is_now_and_keeps_who_wrote_before() -> None:
    newer, second = PointedFile("r2_10/part-0.parquet", 9, "e"), PublishedOutput("r2", 10, "s")
    pointer = POINTER.with_output([newer], second)
    assert (pointer.files, pointer.outputs) == ((newer,), (FIRST, second))


_WRITTEN = json.loads(POINTER.as_bytes())


@pytest.mark.parametrize(
    "other",
    [
        {**_WRITTEN, "version": 2},
        {**_WRITTEN, "format": "delta"},
        {**_WRITTEN, "files": [{"name": "a"}]},
        {name: _WRITTEN[name] for name in ("format", "version", "files")},
        [],
    ],
)
def test_what_another_version_or_program_wrote_is_no_pointer(other: object) -> None:
    assert parsed_pointer(json.dumps(other).encode()) is None
    assert parsed_pointer(b"\xff") is None
