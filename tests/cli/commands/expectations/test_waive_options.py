"""`--waive` and `--reason` of `rowbook run`: refused before anything runs or is recorded."""

from __future__ import annotations

import pytest

from tests.support.journals import FILES
from tests.support.shell import Shell

RUN = ("run", "close", "--period", "2026-01")


@pytest.fixture
def journals(shell: Shell) -> Shell:
    shell.write(FILES)
    return shell


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--waive", "journals balance"), "USAGE_001  an expectation is waived for a reason"),
        (("--reason", "late"), "USAGE_001  a reason is given, and nothing is waived"),
        (
            ("--waive", "journal balance", "--reason", "late"),
            "EXPECT_011  there is no expectation 'journal balance'\n"
            "    did you mean 'journals balance'?",
        ),
        (
            ("--waive", "no suspense account", "--reason", "late"),
            "EXPECT_011  'no suspense account' cannot be waived: it only warns, and stops no run",
        ),
        (
            ("--waive", "journals balance", "--reason", "late", "--upstream"),
            "USAGE_001  --waive, --reason and --junit are for one project",
        ),
    ],
)
def test_what_waives_nothing_is_refused(journals: Shell, words: tuple[str, ...], said: str) -> None:
    done = journals.run(*RUN, *words)
    assert done.code == 2
    assert said in done.err
    assert "no runs yet" in journals.run("runs", "list").out
