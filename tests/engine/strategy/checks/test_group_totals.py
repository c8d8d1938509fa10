from __future__ import annotations

from collections.abc import Mapping

import pytest

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import AggregateStage, CheckStage
from tests.engine.strategy.checks.claims import Claims
from tests.engine.strategy.deciding import APPEND, output
from tests.support.small_plans import delete, total, update

TOTAL = total("s, k", "n", "SUM(m)")
ENDS = (output("s, k, n"), output("s, m", "n IS NULL"))
CLOSE = (update("c", "'x'"), TOTAL, delete("n < 2"), *ENDS)


def told(
    claims: Claims, *said: str, operations: tuple[str, ...] = CLOSE, **known: object
) -> Mapping[str, bool]:
    """Of each expectation, whether groups tell it."""
    stages = claims.checks(*said, operations=operations, **known)
    return {each.name: each.key in stage.chosen for stage in stages for each in stage.expectations}


def test_groups_of_groups_are_put_together_and_read_no_row_that_was_there(claims: Claims) -> None:
    stages = claims.stages('by: [s], that: "SUM(m) = 0 AND COUNT(*) > 0"', operations=CLOSE)
    (aggregate,) = (each for each in stages if isinstance(each, AggregateStage))
    (check,) = (each for each in stages if isinstance(each, CheckStage))
    assert [each.function for each in aggregate.parts] == ["SUM", "COUNT"]
    assert (check.groups_of, check.passes) == (2, 0)


def test_all_rows_are_one_group(claims: Claims) -> None:
    said = (
        'that: "COUNT(*) > 0"',
        'measures: {n: "COUNT(*)"}, against: {alias: last, period: previous}, that: "n >= last.n"',
    )
    assert told(claims, *said) == {"e0": True, "e1": True}
    (check,) = claims.checks(*said, operations=CLOSE)
    assert check.passes == 0


def test_what_is_asked_of_rows_besides_is_one_pass_still(claims: Claims) -> None:
    said = ('that: "COUNT(*) > 0"', 'that: "COUNT_DISTINCT(c) > 0"', 'that: "AVG(m) > 0"')
    (check,) = claims.checks(*said, operations=CLOSE)
    assert (sorted(name for _, name in check.chosen), check.passes) == (["e0"], 1)


@pytest.mark.parametrize(
    ("selector", "is_told"), [("s = 'a'", True), ("n IS NULL", True), ("m > 0", False)]
)
def test_groups_are_chosen_by_what_they_are_called(
    claims: Claims, selector: str, is_told: bool
) -> None:
    said = f'selector: "{selector}", by: [k], that: "COUNT(*) > 1"'
    assert told(claims, said) == {"e0": is_told}


@pytest.mark.parametrize(
    "said",
    [
        'by: [c], that: "COUNT(*) > 1"',
        'by: [s], that: "AVG(m) > 1"',
        'by: [s], that: "SUM(n) > 1"',
        'by: [s], that: "COUNT(*) > 1", include_deleted: true',
        'by: [s], that: "COUNT(*) > 1", at: 3, otherwise: quarantine',
        'by: [s], that: "COUNT(*) > 1", at: {output: 4}',
        'by: [s], that: "COUNT(*) > 1", at: 1',
        "by: [s], that: \"MAX_AGG(names.label) > 'x'\"",
        'by: [s], against: {alias: a, at: input}, that: "SUM(m) = SUM(a.m)"',
    ],
)
def test_what_groups_cannot_tell_is_asked_of_rows(claims: Claims, said: str) -> None:
    assert told(claims, said) == {"e0": False}


@pytest.mark.parametrize(
    "operations",
    [
        (TOTAL, delete("n IS NULL AND m < 0"), *ENDS),
        (TOTAL, APPEND, *ENDS),
        (total("s", "n", "SUM(m)", "m > 5"), *ENDS),
    ],
    ids=["deleted later", "appended later", "of some rows"],
)
def test_rows_that_change_or_that_it_leaves_out_are_read(
    claims: Claims, operations: tuple[str, ...]
) -> None:
    assert told(claims, 'by: [s], that: "COUNT(*) > 1"', operations=operations) == {"e0": False}


def test_it_can_be_switched_off(claims: Claims) -> None:
    said = 'by: [s], that: "COUNT(*) > 1"'
    assert told(claims, said, options=Options(group_checks=False)) == {"e0": False}


def test_groups_by_columns_as_they_were_read_are_no_reason_to_keep_rows(claims: Claims) -> None:
    outputs = [output("c")] * 6
    of_stored, of_computed = 'by: [s], that: "COUNT(m) > 1"', 'by: [c], that: "COUNT(m) > 1"'
    joined = update("c", "names.label")

    def keeps(said: str, *operations: str) -> bool:
        return "checkpoint" in claims.kinds(said, operations=(*operations, *outputs))

    assert keeps(of_computed, joined)
    assert not keeps(of_stored, joined)
    assert not keeps(of_stored, joined, delete("s = 'y'"))
    assert keeps(of_stored, joined, delete("c = 'y'"))
