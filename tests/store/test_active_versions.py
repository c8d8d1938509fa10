"""What runs, read with the store's library and without."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from rowbook.store import Activation
from rowbook.store.active_versions import ActiveVersion, active_versions_in
from tests.store.places import Place
from tests.store.samples import AT, after, dataset

CONTENT = {"project": {"name": "close", "operations": [{"seq": 1}]}}


def fill(place: Place) -> str:
    """Two versions of a dataset, of which the project pins the first; its content hash."""
    with place.open() as store:
        store.definitions.record([dataset("gl", columns=["a"])], by="ann", at=AT)
        given = Activation("p1", "close", CONTENT, {"id-gl": 1})
        hashed = store.projects.activate(given, by="ann", at=AT).version.content_hash
        store.definitions.record([dataset("gl", columns=["a", "b"])], by="ann", at=after(1))
        store.projects.activate(Activation("p2", "left", CONTENT, {}), by="ann", at=AT)
        store.projects.deactivate("left", by="ann", at=after(2))
    return hashed


def test_active_projects_have_their_pins_and_definitions_all_versions(place: Place) -> None:
    hashed = fill(place)
    with place.open() as store:
        found = store.projects.all_active()
        gl = store.definitions.versions("dataset")
    assert found.projects == {"p1": ActiveVersion(1, CONTENT, hashed, {"id-gl": 1})}
    assert found.definitions == {
        ("dataset", "id-gl"): {1: gl[0].content_hash, 2: gl[1].content_hash}
    }


def test_a_file_says_the_same_without_the_library(sqlite: Place) -> None:
    fill(sqlite)
    with sqlite.open() as store:
        assert active_versions_in(sqlite.file) == store.projects.all_active()
    code = (
        "import sys; from pathlib import Path\n"
        "from rowbook.store.active_versions import active_versions_in\n"
        "assert active_versions_in(Path(sys.argv[1])).projects\n"
        "print('sqlalchemy' in sys.modules)\n"
    )
    command = [sys.executable, "-c", code, str(sqlite.file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_what_is_no_store_says_nothing(tmp_path: Path) -> None:
    nothing, text, other = tmp_path / "none.db", tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("no database, but long enough to be taken for one" * 30, encoding="utf-8")
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE project (id TEXT)")
    assert [active_versions_in(each) for each in (nothing, text, other)] == [None, None, None]
    assert not nothing.exists()


def test_a_store_that_is_locked_is_not_waited_for(sqlite: Place) -> None:
    fill(sqlite)
    with closing(sqlite3.connect(sqlite.file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("BEGIN EXCLUSIVE")
        assert active_versions_in(sqlite.file) is None
