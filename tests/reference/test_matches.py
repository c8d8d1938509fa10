"""Joins and lookups on plain rows: one match, none, or an error."""

from __future__ import annotations

import pytest

from rowbook.expressions.values import Value
from tests.reference.small_projects import Computed, entry
from tests.support.small_plans import delete, update

NAMES: list[dict[str, Value]] = [
    {"account": 1, "name": "cash"},
    {"account": 2, "name": "sales"},
    {"account": None, "name": "nothing"},
]
ROWS = [entry("a", 1), entry("b", 3), entry("c", None)]
NAMED = update("tag", "names.name")


def joined(on: str) -> str:
    return update("tag", "j.name", joins=f'{{alias: j, dataset_id: names, on: "{on}"}}')


def test_no_match_and_a_null_key_give_nulls(computed: Computed) -> None:
    rows = computed.rows(ROWS, NAMED, names=NAMES, show=("id", "tag"))
    assert rows == [("a", "cash"), ("b", None), ("c", None)]


@pytest.mark.parametrize(
    ("on", "tags"),
    [
        ("e.account = j.account", ["cash", None, None]),
        ("j.account = e.account AND j.name = 'sales'", [None, None, None]),
        ("e.account = j.account AND e.id = 'b'", [None, None, None]),
        ("e.account < j.account", ["sales", None, None]),
        ("e.account + 1 = j.account AND e.id < j.name", ["sales", None, None]),
        ("e.account IS NULL AND j.account IS NULL", [None, None, "nothing"]),
    ],
)
def test_a_condition_holds_whichever_form_it_has(
    computed: Computed, on: str, tags: list[str | None]
) -> None:
    rows = computed.rows(ROWS, joined(on), names=NAMES, show=("tag",))
    assert [tag for (tag,) in rows] == tags


def test_a_second_match_names_the_key_and_how_many(computed: Computed) -> None:
    assert computed.errors(ROWS, NAMED, names=[*NAMES, NAMES[0], NAMES[0]]) == [
        "JOIN_005  operation 1 'op 1': join 'names' to dataset 'names': key 1 matches 3 rows"
    ]


def test_where_there_is_no_key_the_row_is_named(computed: Computed) -> None:
    given = [entry("a", 1, _row_id="01933e4f-8a12-7c9a-8e5d-123456789abc")]
    assert computed.errors(given, joined("e.account <= j.account"), names=NAMES) == [
        "JOIN_005  operation 1 'op 1': join 'j' to dataset 'names': key row"
        " 01933e4f-8a12-7c9a-8e5d-123456789abc matches 2 rows"
    ]


def test_duplicates_that_nothing_visible_matches_harm_nobody(computed: Computed) -> None:
    twice = [*NAMES, NAMES[0]]
    assert computed.errors(ROWS, delete("id = 'a'"), NAMED, names=twice) == []


def test_a_row_that_is_not_picked_must_not_match_twice_either(computed: Computed) -> None:
    picked = update("tag", "names.name", "id = 'b'")
    assert len(computed.errors(ROWS, picked, names=[*NAMES, NAMES[0]])) == 1
