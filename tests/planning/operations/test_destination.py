"""Destinations as templates: what may stand in them, and where they may lead."""

from __future__ import annotations

import pytest

from tests.support.trial import Trial, output, project


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
