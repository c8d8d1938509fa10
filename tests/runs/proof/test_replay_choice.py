"""Questions about a run that reads much: Spark finds the rows, and the answers are those that a
replay of all gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from rowbook import Workspace
from rowbook.runs.preview import engine_choice
from rowbook.runs.proof import spark_subset
from tests.runs.books import FILES
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.api import RowLife

pytestmark = [pytest.mark.spark, pytest.mark.slow]


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("books")
    write_files(folder, FILES)
    with Workspace.open(folder, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("close")
        assert workspace.run("close", "2026-01").status == "completed"
        yield workspace


@pytest.fixture
def much(monkeypatch: pytest.MonkeyPatch) -> None:
    """No row is few."""
    monkeypatch.setattr(engine_choice, "MOST_ROWS", 0)


def steps(life: RowLife) -> list[object]:
    return [each.as_json() for each in life.steps]


@pytest.mark.usefixtures("much")
def test_a_row_is_traced_among_many(books: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    part = books.trace("latest", "account=5000")
    monkeypatch.undo()
    whole = books.trace("latest", "account=5000")
    assert [life.row_id for life in part.rows] == [life.row_id for life in whole.rows]
    assert list(map(steps, part.rows)) == list(map(steps, whole.rows))
    found = "the input has more than 0 rows: replayed on 1 row that Spark found in it"
    assert part.warnings == (found,)


@pytest.mark.usefixtures("much")
def test_a_row_is_traced_by_its_id(books: Workspace) -> None:
    one = books.trace("latest", "account=5000").rows[0]
    assert one.row_id is not None
    (found,) = books.trace("latest", one.row_id).rows
    assert steps(found) == steps(one)


@pytest.mark.usefixtures("much")
def test_a_figure_is_explained_among_many(
    books: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = books.explain("latest", "total", output="closed", where="account = '4000'")
    monkeypatch.undo()
    whole = books.explain("latest", "total", output="closed", where="account = '4000'")
    assert (part.figure, part.total, part.ties) == (whole.figure, whole.total, True)
    assert part.contributions == whole.contributions
    assert [(each.row_id, each.amount) for each in part.largest] == [
        (each.row_id, each.amount) for each in whole.largest
    ]
    assert part.largest[0].place == (
        "data/inbox/gl/2026-01.csv where account = '4000', amount = '10.50'"
    )
    assert part.replayed == "equal"


@pytest.mark.usefixtures("much")
def test_a_figure_of_very_many_rows_is_explained_by_one_pass(
    books: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_subset, "MOST_ROWS", 0)
    passed = books.explain("latest", "total", output="closed", where="account = '4000'")
    monkeypatch.undo()
    whole = books.explain("latest", "total", output="closed", where="account = '4000'")
    assert (passed.figure, passed.rows, passed.total, passed.ties) == (
        whole.figure,
        whole.rows,
        whole.total,
        True,
    )
    assert passed.contributions == whole.contributions
    assert [(each.row_id, each.amount) for each in passed.largest] == [
        (each.row_id, each.amount) for each in whole.largest
    ]
