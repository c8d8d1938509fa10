"""What a run read and wrote, as a report shows it."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

from rowbook.drawing.markup import joined
from rowbook.reports.data_html import inputs, outputs
from rowbook.reports.model import InputDataset, InputFile, InputPlace, ReportOutput
from tests.reports.page_checks import elements_in
from tests.reports.samples import COMPLETED, STARTED

FILE = InputFile("2026-01.csv", 12_345, STARTED, None)
(OUTPUT,) = COMPLETED.outputs


def read(*files: InputFile, missing: str | None = None) -> str:
    """The page's part on one dataset that was read from one place."""
    place = InputPlace("data/gl", ("2026-01", "2026-02"), files, missing)
    return joined(*inputs([InputDataset("gl", 2, "files", "one file a month", (place,))]))


def texts(page: str) -> list[str]:
    return elements_in(page).texts


def test_nothing_is_said_where_nothing_was_read() -> None:
    assert list(inputs([])) == []


def test_a_file_is_identified_by_its_size_and_its_time() -> None:
    assert texts(read(FILE))[-6:] == [
        *("gl", "2", "data/gl", "2026-01, 2026-02"),
        "2026-01.csv, 12,345 bytes, 2026-02-03 04:05:06 UTC",
        "one file a month",
    ]


def test_a_table_is_identified_by_its_version() -> None:
    assert "rates, version 17" in texts(read(InputFile("rates", 0, None, "17")))


def test_several_files_are_listed_with_their_sum_and_folded_where_they_are_many() -> None:
    few = read(FILE, replace(FILE, name="b.csv", size=655))
    assert '<details open="open"><summary>2 files, 13.0 kB</summary>' in few
    assert "b.csv, 655 bytes, 2026-02-03 04:05:06 UTC" in texts(few)
    assert '<details open="open">' in read(*[FILE] * 10)
    assert "<details><summary>11 files, 135.8 kB</summary>" in read(*[FILE] * 11)


def test_a_place_without_files_says_so_and_why() -> None:
    assert "no files" in texts(read())
    missing = read(missing="there is no folder\ndata/gl")
    assert '<span class="bad">there is no folder data/gl</span>' in missing


def test_an_output_says_where_how_much_and_as_what() -> None:
    found = texts(joined(*outputs([OUTPUT])))
    assert found[-9:] == [
        *("40", "Publish", "lake/closed", "1,202", "2", "3", "1.2 MB"),
        *("closed, version 4", "2.3 s"),
    ]


def test_an_output_that_was_not_registered_leaves_its_cell_empty() -> None:
    page = joined(*outputs([replace(OUTPUT, dataset=None, dataset_version=None)]))
    assert '<td class="short"></td><td class="number">2.3 s</td>' in page


def test_a_run_that_wrote_nothing_says_so() -> None:
    assert texts(joined(*outputs([]))) == ["What was written", "Nothing."]


def test_names_of_files_stay_texts() -> None:
    evil = ReportOutput(
        *(1, "<b>", "<i>out</i>", 0, (), 0, 0, 0), dataset=None, dataset_version=None
    )
    page = joined(*outputs([evil])) + read(InputFile("<u>x</u>", 1, None, None))
    assert "<i>out" not in page
    assert "<u>" not in page
    assert "<i>out</i>" in unescape(page)
