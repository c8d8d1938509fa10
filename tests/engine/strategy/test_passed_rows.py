from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import (
    AggregateStage,
    CheckStage,
    Executors,
    OutputStage,
    Situation,
)
from rowbook.engine.strategy.step_analysis import own_columns
from rowbook.engine.strategy.strategy import decide
from tests.engine.strategy.deciding import APPEND, WORKSPACE, Deciding, output
from tests.support.small_plans import delete, numbered, plan_of, total, update

TOTAL = total("s", "n", "SUM(m)")
ALL = frozenset(range(100))


def passed(deciding: Deciding, *steps: str, **known: object) -> tuple[list[int], list[int | None]]:
    """Which outputs an aggregate writes, and of which outputs rows since an operation are left."""
    stages = deciding.stages(*steps, **{"passing": ALL, **known})
    writing = [step.seq for s in stages if isinstance(s, AggregateStage) for step in s.writes]
    since = [each.since for each in stages if isinstance(each, OutputStage)]
    return writing, since


def test_rows_are_grouped_as_an_output_writes_them(deciding: Deciding) -> None:
    steps = (update("c", "'x'"), APPEND, TOTAL, output(), output())
    assert passed(deciding, *steps) == ([4, 5], [3, 3])


def test_groups_are_computed_at_once_where_there_is_one_output(deciding: Deciding) -> None:
    assert passed(deciding, TOTAL, output()) == ([2], [1])
    other = total("k", "q", selector="n IS NULL")
    stages = deciding.stages(TOTAL, other, output(), passing=ALL)
    assert [each.keep for each in stages if isinstance(each, AggregateStage)] == [True, True]


@pytest.mark.parametrize("rules", [3, 70])
def test_rows_are_counted_by_these_groups_whatever_is_asked_of_them(
    deciding: Deciding, rules: int
) -> None:
    steps = [update("c", f"'{i}'", f"m = {i}") for i in range(rules)]
    stages = deciding.stages(*steps, TOTAL, output(), passing=ALL)
    (aggregate,) = (each for each in stages if isinstance(each, AggregateStage))
    assert aggregate.count == "groups"


def test_not_where_rows_change_after_the_output(deciding: Deciding) -> None:
    steps = (TOTAL, output(), update("c", "'x'"), output())
    assert passed(deciding, *steps) == ([], [None, None])
    without_ledger = passed(deciding, *steps, options=Options(ledger=False))
    assert without_ledger == ([2], [1, None])


@pytest.mark.parametrize(
    ("between", "outputs"),
    [
        (delete("n > 2"), [3, 4]),
        (update("n", "0", "n > 2"), [3, 4]),
        (total("c", "q", selector="n IS NOT NULL"), [3, 4]),
        (update("c", "'y'"), []),
        (delete("s = 'a'"), []),
    ],
)
def test_only_where_nothing_in_between_changes_the_rows(
    deciding: Deciding, between: str, outputs: list[int]
) -> None:
    assert passed(deciding, TOTAL, between, output(), output())[0] == outputs


@pytest.mark.parametrize(
    "aggregate",
    [
        total("s", "n", "AVG(m)"),
        total("s", "n", "COUNT_DISTINCT(m)"),
        total("s", "n", "MAX_AGG(c)"),
        total("s", "n", "SUM(m)", selector="m > 0"),
    ],
)
def test_only_with_groups_that_can_be_put_together_of_all_rows(
    deciding: Deciding, aggregate: str
) -> None:
    assert passed(deciding, aggregate, output(), output())[0] == []


@pytest.mark.parametrize(
    "known",
    [
        {"passing": frozenset()},
        {"options": Options(passed_rows=False)},
        {"options": Options(local_rows=True, few_rows=True)},
        {"executors": Executors(apart=True)},
        {"ending": "rows"},
        {"rewrites": frozenset({2, 3})},
        {"done": frozenset({2, 3})},
    ],
)
def test_not_where_rows_cannot_pass_or_it_is_switched_off(
    deciding: Deciding, known: dict[str, object]
) -> None:
    assert passed(deciding, TOTAL, output(), output(), **known) == ([], [None, None])


def test_outputs_that_are_sorted_or_joined_are_written_by_themselves(deciding: Deciding) -> None:
    arguments = "destination: {location: {path: out}}"
    ordered = f"type: output, arguments: {{{arguments}, order_by: [s]}}"
    joined = output("s", "names.label IS NULL")
    for each in (ordered, joined):
        assert passed(deciding, TOTAL, each, each)[0] == []


def test_outputs_that_may_fail_to_pick_are_written_by_themselves(deciding: Deciding) -> None:
    assert passed(deciding, TOTAL, output(), output("s", "10 / m > 1")) == ([2], [1, None])


def test_outputs_of_summaries_alone_are_written_by_themselves(deciding: Deciding) -> None:
    assert passed(deciding, TOTAL, output(), output("s", "n > 0")) == ([2], [1, None])


def test_the_reasons_are_told(deciding: Deciding) -> None:
    aggregate, written = deciding.stages(TOTAL, output(), output(), passing=ALL)[1:3]
    assert aggregate.reasons[-2:] == (
        "operations 2, 3 write these rows: they are grouped as they are written",
        "rows are let go then: no operation reads them after it",
    )
    assert written.reasons[-1] == (
        "rows that were there before operation 1 are written already, with its groups"
    )


OTHER = total("c", "q", selector="n IS NULL")


def shared(deciding: Deciding, *steps: str) -> tuple[list[int], list[object]]:
    """Which aggregates get groups of the pass of another, and for which of them it makes some."""
    stages = deciding.stages(*steps, output(), passing=ALL)
    aggregates = [each for each in stages if isinstance(each, AggregateStage)]
    beside: list[object] = [each.of for first in aggregates for each in first.beside]
    return [each.step.seq for each in aggregates if each.of_pass is not None], beside


def test_aggregates_that_do_not_nest_share_the_pass(deciding: Deciding) -> None:
    more = total("k", "r", selector="n IS NULL AND q IS NULL AND c = 'x'")
    assert shared(deciding, TOTAL, OTHER, more) == ([2, 3], [2, 3])
    first, second, third = deciding.stages(TOTAL, OTHER, more, output(), passing=ALL)[1:4]
    assert isinstance(first, AggregateStage)
    chosen = [each.selector for each in first.beside]
    assert chosen[0] is None
    assert own_columns([each for each in chosen if each is not None]) == {"c"}
    assert "rows are grouped for operations 2, 3 in the same pass" in first.reasons
    told = "rows that were there before operation 1 are grouped already, in its pass"
    assert told in second.reasons
    assert told in third.reasons


@pytest.mark.parametrize(
    "other",
    [
        total("c", "q", "AVG(m)", selector="n IS NULL"),
        total("n", "q", selector="n IS NULL"),
        total("c", "q", "SUM(n)", selector="n IS NULL"),
        total("c", "q", selector="names.label IS NULL"),
        total("c", "q", selector="10 / m > 1"),
    ],
)
def test_others_read_the_rows_themselves(deciding: Deciding, other: str) -> None:
    assert shared(deciding, TOTAL, other) == ([], [])


def test_rows_that_pass_once_are_not_kept(deciding: Deciding) -> None:
    """However often they would be read otherwise."""
    many = [total(k, f"q{i}", selector="n IS NULL") for i, k in enumerate("kc" * 12)]
    steps = [*(update("c", f"'{i}'", f"m > {i}") for i in range(40)), TOTAL, *many]
    kinds = [each.kind for each in deciding.stages(*steps, output(), passing=ALL)]
    assert "checkpoint" not in kinds
    assert "checkpoint" in deciding.kinds(*steps, output())


def looking(deciding: Deciding, *claims: str) -> tuple[AggregateStage, CheckStage | None]:
    """The pass, and what is looked at after it."""
    said = "".join(f"    - {{name: claim {i}, {claim}}}\n" for i, claim in enumerate(claims))
    text = WORKSPACE.replace("  operations:\n", f"  expectations:\n{said}  operations:\n")
    plan = plan_of(deciding.folder, text + numbered(TOTAL, output()))
    stages = decide(plan, Situation(passing=ALL)).stages
    (first,) = (each for each in stages if isinstance(each, AggregateStage))
    return first, next((each for each in stages if isinstance(each, CheckStage)), None)


def test_groups_that_expectations_look_at_are_made_in_the_pass(deciding: Deciding) -> None:
    claims = ('that: "COUNT(*) > 0", by: [k]', 'that: "SUM(m) > 0", by: [k]', "unique: [k, c]")
    first, check = looking(deciding, *claims)
    assert check is not None
    keys = [tuple(key.name for key in each.keys) for each in first.beside]
    assert keys == [("k",), ("k", "c")]
    assert [len(each.asked) for each in first.beside] == [2, 0]
    assert check.of_pass == 1
    assert check.passes == 0
    assert set(check.passed.values()) == {(None, "claim 0"), (None, "claim 2")}
    assert check.reasons[-1] == (
        "'claim 0', 'claim 1', 'claim 2': rows that were there before operation 1 are grouped"
        " already, in its pass"
    )


def test_groups_by_its_own_keys_are_told_by_its_own_groups(deciding: Deciding) -> None:
    first, check = looking(deciding, 'that: "COUNT(*) > 0", by: [s]')
    assert check is not None
    assert (first.beside, check.groups_of, check.passed) == ((), 1, {})


@pytest.mark.parametrize(
    "claim",
    [
        'that: "AVG(m) > 0", by: [k]',
        'that: "SUM(n) > 0", by: [k]',
        'that: "COUNT(*) > 0", by: [k], selector: "names.label IS NULL"',
        'that: "COUNT(*) > 0", by: [k], include_deleted: true',
        'that: "COUNT(*) > 0", by: [k], selector: "10 / m > 1"',
        'that: "SUM(10 / m) > 0", by: [k]',
    ],
)
def test_other_groups_read_the_rows_themselves(deciding: Deciding, claim: str) -> None:
    first, check = looking(deciding, claim)
    assert check is not None
    assert (first.beside, check.passed, check.passes, first.lets_go) == ((), {}, 1, False)


def lets_go(deciding: Deciding, *steps: str) -> bool:
    stages = deciding.stages(*steps, passing=ALL)
    return any(each.lets_go for each in stages if isinstance(each, AggregateStage))


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ([output()], True),
        ([OTHER, delete("n > 2"), output("s", "n > 0"), output()], True),
        ([output(), output("s", "names.label IS NULL")], False),
        ([total("c", "q", "AVG(m)", selector="n IS NULL"), output()], False),
        ([output(), APPEND], False),
    ],
)
def test_rows_are_let_go_where_nobody_reads_them_again(
    deciding: Deciding, later: list[str], expected: bool
) -> None:
    assert lets_go(deciding, TOTAL, *later) is expected


def test_three_groupings_share_a_pass_that_nobody_writes_in(deciding: Deciding) -> None:
    more = total("k", "r", selector="n IS NULL")
    for others, workers, expected in (
        ([OTHER, more], True, [2, 3]),
        ([OTHER], True, []),
        ([OTHER, more], False, []),
    ):
        stages = deciding.stages(TOTAL, *others, output(), workers=workers)
        passed = [each for each in stages if isinstance(each, AggregateStage) and each.of_pass]
        assert [each.step.seq for each in passed] == expected
        assert not any(each.lets_go for each in stages if isinstance(each, AggregateStage))


@pytest.mark.parametrize(
    ("before", "writes"),
    [
        ([], [2]),
        ([update("c", "'x'", "m > 1")], [3]),
        ([update("i", "k", "m > 1")], []),
        ([APPEND], []),
    ],
)
def test_a_selector_that_surely_holds_picks_all_rows(
    tmp_path: Path, before: list[str], writes: list[int]
) -> None:
    """`i` has a value on every row of the input."""
    text = WORKSPACE.replace(
        "{name: k,", "{name: i, type: string, nullable: false}\n      - {name: k,"
    )
    steps = (*before, total("s", "n", selector="i IS NOT NULL"), output())
    stages = decide(plan_of(tmp_path, text + numbered(*steps)), Situation(passing=ALL)).stages
    found = [step.seq for s in stages if isinstance(s, AggregateStage) for step in s.writes]
    assert found == writes
