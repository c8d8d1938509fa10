"""Whether keys of joined datasets are looked at before rows are."""

from __future__ import annotations

import pytest

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import StartStage
from tests.engine.strategy.deciding import JOINED, Deciding, output
from tests.support.small_plans import total, update


def uncertain(deciding: Deciding, *steps: str, **known: object) -> frozenset[str] | None:
    first = deciding.stages(*steps, **known)[0]
    assert isinstance(first, StartStage)
    return first.uncertain


def test_keys_are_looked_at_where_rows_are_joined_by_them(deciding: Deciding) -> None:
    assert uncertain(deciding, JOINED, output()) == frozenset()
    start = deciding.stages(JOINED, output())[0]
    assert start.reasons[-1].startswith("joined datasets are looked at before, if they are small")


def test_nothing_is_looked_at_where_nothing_is_joined(deciding: Deciding) -> None:
    assert uncertain(deciding, update("c", "'x'"), output()) is None


@pytest.mark.parametrize(
    "known",
    [
        {"ending": "preview"},
        {"options": Options(few_rows=True)},
        {"options": Options(local_rows=True)},
        {"options": Options(unique_keys=False)},
    ],
)
def test_few_rows_are_looked_at_one_by_one(deciding: Deciding, known: dict[str, object]) -> None:
    assert uncertain(deciding, JOINED, output(), **known) is None


def test_columns_that_may_have_no_value_are_told_with_all_that_reads_them(
    deciding: Deciding,
) -> None:
    steps = (update("m", "m * m * m"), update("c", "IF(m > 1, k, s)"), JOINED, update("k", "s"))
    assert uncertain(deciding, *steps, output()) == frozenset({"m", "c"})


def test_what_is_added_up_may_have_no_value(deciding: Deciding) -> None:
    assert uncertain(deciding, JOINED, total("s", "n"), output()) == frozenset({"n"})
