"""JSON Schemas of events and facets: the structure as the client of OpenLineage declares it in its
generated classes, and what its specification says besides: which facet stands where, closed words,
formats."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import attr
import jsonschema
from openlineage.client import event_v2
from openlineage.client.facet_v2 import (
    base_subset_dataset,
    column_lineage_dataset,
    data_quality_assertions_dataset,
    dataset_version_dataset,
    datasource_dataset,
    documentation_dataset,
    documentation_job,
    error_message_run,
    input_statistics_input_dataset,
    job_type_job,
    nominal_time_run,
    output_statistics_output_dataset,
    ownership_job,
    parent_run,
    processing_engine_run,
    schema_dataset,
    source_code_job,
    storage_dataset,
    tags_run,
)

from rowbook.lineage.events.run_event import RowbookRunFacet

RUN: Mapping[str, type] = {
    "nominalTime": nominal_time_run.NominalTimeRunFacet,
    "processing_engine": processing_engine_run.ProcessingEngineRunFacet,
    "parent": parent_run.ParentRunFacet,
    "errorMessage": error_message_run.ErrorMessageRunFacet,
    "rowbook": RowbookRunFacet,
    "tags": tags_run.TagsRunFacet,
}
JOB: Mapping[str, type] = {
    "jobType": job_type_job.JobTypeJobFacet,
    "sourceCode": source_code_job.SourceCodeJobFacet,
    "ownership": ownership_job.OwnershipJobFacet,
    "documentation": documentation_job.DocumentationJobFacet,
}
DATASET: Mapping[str, type] = {
    "schema": schema_dataset.SchemaDatasetFacet,
    "columnLineage": column_lineage_dataset.ColumnLineageDatasetFacet,
    "version": dataset_version_dataset.DatasetVersionDatasetFacet,
    "dataSource": datasource_dataset.DatasourceDatasetFacet,
    "storage": storage_dataset.StorageDatasetFacet,
    "documentation": documentation_dataset.DocumentationDatasetFacet,
}
INPUT: Mapping[str, type] = {
    "inputSubset": base_subset_dataset.InputSubsetInputDatasetFacet,
    "inputStatistics": input_statistics_input_dataset.InputStatisticsInputDatasetFacet,
    "dataQualityAssertions": data_quality_assertions_dataset.DataQualityAssertionsDatasetFacet,
}
OUTPUT: Mapping[str, type] = {
    "outputSubset": base_subset_dataset.OutputSubsetOutputDatasetFacet,
    "outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet,
}

_SAID: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("RunEvent", "eventType"): {"enum": ["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER"]},
    ("RunEvent", "eventTime"): {"format": "date-time"},
    ("RunEvent", "producer"): {"format": "uri"},
    ("RunEvent", "schemaURL"): {
        "const": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
    },
    ("Run", "runId"): {"format": "uuid"},
    ("NominalTimeRunFacet", "nominalStartTime"): {"format": "date-time"},
    ("NominalTimeRunFacet", "nominalEndTime"): {"format": "date-time"},
    ("DatasourceDatasetFacet", "uri"): {"format": "uri"},
    ("JobTypeJobFacet", "processingType"): {"enum": ["BATCH", "STREAMING", "SERVICE"]},
    ("Transformation", "type"): {"enum": ["DIRECT", "INDIRECT"]},
    ("PartitionSubsetCondition", "type"): {"const": "partition"},
    ("LocationSubsetCondition", "type"): {"const": "location"},
    ("CompareSubsetCondition", "type"): {"const": "compare"},
    ("BinarySubsetCondition", "type"): {"const": "binary"},
    ("SchemaDatasetFacetFields", "ordinal_position"): {"minimum": 1},
}
_FACET = {"_producer": {"format": "uri"}, "_schemaURL": {"format": "uri"}}
_PLAIN = {str: "string", int: "integer", bool: "boolean", float: "number"}


_FORMATS = jsonschema.FormatChecker(())


@_FORMATS.checks("date-time", ValueError)
def _is_moment(text: object) -> bool:
    return not isinstance(text, str) or ("T" in text and bool(datetime.fromisoformat(text).tzinfo))


@_FORMATS.checks("uri", ValueError)
def _is_uri(text: object) -> bool:
    return not isinstance(text, str) or (bool(urlsplit(text).scheme) and " " not in text)


@_FORMATS.checks("uuid", ValueError)
def _is_uuid(text: object) -> bool:
    return not isinstance(text, str) or str(UUID(text)) == text


def check_event(event: Mapping[str, Any]) -> None:
    """Raises where an event, or a facet of it, is not what its schema says."""
    _check(event, event_v2.RunEvent)
    for facet, kind in _facets(event):
        _check(facet, kind)
        assert facet["_producer"].startswith("urn:rowbook:") or kind is tags_run.TagsRunFacet
        assert facet["_schemaURL"] == kind._get_schema()  # type: ignore[attr-defined]


def _facets(event: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], type]]:
    datasets = [*event["inputs"], *event["outputs"]]
    groups = [
        (event["run"].get("facets", {}), RUN),
        (event["job"].get("facets", {}), JOB),
        *((each.get("facets", {}), DATASET) for each in datasets),
        *((each.get("inputFacets", {}), INPUT) for each in event["inputs"]),
        *((each.get("outputFacets", {}), OUTPUT) for each in event["outputs"]),
    ]
    for facets, kinds in groups:
        yield from ((facet, kinds[name]) for name, facet in facets.items())


def _check(found: object, kind: type) -> None:
    schema = _object(kind, ())
    jsonschema.validate(found, schema, jsonschema.Draft202012Validator, format_checker=_FORMATS)


def _object(kind: type, above: tuple[type, ...]) -> dict[str, Any]:
    if kind in above:
        return {"type": "object"}
    hints = typing.get_type_hints(kind)
    fields = attr.fields(kind)
    properties = {
        each.name: {
            **_type(hints[each.name], (*above, kind)),
            **_SAID.get((kind.__name__, each.name), {}),
            **(_FACET.get(each.name, {})),
        }
        for each in fields
    }
    needed = [e.name for e in fields if e.default is attr.NOTHING or e.name in _FACET]
    needed += ["eventType", "producer", "schemaURL"] if kind is event_v2.RunEvent else []
    return {
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": False,
    }


def _type(hint: Any, above: tuple[type, ...]) -> dict[str, Any]:
    """What is None is left out of events."""
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        kinds = [each for each in arguments if each is not types.NoneType]
        found = [_type(each, above) for each in kinds]
        return found[0] if len(found) == 1 else {"anyOf": found}
    if origin is list:
        return {"type": "array", "items": _type(arguments[0], above)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _open(arguments[1], above)}
    if isinstance(hint, type) and attr.has(hint):
        return _object(hint, above)
    return {}


def _open(hint: Any, above: tuple[type, ...]) -> dict[str, Any]:
    """Facets of any kind have schemas of their own."""
    names = ("DatasetFacet", "InputDatasetFacet", "JobFacet", "OutputDatasetFacet", "RunFacet")
    if isinstance(hint, type) and hint.__name__ in names:
        return {"type": "object", "required": ["_producer", "_schemaURL"]}
    return _type(hint, above)
