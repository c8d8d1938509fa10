"""Rows that a question is about, read by Spark: those that meet it, with the ids that they have
among all."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.engine.loading.load import load
from rowbook.engine.proof.subset_reading import SubsetReading
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.scope import Scope
from rowbook.planning.columns import ALWAYS
from rowbook.planning.datasets import Dataset
from rowbook.reference.id_hashes import new_row_ids
from rowbook.reference.loading.dataset_rows import PlainTable, SourceTables
from rowbook.reference.loading.dataset_rows import load as load_plain
from rowbook.reference.subset.row_subset import BirthCondition
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.registry import read_plain
from tests.sources.tables import NOW, context, csv_file, dataset, place, read

pytestmark = pytest.mark.spark

WANTED = dataset("id string", "amount decimal(18,2)", "day date")
ROWS = [(f"i{n % 40}", f"{n % 5}.50", f"2026-01-{n % 28 + 1:02}") for n in range(200)]


def csv(folder: Path, rows: list[tuple[str, str, str]]) -> FileTable:
    lines = "".join(",".join(row) + "\n" for row in rows)
    return place(csv_file(folder, f"id,amount,day\n{lines}"))


def parquet(folder: Path, rows: list[tuple[str, str, str]]) -> FileTable:
    names = ("id", "amount", "day")
    columns = {n: [row[i] for row in rows] for i, n in enumerate(names)}
    pq.write_table(pa.table(columns), folder / "gl.parquet")
    return place(folder / "gl.parquet", "parquet")


def reading(spark: SparkSession, table: FileTable, wanted: Dataset = WANTED) -> SubsetReading:
    raws = read(spark, table)
    loaded = load(wanted, raws, context(), keep_deleted=True, checked=False)
    joined = "nothing is joined"
    return SubsetReading(wanted, loaded, context(), lambda _: pytest.fail(joined), "data/gl")


def condition(text: str, wanted: Dataset = WANTED) -> BirthCondition:
    scope = Scope(wanted.working_columns().table)
    tree: Bound = bind(text, scope).tree
    return BirthCondition(tree)


def ids(tables: tuple[PlainTable, ...], wanted: Dataset = WANTED) -> list[tuple[str, str]]:
    """The ids of rows, each with its own."""
    loaded = load_plain(wanted, SourceTables(tables), context(), keep_deleted=True)
    types = [each.type for each in loaded.identity]
    made = new_row_ids(loaded.identities, types, "input", NOW, unique=loaded.unique)
    return sorted((str(row["id"]), row_id) for row, row_id in zip(loaded.rows, made, strict=True))


@pytest.mark.parametrize("source", [csv, parquet], ids=["csv", "parquet"])
def test_rows_have_the_ids_that_they_have_among_all(
    spark: SparkSession, tmp_path: Path, source: type
) -> None:
    table = source(tmp_path, ROWS)
    found = reading(spark, table).rows(condition("id = 'i7' AND amount > 2"), 10)
    assert found is not None
    assert ids((found,)) == [each for each in ids(read_plain([table])) if each[0] == "i7"]


def test_rows_of_files_know_their_places(spark: SparkSession, tmp_path: Path) -> None:
    found = reading(spark, parquet(tmp_path, ROWS)).rows(condition("id = 'i7'"), 10)
    assert found is not None
    assert found.name_of is not None
    assert sorted(found.name_of(i) for i in range(len(found.rows))) == [
        "data/gl.parquet row 128",
        "data/gl.parquet row 168",
        "data/gl.parquet row 48",
        "data/gl.parquet row 8",
        "data/gl.parquet row 88",
    ]


def test_too_many_are_none(spark: SparkSession, tmp_path: Path) -> None:
    own = reading(spark, csv(tmp_path, ROWS))
    assert own.rows(condition("id = 'i7'"), 4) is None
    assert own.rows(condition("FALSE"), 4) is not None


@pytest.mark.parametrize("source", [csv, parquet], ids=["csv", "parquet"])
@pytest.mark.parametrize("form", ["_row_id = '{}'", "STARTS_WITH(_row_id, '{}')"])
def test_a_row_is_found_by_its_id_and_equal_ones_with_it(
    spark: SparkSession, tmp_path: Path, source: type, form: str
) -> None:
    rows = [*ROWS, *[ROWS[9]] * 2]
    table = source(tmp_path, rows)
    everything = ids(read_plain([table]))
    asked = min(row_id for name, row_id in everything if name == "i9")
    found = reading(spark, table).rows(condition(form.format(asked)), 10)
    assert found is not None
    assert asked in [row_id for _, row_id in ids((found,))]
    assert set(ids((found,))) <= set(everything)


@pytest.mark.campaign
def test_of_many_equal_rows_the_last_is_found_too(spark: SparkSession, tmp_path: Path) -> None:
    table = csv(tmp_path, [*ROWS[:3], *[("same", "1.00", "2026-01-01")] * 20])
    equal = [row_id for name, row_id in ids(read_plain([table])) if name == "same"]
    for asked in equal[::5]:
        found = reading(spark, table).rows(condition(f"_row_id = '{asked}'"), 30)
        assert found is not None
        assert [row_id for _, row_id in ids((found,))] == equal


def test_conditions_reach_parquet(spark: SparkSession, tmp_path: Path) -> None:
    own = reading(spark, parquet(tmp_path, ROWS))
    plan = own.frame(condition("id = 'i7' AND amount > 2"))._jdf.queryExecution().toString()
    assert "PushedFilters: [EqualTo(id,i7)]" in plan


def test_stored_ids_count_where_there_are_such(spark: SparkSession, tmp_path: Path) -> None:
    wanted = dataset("id string")
    table = place(csv_file(tmp_path, "id,_row_id\na,r1\nb,\nc,r3\n"))
    found = reading(spark, table, wanted).rows(condition("_row_id = 'r3'", wanted), 5)
    assert found is not None
    assert [row["c1"] for row in found.rows] == ["c"]
    assert ALWAYS[0].name in found.columns


def test_by_its_id_a_row_is_read_of_its_own_file_alone(spark: SparkSession, tmp_path: Path) -> None:
    for name, rows in (("a", ROWS[:100]), ("b", ROWS[100:])):
        columns = {"id": [row[0] for row in rows], "amount": [row[1] for row in rows]}
        pq.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
    wanted = dataset("id string", "amount decimal(18,2)")
    table = place(tmp_path, "parquet")
    everything = ids(read_plain([table]), wanted)
    name, asked = everything[7]
    own = reading(spark, table, wanted)
    found = own.frame(condition(f"_row_id = '{asked}' AND amount >= 0", wanted))
    assert [row["id"] for row in found.collect()] == [name]
    assert len(found.inputFiles()) == 2
    scan = found._jdf.queryExecution().executedPlan().collectLeaves().head()
    assert scan.metrics().apply("numFiles").value() == 1
    assert own.frame(condition("_row_id = 'none'", wanted)).collect() == []


def test_an_id_that_need_not_be_the_row_s_leaves_out_no_file(
    spark: SparkSession, tmp_path: Path
) -> None:
    table = parquet(tmp_path, ROWS)
    (asked, *_) = [row_id for name, row_id in ids(read_plain([table])) if name == "i3"]
    found = reading(spark, table).rows(condition(f"_row_id = '{asked}' OR id = 'i7'"), 10)
    assert found is not None
    assert len(found.rows) == 6
