"""Which projects a chain has: those that are active, or the files as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook import RowbookError, Workspace
from rowbook.definitions.models.entity import derived_id
from rowbook.errors import Diagnostic
from rowbook.runs.chains.chain import ChainRequest, find_chain
from rowbook.runs.open_workspace import OpenWorkspace
from tests.runs.chains.ledgers import make_active_ledgers, make_ledgers, project
from tests.support.write_files import write_files


def order(folder: Path, asked: str | None, *, draft: bool = False) -> tuple[str, ...]:
    with OpenWorkspace(folder) as workspace:
        return find_chain(workspace, ChainRequest(asked, draft)).order


def refusals(folder: Path, asked: str | None, *, draft: bool = False) -> tuple[Diagnostic, ...]:
    with pytest.raises(RowbookError) as caught:
        order(folder, asked, draft=draft)
    return caught.value.diagnostics


def test_active_projects_are_ordered_by_what_their_versions_read(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path)
    write_files(tmp_path, {"projects/report.yaml": project("report", "gl", "amount", "reported")})
    assert order(tmp_path, "report") == ("convert", "close", "report")
    assert order(tmp_path, derived_id("project", "close")) == ("convert", "close")


def test_drafts_are_ordered_by_their_files(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path)
    write_files(tmp_path, {"projects/report.yaml": project("report", "gl", "amount", "reported")})
    assert order(tmp_path, "report", draft=True) == ("report",)
    assert order(tmp_path, "close", draft=True) == ("convert", "close")


def test_drafts_need_no_store(tmp_path: Path) -> None:
    make_ledgers(tmp_path)
    assert order(tmp_path, "report", draft=True) == ("convert", "close", "report")
    assert not (tmp_path / ".rowbook").exists()


def test_all_are_those_that_are_active_and_independent_ones_too(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path, "convert", "close", "audit")
    assert order(tmp_path, None) == ("audit", "convert", "close")
    assert order(tmp_path, None, draft=True) == ("audit", "convert", "close", "report")


def test_all_does_not_run_a_producer_that_was_deactivated(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path)
    Workspace.open(tmp_path).deactivate("convert")
    assert order(tmp_path, None) == ("close", "report")


def test_all_of_none_is_refused(tmp_path: Path) -> None:
    make_ledgers(tmp_path)
    (found,) = refusals(tmp_path, None)
    assert (found.code, found.message) == ("CHAIN_004", "no project is active")


def test_a_producer_that_was_never_activated_is_refused_but_for_drafts(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path, "convert", "report")
    (found,) = refusals(tmp_path, "report")
    assert (found.code, found.message, found.hint) == (
        "CHAIN_002",
        "project 'close' registers dataset 'closed', which project 'report' reads, but was never"
        " activated",
        "`rowbook activate close`, or --draft, which runs the files of all of them into the"
        " sandbox",
    )
    assert str(found.position) == "project report version 1:4:25"
    assert order(tmp_path, "report", draft=True) == ("convert", "close", "report")


def test_the_project_that_is_asked_for_need_not_be_active(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path, "convert")
    assert order(tmp_path, "close") == ("convert", "close")


def test_a_producer_that_was_deactivated_is_refused(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path)
    Workspace.open(tmp_path).deactivate("convert")
    (found,) = refusals(tmp_path, "report")
    assert found.message.endswith("which project 'close' reads, but was deactivated")


def test_files_that_feed_each_other_are_refused_with_their_places(tmp_path: Path) -> None:
    make_ledgers(tmp_path)
    write_files(tmp_path, {"projects/convert.yaml": project("convert", "closed", "1", "converted")})
    assert [
        (str(d.position), d.message.partition(":")[0])
        for d in refusals(tmp_path, "report", draft=True)
    ] == [
        ("projects/close.yaml:3:21", "close -> convert -> close"),
        ("projects/convert.yaml:3:21", "close -> convert -> close"),
    ]


def test_an_unknown_project_is_refused_with_what_may_be_meant(tmp_path: Path) -> None:
    make_ledgers(tmp_path)
    (found,) = refusals(tmp_path, "reprot")
    assert found.code == "PROJECT_008"
    assert found.hint is not None
    assert found.hint.startswith("did you mean 'report'?")
