from __future__ import annotations

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import LayerStage
from tests.engine.strategy.deciding import Deciding, output
from tests.support.small_plans import update


def given(column: str, value: str) -> str:
    """An update of all rows."""
    assignment = f'{{column: {column}, expression: "{value}"}}'
    return f"type: update, arguments: {{assignments: [{assignment}]}}"


GIVEN = given("c", "UPPER(TRIM(s))")
READERS = (update("k", "'x'", "c = 'A'"), update("m", "0", "c = 'B'"))


def layer(deciding: Deciding, *steps: str, **known: object) -> LayerStage:
    (found,) = [s for s in deciding.stages(*steps, output(), **known) if isinstance(s, LayerStage)]
    return found


def shared(deciding: Deciding, *steps: str, **known: object) -> list[tuple[int, str, int]]:
    return [(v.seq, v.gives, v.level) for v in layer(deciding, *steps, **known).shared]


def test_what_several_operations_read_is_computed_first(deciding: Deciding) -> None:
    assert shared(deciding, GIVEN, *READERS) == [(1, "c", 1)]


def test_what_one_operation_reads_is_computed_where_it_is_read(deciding: Deciding) -> None:
    assert shared(deciding, given("c", "UPPER(TRIM(s))"), update("c", "'x'", "k = 'y'")) == []


def test_a_column_or_a_literal_is_read_again(deciding: Deciding) -> None:
    assert shared(deciding, given("c", "s"), *READERS) == []
    assert shared(deciding, given("c", "'A'"), *READERS) == []


def test_what_only_some_rows_are_given_is_not_shared(deciding: Deciding) -> None:
    steps = (update("c", "UPPER(TRIM(s))", "k = 'y'"), *READERS)
    stages = deciding.stages(*steps, output())
    assert [s.shared for s in stages if isinstance(s, LayerStage)] == [()] * 2


def test_values_that_are_made_of_each_other_have_levels(deciding: Deciding) -> None:
    steps = (
        *(GIVEN, given("k", "CONCAT(c, UPPER(c))")),
        *(update("m", "0", "k = 'AA'"), update("s", "'x'", "k = 'BB' AND c = 'B'")),
    )
    assert shared(deciding, *steps) == [(1, "c", 1), (2, "k", 2)]


def test_it_can_be_switched_off(deciding: Deciding) -> None:
    assert shared(deciding, GIVEN, *READERS, options=Options(shared_values=False)) == []


def test_the_reason_is_told(deciding: Deciding) -> None:
    assert layer(deciding, GIVEN, *READERS).reasons[-1] == (
        "c: computed first, since several operations ask for it"
    )
