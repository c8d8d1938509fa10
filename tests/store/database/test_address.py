"""From a url to an address; nothing secret comes back out."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.store import DEFAULT_URL, store_address
from rowbook.store.database.address import PostgresAddress, SqliteAddress

ROOT = Path("/w")


def test_the_default_is_a_file_in_the_workspaces_state_folder() -> None:
    assert store_address(DEFAULT_URL, ROOT) == SqliteAddress(Path("/w/.rowbook/store.db"))


def test_four_slashes_are_an_absolute_path() -> None:
    assert store_address("sqlite:////var/s.db", ROOT) == SqliteAddress(Path("/var/s.db"))


def test_postgresql_is_spoken_with_psycopg_in_a_schema_of_its_own() -> None:
    address = store_address("postgresql://ann@db:5433/books?sslmode=require", ROOT)
    assert isinstance(address, PostgresAddress)
    assert address.schema == "rowbook"
    assert address.url.drivername == "postgresql+psycopg"
    assert dict(address.url.query) == {"sslmode": "require"}
    assert address.label == "postgresql://db:5433/books (schema rowbook)"


def test_the_schema_can_be_named() -> None:
    address = store_address("postgresql://ann@db/books?schema=close_eu", ROOT)
    assert isinstance(address, PostgresAddress)
    assert address.schema == "close_eu"
    assert dict(address.url.query) == {}


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:hunter2@db/books",
        "postgresql://ann:@db/books",
        "postgresql://ann@db/books?password=hunter2",
        "postgresql://ann@db/books?sslpassword=hunter2",
        "mysql://ann:hunter2@db/books",
    ],
)
def test_a_password_in_the_url_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(RowbookError) as refused:
        store_address(url, ROOT)
    (finding,) = refused.value.diagnostics
    assert finding.code == "DATASOURCE_003"
    assert finding.hint is not None
    assert "credential_ref" in finding.hint
    assert "hunter2" not in repr(refused.value) + str(finding)


@pytest.mark.parametrize(
    "url",
    [
        "no url: hunter2",
        "postgresql://db:hunter2/books",
        "mysql://db/books?token=hunter2",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///s.db?mode=hunter2",
        "postgresql://db/books?schema=hunter2;drop",
        "postgresql://db/books?schema=a&schema=b",
        "postgresql+asyncpg://db/books",
    ],
)
def test_what_is_no_address_of_a_store_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(RowbookError) as refused:
        store_address(url, ROOT)
    (finding,) = refused.value.diagnostics
    assert finding.code == "WORKSPACE_005"
    assert "hunter2" not in repr(refused.value)
