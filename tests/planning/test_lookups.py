"""Standing joins of a dataset: SPEC section 3."""

from __future__ import annotations

import pytest

from tests.support.trial import (
    BASE,
    ONLY_LEDGER_RESOLVED,
    Trial,
    aggregate,
    append,
    delete,
    output,
    project,
    types,
    update,
)


def dataset(*lookups: str) -> str:
    """A dataset with these lookups."""
    listed = "".join(f"    - {each}\n" for each in lookups)
    return (
        "dataset:\n  name: invoices\n  main_table:\n    name: inv\n    columns:\n"
        "      - {name: account_code, type: string}\n      - {name: amount, type: integer}\n"
        f"  lookups:\n{listed}"
    )


CHART = '{alias: chart, dataset_id: accounts, on: "inv.account_code = chart.account_code"}'


@pytest.mark.parametrize(
    "operation",
    [
        update(made="accounts.group_code"),
        update(selector="accounts.group_code = 'R'", made="1"),
        aggregate(made="MAX_AGG(accounts.group_code)"),
        delete("accounts.group_code = 'R'"),
        output(selector="accounts.group_code = 'R'"),
    ],
)
def test_a_lookup_is_usable_in_every_operation(operation: str, trial: Trial) -> None:
    assert [join.alias for join in trial.step(operation).joins] == ["accounts"]


def test_no_match_gives_null(trial: Trial) -> None:
    step = trial.step(update(journal_id="accounts.account_code"))
    assert types(step.columns)["journal_id"] == "string?"


def test_lookups_of_another_dataset_are_not_usable(trial: Trial) -> None:
    (found,) = trial.refuses(project(update(made="⟦chart.group_code")), "EXPR_003")
    assert found.hint == "tables and aliases here: gl, accounts, groups"


# --- the definition


def test_lookups_may_build_on_earlier_ones(trial: Trial) -> None:
    trial.accepts(
        dataset(CHART, '{alias: g, dataset_id: groups, on: "chart.group_code = g.group_code"}')
    )


def test_but_not_on_later_ones(trial: Trial) -> None:
    trial.refuses(
        dataset(
            '{alias: g, dataset_id: groups, on: "⟦chart.group_code = g.group_code"}',
            CHART,
        ),
        "EXPR_003",
    )


@pytest.mark.parametrize(
    ("lookup", "code"),
    [
        ('{alias: c, dataset_id: ⟦acounts, on: "inv.account_code = c.account_code"}', "JOIN_001"),
        (
            "{alias: c, dataset_id: accounts, dataset_version: ⟦3,"
            ' on: "inv.account_code = c.account_code"}',
            "JOIN_002",
        ),
        ('{alias: c, dataset_id: ⟦retired, on: "inv.account_code = c.currency"}', "JOIN_003"),
        ('{alias: c, dataset_id: accounts, on: ⟦"c.account_code"}', "JOIN_004"),
        ('{alias: ⟦inv, dataset_id: accounts, on: "TRUE"}', "JOIN_006"),
        ('{alias: ⟦"my chart", dataset_id: accounts, on: "TRUE"}', "JOIN_006"),
        ('{alias: c, dataset_id: accounts, on: "inv.account_code = ⟦c.code"}', "EXPR_002"),
        ('{alias: c, dataset_id: accounts, on: "⟦amount = c.account_code"}', "EXPR_004"),
        ('{alias: c, dataset_id: accounts, on: "amount =⟦"}', "EXPR_001"),
        ('{alias: c, dataset_id: accounts, on: "⟦COUNT(*) = 1"}', "EXPR_007"),
        ('{alias: c, dataset_id: accounts, on: "⟦{{nope}}"}', "SELECTOR_001"),
        ("⟦{alias: c, dataset_id: accounts}", "YAML_003"),
    ],
)
def test_faults_of_a_lookup_are_found_at_its_definition(
    lookup: str, code: str, trial: Trial
) -> None:
    trial.refuses(dataset(lookup), code)


def test_an_alias_stands_once(trial: Trial) -> None:
    (found,) = trial.refuses(dataset(CHART, CHART.replace("chart,", "⟦chart,")), "JOIN_006")
    assert found.message == "alias 'chart' is taken already"


def test_a_faulty_lookup_is_no_second_error_where_it_is_used(trial: Trial) -> None:
    broken = '{alias: c, dataset_id: ⟦acounts, on: "inv.account_code = c.account_code"}'
    second = '{alias: ⟦c, dataset_id: groups, on: "inv.account_code = c.group_code"}'
    trial.refuses(
        dataset(broken, second)
        + "---\n"
        + project(update(made="c.title", other="c.what"), input_dataset_id="invoices"),
        "JOIN_001",
        "JOIN_006",
    )


# --- resolvers


def test_a_lookup_that_is_used_needs_a_resolver(trial: Trial) -> None:
    text = project(
        delete("posted"),
        update(seq=2, made="accounts.group_code"),
        input_dataset_id="⟦gl_entries",
    )
    (found,) = trial.refuses(text, "RESOLVER_005", base=ONLY_LEDGER_RESOLVED)
    assert found.message == "no resolver for dataset 'accounts', a lookup of 'gl_entries'"


def test_one_that_is_not_used_does_not(trial: Trial) -> None:
    trial.plan(project(delete("posted")), base=ONLY_LEDGER_RESOLVED)


def test_a_lookup_of_an_append_s_source_needs_one_too(trial: Trial) -> None:
    base = ONLY_LEDGER_RESOLVED.replace(
        "  name: budget\n", "  name: budget\n  resolver_id: warehouse\n"
    )
    assert base.count("resolver_id: warehouse") == 2
    (found,) = trial.refuses(
        project(
            append(
                "⟦budget",
                more="aggregation: {group_by: [account_code], aggregations:"
                ' [{column: currency, expression: "MAX_AGG(chart.group_code)"}]}',
            )
        ),
        "APPEND_007",
        base=base,
    )
    assert found.message == "no resolver for dataset 'accounts', a lookup of 'budget'"


def test_a_pinned_lookup_takes_its_version(trial: Trial) -> None:
    base = BASE.replace(
        "{alias: accounts, dataset_id: accounts,",
        "{alias: accounts, dataset_id: accounts, dataset_version: 1,",
    )
    newer = (
        "dataset:\n  name: accounts\n  version: 2\n  main_table: {name: accounts, columns:"
        " [{name: account_code, type: string}, {name: group_code, type: integer}]}\n---\n"
    )
    plan = trial.plan(newer + project(update(made="accounts.group_code")), base=base)
    assert plan.steps[0].joins[0].dataset.version == 1
    assert types(plan.steps[0].columns)["made"] == "string?"
