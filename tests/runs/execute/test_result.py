"""What a run leaves behind, as records keep it."""

from __future__ import annotations

from rowbook.errors import Diagnostic
from rowbook.runs.execute.result import LedgerEntry, OutputResult, RunResult

OUTPUT = OutputResult(30, "out/closed", 2, ("account", "usd"), 1, 111, 40, "d1", 3)


def test_an_output_comes_back_from_its_record_as_it_was() -> None:
    recorded = OUTPUT.as_json()
    assert recorded["columns"] == ("account", "usd")
    assert OutputResult.from_json({**recorded, "columns": ["account", "usd"]}) == OUTPUT


def test_a_ledger_entry_has_its_outputs_inside() -> None:
    entry = LedgerEntry(30, "publish", "output", 2, 2, 0, 0, 2, 40, (OUTPUT,))
    assert entry.as_json() == {
        "seq": 30,
        "name": "publish",
        "type": "output",
        "rows_in": 2,
        "matched": 2,
        "added": 0,
        "deleted": 0,
        "rows_out": 2,
        "duration_ms": 40,
        "quarantined": 0,
        "outputs": [OUTPUT.as_json()],
    }


def test_the_error_of_a_run_is_the_first_of_its_errors() -> None:
    first, second = Diagnostic("RUN_001", "a"), Diagnostic("RUN_002", "b")
    assert RunResult("r1", "failed", (), (), (first, second)).error == first
    assert RunResult("r1", "completed", (), ()).error is None
