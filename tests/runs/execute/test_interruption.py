"""What an interrupted run says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.runs.execute.interruption import Interruption
from tests.support.small_plans import numbered, plan_of, update

GL = """
dataset:
  name: gl
  main_table: {name: gl, columns: [{name: n, type: integer}]}
---
project:
  name: p
  input_dataset_id: gl
  operations:
"""
OUTPUTS = [
    f"type: output, arguments: {{destination: {{location: {{path: out/{name}, format: csv}}}}}}"
    for name in ("a", "b")
]
AGAIN = "a run that was cancelled is not resumed: run it again"


@pytest.mark.parametrize(
    ("at", "published", "announced", "said"),
    [
        (None, (), (), "before the first operation: nothing is published"),
        (0, (), (), "at operation 1 of 3: nothing is published"),
        (2, (2,), (), "at operation 3 of 3: output 'op 2' is published, output 'op 3' is not"),
        (2, (2, 3), (), "at operation 3 of 3: outputs 'op 2', 'op 3' are published"),
        (
            *(2, (2,), (3,)),
            "at operation 3 of 3: output 'op 2' is published,"
            " output 'op 3' is being so: the next command settles it",
        ),
    ],
)
def test_outputs_are_published_or_not(
    at: int | None, published: tuple[int], announced: tuple[int], said: str, tmp_path: Path
) -> None:
    steps = plan_of(tmp_path, GL + numbered(update("n", "n + 1"), *OUTPUTS)).steps
    step = None if at is None else steps[at]
    found = Interruption(steps, step, published, announced)
    assert str(found) == f"interrupted {said}; {AGAIN}"


def test_what_can_be_resumed_says_how(tmp_path: Path) -> None:
    steps = plan_of(tmp_path, GL + numbered(*OUTPUTS)).steps
    assert str(Interruption(steps, steps[1], (1,), resumable="0199", draft=True)) == (
        "interrupted at operation 2 of 2: output 'op 1' is written to the sandbox,"
        " output 'op 2' is not; `rowbook runs resume 0199` goes on"
    )
