"""Rules that are lookups: what is one, and which share a table."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from rowbook.engine.strategy.rules.rule_tables import MOST_ENTRIES, RuleTable, as_rule, find_tables
from rowbook.engine.strategy.rules.value_sets import ValueSet
from rowbook.expressions.bound import Bound, Call, Column
from rowbook.expressions.evaluate import Value
from rowbook.planning.steps import UpdateStep
from tests.engine.random_rules import DATASET
from tests.support.small_plans import plan_of

TYPED = DATASET.replace(
    "      - {name: c,",
    "      - {name: f, type: float}\n      - {name: z, type: timestamp}\n      - {name: c,",
)


def written(*rules: tuple[str, str], column: str = "c") -> str:
    """Updates, each a selector and the value that it sets."""
    return "".join(
        f'    - {{seq: {seq}, name: rule {seq}, type: update, selector: "{selector}",'
        f' arguments: {{assignments: [{{column: {column}, expression: "{value}"}}]}}}}\n'
        for seq, (selector, value) in enumerate(rules, start=1)
    )


def updates(folder: Path, *rules: tuple[str, str], column: str = "c") -> list[UpdateStep]:
    """Their steps."""
    steps = plan_of(folder, TYPED + written(*rules, column=column)).steps
    return [step for step in steps if isinstance(step, UpdateStep)]


def shown(key: Bound) -> str:
    """A column's name, a function's; `~` before what is converted."""
    match key:
        case Column(_, name):
            return name
        case Call(function, (argument, *_)):
            return f"{function} {shown(argument)}"
    return f"~{shown(key.operand)}" if hasattr(key, "operand") else "?"


@pytest.mark.parametrize(
    ("selector", "keys"),
    [
        ("s = 'x'", {"s": {"x"}}),
        ("'x' = s", {"s": {"x"}}),
        ("s IN ('x', 'y', 'x')", {"s": {"x", "y"}}),
        ("s IN ('x', NULL)", {"s": {"x"}}),
        ("s = CONCAT('x', 'y')", {"s": {"xy"}}),
        ("s = 'x' AND (n = 1 AND b = FALSE)", {"s": {"x"}, "n": {1}, "b": {False}}),
        ("AND(s = 'x', n IN (1, 2))", {"s": {"x"}, "n": {1, 2}}),
        ("UPPER(s) = 'X'", {"UPPER s": {"X"}}),
        ("LEN(s) = 2", {"LEN s": {2}}),
        ("m = 7", {"m": {Decimal(7)}}),
        ("m = 7.555", {"~m": {Decimal("7.555")}}),
        ("n IN (1, 2.5)", {"~n": {Decimal(1), Decimal("2.5")}}),
        ("d = DATE('2026-01-31')", {"d": {date(2026, 1, 31)}}),
        ("z = DATE('2026-01-31')", {"z": {datetime(2026, 1, 31, tzinfo=UTC)}}),
        ("s = NULL", {"s": set()}),
        ("s IN (NULL)", {"s": set()}),
        ("n = 1 AND n = 2", {"n": set()}),
        ("n IN (1, 2, 3) AND n IN (2, 3, 4)", {"n": {2, 3}}),
    ],
)
def test_comparing_with_literals_is_a_lookup(
    tmp_path: Path, selector: str, keys: dict[str, set[Value]]
) -> None:
    (step,) = updates(tmp_path, (selector, "'v'"))
    rule = as_rule(step)
    assert rule is not None
    assert {shown(key): set(wanted.values) for key, wanted in rule.keys.items()} == keys
    assert not any(wanted.ranges for wanted in rule.keys.values())
    assert (rule.seq, rule.columns, rule.values) == (1, ("c",), ("v",))


@pytest.mark.parametrize(
    "selector",
    [
        "f = 1.5",
        "m = f",
        "s = c",
        "s IN ('x', c)",
        "s = 'x' AND TRUE",
        "s <> 'x'",
        "s NOT IN ('x')",
        "NOT s <> 'x'",
        "s LIKE 'x'",
        "s LIKE 'x_%'",
        "s LIKE 'x\\\\%'",
        "s LIKE '%x%'",
        "s = 'x' OR n = 1",
        "s = 'x' OR s IS NULL",
        "f > 1.5",
        "b < TRUE",
        "n < x",
        "s IS NULL",
        "b",
        "TRUE",
        "'x' = 'x'",
        "NULL = NULL",
        "d = TODAY()",
        "s = PERIOD()",
        "n = 9223372036854775807 + 1",
    ],
)
def test_any_other_condition_is_none(tmp_path: Path, selector: str) -> None:
    (step,) = updates(tmp_path, (selector, "'v'"))
    assert as_rule(step) is None


@pytest.mark.parametrize(
    ("selector", "key", "wanted"),
    [
        ("n > 1", "n", ValueSet(ranges=((2, None),))),
        ("1 >= n", "n", ValueSet(ranges=((None, 2),))),
        ("n < 1", "n", ValueSet(ranges=((None, 1),))),
        ("n > 9223372036854775807", "n", ValueSet()),
        ("n BETWEEN 1 AND 5 AND n > 3", "n", ValueSet(ranges=((4, 6),))),
        ("n BETWEEN 5 AND 1", "n", ValueSet()),
        ("n BETWEEN 1 AND 5 AND n IN (5, 6)", "n", ValueSet(frozenset({5}))),
        ("n = 7 OR n < 3", "n", ValueSet(frozenset({7}), ((None, 3),))),
        ("m <= 7", "m", ValueSet(ranges=((None, Decimal("7.01")),))),
        ("d > DATE('2026-01-31')", "d", ValueSet(ranges=((date(2026, 2, 1), None),))),
        ("s BETWEEN 'x' AND 'y'", "s", ValueSet(ranges=(("x", "y\0"),))),
        ("s LIKE '4%'", "s", ValueSet(ranges=(("4", "5"),))),
        ("STARTS_WITH(s, '40')", "s", ValueSet(ranges=(("40", "41"),))),
        ("s LIKE '%'", "s", ValueSet(ranges=(("", None),))),
    ],
)
def test_so_is_asking_for_a_range(
    tmp_path: Path, selector: str, key: str, wanted: ValueSet
) -> None:
    (step,) = updates(tmp_path, (selector, "'v'"))
    rule = as_rule(step)
    assert rule is not None
    assert {shown(each): values for each, values in rule.keys.items()} == {key: wanted}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("'v'", ("v",)),
        ("CONCAT('v', 'w')", ("vw",)),
        ("NULL", (None,)),
        ("IF(1 > 2, 'a', 'b')", ("b",)),
    ],
)
def test_a_value_that_is_written_out_is_known_beforehand(
    tmp_path: Path, value: str, expected: tuple[Value, ...]
) -> None:
    (step,) = updates(tmp_path, ("s = 'x'", value))
    rule = as_rule(step)
    assert rule is not None
    assert rule.values == expected


@pytest.mark.parametrize(
    ("column", "value"),
    [("c", "s"), ("c", "PERIOD()"), ("z", "NOW()"), ("n", "9223372036854775807 + 1")],
)
def test_a_value_that_a_row_or_the_clock_has_a_say_in_is_not(
    tmp_path: Path, column: str, value: str
) -> None:
    (step,) = updates(tmp_path, ("s = 'x'", value), column=column)
    assert as_rule(step) is None


def test_an_update_of_all_rows_is_no_lookup(tmp_path: Path) -> None:
    operation = (
        "    - {seq: 1, name: all, type: update,"
        " arguments: {assignments: [{column: n, expression: 1}]}}\n"
    )
    (step,) = plan_of(tmp_path, TYPED + operation).steps
    assert isinstance(step, UpdateStep)
    assert as_rule(step) is None


def seqs(tables: tuple[RuleTable, ...]) -> list[list[int]]:
    return [[rule.seq for rule in table.rules] for table in tables]


def test_rules_of_one_shape_share_a_table_in_their_order(tmp_path: Path) -> None:
    steps = updates(
        tmp_path,
        ("s = 'a' AND n = 1", "'v'"),
        ("s = 'a'", "'v'"),
        ("n IN (2, 3) AND s = 'b'", "'w'"),
        ("n <> 7", "'u'"),
        ("s = 'b'", "NULL"),
        ("n = 1 AND n = 2 AND s = 'c'", "'x'"),
    )
    assert seqs(find_tables(steps, 1)) == [[1, 3, 6], [2, 5]]
    assert seqs(find_tables(steps, 3)) == [[1, 3, 6]]
    assert find_tables(steps, 4) == ()


def test_rules_that_set_other_columns_have_a_table_of_their_own(tmp_path: Path) -> None:
    steps = updates(tmp_path, ("s = 'a'", "'v'"), ("s = 'b'", "'w'"))
    (other,) = updates(tmp_path, ("s = 'c'", "5"), column="n")
    assert seqs(find_tables([*steps, other], 1)) == [[1, 2], [1]]


def test_an_entry_knows_all_rules_it_meets_the_winner_last(tmp_path: Path) -> None:
    steps = updates(
        tmp_path,
        ("s IN ('a', 'b') AND n IN (1, 2)", "'v'"),
        ("n = 2 AND s = 'b'", "'w'"),
        ("s = 'a' AND s = 'b' AND n = 1", "'x'"),
    )
    (table,) = find_tables(steps, 1)
    assert [shown(key) for key in table.keys] == ["s", "n"]
    assert table.size == 5
    entries = {key: [rule.seq for rule in met] for key, met in table.entries().items()}
    assert entries == {("a", 1): [1], ("a", 2): [1], ("b", 1): [1], ("b", 2): [1, 2]}


def test_ranges_make_cells_of_the_values_of_their_key(tmp_path: Path) -> None:
    steps = updates(
        tmp_path,
        ("s BETWEEN '4000' AND '4990' AND n = 1", "'v'"),
        ("s LIKE '45%' AND n IN (1, 2)", "'w'"),
        ("s = '4500' AND n = 1", "'x'"),
    )
    (table,) = find_tables(steps, 1)
    text, number = table.keys
    assert table.cuts(text) == ("4000", "45", "4500", "4500\0", "46", "4990\0")
    assert table.cuts(number) is None
    entries = {key: [rule.seq for rule in met] for key, met in table.entries().items()}
    assert entries == {
        (1, 1): [1],
        (2, 1): [1, 2],
        (2, 2): [2],
        (3, 1): [1, 2, 3],
        (3, 2): [2],
        (4, 1): [1, 2],
        (4, 2): [2],
        (5, 1): [1],
    }


def test_a_range_without_ends_is_one_cell_of_all_values(tmp_path: Path) -> None:
    (step,) = updates(tmp_path, ("s = 'a' AND d <= DATE('9999-12-31')", "'v'"))
    (table,) = find_tables([step], 1)
    assert [table.cuts(key) for key in table.keys] == [None, ()]
    assert {key: [rule.seq for rule in met] for key, met in table.entries().items()} == {
        ("a", 0): [1]
    }


@pytest.mark.parametrize(("more", "found"), [(0, [[1, 2]]), (1, [])])
def test_rules_with_too_many_entries_stay_a_case(
    tmp_path: Path, more: int, found: list[list[int]]
) -> None:
    names = ", ".join(f"'{i}'" for i in range(100))
    numbers = ", ".join(map(str, range(MOST_ENTRIES // 100 - 1)))
    rest = ", ".join(f"'{i}'" for i in range(100 + more))
    steps = updates(
        tmp_path,
        (f"s IN ({names}) AND n IN ({numbers})", "'v'"),
        (f"s IN ({rest}) AND n = 1", "'w'"),
    )
    assert seqs(find_tables(steps, 1)) == found
