"""Totals of a diff for people: lines, and apart from them each aggregate's summary rows."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from unittest.mock import Mock

import pytest

from rowbook.cli.render.diff_text import print_difference
from rowbook.engine.compare.difference import Groups, GroupTotals, Subtotals, TableDifference, Total
from rowbook.runs.compare.compare_runs import ComparedRun, OutputDifference, RunDifference
from tests.engine.compare.test_difference import SAME

RUN = ComparedRun(Mock(finished_at=None))
TOTAL = Total("amount", Decimal("3.00"), Decimal("1216.87"), Decimal("1213.87"))
NONE = Total("amount", None, None, None)
BOTH = replace(
    SAME,
    rows_before=4,
    rows_after=5,
    totals=(TOTAL,),
    subtotals=(Subtotals(20, 1, 1, (TOTAL,)), Subtotals(30, 1, 1, (TOTAL,))),
)
LEVELS = (Subtotals(20, 1, 1, (TOTAL,), "line"), Subtotals(20, 1, 1, (TOTAL,), "all"))


def shown(table: TableDifference, capsys: pytest.CaptureFixture[str]) -> str:
    output = OutputDifference(40, "publish", "reports:lines", table)
    print_difference(RunDifference(RUN, RUN, (output,), ()))
    return "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())


def test_lines_and_subtotals_have_totals_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(BOTH, capsys).endswith("""
                           before     after  difference
───────────────────────────────────────────────────────
rows                            4         5          +1
lines                           2         3          +1
  amount                     3.00  1,216.87   +1,213.87
subtotals of operation 20       1         1           0
  amount                     3.00  1,216.87   +1,213.87
subtotals of operation 30       1         1           0
  amount                     3.00  1,216.87   +1,213.87""")


def test_levels_of_an_aggregate_have_totals_of_their_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    groups = Groups(("a",), 1, 1, (GroupTotals({"a": "x"}, 1, 1, (TOTAL,), 20, "line"),))
    said = shown(replace(BOTH, subtotals=LEVELS, groups=groups), capsys)
    assert "subtotals of operation 20, level line       1         1           0\n" in said
    assert "subtotals of operation 20, level all        1         1           0\n" in said
    assert "'x' (subtotals of 20, level line)  amount    3.00  1,216.87   +1,213.87" in said


def test_rows_of_one_kind_are_just_rows(capsys: pytest.CaptureFixture[str]) -> None:
    alone = replace(BOTH, totals=(NONE,), subtotals=(Subtotals(20, 4, 5, (TOTAL,)),))
    plain = """
        before     after  difference
────────────────────────────────────
rows         4         5          +1
amount    3.00  1,216.87   +1,213.87"""
    assert shown(alone, capsys).endswith(plain)
    assert shown(replace(BOTH, subtotals=()), capsys).endswith(plain)


def test_groups_of_summary_rows_say_whose_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    groups = (GroupTotals({"a": "x"}, 1, 1, (TOTAL,)), GroupTotals({"a": "x"}, 1, 1, (TOTAL,), 20))
    said = shown(replace(BOTH, groups=Groups(("a",), 2, 2, groups)), capsys)
    assert said.endswith("""
a                              before     after  difference
───────────────────────────────────────────────────────────
'x'                    amount    3.00  1,216.87   +1,213.87
'x' (subtotals of 20)  amount    3.00  1,216.87   +1,213.87""")


def test_what_cannot_be_told_apart_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    said = shown(replace(BOTH, subtotals=(), mixed=True), capsys)
    assert (
        "  subtotals may be among these rows, and are added up with them: an output that\n"
        "    writes _operation_seq, and of an aggregate with levels a column with\n"
        "    LEVEL(), tells them apart\n" in said
    )
    assert "subtotals may be" not in shown(BOTH, capsys)
