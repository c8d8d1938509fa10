"""How rows that were taken out are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.reference.expectations.quarantine_rows import quarantine_row
from tests.reference.small_projects import WORKSPACE, entry
from tests.support.small_plans import CONTEXT, delete, numbered, plan_of

_EXPECTATIONS = """  quarantine: {location: {path: refused}}
  expectations: [{name: known, at: input, that: "account IS NOT NULL", otherwise: quarantine}]
"""


@pytest.mark.parametrize(
    ("period", "written"), [("2026-01", "2026-01"), ("2025-12", "2026-01"), (None, "2026-01")]
)
def test_a_row_of_another_period_is_one_of_the_run(
    tmp_path: Path, period: str | None, written: str
) -> None:
    plan = plan_of(tmp_path, WORKSPACE + numbered(delete("id = 'z'")) + _EXPECTATIONS)
    assert plan.quarantine is not None
    row = {**entry("a", None, "1.00"), "_period": period, "_row_id": "r1", "_labels": "x"}
    found = quarantine_row(row, plan.expectations[0], plan.quarantine, CONTEXT)
    assert {name: found[name] for name in list(found)[:6]} == {
        "_expectation": "known",
        "_run_id": "run",
        "_dataset": None,
        "_row_id": "r1",
        "_period": written,
        "id": "a",
    }
    assert list(found) == list(plan.quarantine.written)
