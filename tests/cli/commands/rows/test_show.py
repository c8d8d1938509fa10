"""`rowbook show` where there is nothing to show; what it shows is in tests/runs/tables."""

from __future__ import annotations

import pytest

from tests.runs.books import FILES
from tests.support.shell import Shell


@pytest.mark.parametrize("run", ["latest", "0199c0"])
def test_a_run_that_is_not_there_is_told(run: str, shell: Shell) -> None:
    shell.write(FILES)
    done = shell.run("show", run)
    assert done.code == 2
    assert done.err.startswith("RUN_006  ")
