"""How a run went: its exit code, as JSON, and as text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.api import LedgerEntry, OutputResult, RunResult
from rowbook.cli.exit_codes import Exit
from rowbook.cli.render.run_result import exit_of, print_ledger, print_result, result_json
from rowbook.errors import Diagnostic, OperationRef
from tests.support.verdicts import PASSED, WAIVED

OUTPUT = OutputResult(20, "out/closed", 2, ("account", "usd"), 1, 1_234, 40, "closed", 3)
ENTRY = LedgerEntry(20, "publish", "output", 2, 2, 0, 0, 2, 40, (OUTPUT,))
FAULT = Diagnostic("RUN_001", "a value does not fit", operation=OperationRef(20, "publish"))
DONE = RunResult("r1", "completed", (ENTRY,), (OUTPUT,), (), ("it was late",))
FAILED = RunResult("r1", "failed", (), (), (FAULT, Diagnostic("RUN_002", "nor this")))


def test_exit_codes_tell_failed_from_cancelled() -> None:
    cancelled = RunResult("r1", "cancelled", (), ())
    codes = [exit_of(each) for each in (DONE, FAILED, cancelled)]
    assert codes == [Exit.DONE, Exit.RUN_FAILED, Exit.INTERRUPTED]


def test_programs_get_the_first_error_and_all_of_them() -> None:
    found = result_json(FAILED)
    assert found["error"]["code"] == "RUN_001"
    assert found["error"]["operation"] == {"seq": 20, "name": "publish"}
    assert [each["code"] for each in found["errors"]] == ["RUN_001", "RUN_002"]
    assert result_json(DONE)["error"] is None


def test_people_get_the_ledger_what_was_written_and_warnings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_result(DONE)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        *("seq", "operation", "type", "rows", "in", "matched", "added", "deleted", "rows", "out"),
        "ms",
    ]
    assert lines[2].split() == ["20", "publish", "output", "2", "2", "0", "0", "2", "40"]
    assert lines[3:] == [
        "wrote out/closed: 2 rows, 2 columns, 1,234 bytes, registered as version 3",
        "warning: it was late",
        "completed  run r1",
    ]


def test_the_seal_over_the_run_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    sealed = replace(DONE, seal="12:0123456789abcdef")
    print_result(sealed, quiet=True)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "completed  run r1  seal 12:0123456789abcdef"
    assert result_json(sealed)["seal"] == "12:0123456789abcdef"
    assert result_json(DONE)["seal"] is None


def test_all_errors_are_told_with_their_operation(capsys: pytest.CaptureFixture[str]) -> None:
    print_result(FAILED, quiet=True)
    out, err = capsys.readouterr()
    assert out == "failed  run r1\n"
    assert "operation 20 'publish': a value does not fit" in err
    assert "RUN_002  nor this" in err


def test_operations_that_matched_nothing_are_pointed_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    idle = LedgerEntry(10, "reclassify", "update", 2, 0, 0, 0, 2, 0)
    empty = LedgerEntry(20, "publish", "output", 2, 0, 0, 0, 2, 40)
    print_result(RunResult("r1", "completed", (idle, empty), ()))
    lines = capsys.readouterr().out.splitlines()
    assert lines[4:] == ["note: operation 10 'reclassify' matched no rows", "completed  run r1"]


def test_an_operation_is_not_pointed_out_twice() -> None:
    idle = LedgerEntry(10, "reclassify", "update", 2, 0, 0, 0, 2, 0)
    said = replace(PASSED, name="reclassify", unit="operations", status="violated")
    assert RunResult("r1", "completed", (idle,), ()).unmatched == (idle,)
    assert RunResult("r1", "completed", (idle,), (), expectations=(said,)).unmatched == ()


def test_rows_that_were_quarantined_have_a_column_where_there_are_any(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_ledger([replace(ENTRY, quarantined=3).as_json()])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[7:9] == ["deleted", "quarantined"]
    assert lines[2].split() == ["20", "publish", "output", "2", "2", "0", "0", "3", "2", "40"]


def test_a_run_shows_its_expectations_and_who_waived_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = replace(DONE, expectations=(PASSED, WAIVED))
    assert [each["status"] for each in result_json(result)["expectations"]] == ["passed", "waived"]
    print_result(result, quiet=True)
    assert capsys.readouterr().out.splitlines()[1:] == [
        "'journals balance' was waived by ann, 2026-02-03 10:00 UTC: timing, booked in February",
        "warning: it was late",
        "completed  run r1",
    ]
    print_result(result)
    assert "accounts are known  input  passed" in capsys.readouterr().out
