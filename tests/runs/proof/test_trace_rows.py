from __future__ import annotations

import json
from decimal import Decimal

from rowbook import Workspace
from tests.runs.proof.ledgers import GROUP, closed, drafts
from tests.support.recorded_run import record_run
from tests.support.shell import Shell

D = Decimal


def test_json_has_the_life_of_a_row(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    found = json.loads(shell.run("trace", run, "id=1", "--format", "json").out)
    (row,) = found["rows"]
    assert (found["run_id"], row["dataset"], row["place"], row["fate"]) == (
        run,
        "gl",
        "data/gl/2026-01.csv:2",
        "published",
    )
    assert row["steps"][0] == {
        "seq": 5,
        "name": "drop",
        "met": False,
        "changes": [],
        "joined": [],
    }
    assert row["steps"][1] == {
        "seq": 10,
        "name": "convert",
        "met": True,
        "changes": [{"column": "usd", "before": None, "after": "11.00", "overwritten_by": None}],
        "joined": [
            {
                "alias": "fx",
                "place": "data/rates.csv:2",
                "values": {"currency": "EUR", "rate": "1.1000"},
            }
        ],
    }
    assert row["groups"] == [{"seq": 30, "keys": {"_period": "2026-01", "entity": "DE"}}]
    assert row["outputs"] == [{"seq": 20, "table": "out/closed"}]


def test_a_row_of_another_month_was_not_read(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    (life,) = Workspace.open(shell.folder).trace(run, "id=5").rows
    assert (life.fate, life.reason) == ("not read", "no row of data/gl/2026-01.csv is such")


def test_a_limit_says_how_many_more_there_are(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    found = Workspace.open(shell.folder).trace(run, "entity=DE", limit=1)
    assert (len(found.rows), found.more) == (1, 2)


def test_a_row_leads_into_the_run_that_wrote_it(shell: Shell) -> None:
    (first,) = closed(shell, "2026-01")
    shell.write({"projects/group.yaml": GROUP})
    assert shell.run("activate", "group").code == 0
    run = record_run(shell.folder, "group", "2026-01")
    (life,) = Workspace.open(shell.folder).trace(run, "id=1").rows
    (earlier,) = life.earlier
    assert earlier.run_id == first
    (before,) = earlier.rows
    assert (before.place, before.row_id) == ("data/gl/2026-01.csv:2", life.row_id)
    assert [step.seq for step in before.steps if step.met] == [10, 30]
