from __future__ import annotations

import pytest

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import AppendStage
from tests.engine.strategy.deciding import APPEND, ENTRIES, MATCHED, Deciding, output


def copies(deciding: Deciding, *steps: str, **known: object) -> list[bool]:
    stages = deciding.stages(*steps, output(), **known)
    return [each.copies for each in stages if isinstance(each, AppendStage)]


def test_three_appends_of_single_rows_copy_them_as_they_pass(deciding: Deciding) -> None:
    assert copies(deciding, *[ENTRIES] * 3) == [True] * 3
    assert copies(deciding, *[ENTRIES] * 2) == [False] * 2


def test_those_that_ask_others_read_the_rows(deciding: Deciding) -> None:
    steps = (ENTRIES, MATCHED, APPEND, ENTRIES, ENTRIES)
    assert copies(deciding, *steps) == [True, False, False, True, True]


@pytest.mark.parametrize(
    "options", [Options(copies=False), Options(few_rows=True, local_rows=True)]
)
def test_not_where_rows_are_few_or_it_is_switched_off(deciding: Deciding, options: Options) -> None:
    assert not any(copies(deciding, *[ENTRIES] * 3, options=options))


def test_the_reason_is_told(deciding: Deciding) -> None:
    (stage, *_) = [
        each for each in deciding.stages(*[ENTRIES] * 3, output()) if isinstance(each, AppendStage)
    ]
    assert stage.reasons == (
        "each row that it picks comes twice as it passes: rows are not read once more",
    )
