"""A plan whose expectations are made by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.project_plan import ProjectPlan
from tests.support.small_plans import plan_of

_LEDGER = """
dataset:
  name: ledger
  main_table: {name: ledger, columns: [{name: account, type: string}]}
---
project:
  name: p
  input_dataset_id: ledger
"""


def plan_with(folder: Path, *expectations: Expectation) -> ProjectPlan:
    return replace(plan_of(folder, _LEDGER), expectations=expectations)
