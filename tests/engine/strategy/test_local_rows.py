"""Few rows: loaded, kept and written at the driver."""

from __future__ import annotations

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
from tests.engine.strategy.deciding import JOINED, Deciding, output
from tests.support.small_plans import total, update

FEW = Options(local_rows=True)
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
    assert reasons["start"] == "few rows: they are loaded here, and handed to Spark as they are"
    assert reasons["checkpoint"] == reasons["aggregate"] == kept
    assert reasons["output"] == "few rows: they are written from here where the format allows"
