"""What is computed once and kept."""

from __future__ import annotations

import pytest

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import (
    AggregateStage,
)
from tests.engine.strategy.deciding import APPEND, ENTRIES, JOINED, MATCHED, Deciding, output
from tests.support.small_plans import total, update


@pytest.mark.parametrize(
    ("steps", "keep"),
    [
        ((total("s", "n"), output()), False),
        ((total("s", "n"), output(), output()), True),
        ((total("s, k", "n"), total("s", "n2"), output()), True),
    ],
)
def test_a_summary_is_kept_where_rows_are_read_again(
    deciding: Deciding, steps: tuple[str, ...], keep: bool
) -> None:
    summary = deciding.stages(*steps)[1]
    assert isinstance(summary, AggregateStage)
    assert summary.keep is keep
    assert any(text.startswith("the summary is computed once") for text in summary.reasons) is keep
    (again,) = [
        s for s in deciding.stages(*steps, options=Options(segments=False)) if s.kind == "aggregate"
    ][:1]
    assert isinstance(again, AggregateStage)
    assert not again.keep


def test_rows_are_kept_where_many_read_what_is_dear_to_compute(deciding: Deciding) -> None:
    """A scan, a layer, a join and a condition are 1.72 scans; of which 0.3 cannot be saved."""
    assert deciding.kinds(JOINED, *[output()] * 6).count("checkpoint") == 0
    kinds = deciding.kinds(JOINED, *[output()] * 7)
    assert kinds[:4] == ["start", "layer", "checkpoint", "output"]
    assert kinds.count("checkpoint") == 1
    checkpoint = deciding.stages(JOINED, *[output()] * 7)[2]
    assert checkpoint.reasons == (
        "rows are read 6 times after operation 2, and computing them again costs 1.7 scans each"
        " time",
    )


def test_rows_are_kept_before_they_are_replaced(deciding: Deciding) -> None:
    stages = deciding.stages(update("c", "'x'"), output(), output(), rewrites=frozenset({2}))
    assert [each.kind for each in stages[1:4]] == ["layer", "checkpoint", "output"]
    assert stages[2].reasons == (
        "rows are computed before operation 2 replaces data that they come from",
    )


def test_long_plans_are_cut(deciding: Deciding) -> None:
    chain = [update("c", "CONCAT(c, 'x')", "c <> 'y'") for _ in range(4)]
    kinds = deciding.kinds(*chain, output(), options=Options(longest_plan=2))
    assert kinds == [
        *("start", "layer", "layer", "checkpoint", "layer", "layer"),
        *("checkpoint", "output", "end"),
    ]


def test_without_segments_all_rows_are_kept_before_each_reader(deciding: Deciding) -> None:
    steps = (update("c", "'x'"), total("s", "n"), output(), output())
    kinds = deciding.kinds(*steps, options=Options(segments=False))
    assert kinds == [
        *("start", "layer", "checkpoint", "aggregate", "checkpoint", "output", "output", "end")
    ]


def test_entries_read_the_rows_there_are(deciding: Deciding) -> None:
    """A summary before them is computed twice, for the rows and for the entries."""
    for entries, keep in ((APPEND, False), (ENTRIES, True)):
        summary = deciding.stages(total("s", "n"), entries, output())[1]
        assert isinstance(summary, AggregateStage)
        assert summary.keep is keep


def test_entries_from_entries_do_not_double_without_end(deciding: Deciding) -> None:
    """Each of them doubles what rows cost, and is read by those after it."""
    assert "checkpoint" not in deciding.kinds(*[MATCHED] * 3, output())
    assert "checkpoint" not in deciding.kinds(*[ENTRIES] * 20, output())
    kinds = deciding.kinds(*[MATCHED] * 4, output())
    assert kinds == [
        *("start", "append", "checkpoint"),
        *("append", "append", "append", "output", "end"),
    ]
    kept = deciding.stages(*[MATCHED] * 4, output())[2]
    assert kept.reasons == (
        "rows are read 5 times after operation 2, and computing them again costs 2.5 scans each"
        " time",
    )


def test_appends_of_a_dataset_are_not_kept_for(deciding: Deciding) -> None:
    assert "checkpoint" not in deciding.kinds(*[APPEND] * 6, output())
