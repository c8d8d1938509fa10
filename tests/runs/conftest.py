"""A workspace of its own for each test, copied from one that is prepared once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runs import conversion
from tests.runs.books import FILES, Books, Undisturbed
from tests.support.shell import Shell


@pytest.fixture(scope="session")
def prepared(connect_url: str, tmp_path_factory: pytest.TempPathFactory) -> Books:
    """Applied, activated, and run for January. Copy it."""
    made = Books(tmp_path_factory.mktemp("books") / "acme", connect_url)
    made.write(FILES)
    made.do("apply", "--yes")
    made.do("activate", "close")
    made.close("2026-01")
    return made


@pytest.fixture
def books(prepared: Books, tmp_path: Path) -> Books:
    return prepared.copy(tmp_path / "acme")


@pytest.fixture(scope="session")
def undisturbed(prepared: Books, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("undisturbed")
    books = prepared.copy(folder / "acme")
    books.close("2026-02", ROWBOOK_COUNT_WRITES=str(folder / "points"))
    points = (folder / "points").read_text(encoding="utf-8").splitlines()
    return Undisturbed(books, points, books.rows("closed"), books.rows("log"))


@pytest.fixture
def active(shell: Shell) -> Shell:
    """The project `close` of tests/runs/conversion.py, active."""
    shell.write(conversion.FILES)
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    return shell
