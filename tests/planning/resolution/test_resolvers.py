"""Definitions of resolvers, and which one a dataset has: SPEC section 7."""

from __future__ import annotations

import pytest

from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.resolution.resolvers import resolver_for
from tests.support.trial import (
    BASE,
    NO_DEFAULT,
    ONLY_LEDGER_RESOLVED,
    Trial,
    append,
    delete,
    plan_of,
    project,
    update,
)


def resolver(*rules: str, more: str = "") -> str:
    listed = ", ".join(rules)
    return f"resolver: {{name: r, {more}rules: [{listed}]}}\n"


def rule(strategy: str, *, when: str | None = None, more: str = "") -> str:
    condition = "" if when is None else f'when: "{when}", '
    return f"{{name: a, {condition}{more}strategy: {{{strategy}}}}}"


TABLE = 'type: table, datasource_id: lake, table: "{{table_name}}"'


# --- strategies


@pytest.mark.parametrize(
    "strategy",
    [
        TABLE,
        'type: table, datasource_id: erp, table: "finance.{{table_name}}"',
        'type: catalog, table: "finance.{{table_name}}"',
        'type: path, datasource_id: lake, path: "{{table_name}}/{{YYYY}}"',
        'type: path, path: "data/{{dataset_name}}.csv"',
        'type: path, path: "data/{{dataset_name}}", format: json',
    ],
)
def test_strategies(strategy: str, trial: Trial) -> None:
    trial.accepts(resolver(rule(strategy)))


@pytest.mark.parametrize(
    ("strategy", "code"),
    [
        ('type: table, datasource_id: ⟦lak, table: "x"', "DATASOURCE_001"),
        ('type: table, datasource_id: ⟦tape, table: "x"', "DATASOURCE_005"),
        ('type: path, datasource_id: ⟦lak, path: "x"', "DATASOURCE_001"),
        ('type: path, datasource_id: erp, path: ⟦"x.csv"', "RESOLVER_004"),
        ('type: path, path: ⟦"data/gl"', "RESOLVER_004"),
        ('type: catalog, table: ⟦"finance..gl"', "RESOLVER_004"),
        ('type: catalog, table: ⟦"finance.`gl`"', "RESOLVER_004"),
        ('type: path, path: ⟦"/etc/gl.csv"', "DATASOURCE_004"),
        ('type: path, path: ⟦"../gl.csv"', "DATASOURCE_004"),
        ('type: path, datasource_id: lake, path: ⟦"../../../gl"', "DATASOURCE_004"),
        ('type: path, datasource_id: lake, path: ⟦"{{YYYY}}/../../../../gl"', "DATASOURCE_004"),
        ('type: path, path: ⟦"s3a://bucket/gl.csv"', "DATASOURCE_004"),
        ('type: table, datasource_id: lake, table: ⟦"../../../gl"', "DATASOURCE_004"),
    ],
)
def test_strategies_that_are_refused(strategy: str, code: str, trial: Trial) -> None:
    trial.refuses(resolver(rule(strategy)), code)


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        ('type: path, path: ⟦"az://lake/gl.csv"', "does not say whose storage account"),
        ('type: path, datasource_id: lake, path: ⟦"az://lake/gl", format: delta', "Delta tables"),
    ],
)
def test_urls_of_azure_that_are_refused(strategy: str, says: str, trial: Trial) -> None:
    base = BASE.replace("workspace: {", 'workspace: {allowed_locations: ["az://lake"], ')
    (found,) = trial.refuses(resolver(rule(strategy)), "DATASOURCE_008", base=base)
    assert says in found.message


@pytest.mark.parametrize(
    ("strategy", "code", "message"),
    [
        ("⟦{path: x.csv}", "YAML_004", "'strategy' needs a type"),
        ("⟦{type: file, path: x.csv}", "YAML_004", "'strategy' has an unknown type"),
        ("⟦{type: [path], path: x.csv}", "YAML_004", "'strategy' has an unknown type"),
        ("⟦{type: path}", "YAML_003", "required key 'path' is missing"),
        ("⟦{type: table, table: x}", "YAML_003", "required key 'datasource_id' is missing"),
        ("{type: path, ⟦table: x, path: x.csv}", "YAML_002", "unknown key 'table'"),
        ("{type: path, path: x.csv, format: ⟦xls}", "YAML_004", "'xls' is not a value of 'format'"),
        ("⟦lake", "YAML_004", "'strategy' needs a type"),
    ],
)
def test_faults_of_form(strategy: str, code: str, message: str, trial: Trial) -> None:
    text = f"resolver: {{name: r, rules: [{{name: a, strategy: {strategy}}}]}}"
    (found,) = trial.refuses(text, code)
    assert found.message == message


# --- when


@pytest.mark.parametrize(
    "when",
    [
        "period.year < 2025 AND table.name = 'gl'",
        "period.identifier = '2026-01' OR period.level = 'month'",
        "period.quarter = 1 AND period.month IS NULL AND period.day = 31",
        "period.start >= DATE('2026-01-01') AND period.end < DATE('2027-01-01')",
        "dataset.name LIKE 'gl%'",
        "TRUE",
    ],
)
def test_conditions(when: str, trial: Trial) -> None:
    trial.accepts(resolver(rule(TABLE, when=when), rule(TABLE)))


@pytest.mark.parametrize(
    ("when", "code"),
    [
        ("⟦period.yr < 2025", "EXPR_002"),
        ("⟦year < 2025", "EXPR_002"),
        ("⟦gl.amount > 0", "EXPR_003"),
        ("⟦period.year = '2025'", "EXPR_004"),
        ("⟦NOPE(period.year)", "EXPR_005"),
        ("⟦COUNT(*) > 0", "EXPR_007"),
        ("period.year <⟦", "EXPR_001"),
        ("⟦period.year", "RESOLVER_004"),
        ("⟦{{nope}}", "SELECTOR_001"),
    ],
)
def test_faults_of_conditions(when: str, code: str, trial: Trial) -> None:
    trial.refuses(resolver(rule(TABLE, when=when), rule(TABLE)), code)


def test_an_unqualified_name_is_suggested_with_its_table(trial: Trial) -> None:
    (found,) = trial.refuses(resolver(rule(TABLE, when="⟦year < 2025")), "EXPR_002")
    assert found.hint == "did you mean 'period.year'?"


# --- rules


@pytest.mark.parametrize("level", ["year", "quarter", "month", "week", "day"])
def test_levels_of_the_gregorian_calendar(level: str, trial: Trial) -> None:
    trial.accepts(resolver(rule(TABLE, more=f"data_level: {level}, ")))


def test_levels_of_other_calendars_count(trial: Trial) -> None:
    calendar = (
        'calendar: {name: c, levels: [{name: year, identifier: "{year}"},'
        ' {name: half, parent: year, identifier: "{year}-H{n}"}], rule: {type: months}}\n---\n'
    )
    trial.accepts(calendar + resolver(rule(TABLE, more="data_level: half, ")))


def test_an_unknown_level_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(resolver(rule(TABLE, more="data_level: ⟦moth, ")), "PERIOD_004")
    assert found.message == "'moth' is not a level of any calendar"
    assert found.hint == "did you mean 'month'?  levels: day, month, quarter, week, year"


@pytest.mark.parametrize("text", ["resolver: {name: r, rules: ⟦[]}", "resolver: ⟦{name: r}"])
def test_a_resolver_has_rules(text: str, trial: Trial) -> None:
    trial.refuses(text, "RESOLVER_004")


def test_a_rule_that_is_never_reached_is_a_warning(trial: Trial) -> None:
    text = (
        "resolver: {name: r, rules: ["
        f"{{name: all, strategy: {{{TABLE}}}}}, {{name: ⟦rest, strategy: {{{TABLE}}}}}]}}"
    )
    (found,) = trial.refuses(text, "RESOLVER_004")
    assert found.severity == "warning"
    assert found.message == "rule 'rest' is never reached: 'all' before it always matches"


def test_every_fault_of_every_rule_is_found(trial: Trial) -> None:
    trial.refuses(
        resolver(
            '{name: a, when: "⟦year < 2025", data_level: ⟦moth, strategy:'
            ' {type: table, datasource_id: ⟦lak, table: "x"}}',
            '{name: b, when: "⟦month = 1", strategy: {type: path, path: "⟦{{M}}.csv"}}',
        ),
        *("EXPR_002", "PERIOD_004", "DATASOURCE_001", "EXPR_002", "RESOLVER_002"),
    )


# --- which resolver: override → dataset → default → error


OTHERS = "".join(
    f"---\nresolver: {{name: {name}, rules: [{rule(TABLE)}]}}\n" for name in ("own", "override")
)
OWN = BASE.replace("  name: gl_entries\n", "  name: gl_entries\n  resolver_id: own\n")
OVERRIDE = "resolver_overrides: {gl_entries: override}"


@pytest.mark.parametrize(
    ("base", "more", "expected"),
    [
        (OWN, OVERRIDE, "override"),
        (BASE, OVERRIDE, "override"),
        (NO_DEFAULT, OVERRIDE, "override"),
        (OWN, "", "own"),
        (OWN, "resolver_overrides: {rates: override}", "own"),
        (BASE, "", "warehouse"),
    ],
)
def test_precedence(base: str, more: str, expected: str, trial: Trial) -> None:
    checked = trial.accepts(project(delete("posted"), more=more), base=base + OTHERS)
    plan = plan_of(checked)
    found = resolver_for(plan.input, plan.project.resolver_overrides, checked.known)
    assert found is not None
    assert not isinstance(found, Missing)
    assert found.model.name == expected


@pytest.mark.parametrize(
    "key",
    [
        "edbc01a2-52f9-57f9-a8c7-70daec46e7c7",
        "EDBC01A2-52F9-57F9-A8C7-70DAEC46E7C7",
    ],
)
def test_an_override_names_its_dataset_by_name_or_id(key: str, trial: Trial) -> None:
    """The id is uuid5 of dataset:gl_entries."""
    text = project(delete("posted"), more=f"resolver_overrides: {{{key}: warehouse}}")
    trial.accepts(text, base=NO_DEFAULT)


def test_no_resolver_at_all_is_an_error(trial: Trial) -> None:
    trial.refuses(
        project(delete("posted"), input_dataset_id="⟦gl_entries"), "RESOLVER_005", base=NO_DEFAULT
    )


def test_an_override_serves_joins_and_appends_too(trial: Trial) -> None:
    overrides = "resolver_overrides: {rates: warehouse, late_entries: warehouse}"
    join = '{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}'
    operations = (update(joins=join, net="fx.rate"), append("late_entries", seq=2))
    trial.plan(project(*operations, more=overrides), base=ONLY_LEDGER_RESOLVED)


def test_an_override_names_a_dataset_and_a_resolver(trial: Trial) -> None:
    found = trial.refuses(
        project(delete("posted"), more="resolver_overrides: {⟦gl_entry: ⟦warehous}"),
        "DATASET_007",
        "RESOLVER_001",
    )
    assert (found[0].hint or "").startswith("did you mean 'gl_entries'?")
    assert found[1].hint == "did you mean 'warehouse'?  resolvers: warehouse"
