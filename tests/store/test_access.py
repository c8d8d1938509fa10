"""A store is made where there is none, and refused where it is not ours or out of reach."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from tests.store.forking import Forks
from tests.store.places import Place
from tests.store.samples import AT, dataset
from tests.support.postgres_server import PASSWORD, Server
from tests.support.refusal import refusal


def refused(place: Place) -> tuple[str, str]:
    finding = refusal(lambda: place.open().close())
    return finding.code, finding.message


def test_a_store_keeps_what_it_was_given(place: Place) -> None:
    with place.open() as store:
        store.definitions.record([dataset("gl", n=1)], by="ann", at=AT)
    with place.open() as store:
        found = store.definitions.get("dataset", "gl")
    assert found is not None
    assert found.content == {"name": "gl", "n": 1}


def test_looking_for_a_store_does_not_make_one(place: Place) -> None:
    assert place.find() is None
    assert not place.file.parent.exists()
    place.open().close()
    found = place.find()
    assert found is not None
    found.close()


def test_an_empty_file_is_no_store_yet(sqlite: Place) -> None:
    sqlite.file.parent.mkdir()
    sqlite.file.touch()
    assert sqlite.find() is None
    sqlite.open().close()


def modes(sqlite: Place) -> dict[str, int]:
    """The rights of a store's folder and of all that is in it."""
    folder = sqlite.file.parent
    return {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}


PRIVATE = {".rowbook": 0o700, "store.db": 0o600, "store.db-shm": 0o600, "store.db-wal": 0o600}


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_a_store_is_for_its_owner_alone(sqlite: Place, umask: int) -> None:
    before = os.umask(umask)
    try:
        with sqlite.open() as store:
            store.definitions.record([dataset("gl", n=1)], by="ann", at=AT)
            assert modes(sqlite) == PRIVATE
    finally:
        os.umask(before)


@pytest.mark.parametrize("looking", [False, True])
def test_a_store_that_others_could_read_is_closed_to_them(sqlite: Place, looking: bool) -> None:
    """An older Rowbook made it; another process has it open."""
    with sqlite.open() as store:
        store.definitions.record([dataset("gl", n=1)], by="ann", at=AT)
        copy = sqlite.file.with_name("store.schema-0001.db")
        copy.touch()
        for path in (sqlite.file.parent, *sqlite.file.parent.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)
        found = sqlite.find() if looking else sqlite.open()
        assert found is not None
        with found:
            assert modes(sqlite) == {**PRIVATE, copy.name: 0o600}


def test_the_folder_of_a_store_elsewhere_keeps_its_rights(sqlite: Place) -> None:
    folder = Path(sqlite.root, "shared")
    folder.mkdir(0o755)
    folder.chmod(0o755)
    Place("sqlite:///shared/store.db", sqlite.root, None).open().close()
    assert folder.stat().st_mode & 0o777 == 0o755
    assert (folder / "store.db").stat().st_mode & 0o777 == 0o600


def test_a_store_knows_whose_it_is(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    server = place.url.startswith("postgresql")
    with place.open() as store:
        assert store.owner == ("unknown" if server else "user")
        uid = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: uid + 1)
        assert store.owner == ("unknown" if server else "another")


def test_eight_processes_may_make_it_at_once(place: Place, forks: Forks) -> None:
    ended = forks.at_once("open_and_close", place, [{}] * 8)
    assert [e.error for e in ended] == [None] * 8


def test_opening_an_up_to_date_store_does_not_import_alembic(sqlite: Place) -> None:
    sqlite.open().close()
    script = (
        "import sys; from pathlib import Path\n"
        "from rowbook.store import open_store, store_address\n"
        f"open_store(store_address({sqlite.url!r}, Path({sqlite.root!r}))).close()\n"
        "bad = {'alembic', 'psycopg', 'pydantic', 'yaml', 'sqlalchemy.dialects.postgresql'}\n"
        "print(sorted(bad & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_sqlite_is_set_up_for_many_processes(sqlite: Place) -> None:
    with sqlite.open() as store, store._database.reading() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    expected = {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2, "busy_timeout": 30_000}
    assert settings == expected


def test_a_file_that_is_no_database_is_refused_and_left_alone(sqlite: Place) -> None:
    sqlite.file.parent.mkdir()
    sqlite.file.write_text("dear diary, " * 100)
    code, message = refused(sqlite)
    assert (code, message) == ("STORE_002", f"{sqlite.file} is not a database")
    assert sqlite.file.read_text() == "dear diary, " * 100


def test_the_database_of_another_program_is_refused(sqlite: Place) -> None:
    sqlite.file.parent.mkdir()
    with closing(sqlite3.connect(sqlite.file)) as other:
        other.execute("CREATE TABLE moz_places (id)")
    code, message = refused(sqlite)
    assert code == "STORE_002"
    assert message == f"{sqlite.file} holds tables, but is no store of Rowbook"


def test_a_folder_in_its_place_is_refused(sqlite: Place) -> None:
    sqlite.file.mkdir(parents=True)
    assert refused(sqlite) == (
        "STORE_001",
        f"the store {sqlite.file} cannot be opened: it is a folder",
    )


def test_a_file_in_the_place_of_its_folder_is_refused(sqlite: Place) -> None:
    sqlite.file.parent.touch()
    code, message = refused(sqlite)
    assert code == "STORE_001"
    assert "its folder cannot be made (" in message


@pytest.mark.parametrize(
    ("folder", "file", "why"),
    [
        (0o500, 0o600, "its folder is not writable"),
        (0o700, 0o400, "the file may not be read and written"),
        (0o700, 0o000, "the file may not be read and written"),
    ],
)
def test_what_may_not_be_written_is_refused_at_once(
    folder: int, file: int, why: str, sqlite: Place, forks: Forks
) -> None:
    (ended,) = forks.at_once("open_guarded", sqlite, [{"folder": folder, "file": file}])
    assert ended.result.startswith("STORE_001")
    assert ended.result.endswith(why)


@pytest.mark.postgres
def test_a_server_that_does_not_answer_is_named(tmp_path: Path) -> None:
    place = Place(f"postgresql://ann@/books?host={tmp_path}", str(tmp_path), PASSWORD)
    code, message = refused(place)
    assert code == "STORE_001"
    assert str(tmp_path) in message


@pytest.mark.postgres
def test_a_wrong_password_is_refused_without_being_shown(server: Server, tmp_path: Path) -> None:
    place = Place(server.url("rowbook"), str(tmp_path), "not-the-password")
    with pytest.raises(RowbookError) as refused:
        place.open().close()
    error: BaseException | None = refused.value
    while error is not None:
        assert "not-the-password" not in str(error) + repr(error)
        error = error.__cause__
    assert "STORE_001" in str(refused.value)
    assert "password authentication failed" in str(refused.value)


@pytest.mark.postgres
def test_a_schema_with_other_tables_is_refused(postgres: Place) -> None:
    with postgres.open() as store, store._database.writing("damage") as connection:
        connection.exec_driver_sql("DROP TABLE rowbook_version")
    code, message = refused(postgres)
    assert code == "STORE_002"
    assert "holds tables, but is no store of Rowbook" in message
