"""Plans that look at few expectations."""

from __future__ import annotations

from pathlib import Path

from rowbook.planning.expectations.quarantine_plan import only_quarantines
from rowbook.planning.used_datasets import used_datasets
from tests.support.small_plans import delete, numbered, plan_of

_WORKSPACE = """
dataset:
  name: lines
  main_table: {name: l, columns: [{name: id, type: string}, {name: account, type: string}]}
  lookups: [{alias: accounts, dataset_id: accounts, on: "l.account = accounts.account"}]
  expectations:
    - {name: ids, that: "id IS NOT NULL", otherwise: quarantine}
    - {name: known, that: "accounts.account IS NOT NULL", otherwise: stop}
---
dataset:
  name: accounts
  main_table: {name: a, columns: [{name: account, type: string}, {name: kind, type: string}]}
  lookups: [{alias: kinds, dataset_id: kinds, on: "a.kind = kinds.kind"}]
  expectations: [{name: kinds, that: "kinds.kind IS NOT NULL", otherwise: quarantine}]
---
dataset:
  name: kinds
  main_table: {name: k, columns: [{name: kind, type: string}]}
  expectations: [{name: named, that: "kind IS NOT NULL", otherwise: quarantine}]
---
project:
  name: p
  input_dataset_id: lines
  quarantine: {location: {path: refused}}
  operations:
"""
_AGAINST_ITSELF = """  expectations:
    - {name: same, by: [id], against: {alias: once, dataset_id: lines},
       that: "COUNT(*) = COUNT(once.id)"}
"""


def test_datasets_that_others_read_are_not_read_any_more(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, _WORKSPACE + numbered(delete("id = 'a'")))
    found = only_quarantines(plan)
    assert [each.name for each in found.expectations] == ["ids"]
    assert [each.name for each in used_datasets(found)] == ["lines"]


def test_what_is_looked_at_brings_the_quarantines_of_all_that_it_reads(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, _WORKSPACE + numbered(delete("id = 'a'")))
    known = [each for each in plan.expectations if each.name == "known"]
    found = only_quarantines(plan, known)
    assert found.expectations == plan.expectations
    assert {each.name for each in found.expectations} == {"ids", "known", "kinds", "named"}


def test_what_operations_read_is_quarantined(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, _WORKSPACE + numbered(delete("accounts.kind = 'a'")))
    found = {each.name for each in only_quarantines(plan).expectations}
    assert found == {"ids", "kinds", "named"}


def test_an_input_that_is_not_loaded_again_is_not_quarantined_again(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, _WORKSPACE + numbered(delete("id = 'a'")) + _AGAINST_ITSELF)
    assert [each.name for each in plan.expectations].count("ids") == 2
    assert [each.owner for each in only_quarantines(plan).expectations] == ["lines"]
