"""Strategies of small plans: how they start and end."""

from __future__ import annotations

from rowbook.engine.strategy.stages import (
    AggregateStage,
    EndStage,
    OutputStage,
    StartStage,
)
from tests.engine.strategy.deciding import APPEND, Deciding, output
from tests.support.small_plans import total, update


def test_a_strategy_starts_does_what_operations_say_and_ends(deciding: Deciding) -> None:
    steps = (update("c", "'x'"), APPEND, total("s", "n"), output())
    assert deciding.kinds(*steps) == ["start", "layer", "append", "aggregate", "output", "end"]


def test_a_project_without_outputs_is_computed_at_the_end(deciding: Deciding) -> None:
    (*_, end) = deciding.stages(update("c", "'x'"))
    assert isinstance(end, EndStage)
    assert end.compute
    assert end.reasons[0].endswith("there are no outputs")
    (*_, end) = deciding.stages(update("c", "'x'"), output())
    assert isinstance(end, EndStage)
    assert not end.compute


def test_a_preview_has_no_outputs_and_ends_where_it_is_told_to(deciding: Deciding) -> None:
    steps = (update("c", "'x'"), output(), APPEND, total("s", "n"))
    assert deciding.kinds(*steps, ending="preview", after=3) == ["start", "layer", "append", "end"]
    (*_, end) = deciding.stages(*steps, ending="preview")
    assert isinstance(end, EndStage)
    assert (end.compute, end.count) == (False, False)


def test_an_output_that_is_done_reads_nothing(deciding: Deciding) -> None:
    steps = (total("s", "n"), output("s, _row_id"), output("k"))
    start, summary, first, second, _ = deciding.stages(*steps, done=frozenset({2}))
    assert isinstance(first, OutputStage)
    assert first.done
    assert first.reasons == ("not written again: an earlier attempt finished it",)
    assert isinstance(start, StartStage)
    assert not start.with_ids
    assert isinstance(summary, AggregateStage)
    assert not summary.keep
    assert isinstance(second, OutputStage)
    assert second.observed
