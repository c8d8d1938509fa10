from __future__ import annotations

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import (
    AggregateStage,
    CheckStage,
    OutputStage,
    StartStage,
)
from tests.engine.strategy.checks.claims import Claims
from tests.engine.strategy.deciding import output
from tests.support.small_plans import delete, total, update


def test_a_project_without_expectations_has_no_stage_for_them(claims: Claims) -> None:
    assert "check" not in claims.kinds()


def test_outputs_change_no_rows_so_what_is_seen_after_them_is_seen_before(claims: Claims) -> None:
    assert claims.kinds('that: "s IS NOT NULL"', 'at: 2, that: "m > 0"') == [
        *("start", "layer", "check", "output", "layer", "check", "output", "output", "end")
    ]


def test_rows_are_taken_out_where_it_is_said(claims: Claims) -> None:
    kinds = claims.kinds('at: 4, that: "m > 0", otherwise: quarantine', "that: \"k > 'a'\"")
    assert kinds[-5:] == ["layer", "output", "check", "output", "end"]


def test_rows_of_an_output_are_looked_at_before_it(claims: Claims) -> None:
    (stage,) = claims.checks('at: {output: 2}, that: "s > c"')
    assert stage.step is not None
    assert (stage.step.seq, sorted(stage.reads)) == (1, ["c", "s"])


def test_conditions_of_rows_leave_marks_that_the_last_output_counts(claims: Claims) -> None:
    stages = claims.stages('that: "s IS NOT NULL"', 'that: "m + m > 0"')
    (stage,) = (each for each in stages if isinstance(each, CheckStage))
    assert (sorted(stage.marked), stage.passes) == ([0, 1], 0)
    assert [each.observed for each in stages if isinstance(each, OutputStage)] == [
        *(False, True, False)
    ]


def test_a_condition_that_may_fail_on_a_value_is_looked_at_apart(claims: Claims) -> None:
    (stage,) = claims.checks('that: "LEN(s) * 1000 > 5"')
    assert (stage.marked, stage.passes) == (frozenset(), 1)


def test_groups_by_the_same_keys_of_the_same_rows_are_one_pass(claims: Claims) -> None:
    (stage,) = claims.checks(
        'by: [s], that: "SUM(m) > 0"',
        "unique: [s]",
        'by: [k], that: "SUM(m) > 0"',
        'by: [s], selector: "m > 0", that: "SUM(m) > 0"',
        'that: "COUNT(*) > 0"',
        'that: "SUM(m) > 0"',
    )
    assert stage.passes == 4


def test_the_other_side_is_measured_at_its_own_place(claims: Claims) -> None:
    first, last = claims.checks(
        'by: [s], that: "SUM(m) = SUM(o.m)", against: {alias: o, at: input}'
    )
    assert (first.step, first.expectations, len(first.others)) == (None, (), 1)
    assert (len(last.expectations), last.others) == (1, ())
    assert first.reads == {"s", "m"}


def test_rows_get_ids_only_where_some_may_be_taken_out_or_data_is_replaced(claims: Claims) -> None:
    def with_ids(*said: str, **known: object) -> bool:
        start = claims.stages(*said, **known)[0]  # type: ignore[arg-type]
        assert isinstance(start, StartStage)
        return start.with_ids

    assert not with_ids('that: "m > 0"')
    assert with_ids('that: "m > 0"', rewrites=frozenset({4}))
    assert with_ids('that: "m > 0"', "at: 1, unique: [k], otherwise: quarantine")


def test_few_rows_are_looked_at_here_each_at_its_place(claims: Claims) -> None:
    options = Options(local_rows=True)
    kinds = claims.kinds('that: "s IS NOT NULL"', options=options)
    assert kinds[-3:] == ["output", "check", "end"]
    (stage,) = claims.checks('that: "s IS NOT NULL"', options=options)
    assert stage.reasons == ("'e0': few rows: they are brought here and looked at without Spark",)


def test_a_preview_takes_rows_out_and_looks_at_nothing_else(claims: Claims) -> None:
    said = ('at: 1, that: "m > 0", otherwise: quarantine', 'that: "s IS NOT NULL"')
    assert claims.kinds(*said, ending="preview") == ["start", "layer", "check", "layer", "end"]
    assert claims.kinds(*said, ending="preview", after=1) == ["start", "layer", "check", "end"]
    at_three = 'at: 3, that: "m > 0", otherwise: quarantine'
    assert claims.kinds(at_three, ending="preview", after=1) == ["start", "layer", "end"]


def test_checks_alone_write_nothing_and_end_where_nothing_more_is_seen(claims: Claims) -> None:
    assert claims.kinds('at: 1, that: "m > 0"', ending="checks") == [
        *("start", "layer", "check", "end")
    ]
    assert claims.kinds(ending="checks") == ["start", "end"]


def test_an_operation_that_must_match_is_computed_for_checks_alone(claims: Claims) -> None:
    matching = (f"must_match: true, {delete('s = chr')}".replace("chr", "'a'"), output())
    kinds = claims.kinds(operations=matching, ending="checks")
    assert kinds == ["start", "layer", "end"]


def test_marks_are_counted_by_groups_only_where_they_are_few(claims: Claims) -> None:
    operations = (update("c", "'x'", "s = 'a'"), total("s", "n"), output("n"), output("n"))
    few = claims.stages('at: 1, that: "m > 0"', operations=operations)
    said = (f'at: 1, selector: "m > {i}", that: "m > 0"' for i in range(16))
    many = claims.stages(*said, operations=operations)
    assert [each.count for each in (*few, *many) if isinstance(each, AggregateStage)] == [
        *("groups", "observed")
    ]
