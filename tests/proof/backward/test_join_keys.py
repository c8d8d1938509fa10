"""Plans whose rows remember which rows joins found for them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from rowbook.planning.project_plan import ProjectPlan
from rowbook.proof.backward.join_keys import with_join_keys
from tests.proof.conftest import DATASETS
from tests.support.reference_run import Tables, refer
from tests.support.small_plans import delete, numbered, plan_of, update

RATE = "{alias: r, dataset_id: rates, on: 'gl.status = r.code'}"
TABLES: Tables = {
    "ledger": [
        {"id": 1, "status": "EUR", "amount": Decimal("10.00"), "_period": "2026-01"},
        {"id": 2, "status": None, "amount": Decimal("1.00"), "_period": "2026-01"},
    ],
    "rates": [{"code": "EUR", "rate": Decimal("1.100000")}],
}


def planned(folder: Path, *operations: str) -> ProjectPlan:
    project = "project:\n  name: p\n  input_dataset_id: ledger\n  operations:\n"
    return plan_of(folder, DATASETS + project + numbered(*operations))


def test_rows_keep_the_natural_key_and_what_was_read(tmp_path: Path) -> None:
    plan = planned(tmp_path, update("usd", "amount * r.rate", joins=RATE), delete("id = 9"))
    wide, keys = with_join_keys(plan)
    names = ["__joined 1 r code", "__joined 1 r rate"]
    assert [(key.seq, key.alias, key.name, key.field.name) for key in keys] == [
        (1, "r", "code", names[0]),
        (1, "r", "rate", names[1]),
    ]
    rows = refer(wide, TABLES).rows
    assert [[row[name] for name in names] for row in rows] == [
        ["EUR", Decimal("1.100000")],
        [None, None],
    ]
    before = refer(plan, TABLES).rows
    assert [{n: v for n, v in row.items() if n not in names} for row in rows] == before


def test_a_natural_key_that_was_read_is_kept_once(tmp_path: Path) -> None:
    _, keys = with_join_keys(planned(tmp_path, update("code", "r.code", joins=RATE)))
    assert [key.name for key in keys] == ["code"]


def test_each_update_that_joins_has_keys_of_its_own(tmp_path: Path) -> None:
    steps = [update(name, "r.code", joins=RATE) for name in ("one", "two")]
    wide, keys = with_join_keys(planned(tmp_path, *steps))
    assert [key.field.name for key in keys] == ["__joined 1 r code", "__joined 2 r code"]
    assert "__joined 2 r code" not in wide.steps[0].columns.fields
    assert "__joined 1 r code" in wide.steps[1].columns.fields


def test_a_plan_that_reads_no_join_stays_as_it_is(tmp_path: Path) -> None:
    plan = planned(tmp_path, update("twice", "amount * 2"))
    assert with_join_keys(plan) == (plan, ())
