"""`rowbook datasets read`: rows as a run would load them, without Spark."""

from __future__ import annotations

import json
import re

from tests.runs.books import FILES
from tests.support.shell import Shell, spawn
from tests.support.write_files import write_files

READ = ("datasets", "read", "gl", "--period", "2026-01")


def test_rows_of_the_period_are_shown_as_a_table(shell: Shell) -> None:
    write_files(shell.folder, FILES)
    done = shell.run(*READ)
    assert done.code == 0, done.err
    assert done.out.splitlines()[2:] == [
        "4000      10.50  2026-01",
        "4000       2.25  2026-01",
        "5000      -3.00  2026-01",
        "3 rows",
    ]
    assert done.err == "read by the reference engine: a small input\n"


def test_a_condition_and_a_limit_choose_rows(shell: Shell) -> None:
    write_files(shell.folder, FILES)
    done = shell.run(*READ, "--where", "gl.amount > 0", "--limit", "1", "--format", "json")
    assert json.loads(done.out) == {
        "dataset": "gl",
        "period": "2026-01",
        "engine": "reference",
        "more": True,
        "columns": ["account", "amount", "_period"],
        "rows": [{"account": "4000", "amount": "10.50", "_period": "2026-01"}],
    }


def test_csv_has_all_rows_and_nothing_else(shell: Shell) -> None:
    write_files(shell.folder, FILES)
    done = shell.run(*READ, "--where", "account <> '5000'", "--format", "csv")
    assert done.out == "account,amount,_period\n4000,10.50,2026-01\n4000,2.25,2026-01\n"
    assert done.err == ""


def test_a_fault_in_the_condition_is_underlined(shell: Shell) -> None:
    write_files(shell.folder, FILES)
    done = shell.run(*READ, "--where", "amout > 0")
    assert done.code == 2
    assert done.err.splitlines()[:3] == [
        "EXPR_002  unknown column 'amout'",
        '    where: "amout > 0"',
        "            ^^^^^",
    ]


def test_a_value_that_does_not_fit_is_told_with_file_and_line(shell: Shell) -> None:
    write_files(shell.folder, FILES)
    write_files(shell.folder, {"data/inbox/gl/2026-01.csv": "account,amount\n4000,10.x\n"})
    done = shell.run(*READ)
    assert done.code == 2
    assert "'10.x' at data/inbox/gl/2026-01.csv:2" in done.err


def test_an_overflow_in_the_condition_is_an_error(shell: Shell) -> None:
    write_files(shell.folder, FILES)
    huge = "POWER(10, 30) > 0 AND amount * 9999999999999999999999999999999999 * 99999 > 0"
    done = shell.run(*READ, "--where", huge)
    assert done.code == 2
    assert "RUN_001  a value in the condition does not fit its type" in done.err


def test_spark_is_not_imported(shell: Shell) -> None:
    write_files(shell.folder, FILES)
    done = spawn(*READ, folder=shell.folder, environment={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.code == 0
    for name in ("pyspark", "pandas", "pyarrow"):
        assert not re.search(rf"\| +{name}$", done.err, re.MULTILINE)
