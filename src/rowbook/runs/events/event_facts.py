"""What events tell of a run, from what is asked for, resolved and done: no secrets, no rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import metadata

from rowbook import __version__
from rowbook.errors import Diagnostic
from rowbook.errors.codes import CODES
from rowbook.errors.redaction import redact
from rowbook.expectations.verdict import Verdict
from rowbook.lineage.column_lineage import OutputLineage
from rowbook.lineage.events.run_facts import (
    Assertion,
    DataAmount,
    DatasetFacts,
    JobFacts,
    LineagePlace,
    ParentRun,
    RunFacts,
)
from rowbook.lineage.plan_lineage import plan_lineage
from rowbook.locations.object_urls import is_url
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.resolution.destinations import destination_label
from rowbook.planning.steps import OutputStep
from rowbook.planning.used_datasets import used_datasets
from rowbook.runs.execute.result import OutputResult, RunResult
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedInput, ResolvedOutput, ResolvedRun
from rowbook.sources import registry
from rowbook.sources.source import SourceTable, Target

_MET = ("passed", "nothing to check", "tolerated")


def job_facts(request: Request) -> JobFacts:
    workspace = request.settings.name if request.settings else request.root.name
    project = request.plan.project
    definition = json.dumps(dict(request.project), indent=2, ensure_ascii=False)
    owner = getattr(project, "owner", None)
    return JobFacts(
        f"rowbook:{workspace}",
        request.project_name,
        redact(definition),
        project.description,
        owner,
    )


def run_facts(request: Request, parent: ParentRun | None) -> RunFacts:
    context = request.context
    return RunFacts(
        context.run_id,
        context.period.start,
        context.period.end,
        context.period.identifier,
        context.as_of,
        request.version,
        ("spark", metadata.version("pyspark")),
        __version__,
        parent,
    )


def planned_inputs(request: Request) -> tuple[DatasetFacts, ...]:
    """What is known of datasets before anything is looked at; a view is the dataset that it
    reads."""
    found: dict[str, DatasetFacts] = {}
    for each in used_datasets(request.plan):
        found.setdefault(each.source_name, _dataset(each))
    return tuple(found.values())


def _dataset(dataset: Dataset) -> DatasetFacts:
    return DatasetFacts(
        dataset.source_name,
        tuple(dataset.readable.fields.values()),
        str(dataset.version),
        dataset.definition.description,
    )


def planned_outputs(request: Request) -> tuple[DatasetFacts, ...]:
    lineage = {each.seq: each for each in plan_lineage(request.plan).outputs}
    return tuple(_output(each, lineage[each.seq], request) for each in request.plan.outputs)


def _output(step: OutputStep, lineage: OutputLineage, request: Request) -> DatasetFacts:
    fields = tuple(step.columns.fields[name] for name in step.written)
    has_period = PERIOD.name in step.written
    periods = (request.context.period.identifier,) if has_period else ()
    return DatasetFacts(output_name(step), fields, periods=periods, lineage=lineage)


def output_name(step: OutputStep) -> str:
    """What others read it by: the dataset that it becomes, else the table as the project names
    it."""
    return step.register_as or destination_label(step.destination)


def resolved_inputs(
    facts: Sequence[DatasetFacts], resolved: ResolvedRun
) -> tuple[DatasetFacts, ...]:
    """With where the data is and how much. Several inputs may be one dataset."""
    by_name: dict[str, list[ResolvedInput]] = {}
    for each in resolved.inputs:
        by_name.setdefault(each.dataset.source_name, []).append(each)
    root = resolved.request
    return tuple(_resolved_input(each, by_name.get(each.name, []), root) for each in facts)


def _resolved_input(
    facts: DatasetFacts, inputs: Sequence[ResolvedInput], request: Request
) -> DatasetFacts:
    tables = {each.table.label: each for found in inputs for each in found.tables if each.table}
    if not tables:
        return facts
    contents = [content for each in tables.values() for content in each.contents]
    first = next(iter(tables.values())).table
    assert first is not None
    is_periodic = any(each.dataset.definition.main_table.temporal_mode for each in inputs)
    periods = dict.fromkeys(period for each in inputs for period in each.periods)
    return replace(
        facts,
        place=_place(first, request),
        periods=tuple(periods) if is_periodic else (),
        amount=DataAmount(size=sum(each.size for each in contents), files=len(contents)),
    )


def resolved_outputs(
    facts: Sequence[DatasetFacts], resolved: ResolvedRun
) -> tuple[DatasetFacts, ...]:
    outputs = {output_name(each.step): each for each in resolved.outputs}
    return tuple(_resolved_output(each, outputs.get(each.name), resolved) for each in facts)


def _resolved_output(
    facts: DatasetFacts, output: ResolvedOutput | None, resolved: ResolvedRun
) -> DatasetFacts:
    return replace(facts, place=_place(output.target, resolved.request)) if output else facts


def _place(where: SourceTable | Target, request: Request) -> LineagePlace:
    """Of a server nothing but the name that definitions give it."""
    if is_url(where.label):
        return LineagePlace(where.label, where.label, where.kind)
    if registry.is_server(where):
        return LineagePlace(where.label, None, where.kind)
    return LineagePlace(where.label, (request.root / where.label).resolve().as_uri(), where.kind)


def ended_inputs(facts: Sequence[DatasetFacts], result: RunResult) -> tuple[DatasetFacts, ...]:
    """With how many rows the input had, and what became of expectations: of datasets that they are
    about, and of the project's at the input."""
    first, *others = facts
    names = {each.name for each in others}
    judged = [each for each in result.expectations if each.status != "skipped"]
    of_others = {name: [e for e in judged if e.owner == name] for name in names}
    own = [each for each in judged if each.owner not in names]
    rows = result.ledger[0].rows_in if result.ledger else None
    amount = None if first.amount is None else replace(first.amount, rows=rows)
    found = replace(first, amount=amount, assertions=tuple(map(_assertion, own)))
    return (
        found,
        *(replace(e, assertions=tuple(map(_assertion, of_others[e.name]))) for e in others),
    )


def _assertion(verdict: Verdict) -> Assertion:
    return Assertion(
        verdict.name,
        verdict.text,
        verdict.unit,
        verdict.status in _MET,
        "warn" if verdict.otherwise == "warn" else "error",
        verdict.checked,
        verdict.violated,
    )


def ended_outputs(
    facts: Sequence[DatasetFacts], request: Request, result: RunResult
) -> tuple[DatasetFacts, ...]:
    written = {each.seq: each for each in result.outputs}
    steps = zip(facts, request.plan.outputs, strict=True)
    return tuple(_written(each, written.get(step.seq)) for each, step in steps)


def _written(facts: DatasetFacts, output: OutputResult | None) -> DatasetFacts:
    if output is None:
        return facts
    version = None if output.dataset_version is None else str(output.dataset_version)
    return replace(
        facts, version=version, amount=DataAmount(output.rows, output.bytes, output.files)
    )


def ended_run(run: RunFacts, result: RunResult) -> RunFacts:
    return replace(
        run,
        error="; ".join(map(_error, result.errors)) or None,
        seal=result.seal,
        fingerprints=tuple(_fingerprints(result.outputs)),
    )


def _error(error: Diagnostic) -> str:
    """What its code means, and where; messages may show values of rows."""
    meaning = CODES[error.code].meaning if error.code in CODES else "an unexpected error"
    at = f" (operation {error.operation.seq} '{error.operation.name}')" if error.operation else ""
    return f"{error.code}  {meaning}{at}"


def _fingerprints(outputs: Sequence[OutputResult]) -> Iterator[tuple[str, str]]:
    """Of the rows of each output, where they were taken."""
    for each in outputs:
        if (evidence := each.row_evidence) is not None:
            yield each.destination, evidence.fingerprint
