"""The columns of what is told of an expectation."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.planning.scenario_expectations.sample_fields import measure_fields, sample_fields
from tests.reference.small_projects import WORKSPACE
from tests.support.small_plans import numbered, plan_of, update

_EXPECTATIONS = """  expectations:
    - {name: rows, that: "half > 0 AND names.name <> ''", show: [id, half]}
    - {name: keys, at: input, unique: [account, id]}
    - {name: groups, by: [account], that: "SUM(amount) = MAX_AGG(start.account)",
       against: {alias: start, at: input}}
    - {name: all, that: "SUM(amount) > 0"}
"""


@pytest.mark.parametrize(
    ("name", "samples", "measures"),
    [
        ("rows", {"_row_id": "string", "id": "string", "half": "decimal(21,3)"}, {}),
        ("keys", {"account": "integer", "id": "string", "rows": "integer"}, {}),
        (
            "groups",
            {
                "account": "integer",
                "SUM(amount)": "decimal(16,2)",
                "start.MAX_AGG(account)": "integer",
            },
            {},
        ),
        ("all", {"SUM(amount)": "decimal(16,2)"}, {"SUM(amount)": "decimal(16,2)"}),
        ("op 1", {}, {"matched": "integer"}),
    ],
)
def test_they_have_the_types_of_the_point_and_of_the_measures(
    tmp_path: Path, name: str, samples: dict[str, str], measures: dict[str, str]
) -> None:
    matching = update("half", "TO_DECIMAL('0.5', 8, 3)") + ", must_match: true"
    plan = plan_of(tmp_path, WORKSPACE + numbered(matching) + _EXPECTATIONS)
    (found,) = (each for each in plan.expectations if each.name == name)
    types = {name: str(field.type) for name, field in sample_fields(plan, found).items()}
    assert types == samples
    assert {name: str(f.type) for name, f in measure_fields(found).items()} == measures
