"""An old schema becomes the newest, with a copy before; a newer one is refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from rowbook.errors import RowbookError
from rowbook.store.database.address import PostgresAddress
from rowbook.store.database.connections import StoreDatabase
from rowbook.store.database.schema_version import MIGRATIONS, NEWEST, REVISIONS, copy_name, migrate
from rowbook.store.database.tables import METADATA, VERSION_TABLE
from tests.store.forking import Forks
from tests.store.places import Place
from tests.store.samples import AT, dataset
from tests.store.seals.tampering import tamper
from tests.support.refusal import refusal

_OLD_RUN = {
    "id": "old",
    "project_id": "p1",
    "project_name": "close",
    "draft": True,
    "calendar_id": "c",
    "period": "2025-12",
    "writes_into": '{"periods": []}',
    "as_of": "2025-12-31",
    "clock": AT,
    "trigger": "cli",
    "engine": "local",
    "requested_by": "ann",
    "status": "completed",
    "created_at": AT,
    "finished_at": AT,
    "staging": "removed",
}


def make_first_version(place: Place) -> None:
    """A store as the first Rowbook made it, with a run in it."""
    place.file.parent.mkdir(exist_ok=True)
    database = StoreDatabase(place.address, place.password)
    with database.writing("an old store") as connection:
        if isinstance(place.address, PostgresAddress):
            connection.execute(sa.schema.CreateSchema(place.address.schema))
        migrate(connection, REVISIONS[0])
        names = ", ".join(_OLD_RUN)
        marks = ", ".join(f":{name}" for name in _OLD_RUN)
        at = AT if isinstance(place.address, PostgresAddress) else "2026-02-03T10:00:00.000000Z"
        times = dict.fromkeys(("clock", "created_at", "finished_at"), at)
        connection.execute(sa.text(f"INSERT INTO run ({names}) VALUES ({marks})"), _OLD_RUN | times)
    database.close()


def stamp(place: Place) -> str:
    database = StoreDatabase(place.address, place.password)
    with database.reading() as connection:
        found = connection.scalar(sa.text(f"SELECT version_num FROM {VERSION_TABLE}"))
    database.close()
    return str(found)


def check_is_whole(place: Place) -> None:
    """The newest schema, and the old run in it, with what the newest schema knows about it."""
    with place.open() as store:
        assert store.runs.get("old").created_at == AT
        assert store.leftovers.sandboxes(before=AT.replace(year=2027)) == ("old",)
        assert store.seals.verify().findings == ()
        assert store.seals.of_run("old").number == 1
    assert stamp(place) == NEWEST


def test_the_list_of_versions_is_that_of_the_scripts() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config).walk_revisions()
    assert tuple(reversed([script.revision for script in scripts])) == REVISIONS


def test_the_migrations_make_exactly_the_tables(place: Place) -> None:
    place.open().close()
    database = StoreDatabase(place.address, place.password)
    with database.reading() as connection:
        options = {"version_table": VERSION_TABLE, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)
        differences = compare_metadata(context, METADATA)
    database.close()
    partial = {"ix_run_unfinished", "ix_run_staged", "ix_publish_intent_unsettled"}
    assert {d[0] for d in differences} <= {"remove_index"}
    assert {d[1].name for d in differences} == partial


def test_an_old_schema_is_upgraded_when_it_is_opened(place: Place) -> None:
    make_first_version(place)
    assert stamp(place) == "0001"
    check_is_whole(place)


def test_an_upgrade_leaves_no_table_of_durable_points(place: Place) -> None:
    make_first_version(place)
    with place.open() as store, store._database.reading() as connection:
        names = sa.inspect(connection).get_table_names()
    assert set(names) == {*METADATA.tables, VERSION_TABLE}


def test_what_an_old_store_had_is_sealed_as_a_whole(place: Place) -> None:
    make_first_version(place)
    with place.open() as store:
        assert store.seals.verify().findings == ()
        sealed = store.seals.of_run("old")
        assert (sealed.number, sealed.record) == (1, "as sealed")
        assert store.runs.record("old").seal == store.seals.head()
        store.definitions.record([dataset("gl")], by="ann", at=AT)
        assert store.seals.verify().findings == ()
        tamper(store, "UPDATE run SET requested_by = 'mallory'")
        assert [str(each) for each in store.seals.verify().findings] == [
            "record changed: run old, sealed as 'run completed' by seal 1:"
            " the store says something else now"
        ]


def test_an_edited_list_of_what_an_old_store_had_is_found(place: Place) -> None:
    make_first_version(place)
    with place.open() as store:
        tamper(store, "UPDATE seal SET record = replace(record, 'run old', 'run new')")
        first, *_ = store.seals.verify().findings
        assert str(first) == (
            "record changed: store, sealed as 'store sealed' by seal 1:"
            " its list of records is another one"
        )


def test_a_new_store_begins_without_seals(place: Place) -> None:
    with place.open() as store:
        assert store.seals.head() is None


def test_looking_upgrades_too(place: Place) -> None:
    make_first_version(place)
    found = place.find()
    assert found is not None
    assert found.runs.get("old").period == "2025-12"
    found.close()


def test_the_file_is_copied_before_an_upgrade(sqlite: Place) -> None:
    make_first_version(sqlite)
    sqlite.open().close()
    copy = sqlite.file.with_name("store.schema-0001.db")
    assert copy == copy_name(sqlite.file, "0001")
    with closing(sqlite3.connect(copy)) as old:
        assert old.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall() == [("0001",)]
        assert old.execute("SELECT id FROM run").fetchall() == [("old",)]
    names = sorted(p.name for p in sqlite.file.parent.iterdir())
    assert names == ["store.db", "store.schema-0001.db"]


def test_a_copy_that_cannot_be_made_leaves_the_old_store(sqlite: Place) -> None:
    make_first_version(sqlite)
    copy_name(sqlite.file, "0001").mkdir()
    with pytest.raises(RowbookError, match=r"STORE_001 .* cannot be opened"):
        sqlite.open().close()
    assert stamp(sqlite) == "0001"


def test_eight_processes_may_upgrade_at_once(place: Place, forks: Forks) -> None:
    make_first_version(place)
    ended = forks.at_once("open_and_close", place, [{}] * 8)
    assert [e.error for e in ended] == [None] * 8
    check_is_whole(place)


def test_a_process_killed_while_upgrading_leaves_the_old_or_the_new(
    place: Place, forks: Forks
) -> None:
    make_first_version(place)
    seen = []
    for number in range(1, 20):
        ended = forks.killed_at(number, "open_and_close", place)
        seen.append(stamp(place))
        if ended.code == 0:
            break
        assert ended.code == -9
    assert seen[0] == "0001"
    assert seen[-1] == NEWEST
    check_is_whole(place)


def test_a_newer_schema_is_refused_in_one_sentence(place: Place) -> None:
    with place.open() as store, store._database.writing("the future") as connection:
        connection.execute(sa.text(f"UPDATE {VERSION_TABLE} SET version_num = '0999'"))
    finding = refusal(lambda: place.open())
    assert finding.code == "STORE_003"
    assert finding.message == (
        f"the store {place.address.label} was made by a newer Rowbook (its schema is 0999, this"
        f" Rowbook knows up to {NEWEST})"
    )
    assert stamp(place) == "0999"
