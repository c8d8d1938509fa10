"""Few rows: loaded, kept and written at the driver."""

from __future__ import annotations

from dataclasses import replace

from rowbook.engine.strategy.local_rows import ComputedStage, values_of
from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import (
    AggregateStage,
    CheckpointStage,
    EndStage,
    Executors,
    OutputStage,
    Stage,
    StartStage,
)
from tests.engine.strategy.deciding import APPEND, ENTRIES, JOINED, Deciding, output
from tests.support.small_plans import delete, total, update

FEW = Options(local_rows=True)
MANY = (
    'type: append, arguments: {source: working, joins: [{alias: n, dataset_id: names, on: "t.k ='
    ' n.code", many: true}], assignments: [{column: c, expression: "n.label"}]}'
)
STEPS = (update("c", "'x'"), total("s", "n"), total("k", "n"), output(), output())


def locals_of(stages: tuple[Stage, ...]) -> list[str]:
    """The kinds of the stages whose rows are here."""
    found: list[str] = []
    for each in stages:
        if isinstance(each, StartStage | OutputStage) and each.local:
            found.append(each.kind)
        if isinstance(each, AggregateStage | CheckpointStage) and each.storage.copies == "driver":
            found.append(each.kind)
    return found


def test_few_rows_are_loaded_kept_and_written_here(deciding: Deciding) -> None:
    stages = deciding.stages(*STEPS, options=FEW)
    kinds = ["start", "checkpoint", "aggregate", "aggregate", "output", "output"]
    assert locals_of(stages) == kinds
    assert locals_of(deciding.stages(*STEPS)) == []


def test_where_executors_are_apart_nothing_is_local(deciding: Deciding) -> None:
    apart = Executors(apart=True)
    assert locals_of(deciding.stages(*STEPS, options=FEW, executors=apart)) == []


def test_changed_rows_are_computed_once_before_they_are_read(deciding: Deciding) -> None:
    assert deciding.kinds(
        JOINED, output(), output(), update("c", "'y'"), output(), options=FEW
    ) == [
        "start",
        "layer",
        "checkpoint",
        "output",
        "output",
        "layer",
        "checkpoint",
        "output",
        "end",
    ]


def test_rows_that_nothing_changed_are_not_computed_again(deciding: Deciding) -> None:
    steps = (output(), total("s", "n"), output())
    assert "checkpoint" not in deciding.kinds(*steps, options=FEW)


def test_rows_are_counted_where_they_are_and_in_no_job(deciding: Deciding) -> None:
    stages = deciding.stages(*STEPS, options=FEW)
    assert all(not each.observed for each in stages if isinstance(each, OutputStage))
    assert all(each.count is None for each in stages if isinstance(each, AggregateStage))
    (end,) = (each for each in stages if isinstance(each, EndStage))
    assert end.reasons == ("what no stage has counted is counted here",)


def test_the_stages_say_that_rows_are_few(deciding: Deciding) -> None:
    stages = deciding.stages(*STEPS, options=FEW)
    reasons = {each.kind: each.reasons[-1] for each in stages if each.reasons}
    kept = "few rows: what is computed is brought here, counted, and goes on from here"
    assert (
        reasons["start"]
        == "few rows: they are loaded here, and Spark starts only where it is needed"
    )
    assert reasons["checkpoint"] == kept
    assert reasons["output"] == "few rows: they are written from here where the format allows"
    computed = "few rows: computed here, up to 60,000 values"
    assert reasons["layer"] == reasons["aggregate"] == computed


def values(deciding: Deciding, *steps: str) -> list[int]:
    """What each stage computes of a hundred rows, where datasets have ten."""
    found = deciding.stages(*steps, options=replace(FEW, layers=False))
    return [values_of(s, 100, lambda _: 10) for s in found if isinstance(s, ComputedStage)]


def test_an_operation_looks_at_each_row_and_gives_values_to_those_it_picks(
    deciding: Deciding,
) -> None:
    assert values(deciding, delete("m > 1"), update("c", "'x'", "m > 1")) == [100, 125]


def test_a_join_is_one_more_look_for_each_row(deciding: Deciding) -> None:
    assert values(deciding, JOINED) == [225]


def test_an_append_gives_values_to_each_row_of_its_source(deciding: Deciding) -> None:
    assert values(deciding, APPEND, ENTRIES) == [10 + 10 * 4, 100 + 100 * 4]


def test_a_join_with_many_matches_may_find_each_pair_of_rows(deciding: Deciding) -> None:
    assert values(deciding, MANY) == [100 + 100 * 10 + 100 * 10 * 4]


def test_a_total_looks_at_the_keys_and_results_of_each_row(deciding: Deciding) -> None:
    assert values(deciding, total("s", "n")) == [100 + 100 * 2]


def test_an_output_has_all_its_columns_of_each_row(deciding: Deciding) -> None:
    assert values(deciding, output()) == [100 + 100]


def test_nothing_is_computed_here_without_the_option(deciding: Deciding) -> None:
    stages = deciding.stages(*STEPS, options=replace(FEW, local_values=0))
    computed = [each for each in stages if isinstance(each, ComputedStage)]
    assert [each.local_values for each in computed] == [0, 0, 0, 0, 0]
