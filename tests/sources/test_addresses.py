"""What definitions say of a table, for kinds to make a path of."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.operations import DestinationDefinition, LocationDefinition
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.sources.addresses import TableAddress, TargetAddress

CUBES = DatasourceDefinition.model_validate(
    {"name": "cubes", "type": "csv", "options": {"root": "lake", "delimiter": ";"}}
)


def table(root: Path, source: DatasourceDefinition | None, *periods: str) -> TableAddress:
    location = ResolvedLocation("r", "all", "path", None, "gl", "csv", periods, True)
    return TableAddress("csv", location, source, Boundary(root))


def test_a_path_is_below_the_root_of_the_data_source(tmp_path: Path) -> None:
    address = table(tmp_path, CUBES)
    assert address.local_path("gl/1.csv") == (tmp_path / "lake/gl/1.csv", "lake/gl/1.csv")
    assert address.options["delimiter"] == ";"


def test_without_data_source_it_is_below_the_workspace(tmp_path: Path) -> None:
    address = table(tmp_path, None)
    assert address.local_path("gl") == (tmp_path / "gl", "gl")
    assert address.options == {}


@pytest.mark.parametrize(
    ("periods", "period"), [(("2026-01",), "2026-01"), (("2026-01", "2026-02"), None)]
)
def test_rows_belong_to_a_period_where_it_is_the_only_one(
    tmp_path: Path, periods: tuple[str, ...], period: str | None
) -> None:
    assert table(tmp_path, None, *periods).period == period


def test_what_leads_out_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RowbookError) as refused:
        table(tmp_path, CUBES).local_path("../../gl")
    assert refused.value.diagnostics[0].code == "DATASOURCE_004"


def test_a_location_has_a_path_and_options_of_its_own(tmp_path: Path) -> None:
    location = LocationDefinition(path="out/gl", format="csv", options={"delimiter": "|"})
    destination = DestinationDefinition(location=location)
    address = TargetAddress("csv", destination, None, Boundary(tmp_path))
    assert address.local_path() == (tmp_path / "out/gl", "out/gl")
    assert address.options == {"delimiter": "|"}


def test_a_table_of_a_data_source_is_below_its_root(tmp_path: Path) -> None:
    destination = DestinationDefinition(datasource_id="cubes", table="gl")
    address = TargetAddress("csv", destination, CUBES, Boundary(tmp_path))
    assert (address.table, address.local_path()) == ("gl", (tmp_path / "lake/gl", "lake/gl"))
