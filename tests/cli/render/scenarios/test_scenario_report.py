"""Results in text and JSON."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest

from rowbook.cli.render.diagnostics import as_json as diagnostic_json
from rowbook.cli.render.scenarios.scenario_report import as_json, details, result_line, summary
from rowbook.scenarios.runner import ScenarioResult
from tests.scenarios.results import ERROR, FAILED, PASSED, RESULTS, describe
from tests.scenarios.samples import J1, compared, failed, ledger, rows_compared


class TestText:
    @pytest.mark.parametrize(
        ("result", "line"),
        [(PASSED, "✓ all is well"), (FAILED, "✗ sums  2.0 s"), (ERROR, "✗ no project")],
    )
    def test_each_scenario_is_a_line_with_its_time_when_slow(
        self, result: ScenarioResult, line: str
    ) -> None:
        assert result_line(result) == line

    def test_a_name_of_several_lines_takes_one(self) -> None:
        result = ScenarioResult("a\nb\x1b[0m", "s/a.yaml", 2, "passed", (), (), 0.0)
        assert result_line(result) == "✓ a b [0m"

    def test_colours_only_when_asked(self) -> None:
        assert result_line(PASSED, paint=True) == "\033[32m✓\033[0m all is well"

    def test_a_failure_is_told_in_detail(self) -> None:
        assert "\n".join(details(FAILED, describe, folder="ws")) == dedent(
            """\
            ✗ sums  2.0 s
              ws/s/a.yaml:7
              output result: expected 1 row, got 1: 1 different  (line 6)
                different rows
                  id 'J1' (line 6)
                    amount: expected 10.55, got 10.50"""
        )

    def test_a_scenario_that_could_not_run_shows_its_faults(self) -> None:
        assert list(details(ERROR, describe)) == [
            "✗ no project",
            "  s/b.yaml:1",
            "  s/a.yaml:12:3  SCENARIO_002  project 'x' is not defined",
            "      a hint",
        ]

    def test_an_unexpected_error_is_told_once(self) -> None:
        found = tuple(compared("working: {rows: []}", failed("RUN_001", "x")))
        result = ScenarioResult("x", "s/a.yaml", 2, "failed", found, found[0].errors, 0.0)
        assert sum("RUN_001  x" in line for line in details(result, describe)) == 1

    def test_a_trace_is_shown_only_when_asked(self) -> None:
        result = ScenarioResult("x", "s/a.yaml", 2, "error", (), (), 0.0, "Traceback\n  here\n")
        assert list(details(result, describe)) == ["✗ x", "  s/a.yaml:2"]
        assert list(details(result, describe, trace=True))[2:] == ["  Traceback", "    here"]

    @pytest.mark.parametrize(
        ("results", "line"),
        [(RESULTS, "1 passed, 2 failed"), ([PASSED], "1 passed"), ([ERROR], "0 passed, 1 failed")],
    )
    def test_the_summary_counts_errors_as_failed(
        self, results: list[ScenarioResult], line: str
    ) -> None:
        assert summary(results) == line

    def test_the_summary_names_spark(self) -> None:
        assert summary([PASSED], "spark") == "1 passed on Spark"
        assert summary([PASSED], "both") == "1 passed by both engines"


class TestJson:
    def test_it_has_the_keys_of_the_specification(self) -> None:
        found = as_json(RESULTS, "both", diagnostic_json)
        assert (found["engine"], found["passed"], found["failed"]) == ("both", 1, 2)
        assert [(s["name"], s["file"], s["status"]) for s in found["scenarios"]] == [
            ("all is well", "s/a.yaml", "passed"),
            ("sums", "s/a.yaml", "failed"),
            ("no project", "s/b.yaml", "error"),
        ]
        assert {key for s in found["scenarios"] for key in s} == {"name", "file", "status", "diff"}

    def test_diff_says_what_differs_and_what_was_found(self) -> None:
        passed, failed, error = (
            s["diff"] for s in as_json(RESULTS, "both", diagnostic_json)["scenarios"]
        )
        assert passed is None
        assert failed["mismatches"][0]["different"][0]["cells"] == [
            {"column": "amount", "expected": "10.55", "got": "10.50"}
        ]
        assert error["diagnostics"][0]["code"] == "SCENARIO_002"

    def test_it_is_json_whatever_texts_there_are(self) -> None:
        rows = rows_compared('[{id: "\\u0007 帳簿"}]', ledger(J1))
        result = ScenarioResult("x \ud800", "s/a.yaml", 2, "failed", tuple(rows), (), 0.0)
        text = json.dumps(as_json([result], "both", diagnostic_json), ensure_ascii=False)
        assert json.loads(text.encode())["scenarios"][0]["name"] == "x \\ud800"
