"""From definitions to tables and targets on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rowbook.definitions.models.operations import DestinationDefinition, LocationDefinition
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.planning.workspace_check import check_workspace
from rowbook.sources import registry
from rowbook.sources.databases.database import Database
from rowbook.sources.delta.delta_table import DeltaTable, DeltaTarget
from rowbook.sources.files.file_table import FileTable, FileTarget
from rowbook.sources.mysql.mysql_tables import MysqlTable, MysqlTarget
from rowbook.sources.postgres.postgres_tables import PostgresTable, PostgresTarget
from rowbook.sources.source import Target
from rowbook.sources.spark_catalog.catalog_table import CatalogTable
from tests.sources.tables import csv_file
from tests.support.refusal import refusal

WORK = Path("/w")
WORKSPACE = """\
workspace: {name: acme, allowed_locations: [../lake]}
---
datasource: {name: files, type: csv, options: {root: data, delimiter: ";"}}
---
datasource: {name: cubes, type: parquet, options: {root: ../lake/cubes}}
---
datasource: {name: erp, type: jdbc, options: {url: "jdbc:postgresql://db:5432/erp"}}
---
datasource: {name: shop, type: jdbc, options: {url: "jdbc:mariadb://db:3306/shop", user: me}}
---
datasource: {name: logs, type: json}
---
datasource: {name: tape, type: csv, status: disabled}
"""


def file_place(*given: Any, **named: Any) -> FileTable:
    found = registry.table_at(*given, **named)
    assert isinstance(found, FileTable)
    return found


def file_target(*given: Any, **named: Any) -> FileTarget:
    found = registry.target_at(*given, **named)
    assert isinstance(found, FileTarget)
    return found


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "rowbook.yaml").write_text(WORKSPACE)
    return folder


@pytest.fixture
def known(workspace: Path) -> Definitions:
    return check_workspace(workspace).known


def located(
    location: str,
    datasource: str | None = "files",
    *,
    strategy: str = "table",
    format: str | None = "csv",  # noqa: A002
    periods: tuple[str, ...] = ("2026-01",),
    specific: bool = False,
) -> ResolvedLocation:
    return ResolvedLocation(
        "warehouse", "all", strategy, datasource, location, format, periods, specific
    )


def code_of(error: pytest.ExceptionInfo[RowbookError]) -> tuple[str, str]:
    (diagnostic,) = error.value.diagnostics
    return diagnostic.code, diagnostic.message


def test_a_table_is_one_file_with_the_ending_of_its_type(
    workspace: Path, known: Definitions
) -> None:
    path = csv_file(workspace, "a\n", "data/accounts.csv")
    place = file_place(located("accounts"), known)
    assert (place.kind, place.path, place.label) == ("csv", path, "data/accounts.csv")
    assert place.options["delimiter"] == ";"


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".ndjson"])
def test_a_json_table_is_one_file_with_any_of_its_endings(
    workspace: Path, known: Definitions, ending: str
) -> None:
    path = csv_file(workspace, "{}\n", f"events{ending}")
    place = file_place(located("events", "logs", format="json"), known)
    assert (place.kind, place.path, place.label) == ("json", path, f"events{ending}")
    destination = DestinationDefinition(datasource_id="logs", table="events")
    target = registry.target_at(destination, known)
    assert isinstance(target, FileTarget)
    assert (target.path, target.single_file) == (workspace / "events", path)


def test_a_table_is_a_folder(workspace: Path, known: Definitions) -> None:
    csv_file(workspace, "a\n", "data/gl/1.csv")
    csv_file(workspace, "a\n", "data/gl.csv")
    place = file_place(located("gl"), known)
    assert (place.path, place.label) == (workspace / "data" / "gl", "data/gl")


def test_a_path_is_below_the_root_of_its_data_source_or_the_workspace(
    workspace: Path, known: Definitions
) -> None:
    below_root = csv_file(workspace, "a\n", "data/gl/2026-01.csv")
    below_workspace = csv_file(workspace, "a\n", "gl/2026-01.csv")
    path = located("gl/2026-01.csv", strategy="path")
    assert file_place(path, known).path == below_root
    without = located("gl/2026-01.csv", None, strategy="path")
    assert file_place(without, known).path == below_workspace
    assert file_place(without, known).options == {}


def test_a_place_may_lie_in_an_allowed_location(
    tmp_path: Path, workspace: Path, known: Definitions
) -> None:
    path = csv_file(tmp_path, b"", "lake/cubes/gl.parquet")
    place = file_place(located("gl", "cubes", format="parquet"), known)
    assert (place.path, place.label) == (path, "../lake/cubes/gl.parquet")


@pytest.mark.parametrize(
    ("periods", "specific", "period"),
    [
        (("2026-01",), True, "2026-01"),
        (("2026-01",), False, None),
        (("2026-01", "2026-02"), True, None),
    ],
)
def test_rows_belong_to_the_one_period_that_a_place_was_resolved_for(
    workspace: Path,
    known: Definitions,
    periods: tuple[str, ...],
    specific: bool,
    period: str | None,
) -> None:
    csv_file(workspace, "a\n", "data/gl.csv")
    assert file_place(located("gl", periods=periods, specific=specific), known).period == period


def test_where_nothing_is_the_rule_and_the_period_are_named(known: Definitions) -> None:
    with pytest.raises(RowbookError) as refused:
        file_place(located("gl", periods=("2026-01", "2026-02")), known)
    assert code_of(refused) == (
        "DATASOURCE_006",
        "no data at data/gl nor data/gl.csv, where rule 'all' of resolver 'warehouse' says that it"
        " is for 2026-01, 2026-02",
    )


def test_a_folder_without_files_is_no_data(workspace: Path, known: Definitions) -> None:
    csv_file(workspace, "x", "data/gl/readme.txt")
    with pytest.raises(RowbookError) as refused:
        file_place(located("gl"), known).files()
    assert code_of(refused) == ("DATASOURCE_006", "no data at data/gl")


@pytest.mark.parametrize(
    "location",
    ["../../etc/passwd", "/etc/passwd", "gl/../../../secret", "out", "a\0b", "s3://bucket/gl"],
)
@pytest.mark.parametrize("strategy", ["table", "path"])
def test_a_place_outside_is_refused(
    tmp_path: Path, workspace: Path, known: Definitions, location: str, strategy: str
) -> None:
    (tmp_path / "secret").mkdir()
    (workspace / "data").mkdir()
    (workspace / "data" / "out").symlink_to(tmp_path / "secret")
    with pytest.raises(RowbookError) as refused:
        file_place(located(location, strategy=strategy), known)
    assert code_of(refused)[0] == "DATASOURCE_004"
    destination = DestinationDefinition(datasource_id="files", table=location)
    with pytest.raises(RowbookError) as refused:
        registry.target_at(destination, known)
    assert code_of(refused)[0] == "DATASOURCE_004"


def test_a_name_that_is_too_long_is_nothing_that_is_there(known: Definitions) -> None:
    with pytest.raises(RowbookError) as refused:
        file_place(located("x" * 10_000), known)
    assert code_of(refused)[0] == "DATASOURCE_006"


def test_a_table_of_sparks_catalog_needs_no_session_to_be_named(known: Definitions) -> None:
    found = registry.table_at(located("db.gl", None, strategy="catalog", format=None), known)
    assert found == CatalogTable("db.gl")


def test_a_table_of_a_database_needs_no_connection_to_be_named(known: Definitions) -> None:
    found = registry.table_at(located("gl", "erp", strategy="table", format="jdbc"), known)
    database = Database("jdbc:postgresql://db:5432/erp", None, None, known.boundary)
    assert found == PostgresTable(database, "gl", "erp:gl")


def test_the_url_says_which_database_it_is(known: Definitions) -> None:
    found = registry.table_at(located("gl", "shop", strategy="table", format="mysql"), known)
    database = Database("jdbc:mariadb://db:3306/shop", "me", None, known.boundary, "shop")
    assert found == MysqlTable(database, "gl", "shop:gl")
    target = registry.target_at(DestinationDefinition(datasource_id="shop", table="x.gl"), known)
    assert target == MysqlTarget(database, "x.gl", "shop:x.gl")


def test_a_delta_table_is_a_folder_at_a_version(workspace: Path, known: Definitions) -> None:
    wanted = located("gl", "files", strategy="path", format="delta")
    found = registry.table_at(wanted, known, {"_period": {"2026-01"}}, 7)
    assert found == DeltaTable(
        workspace / "data" / "gl",
        "data/gl",
        only={"_period": {"2026-01"}},
        version=7,
        boundary=known.boundary,
    )


@pytest.mark.parametrize(
    "target",
    [
        FileTarget("csv", WORK / "out", {"delimiter": ";"}, "out", WORK / "out.csv"),
        FileTarget("parquet", WORK / "out"),
        DeltaTarget(WORK / "lake" / "gl", {"compression": "zstd"}, "lake/gl"),
        MysqlTarget(Database("jdbc:mysql://db/x", "me", None, Boundary(WORK), "x"), "gl", "s:gl"),
        PostgresTarget(
            Database(
                "jdbc:postgresql://db/erp", "me", "env://PW", Boundary(WORK), "fin", {"a": "1"}
            ),
            "gl",
            "erp:gl",
        ),
    ],
)
def test_a_target_comes_back_from_its_record(target: Target) -> None:
    recorded = json.loads(json.dumps(target.as_json()))
    assert registry.target_from_json(recorded, Boundary(WORK)) == target


@pytest.mark.parametrize(
    "target",
    [
        FileTarget("csv", Path("/x/out")),
        FileTarget("csv", Path("/w")),
        FileTarget("csv", Path("/w/out"), single_file=Path("/x/out.csv")),
        FileTarget("csv", Path("/w/out"), single_file=Path("/w/other.csv")),
        DeltaTarget(Path("/w/../x/gl"), {}, "lake/gl"),
    ],
)
def test_a_record_cannot_lead_out_of_the_boundary(target: Target) -> None:
    boundary = Boundary(Path("/w"))
    refusal(lambda: registry.target_from_json(target.as_json(), boundary), "DATASOURCE_004")


@pytest.mark.parametrize(
    ("name", "code"), [("nowhere", "DATASOURCE_001"), ("tape", "DATASOURCE_005")]
)
def test_a_data_source_must_be_there_and_active(known: Definitions, name: str, code: str) -> None:
    with pytest.raises(RowbookError) as refused:
        file_place(located("gl", name), known)
    assert code_of(refused)[0] == code


def test_an_output_goes_to_a_folder_of_its_data_source(workspace: Path, known: Definitions) -> None:
    destination = DestinationDefinition(datasource_id="files", table="closed")
    found = file_target(destination, known)
    assert (found.kind, found.label) == ("csv", "data/closed")
    assert found.path == workspace / "data" / "closed"
    assert found.single_file == workspace / "data" / "closed.csv"
    assert found.options["delimiter"] == ";"


def test_an_output_goes_to_a_location(workspace: Path, known: Definitions) -> None:
    location = LocationDefinition(path="out/closed", format="csv", options={"delimiter": "|"})
    found = file_target(DestinationDefinition(location=location), known)
    expected = FileTarget("csv", workspace / "out" / "closed", {"delimiter": "|"}, "out/closed")
    assert found == expected


def test_columns_and_files_are_known_without_spark(workspace: Path, known: Definitions) -> None:
    csv_file(workspace, "a;b\n1;2\n", "data/gl/_period=2026-01/1.csv")
    csv_file(workspace, "b;c;\n1;2;\n", "data/gl/_period=2026-02/2.csv")
    place = file_place(located("gl"), known)
    assert registry.columns(place) == ("a", "b", "c", "_period")
    assert [(s.name, s.size) for s in registry.contents(place)] == [
        ("data/gl/_period=2026-01/1.csv", 8),
        ("data/gl/_period=2026-02/2.csv", 10),
    ]
    only = file_place(located("gl"), known, {"_period": {"2026-01"}})
    (state,) = registry.contents(only)
    assert state.modified_ns is not None
    assert registry.columns(only) == ("a", "b", "_period")


def test_kinds_that_keep_what_they_were_are_not_overlapped(tmp_path: Path) -> None:
    delta = DeltaTable(tmp_path / "gl", "gl")
    assert not registry.overlaps(FileTarget("csv", tmp_path / "gl"), delta)
    assert not registry.overlaps(DeltaTarget(tmp_path / "gl", {}, "gl"), delta)


def test_kinds_say_which_jars_they_need(tmp_path: Path) -> None:
    assert registry.extras(DeltaTable(tmp_path, "gl")) == {"delta"}
    assert registry.extras(FileTarget("csv", tmp_path)) == frozenset()
    assert registry.extras_of_kind("jdbc") == {"postgresql"}
    assert registry.extras_of_kind("mysql") == {"mysql"}
    assert registry.extras_of_kind(None) == frozenset()
