"""Loading plain rows: what fits, what is refused and how that is said, what a run then sees."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.planning.datasets import Dataset
from rowbook.reference.loading.dataset_rows import LoadedRows, PlainTable, SourceTables, load
from tests.reference.small_projects import WORKSPACE
from tests.support.small_plans import CONTEXT, plan_of

COLUMNS = ("id", "account", "amount", "weight", "_period")


@pytest.fixture
def entries(tmp_path: Path) -> Dataset:
    return plan_of(tmp_path, WORKSPACE.replace("operations:\n", "operations: []\n")).input


def row(*cells: Value) -> dict[str, Value]:
    return dict(zip(COLUMNS, cells, strict=True))


def loaded(
    dataset: Dataset, *rows: dict[str, Value], columns: Sequence[str] = COLUMNS
) -> LoadedRows:
    table = PlainTable(tuple(columns), rows, "entries.csv")
    return load(dataset, SourceTables((table,)), CONTEXT, keep_deleted=False)


def refusals(
    dataset: Dataset, *rows: dict[str, Value], columns: Sequence[str] = COLUMNS
) -> list[str]:
    with pytest.raises(RowbookError) as caught:
        loaded(dataset, *rows, columns=columns)
    return [str(each) for each in caught.value.diagnostics]


def test_values_and_text_become_values_of_the_declared_types(entries: Dataset) -> None:
    found = loaded(entries, row("a", "7", "10.5", "1e3", "2026-01"), row("b", 7, 10, 2, "2026-01"))
    assert list(found.rows) == [
        row("a", 7, Decimal("10.50"), 1000.0, "2026-01"),
        row("b", 7, Decimal("10.00"), 2.0, "2026-01"),
    ]


def test_a_run_sees_its_own_period(entries: Dataset) -> None:
    found = loaded(entries, row("a", 1, 1, 1, "2026-01"), row("b", 1, 1, 1, "2026-02"))
    assert [each["id"] for each in found.rows] == ["a"]


def test_rows_of_a_place_get_its_period(entries: Dataset) -> None:
    table = PlainTable(COLUMNS[:-1], [row("a", 1, 1, 1, None)], "jan.csv", period="2026-01")
    found = load(entries, SourceTables((table,)), CONTEXT, keep_deleted=False)
    assert [each["_period"] for each in found.rows] == ["2026-01"]


def test_missing_columns_are_told_with_those_there_are(entries: Dataset) -> None:
    assert refusals(entries, columns=("id", "amout", "account", "_period")) == [
        "DATASET_010  dataset 'entries': columns 'amount', 'weight' are missing in entries.csv"
    ]


def test_values_that_do_not_fit_and_nulls_are_counted_with_samples(entries: Dataset) -> None:
    many = [row(f"r{i}", 1, "10.555", 1, "2026-01") for i in range(7)]
    faults = refusals(entries, *many, row(None, 1, 1, 1, "2026-02"))
    samples = ", ".join(f"'10.555' at entries.csv where id = 'r{i}'" for i in range(5))
    assert faults == [
        "DATASET_012  dataset 'entries': column 'id' is not nullable, but NULL in 1 row:"
        " entries.csv",
        "DATASET_011  dataset 'entries': 7 values of column 'amount' do not fit decimal(6,2):"
        f" {samples} …",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", 7),
        ("account", True),
        ("account", 2**63),
        ("account", Decimal("1.00")),
        ("account", "1.0"),
        ("account", " 1"),
        ("amount", Decimal("0.001")),
        ("amount", 10000),
        ("amount", float("nan")),
        ("weight", "inf"),
        ("weight", "1e999"),
        ("weight", date(2026, 1, 1)),
    ],
)
def test_nothing_is_converted_that_is_not_exactly_the_same(
    entries: Dataset, name: str, value: Value
) -> None:
    given = {**row("a", 1, 1, 1, "2026-01"), name: value}
    (fault,) = refusals(entries, given)
    assert f"1 value of column '{name}' does not fit" in fault


def test_rows_of_files_are_told_apart_by_where_they_stand(entries: Dataset) -> None:
    places = (Field("__file", t.STRING), Field("__row", t.INTEGER))
    same = row("a", 1, 1, 1, "2026-01")
    rows = [{**same, "__file": "a.parquet", "__row": number} for number in (0, 1)]
    table = PlainTable(COLUMNS, rows, "a.parquet", identity=places)
    found = load(entries, SourceTables((table,)), CONTEXT, keep_deleted=False)
    assert found.unique
    assert list(found.identities) == [("a.parquet", 0), ("a.parquet", 1)]


def test_elsewhere_by_what_they_hold(entries: Dataset) -> None:
    found = loaded(entries, row("a", 1, "2", None, "2026-01"))
    assert not found.unique
    assert [each.name for each in found.identity] == [
        "_period",
        "account",
        "amount",
        "id",
        "weight",
    ]
    assert list(found.identities) == [["2026-01", 1, Decimal("2.00"), "a", None]]


def refused(dataset: Dataset, table: PlainTable) -> list[str]:
    with pytest.raises(RowbookError) as caught:
        load(dataset, SourceTables((table,)), CONTEXT, keep_deleted=False)
    return [str(each) for each in caught.value.diagnostics]


def test_rows_of_a_text_are_told_by_their_lines_and_broken_ones_counted(entries: Dataset) -> None:
    rows = [row(None, "x", 1, 1, "2026-01"), row("b", 1, 1, "heavy", "2026-01")]
    table = PlainTable(
        COLUMNS,
        rows,
        "f.csv",
        partitions=("weight",),
        lines=("f.csv:2", "f.csv:3"),
        broken=("f.csv:4 (1 fields instead of 5)",),
    )
    assert refused(entries, table) == [
        "DATASOURCE_007  dataset 'entries': 1 line cannot be read as rows:"
        " f.csv:4 (1 fields instead of 5)",
        "DATASET_012  dataset 'entries': column 'id' is not nullable, but NULL in 1 row: f.csv:2",
        "DATASET_011  dataset 'entries': 1 value of column 'account' does not fit integer:"
        " 'x' at f.csv:2",
        "DATASET_011  dataset 'entries': 1 value of column 'weight' does not fit float:"
        " 'heavy' at f.csv where id = 'b'",
    ]


def test_columns_without_names_are_taken_in_order(entries: Dataset) -> None:
    cells = {"c1": "a", "c2": "1", "c3": "2", "c4": None, "_period": "2026-01"}
    table = PlainTable(tuple(cells), [cells], "f.csv", by_position=True, partitions=("_period",))
    found = load(entries, SourceTables((table,)), CONTEXT, keep_deleted=False)
    assert [each["amount"] for each in found.rows] == [Decimal("2.00")]


def test_rows_of_several_places_get_the_period_of_theirs(entries: Dataset) -> None:
    rows = [
        {**row(name, 1, 1, 1, None), "__period": period}
        for name, period in (("a", "2026-01"), ("b", "2026-02"))
    ]
    table = PlainTable(COLUMNS[:-1], rows, "f.csv and 1 more", period_column="__period")
    found = load(entries, SourceTables((table,)), CONTEXT, keep_deleted=False)
    assert [each["id"] for each in found.rows] == ["a"]


def test_a_physical_type_that_cannot_become_the_declared_one_is_refused_as_a_whole(
    entries: Dataset,
) -> None:
    types = {"id": "string", "account": "decimal(9,2)", "amount": "decimal(9,0)", "weight": "date"}
    table = PlainTable(COLUMNS, [], "f.parquet", types=types)
    assert refused(entries, table) == [
        "DATASET_011  dataset 'entries': column 'account' is declared as integer, but 'account' in"
        " f.parquet is decimal(9,2)",
        "DATASET_011  dataset 'entries': column 'weight' is declared as float, but 'weight' in"
        " f.parquet is date",
    ]
