from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.planning.columns import ROW_ID
from rowbook.proof.replay import Replay
from rowbook.proof.row_life import RowLife
from rowbook.proof.row_search import RowQuery, find_lives, is_same, unknown_row
from tests.proof.conftest import Follow
from tests.support.replays import replay_of, with_output
from tests.support.small_plans import delete, numbered, plan_of, total, update

D = Decimal


def lives(replay: Replay, text: str, dataset: str | None = None) -> list[RowLife]:
    return [life.tell() for life in find_lives(replay, RowQuery.parse(text), dataset)]


def test_a_value_may_have_a_comma() -> None:
    assert RowQuery.parse("a=1,b=x, y,c=3").values == {"a": "1", "b": "x, y", "c": "3"}


def test_a_text_without_an_equals_sign_is_an_id() -> None:
    assert RowQuery.parse("01a1e318") == RowQuery("01a1e318", {})
    assert RowQuery.parse("_row_id=01a1") == RowQuery("01a1", {})


@pytest.mark.parametrize(
    ("text", "value", "same"),
    [
        ("1.50", D("1.5"), True),
        ("x", D("1.5"), False),
        ("NULL", None, True),
        ("true", True, True),
        ("a", "a", True),
        ("A", "a", False),
    ],
)
def test_values_are_meant_by_their_texts(text: str, value: object, same: bool) -> None:
    assert is_same(text, value) is same


def test_equal_rows_are_all_found(follow: Follow) -> None:
    replay = follow([(1, "a", D(2)), (1, "a", D(2))], update("status", "'b'"))
    assert len(lives(replay, "id=1,amount=2")) == 2


def test_a_row_is_found_by_the_key_it_was_read_with_and_by_the_one_it_was_published_with(
    follow: Follow,
) -> None:
    replay = follow([(1, "a", D(2)), (2, "a", D(3))], update("id", "id + 10"))
    assert [life.values["amount"] for life in lives(replay, "id=2")] == [D("3.00")]
    assert [life.values["amount"] for life in lives(replay, "id=12")] == [D("3.00")]


def test_a_row_is_found_by_how_its_id_begins(follow: Follow) -> None:
    replay = follow([(1, "a", D(2)), (2, "a", D(3))], update("status", "'b'"))
    row_id = str(replay.lives[1].row[ROW_ID])
    assert [life.values["id"] for life in lives(replay, row_id)] == [2]
    assert [life.values["id"] for life in lives(replay, row_id[:-1])] == [2]


def test_a_summary_is_found_by_what_it_holds(follow: Follow) -> None:
    replay = follow([(1, "a", D(2)), (2, "a", D(3))], total("status", "sum", "SUM(amount)"))
    (life,) = lives(replay, "sum=5")
    assert life.birth == "the summary of 2 rows by 1 'op 1'"


def test_a_joined_row_is_found_by_its_dataset(follow: Follow) -> None:
    replay = follow(
        [(1, "EUR", D(2)), (2, "USD", D(3))],
        update("usd", "r.rate", joins="{alias: r, dataset_id: rates, on: 'gl.status = r.code'}"),
        rates=[("EUR", D(2))],
    )
    (life,) = lives(replay, "code=EUR", "rates")
    assert (life.fate, life.reason) == ("kept", "joined by 1 'op 1' as r for 1 row")


def test_a_column_that_there_is_not_is_refused(follow: Follow) -> None:
    replay = follow([(1, "a", D(2))], delete("id = 1"))
    with pytest.raises(RowbookError, match="there is no column 'statsu'"):
        lives(replay, "statsu=a")


def test_a_row_of_another_period_was_not_read(follow: Follow) -> None:
    plan = follow([], delete("id = 1")).plan
    rows = [{"id": 1, "status": "a", "amount": D(2), "_period": "2025-12"}]
    replay = replay_of(with_output(plan), {"ledger": rows, "rates": []})
    (life,) = lives(replay, "id=1")
    assert (life.fate, life.place) == ("not read", "a list where id = '1'")
    assert life.reason == "it is of period 2025-12, not of those that the run reads"


BOOKS = """
dataset:
  name: ledger
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: id, type: integer}
      - {name: center, type: string}
      - {name: _deleted, type: boolean}
  natural_key_columns: [id]
---
dataset:
  name: centers
  main_table:
    name: centers
    temporal_mode: bitemporal
    columns:
      - {name: center, type: string}
      - {name: people, type: integer}
      - {name: valid_from, type: date}
      - {name: valid_to, type: date}
      - {name: _deleted, type: boolean}
---
project:
  name: p
  input_dataset_id: ledger
  operations:
"""


@pytest.fixture
def kept_books(tmp_path: Path) -> Replay:
    """Rows that sources have as deleted, and rows that are not valid on the last of January."""
    joins = "{alias: c, dataset_id: centers, on: 'gl.center = c.center'}"
    plan = plan_of(tmp_path, BOOKS + numbered(update("people", "c.people", joins=joins)))
    lines = [(1, False), (2, True)]
    centers = [
        ("now", date(2026, 1, 1), None, False),
        ("later", date(2026, 2, 1), date(2027, 1, 1), False),
        ("dropped", date(2026, 1, 1), None, True),
    ]
    return replay_of(
        with_output(plan),
        {
            "ledger": [
                {"id": n, "center": "now", "_deleted": gone, "_period": "2026-01"}
                for n, gone in lines
            ],
            "centers": [
                {"center": c, "people": 3, "valid_from": first, "valid_to": last, "_deleted": gone}
                for c, first, last, gone in centers
            ],
        },
    )


def test_a_row_that_is_not_valid_then_was_not_read(kept_books: Replay) -> None:
    (life,) = lives(kept_books, "center=later", "centers")
    assert (life.fate, life.reason) == (
        "not read",
        "it is valid from 2026-02-01 to 2027-01-01, not on 2026-01-31",
    )


def test_a_joined_row_that_its_source_has_as_deleted_was_not_read(kept_books: Replay) -> None:
    (life,) = lives(kept_books, "center=dropped", "centers")
    assert (life.fate, life.reason) == ("not read", "its source has it as deleted")


def test_a_row_of_the_input_that_came_deleted_says_so(kept_books: Replay) -> None:
    (kept,) = lives(kept_books, "id=1", "ledger")
    (gone,) = lives(kept_books, "id=2", "ledger")
    assert (kept.fate, gone.fate) == ("published", "deleted")
    assert gone.reason == "its source has it as deleted"


def test_a_row_that_no_table_has_is_said_to_be_in_none(kept_books: Replay) -> None:
    assert lives(kept_books, "id=9") == []
    life = unknown_row(kept_books, RowQuery.parse("id=9"), None)
    assert (life.fate, life.reason) == ("not read", "no row of a list is such")
