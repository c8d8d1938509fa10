"""Destinations as templates: what may stand in them, and where they may lead."""

from __future__ import annotations

import pytest

from tests.support.trial import BASE, Trial, output, project


@pytest.mark.parametrize(
    "to",
    [
        '{datasource_id: lake, table: "guv_{{identifier}}"}',
        '{datasource_id: erp, table: "finance.guv_{{YYYY}}_{{MM}}"}',
        '{location: {path: "exports/{{YYYY}}/{{MM}}"}}',
    ],
)
def test_a_destination_is_a_template(to: str, trial: Trial) -> None:
    trial.accepts(project(output(to=to)))


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ('{datasource_id: lake, table: "guv_⟦{{period}}"}', "unknown placeholder 'period'"),
        ('{location: {path: "exports/⟦{{yyyy}}"}}', "unknown placeholder 'yyyy'"),
        ('{location: {path: "exports/⟦{{table_name}}"}}', "unknown placeholder 'table_name'"),
        ('{location: {path: "x/⟦{{dataset_name}}"}}', "unknown placeholder 'dataset_name'"),
    ],
)
def test_a_placeholder_of_a_destination_is_one_of_the_period(
    to: str, message: str, trial: Trial
) -> None:
    (found,) = trial.refuses(project(output(to=to)), "RESOLVER_002")
    assert found.message == message


@pytest.mark.parametrize("path", ["../{{YYYY}}", "{{YYYY}}/..", ".rowbook/{{YYYY}}"])
def test_a_template_stays_inside(path: str, trial: Trial) -> None:
    trial.refuses(project(output(to=f'{{location: {{path: ⟦"{path}"}}}}')), "DATASOURCE_004")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "format: csv, options: {encoding: ⟦klingon}",
            "'encoding' must be UTF-8, UTF-16, UTF-32 or one with a byte for each character",
        ),
        ("format: csv, options: {bom: ⟦yes}", "'bom' must be true or false"),
        (
            "format: csv, options: {encoding: cp1252, bom: ⟦true}",
            "'bom' goes with UTF-8 and UTF-16",
        ),
        ("format: json, options: {bom: ⟦true}", "'bom' is not an option of json"),
        (
            "format: json, options: {encoding: ⟦utf-16}",
            "json files are written in UTF-8, not in utf-16",
        ),
    ],
)
def test_text_is_written_in_an_encoding_that_can_be(
    options: str, message: str, trial: Trial
) -> None:
    to = f"{{location: {{path: out, {options}}}}}"
    (found,) = trial.refuses(project(output(to=to)), "DATASOURCE_002")
    assert found.message == message


@pytest.mark.parametrize(
    "to",
    [
        '{location: {path: out, format: csv, options: {bom: true, delimiter: ⟦";"}}}',
        "{location: {path: out, format: json, options: {date_format: ⟦dd.MM.yyyy}}}",
        "{datasource_id: sheets, table: out, options: {files: 2, encoding: ⟦cp1252}}",
    ],
)
def test_a_registered_output_can_be_read_back(to: str, trial: Trial) -> None:
    base = BASE + '---\ndatasource: {name: sheets, type: csv, options: {delimiter: ";"}}\n'
    more = "register_as_dataset: listed"
    trial.refuses(project(output(to=to, more=more)), "DATASOURCE_002", base=base)
    trial.accepts(project(output(to=to.replace("⟦", ""))), base=base)
    trial.accepts(project(output(to="{datasource_id: sheets, table: out}", more=more)), base=base)
