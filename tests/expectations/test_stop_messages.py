"""What a run says of verdicts."""

from __future__ import annotations

from typing import Any

import pytest

from rowbook.expectations.stop_messages import stop_diagnostics, warning_diagnostics
from rowbook.expectations.verdict import Verdict


def verdict(status: Any, otherwise: Any, name: str = "journals balance") -> Verdict:
    return Verdict(name, None, "input", status, otherwise, "…", "rows", 3, 1, "1 of 3 rows")


def test_all_that_stop_are_told_each_with_what_it_found() -> None:
    found = stop_diagnostics(
        [
            verdict("violated", "stop"),
            verdict("violated", "warn"),
            verdict("not evaluated", "stop", "second"),
            verdict("waived", "stop"),
        ]
    )
    assert [(each.code, each.message, each.severity) for each in found] == [
        (
            "EXPECT_101",
            "'journals balance' (input): 1 of 3 rows  nothing was published",
            "error",
        ),
        ("EXPECT_101", "'second' (input): 1 of 3 rows  nothing was published", "error"),
    ]
    assert found[0].hint == (
        'correct the rows, or let it pass with --waive "journals balance" --reason "…"'
    )


@pytest.mark.parametrize(
    ("status", "code"),
    [("violated", "EXPECT_102"), ("not evaluated", "EXPECT_103"), ("skipped", "EXPECT_104")],
)
def test_what_does_not_stop_is_a_warning(status: str, code: str) -> None:
    (found,) = warning_diagnostics([verdict(status, "warn"), verdict("passed", "stop")])
    assert (found.code, found.severity) == (code, "warning")
    assert found.message == "'journals balance' (input): 1 of 3 rows"
