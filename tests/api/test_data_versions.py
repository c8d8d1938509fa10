"""A dataset version is tied to the data that was written for it."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from rowbook import Workspace
from tests.sources.postgres_books import SECRET, Books, books_in
from tests.support.postgres_server import PASSWORD, Server
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_numbers = itertools.count(1)

MAKE = """\
project:
  name: make
  input_dataset_id: gl
  operations:
    - {seq: 10, name: total, type: update, arguments: {assignments: [%s]}}
    - seq: 20
      name: publish
      type: output
      arguments:
        destination: {datasource_id: lake, table: closed}
        columns: [%s]
        register_as_dataset: closed
"""
FIRST = MAKE % ('{column: total, expression: "amount * 2"}', "account, total, _period")
SECOND = MAKE % (
    '{column: total, expression: "amount * 3"}, {column: note, expression: "\'new\'"}',
    "account, total, note, _period",
)
USE = """\
project:
  name: use
  input_dataset_id: closed
  input_dataset_version: %d
  operations:
    - seq: 10
      name: copy
      type: output
      arguments:
        destination: {datasource_id: out, table: copy}
        columns: [account, total, _period]
"""
FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: inbox}\n",
    "datasets/gl.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns: [{name: account, type: string}, {name: amount, type: "decimal(18,2)"}]
""",
    "datasources/out.yaml": "datasource: {name: out, type: csv, options: {root: data/out}}\n",
    "resolvers/inbox.yaml": """\
resolver:
  name: inbox
  rules:
    - name: one file a month
      strategy: {type: path, path: "data/gl/{{identifier}}.csv"}
""",
    "projects/make.yaml": FIRST,
    "data/gl/2026-01.csv": "account,amount\nA,1.00\nB,2.00\n",
    "data/gl/2026-02.csv": "account,amount\nA,10.00\n",
}


@pytest.fixture(scope="module", params=["parquet", "delta", "jdbc", "iceberg"])
def books(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, spark: SparkSession
) -> Iterator[Workspace]:
    """Two versions of a dataset: the second was written over the January of the first."""
    folder = tmp_path_factory.mktemp("versions") / "acme"
    write_files(folder, FILES)
    schema: Books | None = None
    where = "options: {root: data/lake}"
    if request.param == "iceberg":
        where = "options: {catalog: hadoop, warehouse: data/lake}"
    if request.param == "jdbc":
        server: Server = request.getfixturevalue("server")
        schema = books_in(server, f"versions_{next(_numbers)}", folder)
        database = schema.database
        where = (
            f'options: {{url: "{database.url}", user: {database.user}, schema: {database.schema}}},'
            f" credential_ref: {database.credential}"
        )
        grant = f'{{ref: {database.credential}, host: "127.0.0.1:{server.port}"}}'
        settings = f"name: acme, default_resolver_id: inbox, credentials: [{grant}]"
        write_files(folder, {"rowbook.yaml": f"workspace: {{{settings}}}\n"})
    source = f"datasource: {{name: lake, type: {request.param}, {where}}}\n"
    write_files(folder, {"datasources/lake.yaml": source})
    with (
        pytest.MonkeyPatch.context() as patch,
        Workspace.open(folder, spark=spark) as workspace,
    ):
        patch.setenv(SECRET, PASSWORD)
        for text, periods in ((FIRST, ("2026-01", "2026-02")), (SECOND, ("2026-01",))):
            write_files(folder, {"projects/make.yaml": text})
            if schema is not None and text == SECOND:
                schema.execute("ALTER TABLE closed ADD COLUMN note text")
            workspace.apply()
            workspace.activate("make")
            for period in periods:
                result = workspace.run("make", period)
                assert result.status == "completed", result.error
        yield workspace


def use(workspace: Workspace, version: int, period: str) -> Any:
    """A run that copies a version. What former ones copied is gone."""
    shutil.rmtree(workspace.root / "data" / "out", ignore_errors=True)
    write_files(workspace.root, {"projects/use.yaml": USE % version})
    workspace.apply()
    workspace.activate("use")
    return workspace.run("use", period)


def copied(workspace: Workspace) -> list[tuple[str, Decimal]]:
    found = []
    for path in (workspace.root / "data" / "out" / "copy").rglob("*.csv"):
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            account, total = line.split(",")[:2]
            found.append((account, Decimal(total)))
    return sorted(found)


@pytest.mark.some(1)
def test_the_newest_version_is_read_as_it_is(books: Workspace) -> None:
    result = use(books, 2, "2026-01")
    assert result.status == "completed", result.error
    assert copied(books) == [("A", Decimal(3)), ("B", Decimal(6))]


@pytest.mark.some(1)
def test_an_older_version_is_read_as_it_was_or_not_at_all(books: Workspace) -> None:
    result = use(books, 1, "2026-01")
    table = books.root / "data" / "lake" / "closed"
    is_lake = (table / "metadata").is_dir()
    if is_lake or (table / "_delta_log").is_dir():
        assert result.status == "completed"
        assert copied(books) == [("A", Decimal(2)), ("B", Decimal(4))]
        snapshot = books.snapshot(result.run_id)
        assert snapshot is not None
        (location,) = snapshot["datasets"][0]["locations"]
        assert location["table_version"] == 1 or is_lake
        return
    assert result.status == "failed"
    assert result.error.code == "DATASET_014"
    assert "version 1 of dataset 'closed' is not the newest" in result.error.message
    assert copied(books) == []


@pytest.mark.some(1)
def test_of_an_older_version_what_was_not_replaced_is_read(books: Workspace) -> None:
    """The second version wrote January alone. A database cannot tell so much: it refuses."""
    result = use(books, 1, "2026-02")
    if not (books.root / "data" / "lake").is_dir():
        assert result.error.code == "DATASET_014"
        return
    assert result.status == "completed", result.error
    assert copied(books) == [("A", Decimal(20))]
