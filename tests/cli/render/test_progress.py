"""What a command says when it is left; on a terminal see tests/cli/test_terminal.py."""

from __future__ import annotations

import pytest

from rowbook.cli.render.progress import Progress
from rowbook.errors.termination import RunInterruptedError


def test_what_became_of_an_interrupted_run_is_said_also_to_who_wants_it_quiet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(KeyboardInterrupt), Progress(quiet=True):
        raise RunInterruptedError("interrupted at operation 10 of 20")
    assert capsys.readouterr().err == "interrupted at operation 10 of 20\n"


def test_any_other_interrupt_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), Progress(quiet=False):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == ""
