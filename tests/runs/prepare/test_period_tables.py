"""Which of the periods that a view reads have data, and are closed, before anything is computed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.period_history import PeriodHistory
from rowbook.runs.prepare.request import Request, request_draft
from rowbook.runs.prepare.resolve import ResolvedInput, resolve_run
from rowbook.runs.prepare.run_checks import run_problems, run_warnings
from rowbook.runs.prepare.run_snapshot import request_again, take_snapshot
from rowbook.runs.versions.period_status import calendar_identity
from tests.support.write_files import write_files

FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: files}\n",
    "datasets/all.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns: [{name: account, type: string}]
---
dataset: {name: shared, main_table: {name: shared, temporal_mode: period,
  columns: [{name: account, type: string}, {name: _period, type: string}]}}
""",
    "resolvers/files.yaml": """\
resolver:
  name: files
  rules:
    - name: one file
      when: "dataset.name = 'shared'"
      strategy: {type: path, path: "data/shared", format: csv}
    - name: a file for each month
      data_level: month
      strategy: {type: path, path: "data/{{dataset_name}}/{{YYYY}}-{{MM}}.csv"}
""",
    "data/gl/2025-11.csv": "account\n1\n",
    "data/gl/2025-12.csv": "account\n2\n",
    "data/gl/2026-02.csv": "account\n3\n",
}


def project(view: str) -> dict[str, str]:
    """A workspace with this view, and a project that starts from it."""
    text = f"dataset: {view}\n---\nproject:\n  name: p\n  input_dataset_id: v\n  operations: []\n"
    return {**FILES, "projects/p.yaml": text}


def drafted(folder: Path, view: str, period: str) -> Request:
    write_files(folder, project(view))
    with OpenWorkspace(folder) as workspace:
        return request_draft(workspace, "p", period)


def resolved(
    folder: Path, view: str, period: str, history: PeriodHistory | None = None
) -> ResolvedInput:
    request = drafted(folder, view, period)
    if history is not None:
        request = replace_history(request, history)
    (found,) = resolve_run(request).inputs
    return found


def replace_history(request: Request, history: PeriodHistory) -> Request:
    return replace(request, history=lambda: history)


def places(found: ResolvedInput) -> list[str]:
    return [each.location.location for each in found.tables]


def test_each_period_has_its_place_and_those_without_data_are_absent(tmp_path: Path) -> None:
    found = resolved(tmp_path, "{name: v, of: gl, periods: {trailing: 4}}", "2026-02")
    assert places(found) == ["data/gl/2025-11.csv", "data/gl/2025-12.csv", "data/gl/2026-02.csv"]
    assert [each.table.period for each in found.tables if each.table] == [
        "2025-11",
        "2025-12",
        "2026-02",
    ]
    assert found.periods == ("2025-11", "2025-12", "2026-01", "2026-02")
    assert (found.absent, dict(found.expected), found.unready) == (("2026-01",), {}, ())


def test_places_are_found_by_the_name_of_the_other_dataset(tmp_path: Path) -> None:
    found = resolved(tmp_path, "{name: v, of: gl, periods: previous}", "2026-01")
    assert (places(found), found.absent) == (["data/gl/2025-12.csv"], ())


def test_a_month_of_a_quarter_that_is_missing_is_named(tmp_path: Path) -> None:
    found = resolved(tmp_path, "{name: v, of: gl, periods: previous}", "2026-Q1")
    assert places(found) == ["data/gl/2025-11.csv", "data/gl/2025-12.csv"]
    assert found.periods == ("2025-Q4", "2025-10", "2025-11", "2025-12")
    assert found.absent == ("2025-10",)


def test_all_periods_are_those_that_have_a_place(tmp_path: Path) -> None:
    found = resolved(tmp_path, "{name: v, of: gl, periods: all}", "2026-02")
    assert places(found) == ["data/gl/2025-11.csv", "data/gl/2025-12.csv", "data/gl/2026-02.csv"]
    assert (found.absent, found.empty) == ((), ())


def test_all_places_of_days_are_not_looked_for(tmp_path: Path) -> None:
    request = drafted(tmp_path, "{name: v, of: gl, periods: all}", "2026-02")
    text = FILES["resolvers/files.yaml"].replace("data_level: month", "data_level: day")
    write_files(tmp_path, {"resolvers/files.yaml": text.replace("{{MM}}", "{{MM}}-{{DD}}")})
    with OpenWorkspace(tmp_path) as workspace, pytest.raises(Exception, match="DATASET_023"):
        resolve_run(request_draft(workspace, "p", request.context.period.identifier))


def test_folders_tell_the_periods_of_a_place_that_they_share(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "data/shared/_period=2025-12/a.csv": "account\n1\n",
            "data/shared/_period=2026-02/a.csv": "account\n2\n",
        },
    )
    found = resolved(tmp_path, "{name: v, of: shared, periods: {trailing: 3}}", "2026-02")
    assert (found.absent, dict(found.expected)) == (("2026-01",), {})
    contents = [content.name for each in found.tables for content in each.contents]
    assert contents == [
        "data/shared/_period=2025-12/a.csv",
        "data/shared/_period=2026-02/a.csv",
    ]


def test_rows_will_tell_the_periods_of_one_file(tmp_path: Path) -> None:
    write_files(tmp_path, {"data/shared/a.csv": "account,_period\n1,2025-12\n"})
    found = resolved(tmp_path, "{name: v, of: shared, periods: previous}", "2026-01")
    assert found.absent == ()
    assert {period: names[0] for period, names in found.expected.items()} == {"2025-12": "2025-12"}
    empty = resolved(
        tmp_path, "{name: v, of: shared, periods: previous, missing: empty}", "2026-01"
    )
    assert dict(empty.expected) == {}


def test_of_what_runs_register_one_of_them_must_have_published_a_period(tmp_path: Path) -> None:
    view, write = "{name: v, of: gl, periods: {trailing: 3}}", "data/gl/2026-01.csv"
    write_files(tmp_path, {write: "account\n9\n"})
    plain = resolved(tmp_path, view, "2026-02")
    assert plain.absent == ()
    assert plain.dataset.origin is not None
    published = {plain.dataset.origin.id: frozenset({"2025-12", "2026-02"})}
    found = resolved(tmp_path, view, "2026-02", PeriodHistory(published=published))
    assert found.absent == ("2026-01",)


@pytest.mark.parametrize(
    ("required", "statuses", "expected"),
    [
        ("closed", {}, ("2025-12 is open", "2026-01 is open")),
        ("closed", {"2025-12": "locked", "2026-01": "closed"}, ()),
        ("closed", {"2025": "closed", "2026-Q1": "closed"}, ()),
        ("locked", {"2025": "locked", "2026-01": "closed"}, ("2026-01 is closed",)),
    ],
)
def test_other_periods_than_the_run_s_must_be_closed_where_that_is_required(
    required: str, statuses: dict[str, str], expected: tuple[str, ...], tmp_path: Path
) -> None:
    view = f"{{name: v, of: gl, periods: {{trailing: 3}}, missing: empty, require: {required}}}"
    found = resolved(tmp_path, view, "2026-02", PeriodHistory(statuses))
    assert found.unready == expected


def test_what_is_missing_or_open_is_among_the_problems_of_a_run(tmp_path: Path) -> None:
    view = "{name: v, of: gl, periods: {trailing: 3}, require: closed}"
    found = run_problems(resolve_run(drafted(tmp_path, view, "2026-02")))
    assert [(each.code, each.message) for each in found] == [
        ("DATASET_019", "dataset 'v' has no data of 'gl' for 2026-01"),
        (
            "DATASET_020",
            "dataset 'v' requires periods that are closed, but 2025-12 is open, 2026-01 is open",
        ),
    ]


def test_what_may_be_missing_is_a_warning_or_nothing(tmp_path: Path) -> None:
    for missing, count in (("warn", 1), ("empty", 0)):
        view = f"{{name: v, of: gl, periods: {{trailing: 3}}, missing: {missing}}}"
        found = resolve_run(drafted(tmp_path, view, "2026-02"))
        assert (run_problems(found), len(run_warnings(found))) == ((), count)


def test_the_store_is_asked_for_the_status_of_periods(tmp_path: Path) -> None:
    write_files(tmp_path, project("{name: v, of: gl, periods: previous, require: closed}"))
    with OpenWorkspace(tmp_path) as workspace:
        request = request_draft(workspace, "p", "2026-01")
        assert resolve_run(request).inputs[0].unready == ("2025-12 is open",)
        calendar = calendar_identity("gregorian", workspace.definitions)
        close = partial(workspace.store.periods.close, calendar, by="me")
        close("2025-12", at=datetime(2026, 1, 5, tzinfo=UTC))
        assert resolve_run(request).inputs[0].unready == ()


def test_the_snapshot_has_the_contents_of_each_period_and_leads_back_to_them(
    tmp_path: Path,
) -> None:
    write_files(tmp_path, project("{name: v, of: gl, periods: {trailing: 4}, missing: empty}"))
    with OpenWorkspace(tmp_path) as workspace:
        request = request_draft(workspace, "p", "2026-02")
        snapshot = take_snapshot(resolve_run(request))
        (dataset,) = snapshot["datasets"]
        assert (dataset["name"], dataset["of"]) == ("v", "gl")
        assert [(each["periods"], len(each["contents"])) for each in dataset["locations"]] == [
            (["2025-11"], 1),
            (["2025-12"], 1),
            (["2026-02"], 1),
            (["2026-01"], 0),
        ]
        assert "missing" in dataset["locations"][-1]
        again = request_again(workspace, snapshot, request.context.run_id)
        assert take_snapshot(resolve_run(again)) == {**snapshot, "version": None}
