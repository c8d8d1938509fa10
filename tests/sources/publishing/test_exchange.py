"""Publishing: readers see the old table or the new one, and a crash leaves one of them."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rowbook.sources.publishing import exchange as exchange_module
from rowbook.sources.publishing.exchange import (
    beside,
    finish_swaps,
    publish,
    settle_publication,
    written_beside,
)
from rowbook.sources.publishing.marks import is_marked, mark
from tests.sources.tables import RUN, names_in


def folder(path: Path, *files: str) -> Path:
    path.mkdir(parents=True)
    for name in files:
        (path / name).write_text(name)
    return path


@pytest.fixture(params=["exchange", "renames"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of publishing: in one step, and where the file system cannot do that."""
    if request.param == "renames":
        monkeypatch.setattr(exchange_module, "_exchange", lambda *_: False)
    return str(request.param)


def test_a_first_table_appears_as_it_was_staged(tmp_path: Path) -> None:
    staged = folder(beside(tmp_path / "gl", "staging", RUN), "a")
    publish(staged, tmp_path / "gl", RUN)
    assert names_in(tmp_path) == ["gl"]
    assert names_in(tmp_path / "gl") == ["a"]


def test_a_table_is_replaced_and_nothing_else_is_left(tmp_path: Path, way: str) -> None:
    folder(tmp_path / "gl", "old 1", "old 2")
    staged = folder(beside(tmp_path / "gl", "staging", RUN), "new")
    publish(staged, tmp_path / "gl", RUN)
    assert names_in(tmp_path) == ["gl"]
    assert names_in(tmp_path / "gl") == ["new"]


def test_a_table_that_is_one_file_is_replaced_by_a_folder(tmp_path: Path, way: str) -> None:
    (tmp_path / "gl.csv").write_text("old")
    staged = folder(beside(tmp_path / "gl.csv", "staging", RUN), "new")
    publish(staged, tmp_path / "gl.csv", RUN)
    assert names_in(tmp_path) == ["gl.csv"]
    assert names_in(tmp_path / "gl.csv") == ["new"]


def test_a_file_system_that_cannot_exchange_is_told_from_one_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder(tmp_path / "gl", "old")
    with pytest.raises(FileNotFoundError):
        exchange_module._exchange(tmp_path / "nothing", tmp_path / "gl")
    monkeypatch.setattr(exchange_module, "_CANNOT", frozenset({errno.ENOENT}))
    assert not exchange_module._exchange(tmp_path / "nothing", tmp_path / "gl")


def test_a_swap_that_fails_half_way_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange_module, "_exchange", lambda *_: False)
    folder(tmp_path / "gl", "old")
    with pytest.raises(FileNotFoundError):
        publish_missing(tmp_path)
    assert names_in(tmp_path) == ["gl"]
    assert names_in(tmp_path / "gl") == ["old"]


def publish_missing(parent: Path) -> None:
    staged = beside(parent / "gl", "staging", RUN)
    staged.mkdir()
    old_sync = exchange_module._sync_folder

    def vanish(path: Path) -> None:
        if path == parent and staged.exists() and not (parent / "gl").exists():
            staged.rmdir()
        old_sync(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exchange_module, "_sync_folder", vanish)
        publish(staged, parent / "gl", RUN)


CRASH = """
import os, sys
from pathlib import Path
from rowbook.sources.publishing import exchange as p
parent, steps, exchange = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "exchange"
if not exchange:
    p._exchange = lambda *_: False
p._GRACE = 0
left = [steps]
def counted(act):
    def step(*args, **how):
        if left[0] == 0:
            os._exit(9)
        left[0] -= 1
        return act(*args, **how)
    return step
p._sync_folder = counted(p._sync_folder)
p._exchange = counted(p._exchange)
Path.rename = counted(Path.rename)
Path.touch = counted(Path.touch)
Path.unlink = counted(Path.unlink)
p.remove = counted(p.remove)
p.publish(p.beside(parent / "gl", "staging", "dead"), parent / "gl", "dead")
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["exchange", "renames"])
def test_a_crash_at_any_step_leaves_the_old_or_the_new_table(tmp_path: Path, how: str) -> None:
    seen = set()
    for step in range(40):
        parent = tmp_path / f"{how}-{step}"
        folder(parent / "gl", "old 1", "old 2")
        mark(folder(beside(parent / "gl", "staging", "dead"), "new 1", "new 2"), "dead", 7)
        command = [sys.executable, "-c", CRASH, str(parent), str(step), how]
        ended = subprocess.run(command, check=False).returncode
        if how == "exchange":
            assert names_in(parent / "gl") in (["old 1", "old 2"], ["new 1", "new 2"])
        published = settle_publication(parent / "gl", "dead", 7)
        assert names_in(parent) == ["gl"]
        found = names_in(parent / "gl")
        assert published == (found == ["new 1", "new 2"])
        assert found in (["old 1", "old 2"], ["new 1", "new 2"])
        seen.add(found[0])
        if ended == 0:
            assert found == ["new 1", "new 2"]
            break
    assert ended == 0
    assert seen == {"old 1", "new 1"}


def test_what_other_runs_stage_is_left_alone(tmp_path: Path) -> None:
    folder(tmp_path / "gl", "old")
    for run in ("dead", "alive"):
        folder(beside(tmp_path / "gl", "staging", run), "new")
    assert not settle_publication(tmp_path / "gl", "dead", 7)
    assert names_in(tmp_path) == [".gl.staging-alive", "gl"]


def test_who_was_settled_cannot_publish_any_more(tmp_path: Path, way: str) -> None:
    """As a process that was stopped right before, and goes on after others took over."""
    folder(tmp_path / "gl", "old")
    staged = folder(beside(tmp_path / "gl", "staging", RUN), "new")
    mark(staged, RUN, 7)
    assert not settle_publication(tmp_path / "gl", RUN, 7)
    with pytest.raises(FileNotFoundError):
        publish(staged, tmp_path / "gl", RUN)
    assert names_in(tmp_path) == ["gl"]
    assert names_in(tmp_path / "gl") == ["old"]


def test_a_table_remembers_what_it_was_before(tmp_path: Path) -> None:
    """The run that published it may not have come to say so."""
    before = folder(tmp_path / "gl", "old")
    mark(before, "dead", 7)
    staged = folder(beside(before, "staging", RUN), "new")
    mark(staged, RUN, 7, before)
    publish(staged, before, RUN)
    assert is_marked(before, RUN, 7)
    assert settle_publication(before, "dead", 7)


def test_what_spark_wrote_for_a_dead_run_is_removed(tmp_path: Path) -> None:
    table = folder(tmp_path / "gl[1]", "old")
    places = [written_beside(table, run) for run in ("dead", "dead", "alive")]
    for place in places:
        folder(place, "new")
    assert len(set(places)) == 3
    assert not settle_publication(table, "dead", 7)
    assert names_in(tmp_path) == [places[2].name, "gl[1]"]


def test_the_next_writer_finishes_a_swap_that_died(tmp_path: Path) -> None:
    folder(beside(tmp_path / "gl", "old", "dead"), "old")
    folder(beside(tmp_path / "gl", "staging", "dead"), "new")
    beside(tmp_path / "gl", "journal", "dead").touch()
    finish_swaps(tmp_path / "gl")
    assert names_in(tmp_path / "gl") == ["new"]
    assert ".gl.journal-dead" not in names_in(tmp_path)


def test_a_journal_alone_is_only_removed(tmp_path: Path) -> None:
    beside(tmp_path / "gl", "journal", "dead").touch()
    assert not settle_publication(tmp_path / "gl", "dead", 7)
    assert names_in(tmp_path) == []


def listings(table: Path, stop: threading.Event) -> Iterator[tuple[str, ...]]:
    """What a reader sees who lists a table again and again, without a pause; without listings for
    which it had to wait longer than a replaced table stays."""
    while not stop.is_set():
        began = time.monotonic()
        found = tuple(names_in(table))
        if time.monotonic() - began < exchange_module._GRACE:
            yield found


@pytest.mark.slow
def test_a_reader_never_sees_a_missing_or_a_partial_table(tmp_path: Path) -> None:
    generations = [tuple(f"{n:02}-{i:02}" for i in range(20)) for n in range(31)]
    folder(tmp_path / "gl", *generations[0])
    stop, seen, errors = threading.Event(), set(), []

    def watch() -> None:
        try:
            for found in listings(tmp_path / "gl", stop):
                seen.add(found)
        except OSError as error:
            errors.append(error)

    readers = [threading.Thread(target=watch) for _ in range(2)]
    for reader in readers:
        reader.start()
    for generation in generations[1:]:
        staged = folder(beside(tmp_path / "gl", "staging", RUN), *generation)
        publish(staged, tmp_path / "gl", RUN)
    stop.set()
    for reader in readers:
        reader.join()
    assert errors == []
    assert seen <= set(generations)
    assert len(seen) > 1


def test_a_replaced_table_that_takes_long_to_list_stays_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert exchange_module.grace(folder(tmp_path / "few", "a")) == exchange_module._GRACE
    walk = os.walk

    def slow(top: Path) -> Iterator[object]:
        time.sleep(0.02)
        yield from walk(top)

    monkeypatch.setattr(os, "walk", slow)
    assert exchange_module.grace(tmp_path / "few") >= 0.4


def test_who_has_opened_a_table_before_it_is_replaced_still_lists_it(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = folder(tmp_path / "gl", "old 1", "old 2")
    staged = folder(beside(table, "staging", RUN), "new")
    opened, found = os.open(table, os.O_RDONLY), []

    def meanwhile(seconds: float) -> None:
        assert seconds >= exchange_module._GRACE
        found.append((sorted(entry.name for entry in os.scandir(opened)), names_in(table)))

    monkeypatch.setattr(time, "sleep", meanwhile)
    publish(staged, table, RUN)
    os.close(opened)
    assert found == [(["old 1", "old 2"], ["new"])]
