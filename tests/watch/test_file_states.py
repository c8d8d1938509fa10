"""Files looked at again and again: what counts as a change, and when it is over."""

from __future__ import annotations

from pathlib import Path

from rowbook.watch.file_states import (
    INTERVAL,
    SETTLING,
    FileChange,
    changes_between,
    file_states,
    wait_for_change,
)
from tests.support.write_files import write_files


def test_definitions_and_files_of_scenarios_count_and_nothing_else(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "rowbook.yaml": "",
            "projects/deep/a.yml": "",
            "projects/a.yaml~": "",
            "projects/rows.csv": "",
            "scenarios/rows.csv": "",
            "scenarios/s.yaml": "",
            "data/a.yaml": "",
        },
    )
    assert sorted(file_states(tmp_path)) == [
        "projects/deep/a.yml",
        "rowbook.yaml",
        "scenarios/rows.csv",
        "scenarios/s.yaml",
    ]


def test_changes_are_told_by_file() -> None:
    before = {"a": (1, 1, 1), "b": (1, 1, 1), "c": (1, 1, 1)}
    now = {"a": (2, 1, 1), "c": (1, 1, 1), "d": (1, 1, 1)}
    assert changes_between(before, now) == (
        FileChange("a", "changed"),
        FileChange("b", "gone"),
        FileChange("d", "new"),
    )


def test_an_editor_that_writes_twice_causes_one_change(tmp_path: Path) -> None:
    """Each look is after a sleep, in which the editor writes."""
    file = tmp_path / "rowbook.yaml"
    file.write_text("1", encoding="utf-8")
    texts = iter(["1", "12", "123", "123"])
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if (text := next(texts)) != file.read_text(encoding="utf-8"):
            file.write_text(text, encoding="utf-8")

    found = wait_for_change(tmp_path, file_states(tmp_path), sleep)
    assert slept == [INTERVAL, INTERVAL, SETTLING, SETTLING]
    assert found == file_states(tmp_path)
