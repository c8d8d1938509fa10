"""A new or stricter expectation that stops breaks who loads the dataset."""

from __future__ import annotations

import pytest

from tests.runs.versions.test_definition_differences import changed


def _dataset(*expectations: str) -> str:
    listed = ", ".join(expectations)
    return (
        "dataset: {name: gl, main_table: {name: gl, columns: [{name: code, type: string},"
        f" {{name: amount, type: integer}}]}}, expectations: [{listed}]}}"
    )


@pytest.mark.parametrize(
    ("old", "new", "text", "breaking"),
    [
        ("", '{name: x, that: "a > 0"}', "expectation 'x' added", False),
        (
            "",
            '{name: x, that: "a > 0", otherwise: stop}',
            "expectation 'x' added, otherwise: stop",
            True,
        ),
        (
            "",
            '{name: x, that: "a > 0", otherwise: quarantine}',
            "expectation 'x' added, otherwise: quarantine",
            True,
        ),
        ('{name: x, that: "a > 0", otherwise: stop}', "", "expectation 'x' removed", False),
        (
            '{name: x, that: "a > 0"}',
            '{name: x, that: "a > 0", otherwise: stop}',
            "expectation 'x': otherwise warn → stop",
            True,
        ),
        (
            '{name: x, that: "a > 0", otherwise: stop}',
            '{name: x, that: "a > 0"}',
            "expectation 'x': otherwise stop → warn",
            False,
        ),
        (
            '{name: x, that: "a > 0", otherwise: stop}',
            '{name: x, that: "a > 1", otherwise: stop}',
            "expectation 'x': that changed",
            True,
        ),
        (
            '{name: x, that: "a > 0"}',
            '{name: x, that: "a > 1"}',
            "expectation 'x': that changed",
            False,
        ),
        (
            '{name: x, that: "a > 0", otherwise: stop, tolerate: {share: 0.01, rows: 5}}',
            '{name: x, that: "a > 0", otherwise: stop, tolerate: {share: 0.02}}',
            "expectation 'x': higher tolerance",
            False,
        ),
        (
            '{name: x, that: "a > 0", otherwise: stop, tolerate: {rows: 5}}',
            '{name: x, that: "a > 0", otherwise: stop}',
            "expectation 'x': lower tolerance",
            True,
        ),
        (
            '{name: x, that: "a > 0", otherwise: stop, tolerate: {rows: 5}}',
            '{name: x, that: "a > 0", otherwise: stop, tolerate: {rows: 4}}',
            "expectation 'x': lower tolerance",
            True,
        ),
        (
            '{name: x, that: "a > 0", otherwise: stop}',
            '{name: x, that: "a > 0", otherwise: stop, show: [a]}',
            "expectation 'x': show changed",
            False,
        ),
    ],
)
def test_a_change_of_an_expectation_is_told(old: str, new: str, text: str, breaking: bool) -> None:
    assert changed(_dataset(old), _dataset(new)) == [(text, breaking)]


def test_the_same_tolerance_at_another_place_is_no_change() -> None:
    old = '{name: x, that: "a > 0", tolerate: {share: 0.01}}'
    new = '{name: x, that: "a > 0", tolerate:   {share: 0.010}}'
    same = "written in another way, with the same meaning"
    assert changed(_dataset(old), _dataset(new)) == [(same, False)]
