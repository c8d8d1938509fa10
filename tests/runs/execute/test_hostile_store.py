"""A store is data that somebody may have sent: what it names is removed and written to only inside
the workspace's boundary, and only under names that Rowbook itself gives."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from deltalake import write_deltalake

from rowbook import Workspace
from rowbook.runs.execute.dead_runs import settle_publications
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.sources.publishing.marks import mark
from rowbook.store import Lease, from_this_machine, this_process
from tests.sources.tables import names_in
from tests.store.samples import FAILURE, TIMINGS, intents_of, new_draft, new_run
from tests.support.refusal import refusal

RUN = "01a2b3c4-0000-7000-8000-000000000001"
STAGED = f".totals.staging-{RUN}"
WORKSPACE = "workspace: {name: acme}\n"
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Mail:
    """A workspace with its store as somebody sent it, and what they are after."""

    folder: Path
    victim: Path

    @property
    def store(self) -> Path:
        return self.folder / ".rowbook" / "store.db"

    @property
    def tables(self) -> Path:
        return self.folder / "data"

    def target(self, path: Path, **values: Any) -> dict[str, Any]:
        return {
            "kind": "csv",
            "path": str(path),
            "options": {},
            "shown": "data/totals",
            "single_file": None,
            **values,
        }

    def ended(self, *, draft: bool = False, run_id: str = RUN) -> None:
        """A run that is through: what it staged is to be removed."""
        with OpenWorkspace(self.folder) as workspace:
            lease = self._begun(workspace, draft=draft)
            with workspace.store.writing_as(lease, at=at_present()) as writes:
                writes.cancel(TIMINGS)
        if run_id != RUN:
            self.execute("UPDATE run SET id = ?", run_id)

    def died(self) -> None:
        """A run whose process ended after it had announced an output."""
        with OpenWorkspace(self.folder) as workspace:
            lease = self._begun(workspace, gone=True)
            with workspace.store.writing_as(lease, at=at_present()) as writes:
                details = {"target": {}, "output": {"seq": 7}}
                writes.intend(7, "data/totals", "data/totals", details)

    def names(self, target: dict[str, Any]) -> None:
        """The store is altered: this is where the run wrote to."""
        self.execute("UPDATE run SET snapshot = ?", _json({"writes": [_write(target)]}))
        details = {"target": target, "output": {"seq": 7}}
        self.execute("UPDATE publish_intent SET details = ?", _json(details))

    def execute(self, statement: str, *values: str) -> None:
        with closing(sqlite3.connect(self.store)) as connection:
            connection.execute(statement, values)
            connection.commit()

    def statuses(self) -> list[str]:
        """The statuses that `runs list` shows."""
        return [run.status for run in Workspace.open(self.folder).runs()]

    def warnings(self) -> list[str]:
        with OpenWorkspace(self.folder) as workspace:
            record = workspace.store.runs.record(RUN)
        return [each.warning["message"] for each in record.warnings]

    def _begun(self, workspace: OpenWorkspace, *, draft: bool = False, gone: bool = False) -> Lease:
        holder = this_process()
        if gone:
            holder = replace(holder, started="at another time")
        new = (new_draft if draft else new_run)(RUN)
        lease = workspace.store.leases.begin(new, holder, at=at_present(), ttl=_DAY)
        with workspace.store.writing_as(lease, at=at_present()) as writes:
            writes.start({"writes": []})
        return lease


def _write(target: dict[str, Any]) -> dict[str, Any]:
    return {"seq": 7, "target": target}


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value)


@pytest.fixture
def mail(tmp_path: Path) -> Mail:
    """With a folder of somebody else's, in which names are as Rowbook gives them."""
    sent = Mail(tmp_path / "acme", tmp_path / "home")
    sent.tables.mkdir(parents=True)
    (sent.folder / "rowbook.yaml").write_text(WORKSPACE, encoding="utf-8")
    (sent.victim / STAGED).mkdir(parents=True)
    (sent.victim / STAGED / "precious.txt").write_text("mine", encoding="utf-8")
    (sent.victim / "totals.csv").write_text("mine", encoding="utf-8")
    return sent


def outside(mail: Mail) -> dict[str, Any]:
    return mail.target(mail.victim / "totals")


def by_dots(mail: Mail) -> dict[str, Any]:
    return mail.target(mail.tables / ".." / ".." / "home" / "totals")


def by_a_link(mail: Mail) -> dict[str, Any]:
    (mail.tables / "linked").symlink_to(mail.victim)
    return mail.target(mail.tables / "linked" / "totals")


def a_single_file(mail: Mail) -> dict[str, Any]:
    """Beside a table that says of itself that it was published."""
    (mail.tables / "totals").mkdir()
    mark(mail.tables / "totals", RUN, 7)
    return mail.target(mail.tables / "totals", single_file=str(mail.victim / "totals.csv"))


def delta(mail: Mail) -> dict[str, Any]:
    return {**outside(mail), "kind": "delta"}


Attack = Callable[[Mail], dict[str, Any]]
ATTACKS = [outside, by_dots, by_a_link, a_single_file, delta]


@pytest.mark.parametrize("attack", ATTACKS)
def test_listing_runs_removes_nothing_outside_for_a_run_that_ended(
    mail: Mail, attack: Attack
) -> None:
    mail.ended()
    mail.names(attack(mail))
    assert mail.statuses() == ["cancelled"]
    assert (mail.victim / STAGED / "precious.txt").read_text() == "mine"
    assert (mail.victim / "totals.csv").read_text() == "mine"


@pytest.mark.parametrize("attack", ATTACKS)
def test_listing_runs_removes_nothing_outside_for_a_run_that_died(
    mail: Mail, attack: Attack
) -> None:
    """It is said once, however often anybody looks."""
    mail.died()
    mail.names(attack(mail))
    assert mail.statuses() == ["failed"]
    assert mail.statuses() == ["failed"]
    assert (mail.victim / STAGED / "precious.txt").read_text() == "mine"
    assert (mail.victim / "totals.csv").read_text() == "mine"
    (warning,) = mail.warnings()
    assert "is outside the workspace and its allowed locations" in warning
    assert "nothing was removed" in warning


def test_the_folder_around_the_workspace_is_outside(mail: Mail) -> None:
    """What stands beside the workspace is none of its business."""
    beside = mail.folder.with_name(f".acme.staging-{RUN}")
    beside.mkdir()
    mail.ended()
    mail.names(mail.target(mail.folder))
    mail.statuses()
    assert beside.is_dir()


def test_no_commit_is_made_to_a_delta_table_whose_log_is_outside(mail: Mail) -> None:
    write_deltalake(mail.victim / "lake", pyarrow.table({"a": [1]}))
    log = mail.victim / "lake" / "_delta_log"
    before = names_in(log)
    (mail.tables / "totals").mkdir()
    (mail.tables / "totals" / "_delta_log").symlink_to(log)
    (mail.tables / STAGED).mkdir()
    mail.died()
    mail.names({**mail.target(mail.tables / "totals"), "kind": "delta"})
    mail.statuses()
    assert names_in(log) == before


def test_what_a_run_left_inside_is_removed_as_ever(mail: Mail) -> None:
    (mail.tables / STAGED).mkdir()
    (mail.tables / f"{STAGED}.0123abcd").mkdir()
    mail.ended()
    mail.names(mail.target(mail.tables / "totals"))
    mail.statuses()
    assert names_in(mail.tables) == []


def test_what_a_run_left_in_an_allowed_location_is_removed_as_ever(mail: Mail) -> None:
    yaml = f"workspace: {{name: acme, allowed_locations: ['{mail.victim}']}}\n"
    (mail.folder / "rowbook.yaml").write_text(yaml, encoding="utf-8")
    mail.ended()
    mail.names(outside(mail))
    mail.statuses()
    assert names_in(mail.victim) == ["totals.csv"]


def test_a_link_in_the_place_of_staged_data_is_left(mail: Mail) -> None:
    (mail.tables / STAGED).symlink_to(mail.victim)
    (mail.tables / f".totals.old-{RUN}").symlink_to(mail.victim)
    mail.ended()
    mail.names(mail.target(mail.tables / "totals"))
    mail.statuses()
    assert (mail.victim / STAGED / "precious.txt").read_text() == "mine"
    assert (mail.tables / f".totals.old-{RUN}").is_symlink()


@pytest.mark.parametrize("run_id", ["../precious", "../../data", "..", ".", "", "a/../../precious"])
def test_a_run_id_that_is_a_path_removes_nothing(mail: Mail, run_id: str) -> None:
    mail.ended(draft=True, run_id=run_id)
    mail.names(mail.target(mail.tables / "totals"))
    kept = [mail.folder / ".rowbook" / "precious", mail.folder / ".rowbook" / "sandbox" / RUN]
    for folder in (*kept, mail.tables):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a.txt").write_text("mine", encoding="utf-8")
    workspace = Workspace.open(mail.folder)
    workspace.runs()
    (removal,) = workspace.gc(older_than=0)
    assert removal.failure == "its id is not one that Rowbook gives"
    for folder in (*kept, mail.tables):
        assert (folder / "a.txt").read_text() == "mine"


def test_a_sandbox_that_is_a_link_is_left(mail: Mail) -> None:
    sandbox = mail.folder / ".rowbook" / "sandbox"
    mail.ended(draft=True)
    sandbox.mkdir()
    (sandbox / RUN).symlink_to(mail.folder / ".rowbook")
    (removal,) = Workspace.open(mail.folder).gc(older_than=0)
    assert removal.failure == "it is a link"
    assert (sandbox / RUN).is_symlink()


def test_records_that_make_no_sense_are_left_alone(mail: Mail) -> None:
    mail.died()
    for target in ({}, {"kind": "csv"}, {"kind": "tape"}, {"kind": "csv", "path": 7}):
        mail.names(target)
        assert mail.statuses() == ["failed"]


def test_resuming_a_run_whose_output_is_outside_is_refused(mail: Mail) -> None:
    mail.died()
    mail.names(outside(mail))
    with OpenWorkspace(mail.folder) as workspace:
        lease = workspace.store.leases.recover(
            RUN, this_process(), at=at_present(), ttl=_DAY, sight=from_this_machine()
        )
        finding = refusal(lambda: settle_publications(workspace, lease))
        assert {each.state for each in intents_of(workspace.store, RUN)} == {"intended"}
    assert finding.code == "DATASOURCE_004"
    label = mail.victim / "totals"
    assert finding.message == f"'{label}' is outside the workspace and its allowed locations"


def test_another_run_of_the_project_goes_on_and_says_so(mail: Mail) -> None:
    mail.died()
    mail.names(outside(mail))
    other = "01a2b3c4-0000-7000-8000-000000000002"
    with OpenWorkspace(mail.folder) as workspace:
        lease = workspace.store.leases.begin(
            new_run(other), this_process(), at=at_present(), ttl=_DAY, sight=from_this_machine()
        )
        (warning,) = settle_publications(workspace, lease)
        assert {each.state for each in intents_of(workspace.store, RUN)} == {"intended"}
        with workspace.store.writing_as(lease, at=at_present()) as writes:
            writes.fail(FAILURE, TIMINGS)
    label = mail.victim / "totals"
    assert warning == (
        f"output 7 of run {RUN}: '{label}' is outside the workspace and its allowed locations;"
        " nothing was removed there"
    )
    assert (mail.victim / STAGED / "precious.txt").read_text() == "mine"


def test_who_only_reads_leaves_the_store_of_another_user_alone(
    mail: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mail.tables / STAGED).mkdir()
    mail.died()
    mail.names(mail.target(mail.tables / "totals"))
    uid = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    assert mail.statuses() == ["running"]
    assert names_in(mail.tables) == [STAGED]
    monkeypatch.undo()
    assert mail.statuses() == ["failed"]
    assert names_in(mail.tables) == []


def test_who_cleans_up_does_it_in_the_store_of_another_user_too(
    mail: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mail.tables / STAGED).mkdir()
    mail.died()
    mail.names(mail.target(mail.tables / "totals"))
    uid = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    Workspace.open(mail.folder).gc()
    assert names_in(mail.tables) == []
    assert mail.statuses() == ["failed"]


def decided(mail: Mail, target: dict[str, Any], **details: Any) -> None:
    """The store says that an output is staged, and was decided to be published."""
    mail.died()
    mail.names(target)
    staged = {
        "target": target,
        "mode": "append",
        "periods": ["2026-01"],
        "written": {"rows": 1, "files": 1, "bytes": 5, "duration_ms": 1},
        "details": {"by": [], "ordered": False, "sheets": [], "is_sheet": False, **details},
        "output": {
            "seq": 7,
            "destination": "data/totals",
            "rows": 1,
            "columns": ["a"],
            "files": 1,
            "bytes": 5,
            "duration_ms": 1,
        },
    }
    mail.execute(
        "INSERT INTO run_staged (run_id, seq, staged, recorded_at)"
        " VALUES (?, 7, ?, '2026-02-03T10:00:00.000000Z')",
        RUN,
        _json(staged),
    )


def test_what_is_said_to_be_decided_is_published_nowhere_outside(mail: Mail) -> None:
    decided(mail, outside(mail), files=[["precious.txt", 4]])
    before = sorted(path.name for path in mail.victim.rglob("*"))
    assert mail.statuses() == ["failed"]
    assert sorted(path.name for path in mail.victim.rglob("*")) == before
    assert "outside" in mail.warnings()[0]


@pytest.mark.parametrize(
    "details",
    [
        {"files": [["a.csv", 4]], "by": ["../../home/period"]},
        {"files": [["a.csv", 4]], "sheets": ["../../home/x"]},
        {"files": [["../../home/totals.csv", 4]]},
        {"files": 7},
        {},
    ],
)
def test_a_staged_output_that_is_none_of_rowbooks_is_not_published(
    mail: Mail, details: dict[str, Any]
) -> None:
    table, staged = mail.tables / "totals", mail.tables / f".totals.staging-{RUN}-7"
    (table / "period=2026-01").mkdir(parents=True)
    (table / "period=2026-01" / "old.csv").write_text("a\n1\n", encoding="utf-8")
    mark(table, "0199a000-0000-7000-8000-000000000001", 1)
    staged.mkdir()
    (staged / "a.csv").write_text("a\n2\n", encoding="utf-8")
    decided(mail, mail.target(table), **details)
    before = sorted(path.name for path in mail.victim.rglob("*"))
    assert mail.statuses() == ["failed"]
    assert sorted(path.name for path in mail.victim.rglob("*")) == before
    assert [path.name for path in table.rglob("*.csv")] == ["old.csv"]
    with OpenWorkspace(mail.folder) as workspace:
        assert {each.state for each in intents_of(workspace.store, RUN)} == {"undone"}
