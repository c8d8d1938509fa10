"""Expectations as JUnit XML: what stops is a failure, what was not looked at is skipped."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

from rowbook.cli.render.expectations.verdict_junit import JUnitSuite, verdicts_junit
from rowbook.errors import Diagnostic
from tests.support.verdicts import PASSED, SKIPPED, UNBALANCED, WAIVED, WARNED

ALL = (UNBALANCED, PASSED, WARNED, SKIPPED, replace(WAIVED, name="it was waived"))


def parsed(*suites: JUnitSuite) -> ElementTree.Element:
    return ElementTree.fromstring(verdicts_junit(suites))


def test_runs_are_suites_and_expectations_are_cases() -> None:
    root = parsed(
        JUnitSuite("close 2026-01", "close", ALL), JUnitSuite("close 2026-02", "close", ())
    )
    counts = {"tests": "5", "failures": "1", "errors": "0", "skipped": "2"}
    assert (root.tag, root.attrib) == ("testsuites", {"name": "rowbook", **counts})
    assert [suite.attrib for suite in root] == [
        {"name": "close 2026-01", **counts},
        {"name": "close 2026-02", **dict.fromkeys(counts, "0")},
    ]
    cases = [(case.get("name"), case.get("classname")) for case in root.iter("testcase")]
    assert cases == [
        ("journals balance", "close"),
        ("accounts are known", "gl_entries"),
        ("few lines without a cost centre", "close"),
        ("about as many lines as last month", "close"),
        ("it was waived", "close"),
    ]


def test_what_stops_is_a_failure_with_its_samples() -> None:
    (failure,) = parsed(JUnitSuite("s", "close", ALL)).iter("failure")
    assert (failure.get("message") or "").startswith("violated (input): 2 of 1,204 groups violate")
    assert failure.text == "journal_id J-77, SUM(amount) 0.01\njournal_id J-9, SUM(amount) None"


def test_what_only_warns_has_passed_and_says_so() -> None:
    (case,) = parsed(JUnitSuite("s", "close", (WARNED,))).iter("testcase")
    assert [part.tag for part in case] == ["system-out"]
    assert "violated (end): 1 of 58 rows" in (case[0].text or "")


def test_what_was_waived_is_skipped_and_names_who_and_why() -> None:
    (skipped,) = parsed(JUnitSuite("s", "close", (WAIVED,))).iter("skipped")
    said = "waived by ann, 2026-02-03 10:00 UTC: timing, booked in February"
    assert (skipped.get("message") or "").endswith(said)


def test_a_run_that_failed_of_something_else_is_an_error() -> None:
    fault = Diagnostic("RUN_001", "a value does not fit")
    root = parsed(JUnitSuite("s", "close", (PASSED,), (fault,)))
    assert (root.get("tests"), root.get("errors")) == ("2", "1")
    (error,) = root.iter("error")
    assert error.get("message") == "RUN_001  a value does not fit"


def test_a_run_that_an_expectation_stopped_has_no_error_beside() -> None:
    stop = Diagnostic("EXPECT_101", "stopped")
    root = parsed(JUnitSuite("s", "close", (UNBALANCED,), (stop,)))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("1", "1", "0")


def test_characters_that_xml_forbids_are_replaced() -> None:
    hostile = replace(UNBALANCED, name="a\x00b <&>", detail="bell \x07", samples=({"c": "\x1b"},))
    (case,) = parsed(JUnitSuite("s\x01", "p\x02", (hostile,))).iter("testcase")
    assert case.get("name") == "a\ufffdb <&>"
    assert case[0].text == "c \ufffd"
