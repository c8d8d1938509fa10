"""Where what is computed once is kept."""

from __future__ import annotations

import pytest

from rowbook.engine.strategy.stages import (
    AggregateStage,
    CheckpointStage,
    Executors,
    Storage,
)
from tests.engine.strategy.deciding import JOINED, Deciding, output
from tests.support.small_plans import total

STEPS = (JOINED, *[output()] * 4, total("s", "n"), *[output()] * 4)


def storages(deciding: Deciding, executors: Executors) -> dict[str, Storage]:
    return {
        stage.kind: stage.storage
        for stage in deciding.stages(*STEPS, executors=executors)
        if isinstance(stage, AggregateStage | CheckpointStage)
    }


@pytest.mark.parametrize(
    ("executors", "rows", "summary"),
    [
        (Executors(), Storage(), Storage()),
        (Executors(apart=True), Storage("two"), Storage("two", 16 * 2**20)),
        (
            Executors(apart=True, shared_folder=True),
            Storage("shared_folder"),
            Storage("shared_folder", 16 * 2**20),
        ),
    ],
)
def test_where_an_executor_may_be_lost_nothing_is_kept_by_one_alone(
    deciding: Deciding, executors: Executors, rows: Storage, summary: Storage
) -> None:
    assert storages(deciding, executors) == {"checkpoint": rows, "aggregate": summary}


def test_the_stages_say_where_rows_are_kept(deciding: Deciding) -> None:
    stages = deciding.stages(*STEPS, executors=Executors(apart=True))
    reasons = {stage.kind: stage.reasons[-1] for stage in stages if stage.reasons}
    assert reasons["checkpoint"] == "they are kept by two executors, as one may be lost"
    assert reasons["aggregate"] == (
        "up to 16 MB of it are kept at the driver, more by two executors, as one may be lost"
    )


def test_a_folder_is_of_no_use_where_nothing_is_lost(deciding: Deciding) -> None:
    here = deciding.stages(*STEPS, executors=Executors(shared_folder=True))
    assert here == deciding.stages(*STEPS)


def test_a_summary_that_is_not_kept_is_stored_nowhere(deciding: Deciding) -> None:
    summary = deciding.stages(total("s", "n"), output(), executors=Executors(apart=True))[1]
    assert isinstance(summary, AggregateStage)
    assert summary.storage == Storage()
