"""Expectations on the terminal: a table, who waived what, rows and groups that do not hold."""

from __future__ import annotations

import pytest

from rowbook.cli.render.expectations.verdict_table import (
    print_samples,
    print_verdict_table,
    print_waivers,
    verdicts_json,
)
from tests.support.verdicts import PASSED, SKIPPED, UNBALANCED, WAIVED, WAIVER, WARNED


def test_each_expectation_has_a_line_with_status_and_counts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_verdict_table([UNBALANCED, PASSED, SKIPPED])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        *("expectation", "at", "status", "otherwise", "checked"),
        "violated",
    ]
    assert [line.rstrip() for line in lines[2:]] == [
        "journals balance                   input  violated  stop         1,204         2",
        "accounts are known                 input  passed    stop            60         0",
        "about as many lines as last month  end    skipped   stop",
    ]


def test_without_expectations_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    print_verdict_table([])
    print_waivers([])
    print_samples([PASSED])
    assert capsys.readouterr().out == ""


def test_a_waiver_is_shown_with_who_when_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    print_waivers([WAIVER])
    said = "'journals balance' was waived by ann, 2026-02-03 10:00 UTC: timing, booked in February"
    assert capsys.readouterr().out == f"{said}\n"


def test_groups_that_do_not_hold_are_listed_below_what_is_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_samples([UNBALANCED, PASSED, WARNED])
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "violated: 'journals balance' (input): 2 of 1,204 groups violate it: journal_id 'J-77':"
        " SUM(amount) = 0.01; …",
        "journal_id  SUM(amount)",
        "───────────────────────",
        "J-77        0.01",
        "J-9         NULL",
        "violated: 'few lines without a cost centre' (end): 1 of 58 rows violates it: journal_id"
        " 'J-3'",
        "_row_id  journal_id",
        "───────────────────",
        "r-1      J-3",
    ]


def test_programs_get_names_points_statuses_counts_measures_and_samples() -> None:
    waived, skipped = verdicts_json([WAIVED, SKIPPED])
    assert {name: waived[name] for name in ("name", "at", "status", "otherwise")} == {
        "name": "journals balance",
        "at": "input",
        "status": "waived",
        "otherwise": "stop",
    }
    assert (waived["checked"], waived["violated"]) == (1204, 2)
    assert waived["samples"][0] == {"journal_id": "J-77", "SUM(amount)": "0.01"}
    assert waived["waiver"]["by"] == "ann"
    assert skipped["measures"] == {"lines": 58}
