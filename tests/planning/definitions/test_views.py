"""Datasets that read other periods of another one: what they have, what they must not say."""

from __future__ import annotations

import pytest

from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.definitions.from_records import RecordedDefinition, recorded_definitions
from rowbook.planning.definitions.lookup import Missing, Version, ViewOrigin
from rowbook.planning.resolution.resolvers import resolver_for
from rowbook.planning.used_datasets import pins_of
from rowbook.planning.used_definitions import used_definitions
from tests.support.trial import (
    LEDGER,
    Trial,
    append,
    delete,
    output,
    plan_of,
    project,
    types,
    update,
)

LAST = "dataset: {name: gl_last, of: gl_entries, periods: previous}\n---\n"


def view(trial: Trial, text: str = LAST) -> Dataset:
    found = trial.accepts(text + project(delete("TRUE"))).known.dataset("gl_last", None)
    assert isinstance(found, Version)
    return typed(found)


def test_a_view_has_the_columns_keys_lookups_and_table_of_the_other(trial: Trial) -> None:
    found = view(trial)
    assert (found.name, found.table_name, found.source_name) == ("gl_last", "gl", "gl_entries")
    assert types(found.working_columns()) == LEDGER
    assert found.definition.natural_key_columns == ("journal_id", "line_number")
    assert [each.alias for each in found.definition.lookups] == ["accounts", "groups"]
    assert found.definition.periods == "previous"


def test_a_view_is_an_input_a_join_an_append_and_a_lookup(trial: Trial) -> None:
    text = """\
dataset: {name: gl_last, of: gl_entries, periods: previous}
---
dataset: {name: gl_year, of: gl_entries, periods: year_to_date}
---
dataset:
  name: orders
  main_table: {name: orders, columns: [{name: code, type: string}]}
  lookups: [{alias: old, dataset_id: gl_last, on: "orders.code = old.account_code"}]
---
"""
    plan = trial.plan(
        text
        + project(
            append("gl_year", seq=1, more="source_selector: \"accounts.group_code = 'x'\""),
            update(
                seq=2,
                joins="{alias: y, dataset_id: gl_year, on: \"y.amount = 1 AND y._period = '1'\"}",
                amount="amount + y.amount",
            ),
            input_dataset_id="gl_last",
        )
    )
    assert plan.input.name == "gl_last"
    trial.plan(text + project(update(code="old.currency"), input_dataset_id="orders"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("periods: previous, ⟦resolver_id: warehouse", "'resolver_id' is that of dataset"),
        ("⟦natural_key_columns: [amount]", "'natural_key_columns' is that of dataset"),
        ("⟦version: 2", "'version' is that of dataset 'gl_entries', which 'v' reads"),
        ("⟦lookups: []", "'lookups' is that of dataset 'gl_entries', which 'v' reads"),
        ("⟦main_table: {name: gl}", "'main_table' is that of dataset"),
        ("periods: ⟦{}", "periods are counted by either trailing or offset"),
        ("periods: ⟦{trailing: 3, offset: 1}", "periods are counted by either trailing or offset"),
        ("periods: ⟦{trailing: 0}", "'trailing' must be 1 or greater, not 0"),
        ("periods: all, missing: ⟦warn", "'missing' says nothing about all periods"),
        ("periods: all, require: ⟦closed", "'require' says nothing about all periods"),
        ("require: ⟦closed", "'require' is about periods other than the run's"),
    ],
)
def test_keys_that_do_not_go_with_of_are_refused(text: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(f"dataset: {{name: v, of: gl_entries, {text}}}\n", "DATASET_021")
    assert found.message.startswith(message)


def test_keys_of_views_are_refused_in_other_datasets(trial: Trial) -> None:
    table = "main_table: {name: t, columns: [{name: a, type: string}]}"
    text = f"dataset: {{name: v, {table}, ⟦periods: all, ⟦missing: warn, ⟦require: locked}}\n"
    found = trial.refuses(text, "DATASET_021", "DATASET_021", "DATASET_021")
    assert found[0].message == "'periods' is for a dataset that reads another one"


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("of: ⟦gl_entrys", "DATASET_007", "dataset 'gl_entrys' is not defined"),
        ("of: ⟦retired", "DATASET_009", "dataset 'retired' is disabled"),
        ("of: ⟦v", "DATASET_022", "dataset 'v' reads itself"),
        ("of: ⟦w", "DATASET_022", "dataset 'w' reads another one itself: name 'gl_entries'"),
        ("of: ⟦accounts", "DATASET_022", "rows of dataset 'accounts' belong to no period"),
        ("of: ⟦journal, periods: all", "DATASET_022", "all periods of dataset 'journal' cannot"),
    ],
)
def test_what_cannot_be_read_so_is_said_once_at_the_view(
    text: str, code: str, message: str, trial: Trial
) -> None:
    others = """\
---
dataset: {name: w, of: gl_entries}
---
dataset:
  name: journal
  main_table:
    {name: j, temporal_mode: period, period_from: d, columns: [{name: d, type: date}]}
---
"""
    used = project(append("v"), input_dataset_id="gl_entries")
    (found,) = trial.refuses(f"dataset: {{name: v, {text}}}\n{others}{used}", code)
    assert found.message.startswith(message)


def test_what_a_project_registers_is_run_first_or_defined(trial: Trial) -> None:
    registers = project(output(more="register_as_dataset: closed"))
    text = f"dataset: {{name: v, of: ⟦closed}}\n---\n{registers}"
    (found,) = trial.refuses(text, "DATASET_007")
    assert found.hint == "project 'trial' registers it: run that first, or define it in a file"


def test_a_view_has_the_resolver_of_the_other_or_an_override(trial: Trial) -> None:
    more = "---\nresolver: {name: other, rules: [{name: r, strategy: {type: path, path: a.csv}}]}\n"
    checked = trial.accepts(LAST + project(append("gl_last")) + more)
    found = typed(checked.known.dataset("gl_last", None))  # type: ignore[arg-type]
    for overrides, expected in (
        ({}, "warehouse"),
        ({"gl_entries": "other"}, "other"),
        ({"gl_last": "other"}, "other"),
        ({"gl_entries": "warehouse", "gl_last": "other"}, "other"),
    ):
        resolver = resolver_for(found, overrides, checked.known)
        assert isinstance(resolver, Version)
        assert resolver.model.name == expected


def test_a_view_and_what_it_reads_are_pinned_and_recorded(trial: Trial) -> None:
    checked = trial.accepts(LAST + project(append("gl_last"), input_dataset_id="gl_last"))
    plan = plan_of(checked)
    names = {each.model.identity: each.model.name for each in checked.files.datasets}
    assert {names[key]: pin for key, pin in pins_of(plan, checked.known).items()} == {
        "gl_last": 1,
        "gl_entries": 1,
    }
    used = [each.model.name for each in used_definitions(plan, checked.known)]
    assert used == ["gl_last", "gl_entries", "accounts", "groups", "warehouse", "lake"]


def test_recorded_views_have_versions_of_their_own_beside_those_of_the_other(trial: Trial) -> None:
    def table(column: str) -> dict[str, object]:
        columns = [{"name": column, "type": "string"}]
        return {"name": "t", "temporal_mode": "period", "columns": columns}

    recorded = [
        RecordedDefinition("dataset", 1, {"dataset": {"name": "d", "main_table": table("a")}}),
        RecordedDefinition("dataset", 2, {"dataset": {"name": "d", "main_table": table("b")}}),
        RecordedDefinition("dataset", 1, {"dataset": {"name": "v", "of": "d"}}),
        RecordedDefinition("dataset", 2, {"dataset": {"name": "v", "of": "d", "periods": "all"}}),
        RecordedDefinition("dataset", 1, {"dataset": {"name": "lost", "of": "gone"}}),
    ]
    boundary = trial.accepts("").known.boundary
    known = recorded_definitions(recorded, boundary, default_resolver=None)
    newest, older = known.dataset("v", None), known.dataset("v", 1)
    assert isinstance(newest, Version)
    assert isinstance(older, Version)
    assert [f.name for f in typed(newest).business] == ["b"]
    assert [f.name for f in typed(older).business] == ["a"]
    assert (newest.version, older.version, older.model.periods) == (2, 1, "all")
    origin = typed(newest).origin
    assert origin == ViewOrigin(newest.origin.id if newest.origin else "", "d", 2)
    pinned = recorded_definitions(
        recorded, boundary, default_resolver=None, pins={newest.model.identity: 1, origin.id: 1}
    )
    found = pinned.dataset("v", None)
    assert isinstance(found, Version)
    assert (found.version, found.model.periods) == (1, "current")
    missing = known.dataset("v", 3)
    assert isinstance(missing, Missing)
    assert (missing.reason, missing.message) == ("version", "dataset 'd' has no version 3")
    lost = known.dataset("lost", None)
    assert isinstance(lost, Missing)
    assert (lost.uncertain, lost.message) == (
        False,
        "dataset 'lost' reads another one: dataset 'gone' is not defined",
    )
