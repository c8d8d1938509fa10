"""Diagnostics: how they read and sort, and what hints suggest."""

from __future__ import annotations

import pytest

from rowbook.errors import (
    Diagnostic,
    OperationRef,
    Position,
    RowbookError,
    did_you_mean,
    in_order,
    listing,
    reason,
    suggestion,
)

HERE = Position("a.yaml", 2, 3)


def test_a_finding_reads_place_code_message() -> None:
    assert str(Diagnostic("X_001", "no")) == "X_001  no"
    assert str(Diagnostic("X_001", "no").at(HERE)) == "a.yaml:2:3  X_001  no"


def test_an_error_is_the_lines_of_its_findings() -> None:
    error = RowbookError(Diagnostic("X_001", "no", HERE), Diagnostic("X_002", "nor"))
    assert str(error) == "a.yaml:2:3  X_001  no\nX_002  nor"
    assert RowbookError.of("X_001", "no", hint="h").diagnostics == (
        Diagnostic("X_001", "no", hint="h"),
    )


def test_findings_stand_in_the_order_of_the_file_and_each_once() -> None:
    late, early = (Diagnostic("X", "x", Position("a.yaml", line, 1)) for line in (10, 9))
    nowhere = Diagnostic("Z", "z")
    assert in_order([late, early, late, nowhere]) == (nowhere, early, late)


def test_what_the_system_says_is_told_without_its_path() -> None:
    assert reason(FileNotFoundError(2, "No such file", "/secret")) == "No such file"
    assert reason(OSError("odd")) == "odd"
    assert reason(ValueError("bad")) == "bad"


@pytest.mark.parametrize(
    ("word", "near"), [("amout", "amount"), ("AMOUNT", "amount"), ("zzz", None), ("", None)]
)
def test_a_likely_typo_is_told(word: str, near: str | None) -> None:
    assert did_you_mean(word, ["amount", "currency"]) == near


def test_a_list_is_no_longer_than_a_reader_takes_in() -> None:
    assert listing(["a", "b"]) == "a, b"
    assert listing(["a", "b", "c"], most=2) == "a, b …"
    assert listing([]) == ""


def test_a_suggestion_lists_what_there_is() -> None:
    assert suggestion("ba", ["bar", "x"], "words") == "did you mean 'bar'?  words: bar, x"
    assert suggestion("q", ["bar"], "words") == "words: bar"
    assert suggestion("q", [], "words") is None


def test_people_read_the_operation_before_the_message() -> None:
    found = Diagnostic("RUN_001", "it does not fit", operation=OperationRef(20, "count"))
    assert found.message == "it does not fit"
    assert found.text == "operation 20 'count': it does not fit"
    assert str(RowbookError(found)) == "RUN_001  operation 20 'count': it does not fit"


def test_a_finding_without_an_operation_is_its_message() -> None:
    assert Diagnostic("RUN_001", "it does not fit").text == "it does not fit"
