"""A Spark Connect server that is lost: the run says so soon, and goes on once there is another."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.clusters.lasting_books import STEPS, lasting_books, outcome, run_january
from tests.runs.books import Books
from tests.support.connect_server import connect_process
from tests.support.free_port import free_port

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]


def lose_server(books: Books, folder: Path, moment: str, restart: bool = False) -> str:
    """What a run says whose server was killed as it came to an operation, once it has ended."""
    port = int(books.engine.rpartition(":")[2])
    folder.mkdir()
    with connect_process(folder, port) as (_, server), ExitStack() as next_one:

        def lose() -> None:
            server.kill()
            server.wait()
            if restart:
                again = folder.with_name("restarted")
                again.mkdir()
                next_one.enter_context(connect_process(again, port))

        ended = run_january(books, moment, lose)
    assert ended.code == 3, ended.err
    return ended.out + ended.err


def resume(books: Books, engine: str) -> None:
    """At another server."""
    command = ("runs", "resume", books.runs()[0]["run_id"])
    with replace(books, engine=engine).start(*command) as run:
        assert run.end(600).code == 0


@pytest.mark.cluster
def test_a_lost_server_is_said_and_the_run_goes_on_at_the_next(
    local: dict[str, Any], connect_url: str, tmp_path: Path
) -> None:
    books = lasting_books(tmp_path, f"sc://127.0.0.1:{free_port()}")
    said = lose_server(books, tmp_path / "first", "an output")
    assert "ENGINE_010" in said
    assert f"the Spark server at {books.engine} was lost or restarted" in said
    assert "RETRIES_EXCEEDED" not in said
    assert "Traceback" not in said
    assert books.leftovers() == []
    resume(books, connect_url)
    assert outcome(books) == local


@pytest.mark.cluster
@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("moment", STEPS)
def test_at_whatever_moment_it_is_lost(
    moment: str, restart: bool, local: dict[str, Any], connect_url: str, tmp_path: Path
) -> None:
    books = lasting_books(tmp_path, f"sc://127.0.0.1:{free_port()}")
    assert "ENGINE_010" in lose_server(books, tmp_path / "first", moment, restart)
    resume(books, connect_url)
    assert outcome(books) == local
