from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from openlineage.client.serde import Serde

from rowbook.expressions.scope import Field
from rowbook.expressions.types import STRING, decimal
from rowbook.lineage.column_lineage import ColumnLineage, ColumnSource, OutputLineage
from rowbook.lineage.events.run_event import run_event
from rowbook.lineage.events.run_facts import (
    Assertion,
    DataAmount,
    DatasetFacts,
    EventKind,
    JobFacts,
    LineagePlace,
    ParentRun,
    RunFacts,
    RunMoment,
)
from tests.lineage.events.openlineage_schemas import DATASET, INPUT, JOB, OUTPUT, RUN, check_event

_SOURCES = (
    ColumnSource("gl", "amount", "aggregation", (20, 90)),
    ColumnSource("gl", "currency", "conditional", (20,)),
    ColumnSource("gl", "currency", "join", (20,)),
)
_OUTPUT = OutputLineage(
    100,
    "totals",
    "reports:totals",
    None,
    (ColumnLineage("total", _SOURCES, (90,)), ColumnLineage("kind", (), (90,))),
    (ColumnSource("gl", "status", "filter", (10,)),),
    (),
)
_JOB = JobFacts("rowbook:acme", "close", '{"project": {}}', "Closes.", "finance")
_RUN = RunFacts(
    "0199c0de-0000-7000-8000-000000000001",
    date(2026, 1, 1),
    date(2026, 1, 31),
    "2026-01",
    date(2026, 1, 31),
    3,
    ("spark", "4.1.3"),
    "0.1.0",
    ParentRun("0199c0de-0000-7000-8000-000000000002", "chain of close"),
    "RUN_001  a value does not fit",
    "17:00ff",
    (("reports/totals", "aa11"),),
)
_GL = DatasetFacts(
    "gl",
    (Field("status", STRING), Field("amount", decimal(18, 2))),
    "2",
    "The ledger.",
    LineagePlace("data/gl.csv", "file:///acme/data/gl.csv", "csv"),
    ("2026-01",),
    DataAmount(12, 345, 1),
    (Assertion("balanced", "SUM(amount) = 0", "groups", False, "error", 4, 1),),
)
_TOTALS = DatasetFacts(
    "reports:totals",
    (Field("total", decimal(18, 2)), Field("kind", STRING)),
    place=LineagePlace("reports:totals", None, "postgres"),
    periods=("2026-01",),
    amount=DataAmount(2, 99, 1),
    lineage=_OUTPUT,
)
_AT = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
_MOMENT = RunMoment("FAIL", _AT, _JOB, _RUN, (_GL,), (_TOTALS,))


def as_json(moment: RunMoment) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Serde.to_json(run_event(moment)))
    return found


@pytest.mark.parametrize("kind", ["START", "RUNNING", "COMPLETE", "FAIL", "ABORT"])
def test_an_event_of_each_kind_is_valid_with_all_facets(kind: EventKind) -> None:
    event = as_json(replace(_MOMENT, kind=kind))
    check_event(event)
    assert event["eventType"] == kind
    assert event["run"]["facets"].keys() == RUN.keys() - {"tags"}
    assert event["job"]["facets"].keys() == JOB.keys()
    (read,), (written,) = event["inputs"], event["outputs"]
    assert read["facets"].keys() | written["facets"].keys() == DATASET.keys()
    assert read["inputFacets"].keys() == INPUT.keys()
    assert written["outputFacets"].keys() == OUTPUT.keys()


def test_an_event_of_which_little_is_known_is_valid() -> None:
    run = replace(_RUN, project_version=None, parent=None, error=None, seal=None, fingerprints=())
    job = replace(_JOB, description=None, owner=None)
    event = as_json(RunMoment("START", _AT, job, run, (DatasetFacts("gl", ()),), ()))
    check_event(event)
    assert event["run"]["facets"].keys() == {"nominalTime", "processing_engine", "rowbook"}
    assert event["job"]["facets"].keys() == {"jobType", "sourceCode"}


@pytest.mark.parametrize(
    ("facet", "key", "value"),
    [
        ("nominalTime", "nominalStartTime", 2026),
        ("nominalTime", "nominalStartTime", "2026-01-01"),
        ("errorMessage", "_producer", "rowbook"),
        ("parent", "run", {"runId": "chain"}),
        ("processing_engine", "versions", "4"),
    ],
)
def test_a_schema_finds_what_is_wrong_in_a_facet(facet: str, key: str, value: object) -> None:
    event = as_json(_MOMENT)
    event["run"]["facets"][facet][key] = value
    with pytest.raises(jsonschema.ValidationError):
        check_event(event)


def test_columns_name_their_sources_with_each_way_and_for_marquez_in_one_word() -> None:
    (output,) = as_json(_MOMENT)["outputs"]
    found = output["facets"]["columnLineage"]
    assert found["fields"]["total"] == {
        "inputFields": [
            {
                "namespace": "rowbook:acme",
                "name": "gl",
                "field": "amount",
                "transformations": [
                    {
                        "type": "DIRECT",
                        "subtype": "AGGREGATION",
                        "description": "by operation 20, 90",
                        "masking": False,
                    }
                ],
            },
            {
                "namespace": "rowbook:acme",
                "name": "gl",
                "field": "currency",
                "transformations": [
                    {
                        "type": "INDIRECT",
                        "subtype": "CONDITIONAL",
                        "description": "by operation 20",
                        "masking": False,
                    },
                    {
                        "type": "INDIRECT",
                        "subtype": "JOIN",
                        "description": "by operation 20",
                        "masking": False,
                    },
                ],
            },
        ],
        "transformationDescription": "by operation 90",
        "transformationType": "AGGREGATION",
    }
    assert found["fields"]["kind"] == {
        "inputFields": [],
        "transformationDescription": "by operation 90",
        "transformationType": "CONSTANT",
    }
    (row_source,) = found["dataset"]
    assert (row_source["field"], row_source["transformations"][0]["subtype"]) == (
        "status",
        "FILTER",
    )


def test_the_period_is_the_nominal_time_and_the_part_of_a_dataset() -> None:
    event = as_json(_MOMENT)
    nominal = event["run"]["facets"]["nominalTime"]
    assert nominal["nominalStartTime"] == "2026-01-01T00:00:00+00:00"
    assert nominal["nominalEndTime"] == "2026-02-01T00:00:00+00:00"
    subset = event["inputs"][0]["inputFacets"]["inputSubset"]["inputCondition"]
    part = {"dimensions": {"_period": "2026-01"}, "identifier": "2026-01"}
    assert subset == {"type": "partition", "partitions": [part]}


def test_expectations_are_assertions_without_values_of_rows() -> None:
    facet = as_json(_MOMENT)["inputs"][0]["inputFacets"]["dataQualityAssertions"]
    assert facet["assertions"] == [
        {
            "assertion": "groups",
            "success": False,
            "severity": "error",
            "name": "balanced",
            "content": "SUM(amount) = 0",
            "contentType": "expression",
            "params": {"checked": 4, "violated": 1},
        }
    ]


def test_evidence_of_the_run_is_in_a_facet_of_its_own_with_a_schema_of_its_own() -> None:
    facet = as_json(_MOMENT)["run"]["facets"]["rowbook"]
    docs = Path(__file__).parents[3] / "docs"
    schema = json.loads((docs / "openlineage-run-facet.json").read_text(encoding="utf-8"))
    jsonschema.validate(facet, schema)
    assert schema["$id"] == facet["_schemaURL"]
    assert facet["seal"] == "17:00ff"
    assert facet["fingerprints"] == {"reports/totals": "aa11"}
