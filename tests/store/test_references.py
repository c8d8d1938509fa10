"""Entities are found by name or id, and names move from one to another without a clash."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.errors import RowbookError
from rowbook.store.references import find_id, rename

TABLE = sa.Table(
    "entity",
    sa.MetaData(),
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("kind", sa.String),
    sa.Column("name", sa.String, unique=True),
)
GL = "0f8fad5b-d9cb-469f-a165-70867728950e"
ROWS = [(GL, "dataset", "gl"), ("2", "dataset", "rates"), ("3", "resolver", "files")]
DATASETS = TABLE.c.kind == "dataset"


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = sa.create_engine("sqlite://")
    with engine.begin() as opened:
        TABLE.create(opened)
        for row in ROWS:
            opened.execute(TABLE.insert().values(row))
        yield opened
    engine.dispose()


def names(connection: Connection) -> dict[str, str]:
    return {row.id: row.name for row in connection.execute(sa.select(TABLE))}


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("gl", GL),
        (GL, GL),
        (GL.upper(), GL),
        (GL.replace("-", ""), GL),
        (f"{{{GL}}}", GL),
        ("2", "2"),
        ("GL", None),
        ("gone", None),
        ("", None),
    ],
)
def test_a_reference_is_a_name_or_an_id_however_it_is_written(
    connection: Connection, reference: str, found: str | None
) -> None:
    assert find_id(connection, TABLE, reference) == found


def test_a_reference_is_found_only_within_its_kind(connection: Connection) -> None:
    assert find_id(connection, TABLE, "files", DATASETS) is None
    assert find_id(connection, TABLE, "files", TABLE.c.kind == "resolver") == "3"


def test_a_name_wins_over_an_id(connection: Connection) -> None:
    connection.execute(TABLE.insert().values(id="4", kind="dataset", name="2"))
    assert find_id(connection, TABLE, "2") == "4"


def test_two_swap_their_names(connection: Connection) -> None:
    rename(connection, TABLE, {GL: "rates", "2": "gl"}, "dataset", DATASETS)
    assert names(connection) == {GL: "rates", "2": "gl", "3": "files"}


def test_ids_that_are_not_there_and_names_that_stay_change_nothing(connection: Connection) -> None:
    rename(connection, TABLE, {GL: "gl", "9": "new"}, "dataset", DATASETS)
    assert names(connection) == {GL: "gl", "2": "rates", "3": "files"}


@pytest.mark.parametrize("given", [{GL: "rates"}, {"9": "rates"}, {"8": "new", "9": "new"}])
def test_a_name_for_two_ids_is_refused_before_anything_changes(
    connection: Connection, given: dict[str, str]
) -> None:
    with pytest.raises(RowbookError, match=r"STORE_006  the dataset '(rates|new)' has the ids"):
        rename(connection, TABLE, given, "dataset", DATASETS)
    assert names(connection) == {GL: "gl", "2": "rates", "3": "files"}
