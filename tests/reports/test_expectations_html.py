"""Expectations in a report: a line each, rows that do not hold, waivers, earlier periods."""

from __future__ import annotations

import re
from dataclasses import replace

from rowbook.reports.expectations_html import expectations
from rowbook.reports.model import RunReport
from rowbook.reports.report_page import report_html
from tests.reports.samples import COMPLETED, EXPECTED
from tests.support.verdicts import PASSED


def lines_of(report: RunReport) -> list[str]:
    """The texts of the section: a line for each row of a table and each paragraph."""
    section = "".join(expectations(report))
    broken = re.sub(r"(?=<(?:h2|p|tr|caption)\b)", "\n", section)
    texts = (re.sub(r"<[^>]+>", "|", line) for line in broken.splitlines())
    return [re.sub(r"\s*\|[| ]*", " | ", text).strip(" |") for text in texts if text.strip(" |")]


def test_every_expectation_has_a_line_with_status_counts_and_measures() -> None:
    lines = lines_of(EXPECTED)
    assert lines[:7] == [
        "Expectations",
        "4 expectations: 1 waived, 1 passed, 1 violated, 1 skipped",
        "Expectation | At | Must hold | Status | Otherwise | Checked | Violated | Measured",
        "journals balance | input | SUM(amount) = 0 | waived | stop | 1,204 | 2",
        "accounts are known | of gl_entries | input | accounts.account_code IS NOT NULL | passed"
        " | stop | 60 | 0",
        "few lines without a cost centre | end | cost_center IS NOT NULL | violated | warn | 58"
        " | 1",
        "about as many lines as last month | end | lines BETWEEN 0.8 * last.lines AND 1.25 *"
        " last.lines | skipped | stop | lines = 58",
    ]


def test_what_does_not_hold_has_its_sentence_its_waiver_and_its_samples() -> None:
    lines = lines_of(EXPECTED)
    at = next(i for i, line in enumerate(lines) if line.startswith("“journals balance” is waived"))
    assert lines[at].endswith("; waived by ann, 2026-02-03T10:00:00Z: timing, booked in February")
    assert lines[at + 1 : at + 5] == [
        "2 that violate “journals balance”",
        "journal_id | SUM(amount)",
        "J-77 | 0.01",
        "J-9 | NULL",
    ]


def test_earlier_periods_stand_beside_the_run() -> None:
    lines = lines_of(EXPECTED)
    at = lines.index("The last published runs of other periods, and this run")
    assert lines[at + 1 :] == [
        "Expectation | 2025-11 | 2025-12 | 2026-01, this run",
        "journals balance | none | passed | waived",
        "accounts are known | none | none | passed",
        "few lines without a cost centre | none | none | violated",
        "about as many lines as last month | passed | lines = 51 | passed | lines = 55 | skipped"
        " | lines = 58",
    ]


def test_statuses_are_counted() -> None:
    found = replace(COMPLETED, expectations=(PASSED,))
    assert lines_of(found)[1] == "1 expectation: 1 passed"


def test_a_run_without_expectations_has_no_such_section() -> None:
    assert list(expectations(COMPLETED)) == []
    assert "Matched no rows" not in report_html(COMPLETED)


def test_operations_that_matched_nothing_are_pointed_out() -> None:
    assert "<p>Matched no rows: operation 20 &#x27;Drop&#x27;.</p>" in report_html(EXPECTED)
