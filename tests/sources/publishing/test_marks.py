"""The mark of a table says which outputs it is and was, and no reader stumbles over it."""

from __future__ import annotations

from pathlib import Path

from rowbook.sources.files.listing import MARK
from rowbook.sources.publishing.marks import is_marked, mark, marked_outputs, published_since
from tests.sources.tables import RUN


def staged(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_a_mark_is_of_one_output_of_one_run(tmp_path: Path) -> None:
    table = staged(tmp_path / "gl")
    assert not is_marked(table, RUN, 7)
    mark(table, RUN, 7)
    assert is_marked(table, RUN, 7)
    assert not is_marked(table, RUN, 8)
    assert not is_marked(table, "another", 7)
    assert not is_marked(tmp_path / "nothing", RUN, 7)


def test_the_newest_output_is_the_first_and_old_ones_are_forgotten(tmp_path: Path) -> None:
    before = staged(tmp_path / "0")
    mark(before, RUN, 7)
    for number in range(1, 150):
        table = staged(tmp_path / str(number))
        mark(table, f"later {number}", 1, before)
        before = table
    outputs = marked_outputs(before)
    assert (len(outputs), outputs[0], outputs[-1]) == (100, ("later 149", 1), ("later 50", 1))
    assert not is_marked(before, RUN, 7)
    assert published_since(before, "later 147", 1) == (("later 149", 1), ("later 148", 1))
    assert published_since(before, RUN, 7) is None


def test_a_mark_holds_no_file(tmp_path: Path) -> None:
    mark(staged(tmp_path / "gl"), RUN, 7)
    assert [path for path in (tmp_path / "gl").rglob("*") if path.is_file()] == []


def test_the_mark_of_an_older_table_is_read_and_goes_on(tmp_path: Path) -> None:
    older = staged(tmp_path / "older")
    (older / MARK).write_text(f"{RUN} 7\ndead 1\n", encoding="ascii")
    assert marked_outputs(older) == ((RUN, 7), ("dead", 1))
    mark(staged(tmp_path / "gl"), "next", 1, older)
    assert marked_outputs(tmp_path / "gl") == (("next", 1), (RUN, 7), ("dead", 1))


def test_a_mark_that_is_none_says_nothing(tmp_path: Path) -> None:
    (staged(tmp_path / "gl") / MARK).write_text("hello\n", encoding="ascii")
    assert marked_outputs(tmp_path / "gl") == ()
