"""Diagnostics name the operation that failed."""

from __future__ import annotations

from rowbook.errors import Diagnostic, OperationRef, RowbookError


def test_people_read_the_operation_before_the_message() -> None:
    found = Diagnostic("RUN_001", "it does not fit", operation=OperationRef(20, "count"))
    assert found.message == "it does not fit"
    assert found.text == "operation 20 'count': it does not fit"
    assert str(RowbookError(found)) == "RUN_001  operation 20 'count': it does not fit"


def test_a_finding_without_an_operation_is_its_message() -> None:
    assert Diagnostic("RUN_001", "it does not fit").text == "it does not fit"
