from __future__ import annotations

from decimal import Decimal

from rowbook.proof.explanation import Absence, Contribution
from tests.proof.conftest import Follow
from tests.support.replays import explained
from tests.support.small_plans import delete, total, update

D = Decimal


def test_a_sum_is_made_of_what_each_row_adds(follow: Follow) -> None:
    rows = [(1, "a", D("1.00")), (2, "a", D("2.50")), (3, "b", D("4.00"))]
    found = explained(follow(rows, total("status", "sum", "SUM(amount)")), 1000, "sum", "sum = 3.5")
    assert found.figure == D("3.50")
    assert found.formula == "SUM(amount) of 2 rows by 1 'op 1'"
    assert found.contributions == (Contribution("ledger", (1,), {}, 2, D("3.50")),)
    assert (found.total, found.ties) == (D("3.50"), True)
    assert [(each.values, each.amount) for each in found.largest] == [
        ({"id": 2}, D("2.50")),
        ({"id": 1}, D("1.00")),
    ]
    assert [(each.reason, each.rows, each.amount) for each in found.not_in] == [
        ("in another group: sum by 1 'op 1'", 1, D("4.00"))
    ]


def test_contributions_are_gathered_by_the_rules_that_made_them(follow: Follow) -> None:
    replay = follow(
        [(1, "a", D(1)), (2, "b", D(2)), (3, "c", D(3))],
        update("line", "'costs'"),
        update("line", "'sales'", "status = 'b'"),
        update("line", "'costs'", "status = 'b'"),
        total("line", "sum", "SUM(amount)"),
    )
    found = explained(replay, 1000, "sum", "sum > 0")
    assert found.contributions == (
        Contribution("ledger", (1, 4), {}, 2, D("4.00")),
        Contribution("ledger", (3, 4), {}, 1, D("2.00")),
    )


def test_what_a_selector_read_may_be_overwritten_later(follow: Follow) -> None:
    replay = follow(
        [(1, "open", D(5)), (2, "done", D(7))],
        total("_period", "sum", "SUM(amount)", "status = 'open'"),
        update("status", "'done'", "status = 'open'"),
    )
    found = explained(replay, 1000, "sum", "sum IS NOT NULL")
    assert [each.values for each in found.largest] == [{"id": 1}]
    assert found.not_in[0] == Absence(
        "not chosen by 1 'op 1'", 1, 1, D("7.00"), ("a list where id = '2'",)
    )


def test_equal_rows_add_one_each(follow: Follow) -> None:
    rows = [(1, "a", D(2)), (1, "a", D(2))]
    found = explained(follow(rows, total("id", "sum", "SUM(amount)")), 1000, "sum", "sum > 0")
    assert found.figure == D("4.00")
    assert [each.amount for each in found.largest] == [D("2.00"), D("2.00")]
    assert found.contributions[0].rows == 2


def test_rows_whose_key_is_null_are_a_group(follow: Follow) -> None:
    rows = [(1, None, D(1)), (2, None, D(2)), (3, "a", D(4))]
    replay = follow(rows, total("status", "sum", "SUM(amount)"))
    found = explained(replay, 1000, "sum", "status IS NULL AND sum IS NOT NULL")
    assert found.figure == D("3.00")
    assert found.contributions[0].rows == 2


def test_a_condition_that_is_null_is_a_reason_of_its_own(follow: Follow) -> None:
    rows = [(1, None, D(1)), (2, "b", D(2)), (3, "a", D(4))]
    replay = follow(rows, total("_period", "sum", "SUM(amount)", "status = 'a'"))
    found = explained(replay, 1000, "sum", "sum IS NOT NULL")
    assert {(each.reason, each.rows) for each in found.not_in} == {
        ("the condition of 1 'op 1' is NULL for it", 1),
        ("not chosen by 1 'op 1'", 1),
    }


def test_null_adds_nothing_and_is_listed(follow: Follow) -> None:
    rows = [(1, "a", D(1)), (2, "a", None)]
    replay = follow(rows, total("status", "sum", "SUM(amount)"))
    found = explained(replay, 1000, "sum", "sum IS NOT NULL")
    assert found.contributions[0].rows == 1
    assert [(each.reason, each.seq, each.rows) for each in found.not_in] == [
        ("its value is NULL", 1, 1)
    ]


def test_groups_are_known_where_their_keys_are_of_the_system(follow: Follow) -> None:
    rows = [(1, "a", D(1)), (2, "b", D(2))]
    replay = follow(
        rows,
        update("_labels", "'late'", "status = 'b'"),
        total("_labels", "sum", "SUM(amount)"),
    )
    found = explained(replay, 1000, "sum", "sum = 2")
    assert [each.values for each in found.largest] == [{"id": 2}]
    assert found.contributions[0].operations == (1, 2)


def test_a_total_of_totals_counts_rows_twice(follow: Follow) -> None:
    replay = follow(
        [(1, "a", D(1)), (2, "b", D(2))],
        total("status", "amount", "SUM(amount)"),
        total("_period", "all", "SUM(amount)"),
    )
    found = explained(replay, 1000, "all", "all IS NOT NULL")
    assert (found.figure, found.total) == (D("6.00"), D("6.00"))
    assert found.counted_twice == 2
    assert found.warnings == ("2 rows are counted twice: in a total, and beside it or in another",)


def test_a_total_of_totals_alone_counts_nothing_twice(follow: Follow) -> None:
    replay = follow(
        [(1, "a", D(1)), (2, "b", D(2))],
        total("status", "sum", "SUM(amount)"),
        total("_period", "all", "SUM(sum)"),
    )
    found = explained(replay, 1000, "all", "all IS NOT NULL")
    assert (found.figure, found.counted_twice) == (D("3.00"), 0)
    assert found.contributions == (Contribution("ledger", (1, 2), {}, 2, D("3.00")),)


def test_a_figure_of_zero_is_made_of_rows_too(follow: Follow) -> None:
    rows = [(1, "a", D(5)), (2, "a", D(-5))]
    replay = follow(rows, total("status", "sum", "SUM(amount)"))
    found = explained(replay, 1000, "sum", "sum = 0")
    assert (found.figure, found.total, found.ties) == (D("0.00"), D("0.00"), True)
    assert [each.amount for each in found.largest] == [D("5.00"), D("-5.00")]


def test_a_figure_of_no_rows_says_where_all_rows_are(follow: Follow) -> None:
    rows = [(1, "a", D(5)), (2, "b", D(-5))]
    replay = follow(
        rows,
        delete("status = 'b'"),
        total("status", "sum", "SUM(amount)"),
        update("top", "TRUE", "sum IS NOT NULL"),
        delete("sum IS NULL"),
    )
    found = explained(replay, 1000, "sum", "status = 'x'")
    assert (found.figure, found.rows, found.formula, found.ties) == (None, 0, "no rows", True)
    assert {(each.reason, each.rows) for each in found.not_in} == {
        ("deleted by 1 'op 1'", 1),
        ("in another group: status as read", 1),
    }


def test_a_figure_that_is_null_has_its_rows_among_those_that_add_nothing(follow: Follow) -> None:
    replay = follow([(1, "a", None)], total("status", "sum", "SUM(amount)"))
    found = explained(replay, 1000, "sum", "_operation_seq = 1")
    assert (found.figure, found.rows, found.ties) == (None, 1, True)
    assert [(each.reason, each.rows) for each in found.not_in] == [("its value is NULL", 1)]


def test_storing_rounded_is_a_line_of_its_own(follow: Follow) -> None:
    rows = [(1, "a", D("1.00")), (2, "a", D("1.00")), (3, "a", D("1.00"))]
    replay = follow(rows, total("status", "amount", "SUM(amount) / 7"))
    found = explained(replay, 1000, "amount", "_operation_seq = 1")
    assert found.figure == D("0.43")
    (rows_line, rounding) = found.contributions
    assert (rows_line.dataset, rows_line.rows) == ("ledger", 3)
    assert rounding.keys == {"line": "rounding"}
    assert rows_line.amount + rounding.amount == D("0.43")  # type: ignore[operator]


def test_an_average_is_made_of_equal_shares(follow: Follow) -> None:
    rows = [(1, "a", D("1.00")), (2, "a", D("2.00"))]
    replay = follow(rows, total("status", "mean", "AVG(amount)"))
    found = explained(replay, 1000, "mean", "mean > 0")
    assert [each.amount for each in found.largest] == [D("1.000000"), D("0.500000")]
    assert found.ties


def test_the_largest_has_its_witnesses_and_others_are_not_in_it(follow: Follow) -> None:
    rows = [(1, "a", D(3)), (2, "a", D(9)), (3, "a", D(9))]
    replay = follow(rows, total("status", "most", "MAX_AGG(amount)"))
    found = explained(replay, 1000, "most", "most > 0")
    assert found.contributions == (Contribution("ledger", (1,), {}, 2, D("9.00")),)
    assert [(each.reason, each.rows) for each in found.not_in] == [
        ("another row has the largest value", 1)
    ]


def test_different_values_count_one_each(follow: Follow) -> None:
    rows = [(1, "a", D(3)), (2, "b", D(9)), (3, "b", D(9))]
    replay = follow(rows, total("_period", "n", "COUNT_DISTINCT(status)"))
    found = explained(replay, 1000, "n", "n > 0")
    assert (found.figure, found.total) == (2, 2)
    assert found.contributions[0].rows == 3


def test_a_quotient_has_no_shares_but_parts(follow: Follow) -> None:
    rows = [(1, "a", D(3)), (2, "a", D(9))]
    replay = follow(rows, total("status", "q", "SUM(amount) / COUNT(*)"))
    found = explained(replay, 1000, "q", "q > 0")
    assert found.formula == "SUM(amount) / COUNT(*) = 12.00 / 2 of 2 rows by 1 'op 1'"
    assert found.contributions == (Contribution("ledger", (1,), {}, 2, found.figure),)
    assert [(each.formula, each.value) for each in found.parts] == [
        ("SUM(amount)", D("12.00")),
        ("COUNT(*)", 2),
    ]


def test_joined_rows_take_part_with_what_they_convert(follow: Follow) -> None:
    replay = follow(
        [(1, "EUR", D(10)), (2, "EUR", D(20)), (3, "USD", D(5))],
        update(
            "usd",
            "ROUND(amount * r.rate, 2)",
            joins="{alias: r, dataset_id: rates, on: 'gl.status = r.code'}",
        ),
        total("_period", "sum", "SUM(usd)"),
        rates=[("EUR", D("1.100000")), ("USD", D(1))],
    )
    found = explained(replay, 1000, "sum", "sum > 0")
    assert found.figure == D("38.00")
    assert [(each.values, each.rows, each.amount) for each in found.joined] == [
        ({"code": "EUR", "rate": D("1.100000")}, 2, D("33.00")),
        ({"code": "USD", "rate": D(1)}, 1, D("5.00")),
    ]


def test_a_window_total_is_made_of_the_rows_of_its_group(follow: Follow) -> None:
    window = (
        "type: update, arguments: {windows: [{alias: w, by: [status],"
        ' values: {sum: "SUM(amount)"}}],'
        ' assignments: [{column: share, expression: "w.sum"}]}'
    )
    replay = follow([(1, "a", D(1)), (2, "a", D(2)), (3, "b", D(4))], window)
    found = explained(replay, 1000, "share", "id = 1")
    assert found.figure == D("3.00")
    assert [each.values for each in found.largest] == [{"id": 2}, {"id": 1}]


def test_a_booking_of_a_row_is_not_the_row_counted_twice(follow: Follow) -> None:
    reversal = (
        "type: append, arguments: {source: working, source_selector: \"status = 'a'\","
        ' assignments: [{column: amount, expression: "-amount"}]}'
    )
    replay = follow(
        [(1, "a", D(1)), (2, "b", D(2))], reversal, total("_period", "sum", "SUM(amount)")
    )
    found = explained(replay, 1000, "sum", "sum IS NOT NULL")
    assert (found.figure, found.counted_twice) == (D("2.00"), 0)
    assert [each.amount for each in found.largest] == [D("2.00"), D("0.00")]
