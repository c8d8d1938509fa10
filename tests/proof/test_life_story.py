from __future__ import annotations

from decimal import Decimal

from rowbook.expressions.values import Value
from rowbook.proof.life_story import LifeStories
from rowbook.proof.row_life import CellStep, JoinedMatch
from tests.proof.conftest import Follow
from tests.support.small_plans import delete, total, update

D = Decimal


def test_each_change_says_what_overwrote_it_and_what_was_published(follow: Follow) -> None:
    replay = follow(
        [(1, "a", D("1.50"))],
        update("line", "'costs'"),
        update("line", "'sales'", "status = 'b'"),
        update("line", "CONCAT(line, '!')", "status = 'a'"),
    )
    life = LifeStories(replay).story(0)
    assert [(step.seq, step.met) for step in life.steps] == [(1, True), (2, False), (3, True)]
    assert life.steps[0].changes == (CellStep("line", None, "costs", "", 3, False),)
    assert life.steps[1].outcome == "FALSE"
    assert life.steps[2].changes == (
        CellStep("line", "costs", "costs!", "CONCAT('costs', '!')", None, True),
    )
    assert (life.fate, [each.seq for each in life.outputs]) == ("published", [1000])


def test_a_deleted_row_says_which_part_of_the_condition_held(follow: Follow) -> None:
    replay = follow([(1, "draft", D(5))], delete("status = 'draft' OR amount = 0"))
    life = LifeStories(replay).story(0)
    assert life.fate == "deleted"
    assert life.reason == "by 1 'op 1': status = 'draft' is TRUE"
    assert life.steps[0].outcome == "TRUE OR FALSE"
    assert life.outputs == ()


def test_a_condition_that_is_null_is_not_met(follow: Follow) -> None:
    replay = follow([(1, None, D(5))], delete("status = 'draft'"))
    (step,) = LifeStories(replay).story(0).steps
    assert (step.met, step.outcome) == (None, "NULL")


def test_the_joined_row_is_named_with_what_was_read_of_it(follow: Follow) -> None:
    replay = follow(
        [(1, "EUR", D(10)), (2, "XXX", D(1))],
        update(
            "usd",
            "amount * r.rate",
            joins="{alias: r, dataset_id: rates, on: 'gl.status = r.code'}",
        ),
        rates=[("EUR", D("1.100000"))],
    )
    stories = LifeStories(replay)
    place = "a list where code = 'EUR'"
    values: dict[str, Value] = {"code": "EUR", "rate": D("1.100000")}
    assert stories.story(0).steps[0].joined == (JoinedMatch("r", "rates", place, values),)
    assert stories.story(0).steps[0].changes[0].formula == "10.00 * 1.100000"
    assert stories.story(1).steps[0].joined == (JoinedMatch("r", "rates", None, {}),)


def test_groups_are_told_through_totals_of_totals(follow: Follow) -> None:
    replay = follow(
        [(1, "a", D(1)), (2, "a", D(2)), (3, None, D(4))],
        total("status", "sum", "SUM(amount)"),
        total("_period", "all", "SUM(sum)"),
    )
    stories = LifeStories(replay)
    groups = [(each.seq, dict(each.keys), each.rows) for each in stories.story(0).groups]
    assert groups == [
        (1, {"status": "a"}, 2),
        (2, {"_period": "2026-01"}, 3),
        (2, {"_period": None}, 2),
    ]
    assert stories.story(2).groups[0].keys == {"status": None}


def test_a_row_made_from_a_row_says_from_which(follow: Follow) -> None:
    reversal = (
        "type: append, arguments: {source: working,"
        ' assignments: [{column: amount, expression: "-amount"}]}'
    )
    replay = follow([(1, "a", D(1))], reversal)
    stories = LifeStories(replay)
    origin, made = stories.story(0), stories.story(1)
    assert made.birth == f"made by 1 'op 1' from row {origin.row_id}"
    assert origin.steps[0].outcome == f"made 1 row: {made.row_id}"
    assert made.values["amount"] == D("-1.00")
    assert made.steps[0].changes == (CellStep("amount", None, D("-1.00"), "-1.00", None, True),)


def test_a_part_of_an_amount_says_of_how_much_and_over_which_row(follow: Follow) -> None:
    spread = (
        "type: append, arguments: {source: working, joins: [{alias: r, dataset_id: rates,"
        ' on: "r.rate > 0", many: true}], spread: {column: amount, weight: "r.rate", scale: 2},'
        ' assignments: [{column: status, expression: "r.code"}]}'
    )
    replay = follow([(1, "a", D(10))], spread, rates=[("A", D(1)), ("B", D(3))])
    making = LifeStories(replay).story(2).steps[0]
    assert making.outcome == "7.50 of amount 10.00"
    assert [(each.alias, each.values) for each in making.joined] == [("r", {"code": "B"})]
    assert making.changes == (CellStep("status", None, "B", "'B'", None, True),)


def test_a_summary_says_how_it_was_computed(follow: Follow) -> None:
    replay = follow([(1, "a", D(1)), (2, "a", D(2))], total("status", "sum", "SUM(amount)"))
    (making,) = LifeStories(replay).story(2).steps
    assert making.changes == (CellStep("sum", None, D("3.00"), "SUM(amount)", None, True),)
