"""Tables of a session's catalog: found by name, told by what their rows stand in."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.engine.compile.collect import collect
from rowbook.engine.loading.load import load
from rowbook.locations.boundary import Boundary
from rowbook.planning.datasets import Dataset
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.sources import registry
from rowbook.sources.addresses import TableAddress, TargetAddress
from rowbook.sources.contents import Keeping
from rowbook.sources.source_errors import ContentsChangedError, NotAskedError
from rowbook.sources.spark_catalog.catalog_table import CatalogTable
from rowbook.sources.spark_catalog.source import CatalogSource
from tests.engine.running import settings
from tests.sources.all_kinds import Rows, frame
from tests.sources.tables import context, dataset
from tests.sources.test_conformance import VALUES
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark

WANTED = dataset("account string!", "amount decimal(18,2)", "_period string", mode="period")
FIRST: Rows = [
    {"account": "1", "amount": Decimal("1.00"), "_period": "2026-01"},
    {"account": "2", "amount": None, "_period": "2026-01"},
]
MORE: Rows = [{"account": "3", "amount": Decimal("3.00"), "_period": "2026-01"}]
LATER: Rows = [{"account": "4", "amount": Decimal("4.00"), "_period": "2026-02"}]
KINDS = ("parquet", "csv", "delta", "iceberg", "view")
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Catalog:
    """A schema of its own. A view is one of a parquet table."""

    spark: SparkSession
    schema: str
    kind: str

    @property
    def name(self) -> str:
        return f"{self.schema}.gl"

    @property
    def stored(self) -> str:
        return f"{self.schema}.kept" if self.kind == "view" else self.name

    def put(self, rows: Rows, wanted: Dataset = WANTED) -> None:
        stored = "parquet" if self.kind == "view" else self.kind
        writer = frame(self.spark, wanted, rows).write.format(stored).mode("append")
        if wanted is WANTED:
            writer = writer.partitionBy("_period")
        writer.saveAsTable(self.stored)
        if self.kind == "view":
            self.spark.sql(
                f"CREATE OR REPLACE VIEW {self.name} AS SELECT * FROM {self.stored}"
            ).collect()

    def keeping(self) -> Keeping:
        return Keeping(ExitStack(), session=lambda: nullcontext(self.spark))

    def pinned(self, **only: tuple[str, ...]) -> CatalogTable:
        return CatalogSource().pin(CatalogTable(self.name, only=only), None, self.keeping())

    def rows(self, table: CatalogTable, wanted: Dataset = WANTED) -> Rows:
        """By their first column."""
        with ExitStack() as held:
            raws = registry.read(self.spark, [table], held)
            loaded = load(wanted, raws, context(), keep_deleted=True, periods=("2026-01",))
            return sorted(
                collect(loaded.frame, wanted.fields), key=lambda row: next(iter(row.values()))
            )


@pytest.fixture
def catalog_of(spark: SparkSession, tmp_path: Path) -> Iterator[Callable[[str], Catalog]]:
    def made(kind: str) -> Catalog:
        schema = f"{'lake.' if kind == 'iceberg' else ''}finance_{next(_numbers)}"
        spark.sql(f"CREATE SCHEMA {schema}")
        return Catalog(spark, schema, kind)

    lake = {
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": str(tmp_path / "lake"),
    }
    with settings(spark, lake):
        yield made


@pytest.fixture(params=KINDS)
def catalog(request: pytest.FixtureRequest, catalog_of: Callable[[str], Catalog]) -> Catalog:
    made = catalog_of(request.param)
    made.put(FIRST)
    return made


def test_a_table_is_read_by_its_name(catalog: Catalog) -> None:
    table = catalog.pinned()
    assert registry.columns(table) == ("account", "amount", "_period")
    assert catalog.rows(table) == FIRST
    (content,) = registry.contents(table)
    assert (content.name, len(content.digest or "")) == (catalog.name, 64)
    assert (content.size > 0) == (catalog.kind not in ("view", "iceberg"))


@pytest.mark.parametrize("kind", ["parquet", pytest.param("iceberg", marks=pytest.mark.campaign)])
@pytest.mark.parametrize("of_type", VALUES)
def test_values_come_as_they_are(
    of_type: str, kind: str, catalog_of: Callable[[str], Catalog]
) -> None:
    wanted = dataset("n integer!", f"v {of_type}")
    rows = [{"n": n, "v": value} for n, value in enumerate([*VALUES[of_type], None])]
    catalog = catalog_of(kind)
    catalog.put(rows, wanted)
    assert catalog.rows(catalog.pinned(), wanted) == rows


def test_the_same_rows_pass_and_others_fail_the_run(catalog: Catalog) -> None:
    table = catalog.pinned()
    registry.check(table)
    catalog.put(MORE)
    refused = refusal(lambda: registry.check(table), "RUN_011")
    assert refused.message == f"the input changed during the run: {catalog.name}"
    with pytest.raises(ContentsChangedError):
        CatalogSource().pin(table, registry.contents(table), catalog.keeping())


@pytest.mark.parametrize("kind", ["delta", "iceberg"])
def test_rows_that_are_deleted_are_missed(kind: str, catalog_of: Callable[[str], Catalog]) -> None:
    catalog = catalog_of(kind)
    catalog.put([*FIRST, *MORE])
    table = catalog.pinned()
    if kind == "delta":
        catalog.spark.sql(
            f"ALTER TABLE {catalog.name} SET TBLPROPERTIES ('delta.enableDeletionVectors' = true)"
        )
        registry.check(table)
    catalog.spark.sql(f"DELETE FROM {catalog.name} WHERE account = '3'")
    refusal(lambda: registry.check(table), "RUN_011")
    assert catalog.rows(catalog.pinned()) == FIRST


@pytest.mark.parametrize("kind", ["parquet", "delta"])
def test_partitions_that_nobody_reads_may_change(
    kind: str, catalog_of: Callable[[str], Catalog]
) -> None:
    catalog = catalog_of(kind)
    catalog.put(FIRST)
    table = catalog.pinned(_period=("2026-01",))
    catalog.put(LATER)
    registry.check(table)
    catalog.put(MORE)
    refusal(lambda: registry.check(table), "RUN_011")


def test_a_digest_of_rows_tells_where_a_null_stands(catalog_of: Callable[[str], Catalog]) -> None:
    catalog = catalog_of("view")

    def digest(values: str) -> str | None:
        view = f"CREATE OR REPLACE VIEW {catalog.name} AS SELECT * FROM VALUES {values} t(a, b, c)"
        catalog.spark.sql(view)
        return registry.contents(catalog.pinned())[0].digest

    rows = "('x', NULL, map('k', 1)), ('y', 'z', NULL)"
    assert digest(rows) == digest("('y', 'z', NULL), ('x', NULL, map('k', 1))")
    for others in (
        "(NULL, 'x', map('k', 1)), ('y', 'z', NULL)",
        "('x', NULL, map('k', 2)), ('y', 'z', NULL)",
        f"{rows}, ('y', 'z', NULL)",
    ):
        assert digest(rows) != digest(others)


@pytest.mark.parametrize("name", ["nothing", "no_schema.gl", "no_catalog.finance.gl", "a b.c-d"])
def test_a_name_that_the_catalog_has_not(name: str, spark: SparkSession) -> None:
    keeping = Keeping(ExitStack(), session=lambda: nullcontext(spark))
    refused = refusal(lambda: CatalogSource().pin(CatalogTable(name), None, keeping))
    assert refused.code in ("DATASOURCE_006", "DATASOURCE_007")
    assert name in refused.message


def test_a_name_is_never_a_path(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark itself reads `parquet.folder` as the files of a folder."""
    frame(spark, WANTED, FIRST).write.parquet(f"{tmp_path}/folder")
    keeping = Keeping(ExitStack(), session=lambda: nullcontext(spark))
    monkeypatch.chdir(tmp_path)
    for name in ("parquet.folder", f"parquet.{tmp_path}/folder"):
        table = CatalogTable(name)
        refusal(partial(CatalogSource().pin, table, None, keeping), "DATASOURCE_006")


def address(name: str, root: Path) -> TableAddress:
    found = ResolvedLocation("r", "all", "catalog", None, name, None, ("2026-01",), False)
    return TableAddress("catalog", found, None, Boundary(root))


@pytest.mark.parametrize("name", ["gl` UNION SELECT 1 --", "finance..gl", "", "finance.g\nl"])
def test_what_is_no_name_is_refused(name: str, tmp_path: Path) -> None:
    refusal(lambda: CatalogSource().table_at(address(name, tmp_path)), "DATASOURCE_002")


def test_without_a_session_nothing_but_the_name_is_known(tmp_path: Path) -> None:
    table = CatalogSource().table_at(address("finance.gl", tmp_path))
    assert table.label == "finance.gl"
    asking: list[Callable[[], Any]] = [
        lambda: registry.pin(table),
        lambda: registry.columns(table),
        lambda: registry.contents(table),
    ]
    for ask in asking:
        with pytest.raises(NotAskedError, match="is known to Spark's catalog alone"):
            ask()


def test_nothing_is_written_to_a_catalog(tmp_path: Path) -> None:
    destination = DestinationDefinition(datasource_id="x", table="gl")
    target = TargetAddress("catalog", destination, None, Boundary(tmp_path))
    refusal(lambda: CatalogSource().target_at(target), "DATASOURCE_008")
