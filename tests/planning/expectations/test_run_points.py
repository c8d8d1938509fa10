"""Where the expectations of a project may look."""

from __future__ import annotations

import pytest

from tests.support.trial import Trial, append, output, project, update


def _text(at: str) -> str:
    listed = f'expectations:\n  - {{name: x, at: {at}, that: "COUNT(*) > 0"}}\n'
    return project(update(seq=30, extra="1"), output(seq=80), more=listed)


@pytest.mark.parametrize(
    ("at", "message", "hint"),
    [
        ("⟦31", "the project has no operation 31", "operations: 30, 80"),
        ("{output: ⟦81}", "the project has no operation 81", "outputs: 80"),
        (
            "{output: ⟦30}",
            "operation 30 'update' is no output",
            "outputs: 80; at: 30 looks after it",
        ),
    ],
)
def test_an_expectation_looks_at_operations_that_there_are(
    trial: Trial, at: str, message: str, hint: str
) -> None:
    (found,) = trial.refuses(_text(at), "EXPECT_004")
    assert (found.message, found.hint) == (message, hint)


def test_a_point_is_a_word_a_seq_or_an_output(trial: Trial) -> None:
    (found,) = trial.refuses(_text("⟦start"), "YAML_004")
    assert found.hint == "allowed: input, end"


def test_columns_are_those_of_the_point(trial: Trial) -> None:
    listed = (
        'expectations:\n  - {name: x, at: 30, that: "extra > 0"}\n'
        '  - {name: y, at: input, that: "⟦extra > 0"}\n'
    )
    text = project(
        update(seq=30, extra="1"), update(seq=40, more_yet="1", selector="posted"), more=listed
    )
    (found,) = trial.refuses(text.replace('"extra > 0"', '"COALESCE(extra, 1) > 0"'), "EXPR_002")
    assert found.message == "unknown column 'extra'"


def test_after_an_operation_that_is_faulty_columns_are_not_certain(trial: Trial) -> None:
    listed = 'expectations:\n  - {name: x, that: "new_column > 0"}\n'
    text = project(append("⟦nowhere", seq=30), more=listed)
    trial.refuses(text, "APPEND_001")


def test_an_operation_that_cannot_be_read_may_be_the_one_that_is_meant(trial: Trial) -> None:
    listed = 'expectations:\n  - {name: x, at: 30, that: "new_column > 0"}\n'
    text = project("- {seq: 30, name: x, type: ⟦updates, arguments: {}}", more=listed)
    trial.refuses(text, "PROJECT_004")
