"""`aggregate` on plain rows, and how rows are grouped."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.expressions.values import Value
from tests.reference.small_projects import Computed, Rows, entry
from tests.support.reference_run import bag
from tests.support.small_plans import delete, total

ROWS = [entry("a", 1, "10.00"), entry("b", 1, "0.50"), entry("c", None, "7.00"), entry("d", 2)]
PLAIN_ID = "019c21ac-ec65-7935-8c07-cd90eab0b451"
SUMMARY = ("account", "total", "id", "_operation_seq", "_period")


def test_one_row_a_group_beside_the_rows_there_are(computed: Computed) -> None:
    rows = computed.rows(ROWS, total("account", "total", "SUM(amount)"), show=SUMMARY)
    assert rows[:4] == [
        (1, None, "a", None, "2026-01"),
        (1, None, "b", None, "2026-01"),
        (None, None, "c", None, "2026-01"),
        (2, None, "d", None, "2026-01"),
    ]
    assert rows[4:] == [
        (1, Decimal("10.50"), None, 1, None),
        (None, Decimal("7.00"), None, 1, None),
        (2, None, None, 1, None),
    ]


def test_the_period_is_kept_as_a_key_and_other_system_columns_group_only(
    computed: Computed,
) -> None:
    keys = "_period, _source_table"
    rows = computed.rows(ROWS, total(keys, "n"), show=("n", "_period", "_source_table"))
    assert rows[4:] == [(4, "2026-01", "e")]


def test_deleted_rows_and_rows_that_are_not_picked_count_for_nothing(computed: Computed) -> None:
    picked = total("account", "n", selector="amount < 10")
    found = computed.all(ROWS, delete("id = 'b'"), picked)
    assert [row["n"] for row in found.rows if row["n"] is not None] == [1]
    assert found.counts == {1: (1, 0), 2: (1, 1)}


def test_zero_has_no_sign_and_nan_is_one_group(computed: Computed) -> None:
    weights = (0.0, -0.0, math.nan, float("nan"))
    given = [entry(str(i), weight=weight) for i, weight in enumerate(weights)]
    rows = computed.rows(given, total("weight", "n"), show=("n", "weight"))[4:]
    assert [(n, str(weight)) for n, weight in rows] == [(2, "0.0"), (2, "nan")]


# --- levels, computed keys, assignments


def levels(named: str, more: str = "", selector: str = "", results: str = "SUM(amount)") -> str:
    """An aggregate with levels and a result `total`, for `numbered`."""
    where = f'selector: "{selector}", ' if selector else ""
    return (
        f"type: aggregate, {where}arguments: {{levels: [{named}], aggregations:"
        f' [{{column: total, expression: "{results}"}}]{more and ", "}{more}}}'
    )


BOTH = "{name: account, group_by: [account]}, {name: all, group_by: []}"
LEVEL = 'assignments: [{column: level, expression: "LEVEL()"}]'


def test_each_level_is_made_from_the_same_rows_and_counted_once(computed: Computed) -> None:
    found = computed.all(ROWS, levels(BOTH, LEVEL))
    assert [(row["level"], row["account"], row["total"]) for row in found.rows[4:]] == [
        ("account", 1, Decimal("10.50")),
        ("account", None, Decimal("7.00")),
        ("account", 2, None),
        ("all", None, Decimal("17.50")),
    ]
    assert found.counts == {1: (4, 4)}


def test_without_rows_there_is_no_total_over_all(computed: Computed) -> None:
    found = computed.all(ROWS, levels(BOTH, selector="amount > 1000"))
    assert found.counts == {1: (0, 0)}


def test_rows_of_levels_have_ids_of_their_own(computed: Computed) -> None:
    """The group without an account and the total over all have the same keys: none."""
    rows = [entry("a", None, "1.00")]
    found = computed.all(rows, levels(BOTH, LEVEL), levels("{name: all, group_by: []}"))
    assert len({row["_row_id"] for row in found.rows}) == len(found.rows) == 4


def test_a_level_keeps_its_ids_whatever_other_levels_there_are(computed: Computed) -> None:
    def ids(named: str) -> list[object]:
        found = computed.all(ROWS, levels(named, LEVEL))
        return [row["_row_id"] for row in found.rows if row["level"] == "all"]

    assert ids(BOTH) == ids("{name: all, group_by: []}, {name: id, group_by: [id, weight]}")


def test_a_plain_group_by_has_the_ids_it_always_had(computed: Computed) -> None:
    found = computed.all([entry("a", 1, "1.00")], total("account", "n"))
    assert found.rows[1]["_row_id"] == PLAIN_ID


def test_assignments_see_results_and_not_each_other(computed: Computed) -> None:
    assigned = (
        'assignments: [{column: amount, expression: "TO_DECIMAL(total + 1, 6, 2)"},'
        " {column: id, expression: \"CONCAT(LEVEL(), '!')\"}]"
    )
    rows = computed.rows(ROWS[:1], levels(BOTH, assigned), show=("id", "amount", "total"))
    assert rows[1:] == [
        ("account!", Decimal("11.00"), Decimal("10.00")),
        ("all!", Decimal("11.00"), Decimal("10.00")),
    ]


def test_rows_are_grouped_by_what_a_computed_key_gives(computed: Computed) -> None:
    keys = '{name: odd, group_by: [{column: account, expression: "account % 2"}]}'
    rows = computed.rows(ROWS, levels(keys, results="SUM(account)"), show=("account", "total"))
    assert rows[4:] == [(1, Decimal(2)), (None, None), (0, Decimal(2))]


def test_a_key_that_does_not_fit_fails_the_run(computed: Computed) -> None:
    keys = '{name: k, group_by: [{column: amount, expression: "amount * 1000"}]}'
    assert computed.errors(ROWS[:1], levels(keys)) == [
        "RUN_001  operation 1 'op 1': a value of column 'amount' does not fit decimal(6,2)"
    ]


def test_an_assigned_value_that_does_not_fit_names_its_column(computed: Computed) -> None:
    assigned = 'assignments: [{column: amount, expression: "total * 1000"}]'
    assert computed.errors(ROWS[:1], levels(BOTH, assigned)) == [
        "RUN_001  operation 1 'op 1': a value of column 'amount' does not fit decimal(6,2)"
    ]


KEYS = ("id", "account", "weight", "_period")


@given(
    rows=st.lists(
        st.builds(
            entry,
            st.sampled_from("abc"),
            st.sampled_from((None, 1, 2)),
            st.sampled_from((None, "0.50", "-7.00", "100.25")),
            weight=st.sampled_from((None, 0.0, -0.0, 1.5)),
        ),
        max_size=12,
    ),
    subsets=st.lists(st.sets(st.sampled_from(KEYS)), min_size=1, max_size=4, unique_by=frozenset),
    result=st.sampled_from(
        ("SUM(amount)", "AVG(amount)", "COUNT_DISTINCT(id)", "SUM(weight)", "MAX_AGG(id)")
    ),
)
def test_levels_are_what_separate_aggregates_give(
    rows: Rows, subsets: list[set[str]], result: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("levels")
    named = [(f"level {i}", [k for k in KEYS if k in keys]) for i, keys in enumerate(subsets)]
    together = ", ".join(f"{{name: {name}, group_by: [{', '.join(k)}]}}" for name, k in named)
    at_once = Computed(folder).all(rows, levels(together, LEVEL, results=result))
    one_by_one: list[dict[str, Value]] = []
    for name, keys in named:
        if keys:
            found = Computed(folder).all(rows, total(", ".join(keys), "total", result))
        else:
            found = Computed(folder).all(rows, levels("{name: x, group_by: []}", results=result))
        one_by_one += [{**row, "level": name} for row in found.rows[len(rows) :]]
    plain = [{**row, "_row_id": None} for row in at_once.rows[len(rows) :]]
    assert bag(plain) == bag([{**row, "_row_id": None} for row in one_by_one])
