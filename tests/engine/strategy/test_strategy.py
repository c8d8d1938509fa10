"""Strategies: how small plans are computed, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import (
    AggregateStage,
    CheckpointStage,
    EndStage,
    OutputStage,
    Situation,
    Stage,
    StartStage,
)
from rowbook.engine.strategy.strategy import decide
from tests.engine.running import delete, numbered, plan_of, total, update

WORKSPACE = """
dataset:
  name: t
  main_table:
    name: t
    columns:
      - {name: s, type: string}
      - {name: k, type: string}
      - {name: m, type: "decimal(18,2)"}
      - {name: c, type: string}
  lookups:
    - {alias: names, dataset_id: names, on: "t.k = names.code"}
---
dataset:
  name: names
  main_table:
    name: n
    columns: [{name: code, type: string}, {name: label, type: string}]
---
project:
  name: p
  input_dataset_id: t
  operations:
"""
APPEND = "type: append, arguments: {source: {dataset_id: t}}"
JOINED = update("c", "names.label")


def output(columns: str = "s", selector: str = "") -> str:
    where = f'selector: "{selector}", ' if selector else ""
    return (
        f"type: output, {where}arguments: {{destination: {{location: {{path: out}}}},"
        f" columns: [{columns}]}}"
    )


class Deciding:
    """Strategies for operations, each a small text."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def stages(self, *operations: str, **known: object) -> tuple[Stage, ...]:
        plan = plan_of(self.folder, WORKSPACE + numbered(*operations))
        return decide(plan, Situation(**known)).stages  # type: ignore[arg-type]

    def kinds(self, *operations: str, **known: object) -> list[str]:
        return [each.kind for each in self.stages(*operations, **known)]


@pytest.fixture
def deciding(tmp_path: Path) -> Deciding:
    return Deciding(tmp_path)


def test_a_strategy_starts_does_what_operations_say_and_ends(deciding: Deciding) -> None:
    steps = (update("c", "'x'"), APPEND, total("s", "n"), output())
    assert deciding.kinds(*steps) == ["start", "layer", "append", "aggregate", "output", "end"]


# --- how it ends


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


# --- what is kept


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


# --- levels of totals


def test_levels_are_made_from_the_groups_of_the_first(deciding: Deciding) -> None:
    _, first, second, *_ = deciding.stages(total("s, k", "n"), total("s", "n2"), output())
    assert isinstance(first, AggregateStage)
    assert isinstance(second, AggregateStage)
    assert [step.seq for step in second.levels] == [1, 2]
    assert (first.reads_rows, second.reads_rows) == (True, False)
    assert first.reasons[0] == "its groups also keep what operation 2 needs"
    assert second.reasons[0].startswith("made from the groups of operation 1, not from rows")


# --- where rows are counted


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


# --- which columns are needed


def test_a_checkpoint_drops_what_nothing_reads_any_more(deciding: Deciding) -> None:
    steps = (delete("m = 1"), output("s"), output("s"))
    (checkpoint,) = (
        each
        for each in deciding.stages(*steps, rewrites=frozenset({2}))
        if isinstance(each, CheckpointStage)
    )
    assert {"k", "m", "c", "_row_id"} <= checkpoint.dropped
    assert checkpoint.needed == {"s", "_deleted", "_operation_seq"}


def test_columns_are_needed_until_the_last_that_reads_them(deciding: Deciding) -> None:
    stages = deciding.stages(delete("m = 1"), output("s", "k = 'a'"), output("s"))
    business = [{n for n in each.needed or () if not n.startswith("_")} for each in stages]
    assert business == [{"s", "k", "m"}, {"s", "k"}, {"s"}, set(), set()]


@pytest.mark.parametrize("ending", ["rows", "collect", "preview"])
def test_rows_that_are_read_as_a_whole_keep_all_columns_and_ids(
    deciding: Deciding, ending: str
) -> None:
    stages = deciding.stages(delete("m = 1"), output("s"), ending=ending)
    assert {each.needed for each in stages} == {None}
    assert isinstance(stages[0], StartStage)
    assert stages[0].with_ids


def test_rows_have_ids_only_where_they_are_read(deciding: Deciding) -> None:
    for columns, ids in (("s", False), ("s, _row_id", True)):
        start = deciding.stages(output(columns))[0]
        assert isinstance(start, StartStage)
        assert start.with_ids is ids
