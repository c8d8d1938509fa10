"""`delete` on plain rows."""

from __future__ import annotations

from tests.reference.small_projects import Computed, entry
from tests.support.small_plans import delete

ROWS = [entry("a", 1), entry("b", 2)]


def test_rows_stay_and_are_marked(computed: Computed) -> None:
    rows = computed.rows(ROWS, delete("account = 1"), show=("id", "_deleted"))
    assert rows == [("a", True), ("b", False)]


def test_a_row_is_deleted_once(computed: Computed) -> None:
    found = computed.all(ROWS, delete("account = 1"), delete("TRUE"))
    assert found.counts == {1: (1, 0), 2: (1, 0)}
