"""What the close of `rowbook init` expects holds on its data, or has nothing to compare with."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.api import Workspace, init_workspace


@pytest.fixture
def starter(tmp_path: Path) -> Path:
    init_workspace(tmp_path / "acme", "close")
    return tmp_path / "acme"


def statuses(folder: Path) -> dict[str, str]:
    with Workspace.open(folder) as workspace:
        found = workspace.check("monthly_close", "2026-01")
    return {each.name: each.status for each in found.expectations}


def test_the_first_month_is_ready(starter: Path) -> None:
    assert statuses(starter) == {
        "accounts are known": "passed",
        "journals balance": "passed",
        "about as many lines as last month": "skipped",
        "rules lose nothing": "passed",
    }


def test_an_amount_and_an_account_that_are_wrong_are_found(starter: Path) -> None:
    ledger = starter / "data/gl/2026-01.csv"
    head, first, *others = ledger.read_text(encoding="utf-8").splitlines()
    cells = first.split(",")
    cells[6], cells[10] = "9999", "0.01"
    ledger.write_text("\n".join((head, ",".join(cells), *others, "")), encoding="utf-8")
    found = statuses(starter)
    assert (found["accounts are known"], found["journals balance"]) == ("violated", "violated")
