from __future__ import annotations

import pytest

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import CheckStage, OutputStage
from tests.engine.strategy.checks.claims import Claims
from tests.engine.strategy.deciding import APPEND, output
from tests.support.small_plans import delete, total, update

TOTAL = total("s, k", "n")
ENDS = (output("s, k, n"), output("s, m", "n IS NULL"))
CLOSE = (update("c", "'x'"), TOTAL, delete("n < 2"), *ENDS)
ALL = "type: update, arguments: {assignments: [{column: c, expression: \"'x'\"}]}"
CLAIM = 'that: "m > 0 OR n > 0"'


def early_and_late(claims: Claims, *said: str, operations: tuple[str, ...]) -> list[CheckStage]:
    found = claims.checks(*said, operations=operations)
    return [each for each in found if each.until or each.since]


def test_rows_are_looked_at_before_the_aggregate_that_counts_and_summaries_after_it(
    claims: Claims,
) -> None:
    stages = claims.stages(CLAIM, operations=CLOSE)
    kinds = [each.kind for each in stages]
    assert kinds == [
        *("start", "layer", "check", "aggregate", "layer", "check", "output", "output", "end")
    ]
    early, late = (each for each in stages if isinstance(each, CheckStage))
    assert (early.until, late.since) == (2, 2)
    assert early.reads == {"m"}
    assert not any(each.observed for each in stages if isinstance(each, OutputStage))


def test_a_column_that_all_rows_are_given_is_not_read_to_find_that_out(claims: Claims) -> None:
    def reads(said: str, *operations: str) -> frozenset[str]:
        return claims.checks(said, operations=(*operations, TOTAL, *ENDS))[0].reads

    given = (ALL, update("c", "'y'", "m > 0"))
    assert reads('that: "c IS NOT NULL"', *given) == {"_operation_seq"}
    assert reads('that: "c IS NOT NULL", include_deleted: true', *given) == {"c"}
    assert reads('that: "c IS NOT NULL"', *given, APPEND) == {"c"}
    assert reads('that: "c IS NOT NULL"', given[1]) == {"c"}
    added = total("k", "m", "SUM(m)", "m > 5")
    assert reads('that: "c IS NOT NULL"', *given, added) == {"_operation_seq"}
    assert reads('that: "c IS NOT NULL"', given[0], added, given[1]) == {"c"}


def test_what_reads_joins_or_rows_of_an_output_is_looked_at_where_it_was(claims: Claims) -> None:
    said = (CLAIM, "that: \"names.label = 'x'\"", 'at: {output: 5}, that: "m > 0"')
    first, rest, since = claims.checks(*said, operations=CLOSE)
    assert [len(each.expectations) for each in (first, rest, since)] == [1, 2, 1]
    assert (rest.until, rest.since, sorted(rest.marked)) == (None, None, [0, 1])


@pytest.mark.parametrize(
    "operations",
    [
        (TOTAL, delete("n IS NULL AND m < 0"), *ENDS),
        (TOTAL, update("m", "1.0", "COALESCE(n, 1) = 1"), *ENDS),
        (TOTAL, APPEND, *ENDS),
        (TOTAL, output("s")),
    ],
    ids=["deleted later", "updated later", "appended later", "nothing counts"],
)
def test_elsewhere_they_are_looked_at_at_the_end(
    claims: Claims, operations: tuple[str, ...]
) -> None:
    assert early_and_late(claims, 'that: "m > 0"', operations=operations) == []


def test_what_asks_for_keys_alone_is_asked_of_groups(claims: Claims) -> None:
    said = (
        "that: \"s LIKE 'a%' OR n > 0\"",
        'that: "s = k"',
        'selector: "k > \'b\'", that: "m > 0"',
        'that: "s > k", include_deleted: true',
    )
    early, _ = early_and_late(claims, *said, operations=CLOSE)
    assert [early.expectations[i].name for i in sorted(early.by_group)] == ["e0", "e1"]


def test_rows_that_were_taken_out_since_would_have_been_counted(claims: Claims) -> None:
    taking = "at: 3, that: \"s > 'a'\", otherwise: quarantine"
    assert early_and_late(claims, taking, CLAIM, operations=CLOSE) == []


def test_too_many_selectors_would_be_counted_beside_the_groups(claims: Claims) -> None:
    def said(count: int) -> list[str]:
        return [f'selector: "m > {i}", that: "c > \'a\'"' for i in range(count)]

    assert early_and_late(claims, *said(12), operations=CLOSE) != []
    assert early_and_late(claims, *said(16), operations=CLOSE) == []


def test_it_can_be_switched_off(claims: Claims) -> None:
    (stage,) = claims.checks(CLAIM, operations=CLOSE, options=Options(group_checks=False))
    assert (stage.until, stage.since) == (None, None)
