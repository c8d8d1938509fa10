"""One writer at a time, who is waited for, and readers who wait for nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.store import find_store, store_address
from rowbook.store.database import connections
from tests.store.forking import Forks
from tests.store.places import Place
from tests.store.samples import AT, begun
from tests.support.password_thief import password_thief
from tests.support.postgres_server import PASSWORD
from tests.support.refusal import refusal


def test_writers_wait_for_each_other(place: Place, forks: Forks) -> None:
    place.open().close()
    calls = [{"seconds": 0.2}] * 3
    ended = forks.at_once("hang_while_writing", place, calls)
    assert sorted(e.error or "" for e in ended) == ["", *["LeaseHeldError"] * 2]


def test_a_writer_that_waits_too_long_says_so(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.open().close()
    monkeypatch.setattr(connections, "WAIT_SECONDS", 0.1)
    with place.open() as one, place.open() as other:
        lease = begun(one)
        with one.writing_as(lease, at=AT) as writes:
            writes.warn({})
            with pytest.raises(RowbookError, match=r"STORE_004 .* failed: (database is|canceling)"):
                begun(other, "r2", period="2026-02")
        assert [run.id for run in other.runs.newest()] == ["r1"]


def test_a_reader_does_not_wait_for_a_writer(place: Place) -> None:
    with place.open() as one, place.open() as other:
        lease = begun(one)
        with one.writing_as(lease, at=AT) as writes:
            writes.warn({})
            assert other.runs.record("r1").warnings == ()
        assert len(other.runs.record("r1").warnings) == 1


@pytest.mark.postgres
def test_the_password_is_in_no_text_of_an_open_store(postgres: Place) -> None:
    with postgres.open() as store:
        engine = store._database._engine
        texts = [repr(engine), str(engine.url), repr(vars(store)), postgres.address.label]
        assert not any(PASSWORD in text for text in texts)
        assert "postgresql" in texts[0]


@pytest.mark.postgres
def test_a_failure_names_the_store_but_not_the_password(postgres: Place) -> None:
    with postgres.open() as store:
        with store._database.writing("damage") as connection:
            connection.exec_driver_sql("ALTER TABLE run RENAME TO gone")
        with pytest.raises(RowbookError) as failed:
            store.runs.get(PASSWORD)
    (finding,) = failed.value.diagnostics
    assert finding.code == "STORE_004"
    assert 'relation "run" does not exist' in finding.message
    assert PASSWORD not in str(failed.value)


@pytest.mark.postgres
def test_a_session_that_the_server_ended_is_replaced(postgres: Place) -> None:
    with postgres.open() as store:
        store.runs.newest()
        with postgres.open() as other, other._database.writing("damage") as connection:
            connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'rowbook' AND pid <> pg_backend_pid()"
            )
        assert store.runs.newest() == ()


@pytest.mark.parametrize("password", ["summer-2026", None])
def test_a_server_that_asks_for_the_password_as_it_is_gets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, password: str | None
) -> None:
    """Nor does it get one that the environment has."""
    monkeypatch.setenv("PGPASSWORD", "summer-2026")
    with password_thief() as thief:
        address = store_address(f"postgresql://ann@127.0.0.1:{thief.port}/x", tmp_path)
        refusal(lambda: find_store(address, password), "STORE_001")
        assert thief.visits >= 1
    assert thief.loot == []
