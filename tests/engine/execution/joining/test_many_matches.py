"""Whether rows with the same keys have the same matches, so that one of these tells of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.execution.joining.many_matches import tells_first
from tests.support.small_plans import numbered, plan_of

WORKSPACE = """
dataset:
  name: t
  main_table:
    name: t
    columns: [{name: k, type: integer}, {name: b, type: boolean}]
---
dataset:
  name: names
  main_table:
    name: n
    columns: [{name: code, type: integer}, {name: rate, type: integer}]
---
project:
  name: p
  input_dataset_id: t
  operations:
"""


@pytest.mark.parametrize(
    ("condition", "tells"),
    [
        ("t.k = j.code", True),
        ("t.k = j.code AND t.b", True),
        ("t.k = j.code AND j.rate > 1", True),
        ("j.rate > 1", True),
        ("TRUE", True),
        ("t.k < j.code", False),
        ("t.k = j.code AND t.k < j.rate", False),
    ],
)
def test_a_condition_that_compares_for_equality_alone_tells(
    tmp_path: Path, condition: str, tells: bool
) -> None:
    append = (
        "type: append, arguments: {source: working, joins: [{alias: j, dataset_id: names,"
        f" on: {condition}, many: true}}]}}"
    )
    (step,) = plan_of(tmp_path, WORKSPACE + numbered(append)).steps
    assert tells_first(step.joins[0]) is tells
