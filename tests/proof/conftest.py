from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from rowbook.proof.replay import Replay
from tests.support.replays import replay_of, with_output
from tests.support.small_plans import numbered, plan_of

DATASETS = """
dataset:
  name: ledger
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: id, type: integer}
      - {name: status, type: string}
      - {name: amount, type: "decimal(18,2)"}
  natural_key_columns: [id]
---
dataset:
  name: rates
  main_table:
    name: rates
    columns:
      - {name: code, type: string}
      - {name: rate, type: "decimal(18,6)"}
  natural_key_columns: [code]
---
"""

Rows = Sequence[tuple[int | None, str | None, Any]]
Follow = Callable[..., Replay]


@pytest.fixture
def follow(tmp_path: Path) -> Follow:
    """Operations on rows of the ledger, which are (id, status, amount); then an output of all, seq
    1000. `rates` are (code, rate)."""

    def followed(rows: Rows, *operations: str, rates: Sequence[tuple[str, Any]] = ()) -> Replay:
        project = "project:\n  name: p\n  input_dataset_id: ledger\n  operations:\n"
        plan = plan_of(tmp_path, DATASETS + project + numbered(*operations))
        names = ("id", "status", "amount")
        ledger = [{**dict(zip(names, row, strict=True)), "_period": "2026-01"} for row in rows]
        known = [{"code": code, "rate": rate} for code, rate in rates]
        return replay_of(with_output(plan), {"ledger": ledger, "rates": known})

    return followed
