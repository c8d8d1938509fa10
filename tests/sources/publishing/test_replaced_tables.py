"""What a table was before an output replaced a part of it stays beside it, bounded."""

from __future__ import annotations

from pathlib import Path

from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.source import FileSource
from rowbook.sources.publishing.exchange import publish, settle_publication
from rowbook.sources.publishing.marks import mark
from rowbook.sources.publishing.replaced_tables import MOST, keep_replaced, replaced_tables
from rowbook.sources.publishing.staging import keep_hidden, link_or_copy

RUN = "01a1e318-0000-7000-8000-00000000000{}"


def stage(table: Path, number: int, files: dict[str, str], keep: tuple[str, ...] = ()) -> Path:
    folder = table.with_name(f".{table.name}.staging-{RUN.format(number)}-10-aa")
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    for name in keep:
        link_or_copy(table / name, folder / name)
    keep_hidden(table, folder)
    mark(folder, RUN.format(number), 10, table)
    return folder


def written(table: Path, number: int, files: dict[str, str], keep: tuple[str, ...] = ()) -> None:
    publish(stage(table, number, files, keep), table, f"{RUN.format(number)}-10-aa", keep=True)


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.iterdir()) if path.is_file()}


def test_only_what_was_replaced_is_kept(tmp_path: Path) -> None:
    table = tmp_path / "closed"
    written(table, 1, {"january": "1", "february": "2"})
    written(table, 2, {"january": "3"}, keep=("february",))
    (kept,) = replaced_tables(table)
    assert (texts(table), texts(kept)) == ({"february": "2", "january": "3"}, {"january": "1"})


def test_nothing_is_kept_where_rows_were_only_added(tmp_path: Path) -> None:
    table = tmp_path / "closed"
    written(table, 1, {"january": "1"})
    written(table, 2, {"february": "2"}, keep=("january",))
    assert replaced_tables(table) == []
    assert [path.name for path in tmp_path.iterdir()] == ["closed"]


def test_the_last_few_stay_the_newest_first(tmp_path: Path) -> None:
    table = tmp_path / "closed"
    for number in range(1, MOST + 3):
        written(table, number, {"january": str(number)})
    kept = [texts(folder)["january"] for folder in replaced_tables(table)]
    assert kept == [str(number) for number in range(MOST + 1, 1, -1)]


def test_a_process_that_died_after_the_exchange_has_it_kept_by_who_settles(tmp_path: Path) -> None:
    table = tmp_path / "closed"
    written(table, 1, {"january": "1"})
    new = stage(table, 2, {"january": "2"})
    old = tmp_path / "exchanged"
    table.rename(old)
    new.rename(table)
    old.rename(new)
    assert settle_publication(table, RUN.format(2), 10)
    assert [texts(folder) for folder in replaced_tables(table)] == [{"january": "1"}]
    assert not list(tmp_path.glob(".*staging*"))


def test_an_output_that_was_replaced_is_traced_to_what_was_kept(tmp_path: Path) -> None:
    table = tmp_path / "closed"
    written(table, 1, {"january.csv": "1"})
    written(table, 2, {"january.csv": "2"})
    target = FileTarget("csv", table, label="out/closed")
    (trace,) = FileSource().earlier_states(target, RUN.format(1), 10, ("a",), None)
    assert trace.since == ()
    (file,), _ = trace.table.files()  # type: ignore[attr-defined]
    assert file.path.read_text() == "1"
    assert FileSource().earlier_states(target, RUN.format(2), 10, ("a",), None) == ()


def test_a_link_in_the_place_of_a_kept_table_is_nothing_of_ours(tmp_path: Path) -> None:
    table, elsewhere = tmp_path / "closed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    table.with_name(f".closed.replaced-{RUN.format(1)}-10-aa").symlink_to(elsewhere)
    assert replaced_tables(table) == []
    assert keep_replaced(elsewhere, table, f"{RUN.format(2)}-10-bb").is_dir()
