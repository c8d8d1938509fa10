"""From definitions to places on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.definitions.operations import DestinationDefinition, LocationDefinition
from rowbook.errors import RowbookError
from rowbook.planning.files import Definitions
from rowbook.planning.resolving import Located
from rowbook.planning.workspace import check_workspace
from rowbook.sources.columns import FileState, file_states, physical_columns
from rowbook.sources.places import FileTarget, place_of, target_of
from tests.sources.tables import csv_file

WORKSPACE = """\
workspace: {name: acme, allowed_locations: [../lake]}
---
datasource: {name: files, type: csv, options: {root: data, delimiter: ";"}}
---
datasource: {name: cubes, type: parquet, options: {root: ../lake/cubes}}
---
datasource: {name: erp, type: jdbc, options: {url: "jdbc:postgresql://db:5432/erp"}}
---
datasource: {name: logs, type: json}
---
datasource: {name: tape, type: csv, status: disabled}
"""


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
) -> Located:
    return Located("warehouse", "all", strategy, datasource, location, format, periods, specific)


def code_of(error: pytest.ExceptionInfo[RowbookError]) -> tuple[str, str]:
    (diagnostic,) = error.value.diagnostics
    return diagnostic.code, diagnostic.message


def test_a_table_is_one_file_with_the_ending_of_its_type(
    workspace: Path, known: Definitions
) -> None:
    path = csv_file(workspace, "a\n", "data/accounts.csv")
    place = place_of(located("accounts"), known)
    assert (place.kind, place.path, place.shown) == ("csv", path, "data/accounts.csv")
    assert place.options["delimiter"] == ";"


def test_a_table_is_a_folder(workspace: Path, known: Definitions) -> None:
    csv_file(workspace, "a\n", "data/gl/1.csv")
    csv_file(workspace, "a\n", "data/gl.csv")
    place = place_of(located("gl"), known)
    assert (place.path, place.shown) == (workspace / "data" / "gl", "data/gl")


def test_a_path_is_below_the_root_of_its_data_source_or_the_workspace(
    workspace: Path, known: Definitions
) -> None:
    below_root = csv_file(workspace, "a\n", "data/gl/2026-01.csv")
    below_workspace = csv_file(workspace, "a\n", "gl/2026-01.csv")
    path = located("gl/2026-01.csv", strategy="path")
    assert place_of(path, known).path == below_root
    without = located("gl/2026-01.csv", None, strategy="path")
    assert place_of(without, known).path == below_workspace
    assert place_of(without, known).options == {}


def test_a_place_may_lie_in_an_allowed_location(
    tmp_path: Path, workspace: Path, known: Definitions
) -> None:
    path = csv_file(tmp_path, b"", "lake/cubes/gl.parquet")
    place = place_of(located("gl", "cubes", format="parquet"), known)
    assert (place.path, place.shown) == (path, "../lake/cubes/gl.parquet")


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
    assert place_of(located("gl", periods=periods, specific=specific), known).period == period


def test_where_nothing_is_the_rule_and_the_period_are_named(known: Definitions) -> None:
    with pytest.raises(RowbookError) as refused:
        place_of(located("gl", periods=("2026-01", "2026-02")), known)
    assert code_of(refused) == (
        "DATASOURCE_006",
        "no data at data/gl nor data/gl.csv, where rule 'all' of resolver 'warehouse' says that it"
        " is for 2026-01, 2026-02",
    )


def test_a_folder_without_files_is_no_data(workspace: Path, known: Definitions) -> None:
    csv_file(workspace, "x", "data/gl/readme.txt")
    with pytest.raises(RowbookError) as refused:
        place_of(located("gl"), known).files()
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
        place_of(located(location, strategy=strategy), known)
    assert code_of(refused)[0] == "DATASOURCE_004"
    destination = DestinationDefinition(datasource_id="files", table=location)
    with pytest.raises(RowbookError) as refused:
        target_of(destination, known)
    assert code_of(refused)[0] == "DATASOURCE_004"


def test_a_name_that_is_too_long_is_nothing_that_is_there(known: Definitions) -> None:
    with pytest.raises(RowbookError) as refused:
        place_of(located("x" * 10_000), known)
    assert code_of(refused)[0] == "DATASOURCE_006"


@pytest.mark.parametrize(
    ("datasource", "strategy", "format_", "name"),
    [
        ("erp", "table", "jdbc", "jdbc"),
        ("logs", "table", "json", "json"),
        ("files", "path", "orc", "orc"),
        ("files", "path", "delta", "delta"),
        (None, "catalog", None, "catalog"),
    ],
)
def test_types_that_cannot_be_read_yet_say_so(
    known: Definitions,
    datasource: str | None,
    strategy: str,
    format_: str | None,
    name: str,
) -> None:
    with pytest.raises(RowbookError) as refused:
        place_of(located("gl", datasource, strategy=strategy, format=format_), known)
    assert code_of(refused) == (
        "DATASOURCE_008",
        f"data of type {name} cannot be read or written yet",
    )


@pytest.mark.parametrize(
    ("name", "code"), [("nowhere", "DATASOURCE_001"), ("tape", "DATASOURCE_005")]
)
def test_a_data_source_must_be_there_and_active(known: Definitions, name: str, code: str) -> None:
    with pytest.raises(RowbookError) as refused:
        place_of(located("gl", name), known)
    assert code_of(refused)[0] == code


def test_an_output_goes_to_a_folder_of_its_data_source(workspace: Path, known: Definitions) -> None:
    destination = DestinationDefinition(datasource_id="files", table="closed")
    found = target_of(destination, known)
    assert (found.kind, found.shown) == ("csv", "data/closed")
    assert found.path == workspace / "data" / "closed"
    assert found.single_file == workspace / "data" / "closed.csv"
    assert found.options["delimiter"] == ";"


def test_an_output_goes_to_a_location(workspace: Path, known: Definitions) -> None:
    location = LocationDefinition(path="out/closed", format="csv", options={"delimiter": "|"})
    found = target_of(DestinationDefinition(location=location), known)
    expected = FileTarget("csv", workspace / "out" / "closed", {"delimiter": "|"}, "out/closed")
    assert found == expected


def test_columns_and_files_are_known_without_spark(workspace: Path, known: Definitions) -> None:
    csv_file(workspace, "a;b\n1;2\n", "data/gl/_period=2026-01/1.csv")
    csv_file(workspace, "b;c;\n1;2;\n", "data/gl/_period=2026-02/2.csv")
    place = place_of(located("gl"), known)
    assert physical_columns(place) == ("a", "b", "c", "_period")
    assert [(s.name, s.size) for s in file_states(place)] == [
        ("data/gl/_period=2026-01/1.csv", 8),
        ("data/gl/_period=2026-02/2.csv", 10),
    ]
    only = place_of(located("gl"), known, {"_period": {"2026-01"}})
    (state,) = file_states(only)
    assert isinstance(state, FileState)
    assert physical_columns(only) == ("a", "b", "_period")
