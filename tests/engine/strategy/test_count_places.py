"""Where rows are counted."""

from __future__ import annotations

import pytest

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import (
    AggregateStage,
    EndStage,
    OutputStage,
    Stage,
)
from tests.engine.strategy.deciding import Deciding, output
from tests.support.small_plans import total, update


def places(stages: tuple[Stage, ...]) -> list[tuple[int, str]]:
    """Where rows are counted: the seq of an operation, 0 for the end."""
    found: list[tuple[int, str]] = []
    for each in stages:
        if isinstance(each, AggregateStage) and each.count:
            found.append((each.step.seq, each.count))
        if isinstance(each, OutputStage) and each.observed:
            found.append((each.step.seq, "observed"))
        if isinstance(each, EndStage) and each.count:
            found.append((0, "rest"))
    return found


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ((update("c", "'x'"), output()), [(2, "observed")]),
        ((update("c", "'x'"), output(selector="s = 'a'"), output()), [(3, "observed")]),
        ((update("c", "'x'"), output(), output()), [(2, "observed")]),
        ((update("c", "'x'"), output(), output("s], order_by: [s")), [(2, "observed")]),
        ((update("c", "'x'"), output("s], order_by: [s")), [(0, "rest")]),
        ((output(), update("c", "'x'")), [(0, "rest")]),
        ((update("c", "'x'"),), [(0, "rest")]),
        ((update("m", "1", "c = 'a'"), total("s", "n"), output()), [(3, "observed")]),
        (
            (update("m", "1"), total("s", "n", selector="c = 'a'"), output(), output()),
            [(2, "observed"), (0, "rest")],
        ),
        (
            (update("m", "1"), total("s", "n"), output(), output()),
            [(2, "groups"), (0, "rest")],
        ),
        ((total("s", "n"), update("c", "'x'"), output(), output()), [(3, "observed")]),
        ((total("s", "n", selector="c = 'a'"), output(), output()), [(2, "observed")]),
    ],
)
def test_rows_are_counted_in_the_job_that_costs_least(
    deciding: Deciding, steps: tuple[str, ...], found: list[tuple[int, str]]
) -> None:
    assert places(deciding.stages(*steps)) == found


def test_collected_rows_are_counted_where_they_are_collected(deciding: Deciding) -> None:
    (*_, end) = deciding.stages(update("c", "'x'"), ending="collect")
    assert end.reasons == ("rows are counted where they are collected",)


def test_without_a_ledger_nothing_is_counted(deciding: Deciding) -> None:
    steps = (update("c", "'x'"), total("s", "n"), output(), output())
    assert places(deciding.stages(*steps, options=Options(ledger=False))) == []
