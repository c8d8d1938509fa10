"""An event of OpenLineage from what is known of a run. Imported only where events are sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

import attr
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import (
    BaseFacet,
    DatasetFacet,
    InputDatasetFacet,
    JobFacet,
    OutputDatasetFacet,
    RunFacet,
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
)

from rowbook.lineage.column_lineage import ColumnLineage, ColumnSource, OutputLineage
from rowbook.lineage.events.run_facts import (
    Assertion,
    DatasetFacts,
    JobFacts,
    LineagePlace,
    RunFacts,
    RunMoment,
)
from rowbook.lineage.influences import SourceColumn
from rowbook.planning.columns import PERIOD

_FILES = frozenset({"csv", "json", "orc", "parquet", "text"})


@attr.define
class RowbookRunFacet(RunFacet):
    """What only Rowbook knows of a run; docs/openlineage-run-facet.json is its schema."""

    period: str
    asOf: str  # noqa: N815
    projectVersion: int | None = attr.field(default=None)  # noqa: N815
    seal: str | None = attr.field(default=None)
    fingerprints: dict[str, str] | None = attr.field(default=None)

    @staticmethod
    def _get_schema() -> str:
        return "urn:rowbook:openlineage:RowbookRunFacet:1-0-0"


def run_event(moment: RunMoment) -> RunEvent:
    job, run = moment.job, moment.run
    producer = f"urn:rowbook:{run.rowbook}"
    event = RunEvent(
        eventType=RunState[moment.kind],
        eventTime=moment.at.astimezone(UTC).isoformat(),
        run=Run(run.run_id, _run_facets(job, run)),
        job=Job(job.namespace, job.name, _job_facets(job)),
        inputs=[_input(each, job.namespace) for each in moment.inputs],
        outputs=[_output(each, job.namespace) for each in moment.outputs],
        producer=producer,
    )
    _sign(event, producer)
    return event


def _sign(event: RunEvent, producer: str) -> None:
    """Each facet says who made it."""
    inputs, outputs = event.inputs or [], event.outputs or []
    groups: list[Mapping[str, BaseFacet] | None] = [event.run.facets, event.job.facets]
    groups += [each.facets for each in (*inputs, *outputs)]
    groups += [each.inputFacets for each in inputs]
    groups += [each.outputFacets for each in outputs]
    for facet in (facet for group in groups for facet in (group or {}).values()):
        facet._producer = producer


def _job_facets(job: JobFacts) -> dict[str, JobFacet]:
    facets: dict[str, JobFacet] = {
        "jobType": job_type_job.JobTypeJobFacet("BATCH", "ROWBOOK", "PROJECT"),
        "sourceCode": source_code_job.SourceCodeJobFacet("YAML", job.definition),
    }
    if job.description is not None:
        facets["documentation"] = documentation_job.DocumentationJobFacet(job.description)
    if job.owner is not None:
        owners = [ownership_job.Owner(job.owner, "MAINTAINER")]
        facets["ownership"] = ownership_job.OwnershipJobFacet(owners)
    return facets


def _run_facets(job: JobFacts, run: RunFacts) -> dict[str, RunFacet]:
    engine, version = run.engine
    facets: dict[str, RunFacet] = {
        "nominalTime": nominal_time_run.NominalTimeRunFacet(
            _midnight(run.first_day), _midnight(run.last_day + timedelta(days=1))
        ),
        "processing_engine": processing_engine_run.ProcessingEngineRunFacet(
            version, engine, run.rowbook
        ),
        "rowbook": RowbookRunFacet(
            run.period,
            run.as_of.isoformat(),
            run.project_version,
            run.seal,
            dict(run.fingerprints) or None,
        ),
    }
    if run.parent is not None:
        facets["parent"] = parent_run.ParentRunFacet(
            parent_run.Run(run.parent.run_id), parent_run.Job(job.namespace, run.parent.name)
        )
    if run.error is not None:
        facets["errorMessage"] = error_message_run.ErrorMessageRunFacet(run.error, "python")
    return facets


def _midnight(day: date) -> str:
    return datetime.combine(day, time(), UTC).isoformat()


def _input(dataset: DatasetFacts, namespace: str) -> InputDataset:
    facets: dict[str, InputDatasetFacet] = {}
    amount = dataset.amount
    if dataset.periods:
        condition = _periods(dataset.periods)
        facets["inputSubset"] = base_subset_dataset.InputSubsetInputDatasetFacet(condition)
    if amount is not None:
        facets["inputStatistics"] = input_statistics_input_dataset.InputStatisticsInputDatasetFacet(
            amount.rows, amount.size, amount.files
        )
    if dataset.assertions:
        found = [_assertion(each) for each in dataset.assertions]
        facets["dataQualityAssertions"] = (
            data_quality_assertions_dataset.DataQualityAssertionsDatasetFacet(found)
        )
    return InputDataset(
        namespace, dataset.name, facets=_dataset_facets(dataset), inputFacets=facets
    )


def _output(dataset: DatasetFacts, namespace: str) -> OutputDataset:
    facets: dict[str, OutputDatasetFacet] = {}
    amount = dataset.amount
    if dataset.periods:
        condition = _periods(dataset.periods)
        facets["outputSubset"] = base_subset_dataset.OutputSubsetOutputDatasetFacet(condition)
    if amount is not None:
        facets["outputStatistics"] = (
            output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
                amount.rows, amount.size, amount.files
            )
        )
    of_dataset = _dataset_facets(dataset)
    if dataset.lineage is not None:
        of_dataset["columnLineage"] = _column_lineage(dataset.lineage, namespace)
    return OutputDataset(namespace, dataset.name, facets=of_dataset, outputFacets=facets)


def _dataset_facets(dataset: DatasetFacts) -> dict[str, DatasetFacet]:
    fields = [
        schema_dataset.SchemaDatasetFacetFields(each.name, str(each.type), ordinal_position=place)
        for place, each in enumerate(dataset.fields, start=1)
    ]
    facets: dict[str, DatasetFacet] = {"schema": schema_dataset.SchemaDatasetFacet(fields)}
    if dataset.version is not None:
        version = dataset_version_dataset.DatasetVersionDatasetFacet(dataset.version)
        facets["version"] = version
    if dataset.description is not None:
        described = documentation_dataset.DocumentationDatasetFacet(dataset.description)
        facets["documentation"] = described
    if dataset.place is not None:
        facets |= _place_facets(dataset.place)
    return facets


def _place_facets(place: LineagePlace) -> dict[str, DatasetFacet]:
    layer = "file" if place.kind in _FILES else place.kind
    file_format = place.kind if place.kind in _FILES else None
    return {
        "dataSource": datasource_dataset.DatasourceDatasetFacet(place.name, place.uri),
        "storage": storage_dataset.StorageDatasetFacet(layer, file_format),
    }


def _periods(periods: Sequence[str]) -> base_subset_dataset.PartitionSubsetCondition:
    parts = [base_subset_dataset.Partition({PERIOD.name: each}, each) for each in periods]
    return base_subset_dataset.PartitionSubsetCondition(parts)


def _assertion(found: Assertion) -> data_quality_assertions_dataset.Assertion:
    """Counts, and no values of rows."""
    return data_quality_assertions_dataset.Assertion(
        found.unit,
        found.is_met,
        severity=found.severity,
        name=found.name,
        content=found.text,
        contentType="expression",
        params={"checked": found.checked, "violated": found.violated},
    )


def _column_lineage(
    output: OutputLineage, namespace: str
) -> column_lineage_dataset.ColumnLineageDatasetFacet:
    fields = {each.column: _fields(each, namespace) for each in output.columns}
    rows = _input_fields(output.rows, namespace)
    return column_lineage_dataset.ColumnLineageDatasetFacet(fields, rows)


def _fields(column: ColumnLineage, namespace: str) -> column_lineage_dataset.Fields:
    """The description and the type for all sources are deprecated, and what Marquez shows."""
    direct = [each.kind for each in column.sources if each.is_direct]
    kinds = dict.fromkeys(direct or [each.kind for each in column.sources])
    return column_lineage_dataset.Fields(
        _input_fields(column.sources, namespace),
        _by(column.operations),
        ", ".join(map(_subtype, kinds)) or "CONSTANT",
    )


def _input_fields(
    sources: Iterable[ColumnSource], namespace: str
) -> list[column_lineage_dataset.InputField]:
    by_column: dict[SourceColumn, list[ColumnSource]] = {}
    for each in sources:
        by_column.setdefault(each.key, []).append(each)
    return [
        column_lineage_dataset.InputField(
            namespace, column.dataset, column.column, [_transformation(each) for each in found]
        )
        for column, found in by_column.items()
    ]


def _transformation(source: ColumnSource) -> column_lineage_dataset.Transformation:
    kind = "DIRECT" if source.is_direct else "INDIRECT"
    by = _by(source.operations)
    return column_lineage_dataset.Transformation(kind, _subtype(source.kind), by, masking=False)


def _subtype(kind: str) -> str:
    return kind.upper().replace(" ", "_")


def _by(operations: Sequence[int]) -> str:
    return f"by operation {', '.join(map(str, operations))}" if operations else "as it is read"
