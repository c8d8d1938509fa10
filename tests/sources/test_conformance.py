"""One behaviour for all kinds of data sources: what is true of one is true of every other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.sources import registry
from rowbook.sources.registry import settle
from rowbook.sources.source import WriteRequest
from rowbook.sources.source_errors import output_error
from tests.sources.all_kinds import DATABASES, KINDS, KINDS_OF_PUBLISHING, Table, frame, table_of
from tests.sources.postgres_books import granting
from tests.sources.tables import dataset
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark

RUN_1 = "0199a000-0000-7000-8000-000000000001"
RUN_2 = "0199a000-0000-7000-8000-000000000002"
PERIODIC = dataset("account string!", "amount decimal(18,2)", "_period string", mode="period")

VALUES: dict[str, list[Any]] = {
    "string": [
        "x",
        "",
        " ",
        "é",
        "😀",
        "漢字",
        '"',
        "'",
        "a,b",
        "line\nbreak",
        "\\",
        "007",
        "null",
    ],
    "integer": [0, -1, 2**63 - 1, -(2**63)],
    "decimal(18,2)": [Decimal(t) for t in ("0.00", "-0.01", "9999999999999999.99")],
    "decimal(38,10)": [
        Decimal(t)
        for t in (
            "0.0000000001",
            "-0.0000000001",
            "9999999999999999999999999999.9999999999",
            "-1234567890123456789012345678.0123456789",
        )
    ],
    "float": [0.0, 1.5, 0.1, 1e-7, 1e300, 5e-324, 2**53 + 1.0],
    "boolean": [True, False],
    "date": [date(2026, 1, 31), date(1, 1, 1), date(1582, 10, 15), date(9999, 12, 31)],
    "timestamp": [
        datetime(2026, 1, 31, 10, 5, 7, 123456, tzinfo=UTC),
        datetime(2026, 1, 31, tzinfo=UTC),
        datetime(1850, 6, 1, 1, 2, 3, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    ],
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests that `put` periods are about publishing, the others about values of every format."""
    if "table" in metafunc.fixturenames:
        kinds = KINDS_OF_PUBLISHING if "put" in metafunc.fixturenames else KINDS
        metafunc.parametrize("table", kinds, indirect=True)


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    return table_of(str(request.param), tmp_path, request.getfixturevalue)


def booked(period: str, **accounts: str) -> list[dict[str, Any]]:
    return [
        {"account": name, "amount": Decimal(amount), "_period": period}
        for name, amount in accounts.items()
    ]


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=repr)


@pytest.fixture
def put(spark: SparkSession, table: Table) -> Callable[..., int]:
    """Writes rows of periods; gives how many it was told that it wrote."""

    def write(rows: list[dict[str, Any]], *periods: str, **how: Any) -> int:
        return table.put(frame(spark, PERIODIC, rows), periods=periods or None, **how).rows

    return write


def test_values_come_back_as_they_were(spark: SparkSession, table: Table) -> None:
    kinds = {f"v{n}": kind for n, kind in enumerate(VALUES)}
    wanted = dataset("n integer", *(f"{name} {kind}" for name, kind in kinds.items()))
    most = max(map(len, VALUES.values()))
    rows: list[dict[str, Any]] = [
        {"n": n, **{name: ([*VALUES[kind], *[None] * most])[n] for name, kind in kinds.items()}}
        for n in range(most + 1)
    ]
    assert table.put(frame(spark, wanted, rows)).rows == len(rows)
    found = sorted(table.rows(spark, wanted), key=lambda row: int(row["n"]))
    assert found == rows


@pytest.mark.some(12)
@pytest.mark.parametrize(
    ("kind_of_value", "value"),
    [
        ("date", date(1582, 10, 10)),
        ("timestamp", datetime(1582, 10, 10, 12, tzinfo=UTC)),
        ("timestamp", datetime(1969, 12, 31, 23, 59, 59, 500000, tzinfo=UTC)),
        ("string", "a\0b"),
        ("float", float("inf")),
    ],
)
def test_a_value_is_kept_or_refused_but_never_another(
    spark: SparkSession, table: Table, kind_of_value: str, value: Any
) -> None:
    wanted = dataset("a string", f"v {kind_of_value}")
    rows = [{"a": "x", "v": value}]
    refusals: list[RowbookError] = []
    try:
        table.put(frame(spark, wanted, rows))
    except RowbookError as error:
        refusals.append(error)
    if not refusals:
        assert table.rows(spark, wanted) == rows
        return
    (found,) = refusals[0].diagnostics
    assert found.code == "OUTPUT_006"
    assert "cannot" in found.message or "NUL" in found.message
    assert not settle(table.target, RUN_1, 1).published


def test_no_rows_come_back_as_no_rows(spark: SparkSession, table: Table) -> None:
    wanted = dataset("a string!", "b decimal(38,10)!", "c timestamp")
    assert table.put(frame(spark, wanted, [])).rows == 0
    assert table.rows(spark, wanted) == []
    assert registry.columns(table.place(wanted, ())) == ("a", "b", "c")


def test_a_period_is_read_and_replaced_alone(
    spark: SparkSession, table: Table, put: Callable[..., int]
) -> None:
    january, february = booked("2026-01", A="1.00", B="2.00"), booked("2026-02", A="3.00")
    assert put(january, "2026-01") == 2
    assert put(february, "2026-02", run_id=RUN_2) == 1
    assert in_order(table.rows(spark, PERIODIC, "2026-01")) == in_order(january)
    assert table.rows(spark, PERIODIC, "2026-02") == february
    again = booked("2026-01", C="9.00")
    put(again, "2026-01", run_id=RUN_2)
    assert table.rows(spark, PERIODIC, "2026-01") == again
    assert table.rows(spark, PERIODIC, "2026-02") == february
    assert len(table.rows(spark, PERIODIC, "2026-01", "2026-02")) == 2


def test_replacing_twice_gives_the_same(
    spark: SparkSession, table: Table, put: Callable[..., int]
) -> None:
    rows = booked("2026-01", A="1.00", B="2.00")
    for run_id in (RUN_1, RUN_2):
        put(rows, "2026-01", run_id=run_id)
    assert in_order(table.rows(spark, PERIODIC)) == in_order(rows)


def test_a_period_can_be_emptied(
    spark: SparkSession, table: Table, put: Callable[..., int]
) -> None:
    put(booked("2026-01", A="1.00") + booked("2026-02", A="2.00"), "2026-01", "2026-02")
    assert put([], "2026-01", run_id=RUN_2) == 0
    assert table.rows(spark, PERIODIC, "2026-01") == []
    assert table.rows(spark, PERIODIC, "2026-02") == booked("2026-02", A="2.00")


def test_columns_of_the_system_are_read_by_their_names(spark: SparkSession, table: Table) -> None:
    """An output has them unless it says which columns it has; a lake has some of its own."""
    wanted = dataset("_row_id string!", "_deleted boolean!")
    for run_id, name in ((RUN_1, "x"), (RUN_2, "y")):
        rows = [{"_row_id": name, "_deleted": False}]
        table.put(frame(spark, wanted, rows), "append", run_id=run_id)
    place = table.place(wanted, ())
    assert registry.columns(place) == ("_row_id", "_deleted")
    with ExitStack() as held:
        raws = registry.read(spark, [place], held)
        found = [row for raw in raws for row in raw.frame.select("_row_id", "_deleted").collect()]
    assert sorted(row["_row_id"] for row in found) == ["x", "y"]


def test_without_periods_all_is_replaced(spark: SparkSession, table: Table) -> None:
    wanted = dataset("account string")
    table.put(frame(spark, wanted, [{"account": "A"}, {"account": "B"}]))
    table.put(frame(spark, wanted, [{"account": "C"}]), run_id=RUN_2)
    assert table.rows(spark, wanted) == [{"account": "C"}]


def test_rows_are_added(spark: SparkSession, table: Table, put: Callable[..., int]) -> None:
    rows = booked("2026-01", A="1.00")
    for run_id in (RUN_1, RUN_2):
        assert put(rows, "2026-01", mode="append", run_id=run_id) == 1
    assert table.rows(spark, PERIODIC) == rows * 2


def test_what_exists_can_be_left_alone(
    spark: SparkSession, table: Table, put: Callable[..., int]
) -> None:
    rows = booked("2026-01", A="1.00")
    put(rows, "2026-01", mode="error_if_exists")
    found = refusal(
        lambda: put(booked("2026-02", B="1.00"), "2026-02", mode="error_if_exists", run_id=RUN_2)
    )
    assert (found.code, "exists already" in found.message) == ("OUTPUT_006", True)
    assert table.rows(spark, PERIODIC, "2026-01", "2026-02") == rows


def test_rows_of_other_periods_are_refused(
    spark: SparkSession, table: Table, put: Callable[..., int]
) -> None:
    put(booked("2026-01", A="1.00"), "2026-01")
    found = refusal(
        lambda: put(
            booked("2026-01", A="2.00") + booked("2026-03", A="2.00"), "2026-01", run_id=RUN_2
        )
    )
    assert found.code == "OUTPUT_006"
    assert "2026-03" in found.message
    assert table.rows(spark, PERIODIC, "2026-01", "2026-03") == booked("2026-01", A="1.00")


def test_a_failing_computation_changes_nothing(spark: SparkSession, table: Table) -> None:
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F

    before = booked("2026-01", A="1.00")
    table.put(frame(spark, PERIODIC, before), periods=("2026-01",))
    failing = frame(spark, PERIODIC, booked("2026-01", B="2.00")).withColumn(
        "account", F.raise_error(F.lit("ROWBOOK RUN_001: overflow")).cast("string")
    )
    with pytest.raises(PySparkException, match="ROWBOOK RUN_001"):
        table.put(failing, periods=("2026-01",), run_id=RUN_2)
    assert not settle(table.target, RUN_2, 1).published
    assert table.rows(spark, PERIODIC) == before


def test_what_is_published_is_known_to_be(
    table: Table, put: Callable[..., int], tmp_path: Path
) -> None:
    """Also once another output followed, and by who has only the record of where it went."""
    put(booked("2026-01", A="1.00"), "2026-01", seq=3)
    given = table.target.as_json()
    database = given.get("database") or {"credential": None, "url": ""}
    boundary = table.boundary or granting(tmp_path, database["credential"], database["url"])
    recorded = registry.target_from_json(given, boundary)
    assert recorded == table.target or table.kind in DATABASES
    assert settle(recorded, RUN_1, 3).published
    put(booked("2026-02", A="1.00"), "2026-02", run_id=RUN_2, seq=7)
    assert settle(recorded, RUN_1, 3).published
    assert settle(recorded, RUN_2, 7).published
    assert not settle(recorded, RUN_2, 8).published


def test_content_is_told_from_other_content(table: Table, put: Callable[..., int]) -> None:
    """The same as long as nobody writes, another one afterwards."""
    put(booked("2026-01", A="1.00"), "2026-01")
    place = registry.table_of(table.target)
    before = registry.contents(place)
    assert registry.contents(place) == before
    assert all(each.size > 0 for each in before)
    put(booked("2026-01", A="2.00"), "2026-01", run_id=RUN_2)
    assert registry.contents(place) != before


def test_where_nothing_is_that_is_said(table: Table) -> None:
    for ask in (registry.columns, registry.contents):
        with pytest.raises(RowbookError) as refused:
            ask(table.place(PERIODIC, ("2026-01",)))
        assert refused.value.diagnostics[0].code == "DATASOURCE_006"
    assert not settle(table.target, RUN_1, 1).published


def test_a_dataset_may_name_fewer_columns(spark: SparkSession, table: Table) -> None:
    wide = dataset("a string", "b integer", "c date")
    narrow: Dataset = dataset("b integer")
    table.put(frame(spark, wide, [{"a": "x", "b": 1, "c": date(2026, 1, 1)}]))
    assert table.rows(spark, narrow) == [{"b": 1}]
    missing = dataset("b integer", "d string")
    with pytest.raises(RowbookError) as refused:
        table.rows(spark, missing)
    assert refused.value.diagnostics[0].code == "DATASET_010"


def test_who_does_not_get_its_turn_leaves_the_table_as_it_was(
    spark: SparkSession, table: Table, tmp_path: Path
) -> None:
    """An output is announced within its turn, and a turn is waited for before."""
    rows, events = booked("2026-01", a="1.00"), list[str]()

    @contextmanager
    def turn() -> Iterator[bool]:
        events.append("turn")
        yield True
        events.append("over")

    def refuse() -> AbstractContextManager[bool]:
        raise output_error(table.target.label, "is being written by another run")

    def order(run_id: str, turn: Callable[[], AbstractContextManager[bool]]) -> WriteRequest:
        return WriteRequest("append", None, run_id, 1, lambda _: events.append("announced"), turn)

    registry.write(frame(spark, PERIODIC, rows), table.target, order(RUN_1, turn))
    assert events == ["turn", "announced", "over"]
    before = sorted(path.name for path in tmp_path.rglob("*"))
    late = frame(spark, PERIODIC, rows)
    found = refusal(lambda: registry.write(late, table.target, order(RUN_2, refuse)))
    assert found.message.endswith("is being written by another run")
    assert sorted(path.name for path in tmp_path.rglob("*")) == before
    assert table.rows(spark, PERIODIC) == rows
    assert not settle(table.target, RUN_2, 1).published
