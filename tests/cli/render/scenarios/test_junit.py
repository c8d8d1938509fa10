"""Results as JUnit XML: suites, cases, and texts that XML cannot hold."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from rowbook.cli.render.scenarios.junit import junit, write_junit
from rowbook.errors import Diagnostic, RowbookError
from rowbook.scenarios.runner import ScenarioResult
from tests.scenarios.results import PASSED, RESULTS, describe


class TestJUnit:
    def parsed(self, *results: ScenarioResult) -> ElementTree.Element:
        return ElementTree.fromstring(junit(results, "spark", describe))

    def test_files_are_suites_and_scenarios_are_cases(self) -> None:
        root = self.parsed(*RESULTS)
        assert root.tag == "testsuites"
        assert root.attrib == {
            "name": "rowbook", "tests": "3", "failures": "1", "errors": "1", "time": "2.290",
        }  # fmt: skip
        assert [
            (s.get("name"), s.get("tests"), s.get("failures"), s.get("errors")) for s in root
        ] == [
            ("s/a.yaml", "2", "1", "0"),
            ("s/b.yaml", "1", "0", "1"),
        ]
        cases = [case.attrib for case in root.iter("testcase")]
        assert cases[0] == {
            "name": "all is well", "classname": "s/a.yaml", "file": "s/a.yaml", "line": "2",
            "time": "0.250",
        }  # fmt: skip
        assert [case["name"] for case in cases] == ["all is well", "sums", "no project"]

    def test_a_suite_says_which_engine_ran_it(self) -> None:
        found = self.parsed(*RESULTS).iter("property")
        assert [each.attrib for each in found] == [{"name": "engine", "value": "spark"}] * 2

    def test_a_failure_has_a_message_and_the_diff(self) -> None:
        (failure,) = self.parsed(*RESULTS).iter("failure")
        assert failure.get("message") == "output result: expected 1 row, got 1: 1 different"
        assert "amount: expected 10.55, got 10.50" in (failure.text or "")

    def test_a_scenario_that_could_not_run_is_an_error(self) -> None:
        (error,) = self.parsed(*RESULTS).iter("error")
        assert error.get("message") == "SCENARIO_002  project 'x' is not defined"
        assert "a hint" in (error.text or "")

    def test_a_scenario_that_passed_is_empty(self) -> None:
        (case,) = self.parsed(PASSED).iter("testcase")
        assert list(case) == []

    def test_characters_that_xml_forbids_are_replaced(self) -> None:
        fault = Diagnostic("RUN_001", "bell \x07, nul \x00, half \ud800, last \uffff, 帳簿 <&>\"'")
        result = ScenarioResult("a\x1bb\n<c>", "s/ü&.yaml", 2, "error", (), (fault,), 0.0)
        root = self.parsed(result)
        (case,) = root.iter("testcase")
        (error,) = root.iter("error")
        assert (case.get("name"), case.get("classname")) == ("a\ufffdb\n<c>", "s/ü&.yaml")
        assert error.get("message") == (
            "RUN_001  bell \ufffd, nul \ufffd, half \ufffd, last \ufffd, 帳簿 <&>\"'"
        )

    def test_it_is_written_into_folders_made_for_it(self, tmp_path: Path) -> None:
        path = tmp_path / "build" / "reports" / "junit.xml"
        write_junit(path, RESULTS, "spark", describe)
        assert ElementTree.parse(path).getroot().get("tests") == "3"

    def test_a_file_that_cannot_be_written_is_a_clear_error(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        for path in (tmp_path, tmp_path / "file" / "junit.xml"):
            with pytest.raises(RowbookError) as refused:
                write_junit(path, RESULTS, "spark", describe)
            (found,) = refused.value.diagnostics
            assert found.code == "USAGE_001"
            assert found.message.startswith(f"the JUnit file {path} cannot be written: ")
