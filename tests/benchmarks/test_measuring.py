"""The parts that turn runs into figures, tables and pictures."""

from __future__ import annotations

import sys
import threading
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from benchmarks.ledger_data import ledger_data
from benchmarks.measuring.chart import Bar, Panel, bars
from benchmarks.measuring.memory import peak_megabytes
from benchmarks.measuring.page import Report, publish
from benchmarks.measuring.processor_time import spent_in
from benchmarks.measuring.results import Measurement, Results, label, ratio
from benchmarks.measuring.same_rows import differences


def results(*measurements: Measurement) -> Results:
    machine = {"cores": "2", "memory": "8 GiB", "processor": "any", "system": "Linux"}
    command = "python -m benchmarks.trial"
    return Results(
        "trial", command, "2026-01-31", machine, {}, 0.1, 0.2, measurements=list(measurements)
    )


def test_a_figure_is_the_median_with_its_ends() -> None:
    found = results(*(Measurement("a", "1 row", seconds, 512) for seconds in (3.0, 1.0, 20.0)))
    assert label(found, "a", "1 row") == "3.00 s (1.00 s – 20.0 s)"


def test_a_contestant_that_failed_once_has_no_figure() -> None:
    found = results(Measurement("a", "x", 1.0), Measurement("a", "x", None, failed="> 9 s"))
    assert label(found, "a", "x") == "> 9 s"
    assert ratio(found, "a", "a", "x") == "–"


def test_a_ratio_is_of_medians() -> None:
    found = results(Measurement("a", "x", 3.0), Measurement("b", "x", 2.0))
    assert ratio(found, "a", "b", "x") == "1.50×"


def test_results_come_back_as_they_were_saved(tmp_path: Path) -> None:
    found = results(Measurement("a", "x", 3.0, 12))
    found.save(tmp_path)
    assert Results.load("trial", tmp_path) == found


def test_a_page_changes_only_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- bench:trial -->\nold\n<!-- /bench:trial -->\nafter\n", "utf-8")
    publish(results(), Report("| table |"), page)
    text = page.read_text("utf-8")
    assert text.startswith("before\n<!-- bench:trial -->\n```\npython -m benchmarks.trial\n```\n")
    assert text.endswith("<!-- /bench:trial -->\nafter\n")
    assert "| table |" in text
    assert "old" not in text


def test_a_chart_is_well_formed_and_names_all() -> None:
    panel = Panel("1 < 2 rows", {"a & b": Bar(2.0, "2 s"), "c": Bar(None, "failed")})
    text = "".join(ElementTree.fromstring(bars("Title", [panel], "c")).itertext())
    for said in ("Title", "1 < 2 rows", "a & b", "2 s", "failed"):
        assert said in text


def test_rows_are_compared_as_a_multiset() -> None:
    one, two = (1, Decimal(7)), (2, None)
    assert differences([one, two], [two, one]) == ""
    assert differences([one, one], [one]).startswith("1 rows are missing, 0 are surplus")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_peak_memory_is_there() -> None:
    assert (peak_megabytes() or 0) > 10


def test_data_is_the_same_for_the_same_size_and_seed(tmp_path: Path) -> None:
    first, second = (ledger_data(tmp_path / name, 1_000) for name in ("a", "b"))
    names = sorted(p.relative_to(first.folder) for p in first.folder.rglob("*.parquet"))
    assert len(names) == 4
    for name in names:
        assert (first.folder / name).read_bytes() == (second.folder / name).read_bytes()


def test_what_functions_take_of_their_threads_is_added_up_and_they_are_put_back() -> None:
    def count(upto: int) -> int:
        return sum(range(upto))

    work = SimpleNamespace(count=count)
    with spent_in([(work, "count")]) as spent:
        assert work.count(300_000) == 44_999_850_000
        alone = spent.seconds
        thread = threading.Thread(target=work.count, args=(300_000,))
        thread.start()
        thread.join()
    assert 0 < alone < spent.seconds
    assert work.count is count
