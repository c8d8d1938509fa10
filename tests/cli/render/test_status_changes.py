"""A change of a status has the same cells and keys for projects and periods."""

from __future__ import annotations

from datetime import UTC, datetime

from rowbook.cli.render.status_changes import CHANGE, change_cells, change_json
from rowbook.store import PeriodState

AT = datetime(2026, 2, 3, 10, 30, tzinfo=UTC)
CLOSED = PeriodState("c", "2026-01", "closed", AT, "ann", "books are closed")
OPEN = PeriodState("c", "2026-01", "open")


def test_a_change_has_a_cell_for_each_heading() -> None:
    assert change_cells(CLOSED) == ["closed", "2026-02-03 10:30", "ann", "books are closed"]
    assert change_cells(OPEN) == ["open", "", "", ""]
    assert len(change_cells(OPEN)) == len(CHANGE)


def test_a_change_for_programs_has_null_for_what_is_not_known() -> None:
    changed = {"changed_at": "2026-02-03T10:30:00Z", "changed_by": "ann"}
    assert change_json(CLOSED) == {"status": "closed", **changed, "reason": "books are closed"}
    assert change_json(OPEN) == dict.fromkeys(("changed_at", "changed_by", "reason")) | {
        "status": "open"
    }
