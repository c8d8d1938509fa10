"""A strategy as values: what is done, in order, and why."""

from __future__ import annotations

from rowbook.engine.strategy.describe import StageDescription, describe
from rowbook.engine.strategy.strategy import Strategy
from tests.engine.strategy.deciding import Deciding, output
from tests.support.small_plans import delete, update


def test_a_description_has_operations_reasons_and_columns(deciding: Deciding) -> None:
    steps = (update("c", "'x'"), delete("m = 1"), output("s"))
    stages = deciding.stages(*steps, rewrites=frozenset({3}))
    start, layer, checkpoint, written, end = describe(Strategy(stages))
    always = ("_deleted", "_operation_seq")
    no_ids = "rows get no ids: no operation reads or writes them"
    assert start == StageDescription("start", (), (no_ids,), (*always, "m", "s"))
    assert (layer.kind, layer.operations, len(layer.reasons)) == ("layer", (1, 2), 1)
    assert (checkpoint.operations, checkpoint.needed) == ((), (*always, "s"))
    assert {"_row_id", "c", "k", "m"} <= set(checkpoint.dropped)
    assert (written.operations, end.kind) == ((3,), "end")


def test_rows_that_are_read_as_a_whole_need_all_columns(deciding: Deciding) -> None:
    stages = deciding.stages(output("s"), ending="rows")
    assert {each.needed for each in describe(Strategy(stages))} == {None}
