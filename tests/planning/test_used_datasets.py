"""What a project reads, and the versions that it stays with."""

from __future__ import annotations

import json

from rowbook.definitions.recording import content_of, entry_of
from rowbook.planning.used_datasets import pins_of, plan_recorded, used_datasets
from tests.support.trial import BASE, Trial, append, output, plan_of, project, update

JOIN = '{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}'
PROJECT = project(
    update(joins=JOIN, net="amount * fx.rate", title="groups.title"), append("late_entries", seq=2)
)


def test_joins_lookups_and_appends_are_read_and_each_once(trial: Trial) -> None:
    plan = trial.plan(PROJECT.replace("seq: 2", "seq: 3"))
    assert sorted(dataset.name for dataset in used_datasets(plan)) == [
        *("accounts", "gl_entries", "groups", "late_entries", "rates")
    ]


def test_every_dataset_is_pinned_to_the_version_that_was_planned(trial: Trial) -> None:
    checked = trial.accepts(
        PROJECT, base=BASE.replace("  name: rates\n", "  name: rates\n  version: 4\n")
    )
    plan = plan_of(checked)
    pins = pins_of(plan, checked.known)
    assert {d.name: pins[d.id] for d in used_datasets(plan)} == {
        "gl_entries": 1,
        "accounts": 1,
        "groups": 1,
        "rates": 4,
        "late_entries": 1,
    }


def test_lookups_that_no_longer_fit_are_found_with_the_project(trial: Trial) -> None:
    broken = BASE.replace("accounts.group_code = groups.group_code", "accounts.group_kode = 'x'")
    checked = trial.check(project(update(net="amount * 2")), base=broken)
    (entry,) = checked.files.projects
    planned = plan_recorded(entry, checked.known)
    assert planned.plan is None
    assert [(d.code, d.message) for d in planned.diagnostics] == [
        (
            "EXPR_002",
            "lookup 'groups' of dataset 'gl_entries': unknown column 'accounts.group_kode'",
        )
    ]


def test_what_expectations_look_up_and_compare_with_is_read_too(trial: Trial) -> None:
    listed = (
        'expectations:\n  - {name: known, that: "accounts.account_code IS NOT NULL"}\n'
        "  - {name: planned, against: {alias: plan, dataset_id: budget},"
        ' that: "COUNT(*) >= COUNT(chart.amount)"}\n'
    ).replace("chart.amount", "plan.amount")
    plan = trial.plan(project(update(extra="1"), more=listed))
    assert [each.name for each in used_datasets(plan)] == ["gl_entries", "accounts", "budget"]


def test_expectations_of_datasets_that_no_longer_fit_are_found_with_the_project(
    trial: Trial,
) -> None:
    broken = BASE.replace(
        "  name: gl_entries\n",
        '  name: gl_entries\n  expectations: [{name: x, that: "amout > 0"}]\n',
    )
    checked = trial.check(project(update(net="amount * 2")), base=broken)
    (entry,) = checked.files.projects
    planned = plan_recorded(entry, checked.known)
    assert planned.plan is None
    assert [(d.code, d.message) for d in planned.diagnostics] == [
        ("EXPR_002", "an expectation of dataset 'gl_entries': unknown column 'amout'")
    ]


def test_recorded_definitions_come_back_with_their_expectations(trial: Trial) -> None:
    listed = (
        "quarantine: {datasource_id: lake, table: held_back}\nexpectations:\n"
        '  - {name: a, at: 1, that: "amount <> 0", otherwise: quarantine, whole: [journal_id],'
        " tolerate: {share: 0.010, rows: 5}}\n"
        "  - {name: b, unique: [journal_id, line_number], include_deleted: true}\n"
        '  - {name: c, at: {output: 2}, measures: {lines: "COUNT(*)"}, that: "lines > last.lines",'
        " against: {alias: last, period: previous}}\n"
    )
    text = project(
        update(seq=1, extra="1").replace("arguments", "must_match: {otherwise: warn}, arguments"),
        output(seq=2),
        more=listed,
    )
    checked = trial.accepts(text)
    (entry,) = checked.files.projects
    back = entry_of(json.loads(json.dumps(content_of(entry))), "recorded")
    planned = plan_recorded(back, checked.known)
    assert planned.plan is not None
    assert planned.plan.expectations == plan_of(checked).expectations
    assert planned.plan.quarantine == plan_of(checked).quarantine
