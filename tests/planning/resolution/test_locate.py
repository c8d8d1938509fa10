"""From a period to places: which rule holds, templates, expansion (SPEC section 7)."""

from __future__ import annotations

import pytest

from rowbook.errors import Diagnostic
from rowbook.periods import GREGORIAN
from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.resolution.locate import ResolvedLocation, choose_rule, resolve
from rowbook.planning.workspace_check import CheckedWorkspace
from tests.support.refusal import refusal
from tests.support.trial import BASE, Trial

ARCHIVE = """\
resolver:
  name: r
  rules:
    - name: archive
      when: "period.year < 2025 AND table.name = 'gl'"
      data_level: month
      strategy: {type: path, datasource_id: lake, path: "archive/{{table_name}}/{{YYYY}}/{{MM}}"}
    - name: quarters
      when: "period.level = 'quarter'"
      strategy: {type: table, datasource_id: erp, table: "finance.{{dataset_name}}"}
    - name: january
      when: "period.month = 1"
      strategy: {type: path, path: "data/{{identifier}}.csv"}
"""


def dataset(known: DefinitionLookup, name: str = "gl_entries") -> Dataset:
    found = known.dataset(name, None)
    assert not isinstance(found, Missing)
    return typed(found)


def places(
    checked: CheckedWorkspace, period: str, *, resolver: str = "r", of: str = "gl_entries"
) -> tuple[ResolvedLocation, ...]:
    found = checked.known.resolver(resolver)
    assert not isinstance(found, Missing)
    here = dataset(checked.known, of)
    return resolve(here, GREGORIAN.parse(period), GREGORIAN, found.model, checked.known)


def refused(checked: CheckedWorkspace, period: str, *, of: str = "gl_entries") -> Diagnostic:
    return refusal(lambda: places(checked, period, of=of))


def path(template: str, more: str = "") -> str:
    """A resolver of one rule."""
    return (
        f"resolver: {{name: r, rules: [{{name: a, {more}strategy:"
        f' {{type: path, path: "{template}", format: csv}}}}]}}\n'
    )


# --- which rule


@pytest.mark.parametrize(
    ("period", "of", "expected"),
    [
        ("2024-03", "gl_entries", "archive"),
        ("2024-Q1", "gl_entries", "archive"),
        ("2024-Q1", "rates", "quarters"),
        ("2025-Q1", "gl_entries", "quarters"),
        ("2025-01", "gl_entries", "january"),
        ("2024-01", "rates", "january"),
    ],
)
def test_the_first_rule_that_holds_is_taken(
    period: str, of: str, expected: str, trial: Trial
) -> None:
    checked = trial.accepts(ARCHIVE)
    found = checked.known.resolver("r")
    assert not isinstance(found, Missing)
    rule = choose_rule(dataset(checked.known, of), GREGORIAN.parse(period), GREGORIAN, found.model)
    assert rule.name == expected


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("period.identifier = '2026-02'", True),
        ("period.level = 'month'", True),
        ("period.year = 2026 AND period.quarter = 1 AND period.month = 2", True),
        ("period.day IS NULL", True),
        ("period.day = 1", False),
        ("period.start = DATE('2026-02-01') AND period.end = DATE('2026-02-28')", True),
        ("table.name = 'gl' AND dataset.name = 'gl_entries'", True),
        ("table.name = 'gl_entries'", False),
        ("PERIOD() = '2026-02'", True),
        ("DATEADD(period.end, 1) = DATE('2026-03-01')", True),
        ("NULL", False),
        ("NOT (period.day = 1)", False),
    ],
)
def test_what_a_condition_sees(when: str, expected: bool, trial: Trial) -> None:
    checked = trial.accepts(path("data/x", more=f'when: "{when}", '))
    if expected:
        assert [place.rule for place in places(checked, "2026-02")] == ["a"]
    else:
        assert refused(checked, "2026-02").code == "RESOLVER_003"


def test_where_no_rule_holds_each_says_why(trial: Trial) -> None:
    found = refused(trial.accepts(ARCHIVE), "2026-02")
    assert found.code == "RESOLVER_003"
    assert found.message == (
        "no rule of resolver 'r' matches dataset 'gl_entries' for 2026-02:"
        " 'archive' needs period.year < 2025 AND table.name = 'gl',"
        " but period.year is 2026, table.name is gl;"
        " 'quarters' needs period.level = 'quarter', but period.level is month;"
        " 'january' needs period.month = 1, but period.month is 2"
    )


def test_a_condition_without_names_has_nothing_to_tell(trial: Trial) -> None:
    found = refused(trial.accepts(path("data/x", more='when: "FALSE", ')), "2026-02")
    assert found.message.endswith("for 2026-02: 'a' needs FALSE")


# --- templates


@pytest.mark.parametrize(
    ("template", "period", "expected"),
    [
        ("data/{{YYYY}}/{{MM}}", "2026-02", "data/2026/02"),
        ("data/{{YY}}-{{MM}}-{{DD}}", "2026-02-03", "data/26-02-03"),
        ("data/{{YYYY}}Q{{Q}}", "2026-02", "data/2026Q1"),
        ("data/{{QQ}}", "2026-Q4", "data/04"),
        ("data/{{YYYY}}/{{WW}}", "2026-W05", "data/2026/05"),
        ("data/{{identifier}}", "2026-Q1", "data/2026-Q1"),
        ("data/{{table_name}}/{{dataset_name}}", "2026", "data/gl/gl_entries"),
        ("data/{{ YYYY }}/{{YYYY}}", "2026", "data/2026/2026"),
        ("data/all", "2026", "data/all"),
    ],
)
def test_a_template_is_filled(template: str, period: str, expected: str, trial: Trial) -> None:
    (found,) = places(trial.accepts(path(template)), period)
    assert found.location == expected
    assert found.periods == (period,)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("data/{{YYYY}}", True),
        ("data/{{identifier}}", True),
        ("data/{{table_name}}", False),
        ("data/all", False),
    ],
)
def test_a_place_belongs_to_a_period_where_its_template_says_so(
    template: str, expected: bool, trial: Trial
) -> None:
    (found,) = places(trial.accepts(path(template)), "2026")
    assert found.period_specific is expected


@pytest.mark.parametrize(
    ("template", "period", "message"),
    [
        ("data/{{MM}}", "2026-Q1", "{{MM}} has no value for 2026-Q1, a quarter"),
        ("data/{{DD}}", "2026-01", "{{DD}} has no value for 2026-01, a month"),
        ("data/{{WW}}", "2026-01", "{{WW}} has no value for 2026-01, a month"),
        ("data/{{Q}}", "2026-W05", "{{Q}} has no value for 2026-W05, a week"),
    ],
)
def test_a_part_that_the_period_does_not_have_is_an_error(
    template: str, period: str, message: str, trial: Trial
) -> None:
    found = refused(trial.accepts(path(template)), period)
    assert (found.code, found.message) == ("RESOLVER_004", message)
    assert found.hint == "set data_level on the rule to the level at which the data is stored"


# --- expansion


def test_the_period_is_expanded_to_the_level_of_the_data(trial: Trial) -> None:
    checked = trial.accepts(path("data/{{YYYY}}/{{MM}}", more="data_level: month, "))
    found = places(checked, "2026-Q1")
    assert [(place.location, place.periods) for place in found] == [
        ("data/2026/01", ("2026-01",)),
        ("data/2026/02", ("2026-02",)),
        ("data/2026/03", ("2026-03",)),
    ]


def test_periods_that_share_a_place_are_read_once(trial: Trial) -> None:
    checked = trial.accepts(path("data/{{YYYY}}", more="data_level: month, "))
    (found,) = places(checked, "2026-Q1")
    assert found.periods == ("2026-01", "2026-02", "2026-03")


def test_a_period_of_that_level_is_itself(trial: Trial) -> None:
    checked = trial.accepts(path("data/{{MM}}", more="data_level: month, "))
    assert [place.location for place in places(checked, "2026-02")] == ["data/02"]


def test_a_period_is_not_expanded_to_a_coarser_level(trial: Trial) -> None:
    checked = trial.accepts(path("data/{{YYYY}}", more="data_level: year, "))
    assert refused(checked, "2026-02").code == "PERIOD_005"


# --- what a place is


def test_a_path_in_a_data_source(trial: Trial) -> None:
    first, *_ = places(trial.accepts(ARCHIVE), "2024-Q1")
    assert first == ResolvedLocation(
        resolver="r",
        rule="archive",
        strategy="path",
        datasource="lake",
        location="archive/gl/2024/01",
        format="parquet",
        periods=("2024-01",),
        period_specific=True,
    )


def test_a_table_of_a_database(trial: Trial) -> None:
    (found,) = places(trial.accepts(ARCHIVE), "2026-Q1")
    assert (found.strategy, found.datasource, found.location, found.format) == (
        *("table", "erp", "finance.gl_entries", "jdbc"),
    )


def test_a_path_of_the_workspace_has_the_format_of_its_ending(trial: Trial) -> None:
    (found,) = places(trial.accepts(ARCHIVE), "2026-01")
    assert (found.datasource, found.location, found.format) == (None, "data/2026-01.csv", "csv")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("gl.parquet", "parquet"), ("gl.orc", "orc"), ("gl.csv.gz", "csv"), ("gl.json", "json")),
        *(("gl.jsonl", "json"), ("gl.ndjson", "json"), ("gl.jsonl.bz2", "json"), ("GL.CSV", "csv")),
    ],
)
def test_every_ending_of_a_format_tells_it(name: str, expected: str, trial: Trial) -> None:
    text = f"resolver: {{name: r, rules: [{{name: a, strategy: {{type: path, path: {name}}}}}]}}"
    (found,) = places(trial.accepts(text), "2026-01")
    assert found.format == expected


def test_a_format_that_is_stated_wins(trial: Trial) -> None:
    text = (
        "resolver: {name: r, rules: [{name: a, strategy:"
        " {type: path, datasource_id: lake, path: x.csv, format: json}}]}"
    )
    (found,) = places(trial.accepts(text), "2026-01")
    assert found.format == "json"


def test_a_table_of_the_catalog(trial: Trial) -> None:
    text = "resolver: {name: r, rules: [{name: a, strategy: {type: catalog, table: db.gl}}]}"
    (found,) = places(trial.accepts(text), "2026-01")
    assert (found.strategy, found.datasource, found.location, found.format) == (
        *("catalog", None, "db.gl", None),
    )


# --- no way out


def test_a_name_cannot_lead_outside(trial: Trial) -> None:
    base = (
        BASE
        + '---\ndataset: {name: "..", main_table: {name: t, columns: [{name: a, type: string}]}}\n'
    )
    checked = trial.accepts(path("{{dataset_name}}/{{dataset_name}}/secrets"), base=base)
    assert [place.location for place in places(checked, "2026")] == [
        "gl_entries/gl_entries/secrets"
    ]
    found = refused(checked, "2026", of="..")
    assert (found.code, found.message) == (
        "DATASOURCE_004",
        "'../../secrets' is outside the workspace and its allowed locations",
    )


def test_nor_can_a_link_that_came_later(
    trial: Trial, tmp_path_factory: pytest.TempPathFactory
) -> None:
    checked = trial.accepts(path("{{YYYY}}/gl"))
    (trial.folder / "2026").symlink_to(tmp_path_factory.mktemp("outside"))
    assert refused(checked, "2026").code == "DATASOURCE_004"
