"""Which outputs are begun before totals are made, and what is then counted where."""

from __future__ import annotations

import pytest

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import (
    AggregateStage,
    EarlyStage,
    Executors,
    LayerStage,
    OutputStage,
)
from tests.engine.strategy.deciding import APPEND, ENTRIES, Deciding, output
from tests.support.small_plans import delete, total, update

RULE = update("c", "'x'", "k = 'a'")
TOTAL = total("s", "n", "SUM(m)")
LINES = output("s, k, m, c")
ALL = frozenset(range(1, 10))


def begun(deciding: Deciding, *operations: str, **known: object) -> int | None:
    """The output that is begun before rows are added."""
    stages = deciding.stages(*operations, **{"early": ALL, **known})
    early = [each for each in stages if isinstance(each, EarlyStage)]
    rest = [s.step.seq for s in stages if isinstance(s, OutputStage) and s.begun]
    assert [each.step.seq for each in early] == rest
    return rest[0] if rest else None


def test_lines_are_written_before_totals_read_them(deciding: Deciding) -> None:
    kinds = deciding.kinds(RULE, TOTAL, LINES, early=ALL)
    assert kinds == ["start", "layer", "early", "aggregate", "output", "end"]


def test_the_summary_is_then_computed_once(deciding: Deciding) -> None:
    stages = deciding.stages(RULE, TOTAL, LINES, early=ALL)
    assert [each.keep for each in stages if isinstance(each, AggregateStage)] == [True]


@pytest.mark.parametrize(
    ("operations", "which"),
    [
        ((RULE, TOTAL, LINES), 3),
        ((RULE, APPEND, TOTAL, LINES), 4),
        ((RULE, TOTAL, output("s, m, c", "n IS NULL"), output("s, n", "n IS NOT NULL")), 3),
        ((RULE, TOTAL, delete("n < 5"), LINES), 4),
        ((RULE, TOTAL, output("s, n", "n IS NOT NULL"), LINES), 4),
        ((RULE, TOTAL, output("s, m, c, k", "s = 'a'")), None),
        ((RULE, TOTAL, output("s, c")), None),
        ((RULE, TOTAL, output("s, m"), output("c")), None),
        ((RULE, TOTAL, output("s, m"), output("s, m, c")), 4),
        ((RULE, TOTAL, output("s, m, _row_id")), 3),
        ((RULE, TOTAL, output("s, m, _row_id"), output("s, _row_id")), None),
        ((RULE, TOTAL, RULE, LINES), None),
        ((RULE, ENTRIES, TOTAL, LINES), None),
        ((RULE, APPEND, RULE, TOTAL, LINES), None),
        ((TOTAL, LINES), None),
        ((RULE, LINES), None),
        ((RULE, LINES, TOTAL, LINES), None),
    ],
)
def test_an_output_is_begun_that_writes_all_rows_and_all_that_is_read_of_them(
    deciding: Deciding, operations: tuple[str, ...], which: int | None
) -> None:
    assert begun(deciding, *operations) == which


@pytest.mark.parametrize(
    "known",
    [
        {"early": frozenset()},
        {"options": Options(early_outputs=False)},
        {"options": Options(local_rows=True)},
        {"executors": Executors(apart=True)},
        {"done": frozenset({3})},
        {"rewrites": frozenset({3})},
        {"ending": "rows"},
        {"ending": "preview"},
    ],
)
def test_no_output_is_begun_where_its_rows_are_not_written_then(
    deciding: Deciding, known: dict[str, object]
) -> None:
    assert begun(deciding, RULE, TOTAL, LINES, **known) is None


def test_updates_are_counted_by_groups_by_rows_read_back_or_before(deciding: Deciding) -> None:
    stages = deciding.stages(
        delete("c = 'z'"),
        update("c", "'x'", "s = 'a'"),
        update("c", "'y'", "k = 'a'"),
        update("k", "'b'", "c = 'v'"),
        update("m", "0", "k = 'c'"),
        TOTAL,
        output("s, k, m"),
        early=ALL,
    )
    layers = [each for each in stages if isinstance(each, LayerStage)]
    unmarked = sorted(seq for each in layers for seq in each.unmarked)
    asked = sorted(seq for each in layers for seq in each.asked)
    assert (unmarked, asked) == ([2], [5])


def test_many_operations_that_only_the_source_tells_of_are_counted_with_totals(
    deciding: Deciding,
) -> None:
    many = [update("m", "0", f"c = '{number}'") for number in range(9)]
    early = frozenset(range(20))
    assert begun(deciding, *many[:8], TOTAL, output("s, m"), early=early) == 10
    assert begun(deciding, *many, TOTAL, output("s, m"), early=early) is None
    assert begun(deciding, *many, TOTAL, output("s, m, c"), early=early) == 11
