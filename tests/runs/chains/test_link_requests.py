"""What is asked of the projects of a chain, and what is checked before it begins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rowbook import RowbookError
from rowbook.planning.resolution.parameter_values import NOTHING_GIVEN, GivenParameters
from rowbook.runs.chains.chain import ChainRequest, find_chain
from rowbook.runs.chains.link_requests import chain_periods, check_chain
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_snapshot import request_again, take_snapshot
from tests.runs.chains.ledgers import make_active_ledgers, make_ledgers, project
from tests.support.write_files import write_files


def checked(
    folder: Path, asked: str | None, *, draft: bool = False, given: GivenParameters = NOTHING_GIVEN
) -> dict[str, Request]:
    with OpenWorkspace(folder) as workspace:
        chain = find_chain(workspace, ChainRequest(asked, draft, given=given))
        return check_chain(workspace, chain, "2026-01")


def locations(request: Request) -> list[str]:
    return [each.location.location for each in resolve_run(request).tables]


def test_a_draft_reads_what_the_drafts_before_it_write(tmp_path: Path) -> None:
    make_ledgers(tmp_path)
    convert, close, report = checked(tmp_path, "report", draft=True).values()
    sandboxes = [f".rowbook/sandbox/{each.context.run_id}" for each in (convert, close)]
    assert locations(convert) == ["gl/2026-01.csv"]
    assert locations(close) == [f"{sandboxes[0]}/converted"]
    assert locations(report) == [f"{sandboxes[1]}/closed"]


def test_drafts_read_each_other_though_runs_have_registered_the_datasets(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path)
    _, close, report = checked(tmp_path, "report", draft=True).values()
    assert locations(report) == [f".rowbook/sandbox/{close.context.run_id}/closed"]


def test_a_draft_finds_again_by_its_snapshot_what_it_read(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path)
    _, close, report = checked(tmp_path, "report", draft=True).values()
    snapshot = json.loads(json.dumps(take_snapshot(resolve_run(report))))
    with OpenWorkspace(tmp_path) as workspace:
        again = request_again(workspace, snapshot, report.context.run_id)
    assert locations(again) == [f".rowbook/sandbox/{close.context.run_id}/closed"]


def test_active_projects_read_what_is_published(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path)
    _, close, report = checked(tmp_path, "report").values()
    assert (close.version, report.version) == (1, 1)
    assert locations(report) == ["closed"]


def test_a_draft_may_use_a_column_that_only_the_draft_before_it_makes(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path)
    text = project("close", "converted", "amount", "closed")
    made = text.replace("column: amount", "column: units").replace("[account,", "[units, account,")
    report = project("report", "closed", "units * 2", "reported")
    write_files(tmp_path, {"projects/close.yaml": made, "projects/report.yaml": report})
    request = checked(tmp_path, "report", draft=True)["report"]
    assert [field.name for field in request.plan.input.fields] == ["units", "account", "amount"]
    assert request.plan.input.version == 2


def test_faults_of_all_definitions_are_said_before_anything_runs(tmp_path: Path) -> None:
    make_ledgers(tmp_path)
    write_files(
        tmp_path,
        {"projects/report.yaml": project("report", "closed", "amuont * 2", "reported")},
    )
    with pytest.raises(RowbookError) as caught:
        checked(tmp_path, "report", draft=True)
    (found,) = caught.value.diagnostics
    assert (found.code, str(found.position)) == ("EXPR_002", "projects/report.yaml:8:63")
    assert found.hint is not None
    assert "did you mean 'amount'?" in found.hint


def test_projects_that_wait_for_one_with_a_fault_are_not_at_fault(tmp_path: Path) -> None:
    make_ledgers(tmp_path)
    faulty = project("convert", "gl", "amuont * 2", "converted")
    write_files(tmp_path, {"projects/convert.yaml": faulty})
    with pytest.raises(RowbookError) as caught:
        checked(tmp_path, "report", draft=True)
    assert [str(d.position) for d in caught.value.diagnostics] == ["projects/convert.yaml:8:63"]


def test_with_all_a_fault_keeps_its_project_and_what_depends_on_it_alone(tmp_path: Path) -> None:
    make_ledgers(tmp_path)
    write_files(
        tmp_path,
        {"projects/close.yaml": project("close", "converted", "amuont", "closed")},
    )
    assert list(checked(tmp_path, None, draft=True)) == ["audit", "convert"]


def test_a_project_that_was_never_activated_is_checked_when_its_input_is_there(
    tmp_path: Path,
) -> None:
    make_ledgers(tmp_path)
    make_active_ledgers(tmp_path, "convert")
    write_files(tmp_path, {"projects/close.yaml": project("close", "converted", "x", "closed")})
    assert list(checked(tmp_path, "close")) == ["convert"]


def test_periods_are_those_of_the_calendar(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path)
    found = chain_periods(checked(tmp_path, "report"), "2026-01", "2026-03")
    assert found == ["2026-01", "2026-02", "2026-03"]


def test_parameters_are_those_of_the_project_that_was_asked_for(tmp_path: Path) -> None:
    declared = "  parameters: {factor: {type: integer, default: 2}}\n  operations:\n"
    make_ledgers(tmp_path)
    for name in ("close", "report"):
        path = tmp_path / "projects" / f"{name}.yaml"
        text = path.read_text(encoding="utf-8").replace("  operations:\n", declared)
        write_files(tmp_path, {f"projects/{name}.yaml": text})
    given = GivenParameters({"factor": "7"})
    requests = checked(tmp_path, "report", draft=True, given=given)
    found = {name: [each.text for each in r.plan.parameters] for name, r in requests.items()}
    assert found == {"convert": [], "close": ["2"], "report": ["7"]}
