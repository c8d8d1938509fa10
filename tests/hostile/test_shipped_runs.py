"""A store that comes with a clone can tell of runs that died. Settling what they left touches
nothing outside."""

from __future__ import annotations

import pytest

from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.publishing.exchange import beside
from rowbook.sources.publishing.marks import mark
from tests.hostile.clones import Clone
from tests.hostile.conftest import Scene
from tests.store.samples import AT, begun
from tests.support.ledger import opened
from tests.support.shell import Shell
from tests.support.write_files import write_files

RUN = "0199a000-0000-7000-8000-000000000001"


def ship(scene: Scene, target: FileTarget) -> None:
    """A store in which a run died after it had announced an output to that target."""
    scene.write(Clone(""))
    record = target.as_json()
    with opened(Shell(scene.folder, scene.shell._capture)) as store:
        lease = begun(store, RUN)
        with store.writing_as(lease, at=AT) as writes:
            writes.start({"operations": [], "writes": [{"seq": 1, "target": record}]})
            details = {"target": record, "output": {}}
            writes.intend(1, str(target.path), "staging", details)


@pytest.mark.parametrize("command", [("runs", "list"), ("runs", "show", "0199"), ("gc",)])
def test_a_file_that_a_published_folder_would_replace_is_kept(
    scene: Scene, command: tuple[str, ...]
) -> None:
    """The clone brings the folder with its mark; the record says that a file was the table."""
    table = scene.folder / "data" / "closed"
    ship(scene, FileTarget("csv", table, {}, "closed", scene.outside / "book.csv"))
    table.mkdir(parents=True)
    mark(table, RUN, 1)
    assert scene.run(*command).code == 0
    scene.check_unharmed()


def test_a_folder_beside_a_table_outside_is_kept(scene: Scene) -> None:
    table = scene.outside / "closed"
    ship(scene, FileTarget("csv", table, {}, "closed"))
    staged = beside(table, "staging", RUN)
    write_files(staged, {"part.csv": "mine"})
    assert scene.run("runs", "list").code == 0
    assert (staged / "part.csv").read_text() == "mine"
