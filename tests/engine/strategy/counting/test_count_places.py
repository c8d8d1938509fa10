"""Where rows are counted."""

from __future__ import annotations

import pytest

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import (
    AggregateStage,
    EndStage,
    LayerStage,
    OutputStage,
    Stage,
)
from tests.engine.strategy.deciding import Deciding, output
from tests.support.small_plans import delete, total, update


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


def of_all(column: str, value: str) -> str:
    return update(column, value).replace('selector: "TRUE", ', "")


@pytest.mark.parametrize(
    ("steps", "seqs"),
    [
        ((of_all("c", "'x'"), update("m", "1", "s = 'a'"), of_all("k", "'y'")), {1, 3}),
        ((of_all("c", "'x'"), output(), of_all("k", "'y'")), {1, 3}),
        ((delete("s = 'a'"), of_all("c", "'x'")), set()),
        ((of_all("c", "'x'"), delete("s = 'a'"), of_all("k", "'y'")), {1}),
        ((total("s", "n"), of_all("c", "'x'")), set()),
    ],
)
def test_updates_of_all_rows_of_the_input_are_counted_with_it(
    deciding: Deciding, steps: tuple[str, ...], seqs: set[int]
) -> None:
    stages = deciding.stages(*steps, output())
    layers = [each for each in stages if isinstance(each, LayerStage)]
    assert {seq for each in layers for seq in each.of_input} == seqs


def test_what_groups_tell_is_not_counted_with_the_input(deciding: Deciding) -> None:
    stages = deciding.stages(of_all("m", "1"), total("s", "n"), output(), output())
    (layer,) = (each for each in stages if isinstance(each, LayerStage))
    assert (layer.of_input, layer.unmarked) == (frozenset(), frozenset({1}))
