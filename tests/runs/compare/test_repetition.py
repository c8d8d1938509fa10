"""A repeated run says which inputs and outputs are equal to those of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rowbook import Workspace
from tests.runs.conversion import FILES
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

PROJECT = FILES["projects/close.yaml"].partition("    - seq: 30\n")[0]
GL, RATES = ("gl", "gl/2026-01.csv"), ("rates", "rates")


def test_a_repeated_run_is_compared_with_the_run(shell: Shell, spark: SparkSession) -> None:
    shell.write({**FILES, "projects/close.yaml": PROJECT})
    with Workspace.open(shell.folder, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("close")
        first = workspace.run("close", "2026-01")

        again = workspace.repeat(first.run_id)
        assert (again.status, again.repeats, again.differs) == ("completed", first.run_id, False)
        assert [(each.dataset, each.location, each.verdict) for each in again.compared_inputs] == [
            (*GL, "equal"),
            (*RATES, "equal"),
        ]
        assert [
            (each.seq, each.destination, each.verdict, each.why) for each in again.compared_outputs
        ] == [(20, "out/closed", "equal", None)]

        shell.write({"data/rates.csv": "account,rate\n4000,3\n"})
        other = workspace.repeat(first.run_id)
        assert other.differs
        assert [(each.verdict, each.why) for each in other.compared_inputs] == [
            ("equal", None),
            ("different", "data/rates.csv changed"),
        ]
        assert [(each.verdict, each.why) for each in other.compared_outputs] == [
            ("different", "rows: 1 gone, 1 new")
        ]

        second = workspace.run("close", "2026-01")
        kept = workspace.repeat(first.run_id)
        assert [(each.verdict, each.why) for each in kept.compared_outputs] == [
            ("different", "rows: 1 gone, 1 new")
        ]
        workspace.gc(older_than=0)
        late = workspace.repeat(first.run_id)
        why = f"output 20 of run {second.run_id} has written to out/closed since"
        assert [(each.verdict, each.why) for each in late.compared_outputs] == [
            ("not compared", why)
        ]

        (shell.folder / "data" / "gl" / "2026-01.csv").unlink()
        failed = workspace.repeat(first.run_id)
        assert (failed.status, failed.compared_outputs) == ("failed", ())
        assert failed.compared_inputs[0].why == "data/gl/2026-01.csv gone"


def test_the_command_prints_the_verdicts_and_exits_with_1_where_one_is_different(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from rowbook.cli.exit_codes import Exit
    from rowbook.cli.render.repetition import exit_of_repetition, print_verdicts, repetition_json
    from rowbook.runs.compare.repetition import InputVerdict, OutputVerdict, Repetition

    found = Repetition(
        "new",
        "completed",
        (),
        (),
        repeats="old",
        compared_inputs=(InputVerdict(*GL, "different", "data/gl/2026-01.csv changed"),),
        compared_outputs=(OutputVerdict(20, "publish", "out/closed", "equal"),),
    )
    print_verdicts(found)
    assert capsys.readouterr().out == (
        "compared with run old\n"
        "  input   gl/2026-01.csv of gl: different (data/gl/2026-01.csv changed)\n"
        "  output  20 out/closed: equal\n"
    )
    assert exit_of_repetition(found) is Exit.FINDINGS
    assert repetition_json(found)["compared"] == [
        {
            "seq": 20,
            "name": "publish",
            "destination": "out/closed",
            "verdict": "equal",
            "why": None,
        }
    ]
