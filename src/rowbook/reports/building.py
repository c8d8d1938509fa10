"""From what the store keeps of a run, its plan and its figures to a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from rowbook.engine.measure.figures import StepFigures
from rowbook.errors.codes import CODES
from rowbook.expectations.verdict import Verdict, Waiver
from rowbook.expressions.english.sentences import condition_in_words, value_in_words
from rowbook.planning.operations.english import join_in_words, step_in_words, window_in_words
from rowbook.planning.steps import (
    AnyStep,
    OutputStep,
    UpdateStep,
    results_of,
)
from rowbook.reports.figure_checks import checks_of
from rowbook.reports.model import (
    Counts,
    ExpectationHistory,
    Failure,
    Followed,
    InputDataset,
    InputFile,
    InputPlace,
    Lookup,
    NamedSelector,
    ReportOutput,
    ReportRule,
    ReportStep,
    ReportWindow,
    RunReport,
)
from rowbook.runs.checking.run_verdicts import recorded_verdicts
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.prepare.request import Request
from rowbook.runs.run_plan.plan_model import PlannedStep
from rowbook.runs.run_plan.plan_steps import plan_parameter, plan_steps
from rowbook.store import JsonObject, PastExpectations, RunRecord
from rowbook.text.number_format import instant
from rowbook.text.plan_words import windowed

if TYPE_CHECKING:
    from rowbook.runs.execute.run_figures import Figures

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOT_MEASURED = (
    "Amounts and sample rows are not in this report: they are taken while a run runs, with"
    " `rowbook run --report`."
)


def build_report(
    record: RunRecord,
    request: Request,
    snapshot: JsonObject | None,
    figures: Figures | None = None,
    past: Sequence[PastExpectations] = (),
) -> RunReport:
    """The report of a run. Without figures it has neither amounts nor rows. `past` is what became
    of the expectations of its project before, newest first."""
    run, project = record.run, request.plan.project
    failure = _failure(run.failure)
    planned = tuple(plan_steps(request.plan, lambda _: None))
    measured = {each.seq: each for each in figures.found} if figures else {}
    followed = _followed(figures, measured)
    steps = _steps(request, planned, record, measured, failure)
    verdicts = recorded_verdicts(record)
    return RunReport(
        run.project_name,
        project.description,
        project.owner,
        run.project_version,
        run.id,
        run.status,
        run.period,
        run.as_of.replace("+00:00", "Z"),
        run.clock,
        run.started_at,
        run.duration_ms,
        run.requested_by,
        run.trigger,
        run.engine,
        snapshot["rowbook"] if snapshot else None,
        snapshot["spark"] if snapshot else None,
        tuple(_notes(record)),
        failure,
        (
            *(str(each.warning["message"]) for each in record.warnings),
            *(f"{each.code}: {each.message}" for each in request.plan.warnings),
        ),
        followed,
        _missing(figures, steps),
        steps,
        checks_of(steps, followed, completed=run.status == "completed"),
        _selectors(project.selectors, planned),
        tuple(_input(each) for each in snapshot["datasets"]) if snapshot else (),
        tuple(_outputs(record, request.plan.outputs)),
        tuple(map(plan_parameter, request.plan.parameters)),
        verdicts,
        tuple(_history(each) for each in reversed(past)),
        tuple(_unmatched(steps, verdicts)),
        str(record.seal) if record.seal else None,
    )


def _history(past: PastExpectations) -> ExpectationHistory:
    found = map(Verdict.from_json, past.verdicts)
    return ExpectationHistory(past.period, {(each.owner, each.name): each for each in found})


def _unmatched(steps: Sequence[ReportStep], verdicts: Sequence[Verdict]) -> Iterator[str]:
    said = {each.name for each in verdicts if each.unit == "operations"}
    for step in steps:
        idle = step.counts is not None and not step.counts.matched
        if idle and step.type != "output" and step.name not in said:
            yield f"{step.seq} '{step.name}'"


def _failure(recorded: JsonObject | None) -> Failure | None:
    if recorded is None:
        return None
    code = CODES.get(recorded["code"])
    return Failure(
        recorded.get("seq"),
        recorded.get("operation"),
        recorded["code"],
        code.meaning if code else None,
        recorded["message"],
        recorded.get("hint") or (code.remedy if code else None),
    )


def _followed(figures: Figures | None, measured: Mapping[int, StepFigures]) -> Followed | None:
    if figures is None or figures.column is None or 0 not in measured:
        return None
    others = tuple(name for name in figures.candidates if name != figures.column)
    return Followed(figures.column, measured[0].amount.total, measured[0].amount.rows, others)


def _missing(figures: Figures | None, steps: Sequence[ReportStep]) -> str | None:
    if figures is None:
        return _NOT_MEASURED
    if figures.complete:
        return None
    reached = len(figures.found) - 1
    if not 0 <= reached < len(steps):
        return "Amounts and sample rows are missing: the input was not computed."
    at = f"operation {steps[reached].seq} '{steps[reached].name}'"
    return f"Amounts and sample rows are missing from {at} on: they were not computed."


def _notes(record: RunRecord) -> Iterator[str]:
    for waiver in (Waiver(**each.waiver) for each in record.waivers):
        said = f"The expectation '{waiver.name}' was waived by {waiver.by}"
        yield f"{said}, {waiver.at}: {waiver.reason}"
    if record.run.reopened:
        yield f"It wrote into a closed period: {record.run.reopened}"
    for each in record.resumptions:
        before = (each.failure or {}).get("message", "")
        yield f"It was resumed by {each.resumed_by} at {instant(each.resumed_at)}, after: {before}"
        for changed in (each.accepted_input or {}).get("changed", ()):
            yield f"Changed input was accepted: {changed}"


def _steps(
    request: Request,
    planned: Sequence[PlannedStep],
    record: RunRecord,
    measured: Mapping[int, StepFigures],
    failure: Failure | None,
) -> tuple[ReportStep, ...]:
    entries = {each.seq: each.entry for each in record.steps}
    found: list[ReportStep] = []
    for step, written in zip(request.plan.steps, planned, strict=True):
        entry, figures = entries.get(step.seq), measured.get(step.seq)
        made = ReportStep(
            step.seq,
            step.name,
            step.type,
            written.description,
            step_in_words(step),
            None if step.selector is None else condition_in_words(step.selector),
            written.selector,
            tuple(_lookups(step, written)),
            tuple(_rules(step, written)),
            Counts(**{n: entry.get(n, 0) for n in Counts.__slots__}) if entry else None,
            failed=failure is not None and failure.seq == step.seq,
            writes_all=isinstance(step, OutputStep)
            and step.selector is None
            and not step.include_deleted,
            windows=tuple(_windows(step, written)),
        )
        if figures is not None:
            counted = figures.amount.rows if figures.moved else None
            made = replace(made, total=figures.amount.total, moved=figures.moved, counted=counted)
            made = replace(made, sample=figures.sample)
        found.append(made)
    return tuple(found)


def _lookups(step: AnyStep, written: PlannedStep) -> Iterator[Lookup]:
    conditions = {use.alias: use.on or "" for use in written.reads}
    for join in step.joins:
        name, version = join.dataset.name, join.dataset.version
        yield Lookup(join.alias, name, version, join_in_words(join), conditions[join.alias])


def _windows(step: AnyStep, written: PlannedStep) -> Iterator[ReportWindow]:
    planned = {each.alias: windowed(each) for each in written.windows}
    for window in step.windows if isinstance(step, UpdateStep) else ():
        yield ReportWindow(window.alias, window_in_words(window), planned[window.alias])


def _rules(step: AnyStep, written: PlannedStep) -> Iterator[ReportRule]:
    trees = {each.column: each.expression for each in results_of(step)}
    for value in written.values:
        english = value_in_words(trees[value.column])
        yield ReportRule(value.column, value.type, value.is_new, english, value.expression)


def _selectors(
    named: Mapping[str, str], planned: Sequence[PlannedStep]
) -> tuple[NamedSelector, ...]:
    users = {n: tuple(s.seq for s in planned if n in s.named_selectors) for n in named}
    return tuple(NamedSelector(name, text, users[name]) for name, text in named.items())


def _input(recorded: Mapping[str, Any]) -> InputDataset:
    return InputDataset(
        recorded["name"],
        recorded["version"],
        recorded["resolver"],
        recorded["rule"],
        tuple(
            InputPlace(
                place["location"],
                tuple(place["periods"]),
                tuple(_file(each) for each in place["contents"]),
                place.get("missing"),
            )
            for place in recorded["locations"]
        ),
    )


def _file(recorded: Mapping[str, Any]) -> InputFile:
    ns = recorded.get("modified_ns")
    modified = None if ns is None else _EPOCH + timedelta(microseconds=ns // 1_000)
    return InputFile(recorded["name"], recorded["size"], modified, recorded.get("version"))


def _outputs(record: RunRecord, steps: Sequence[OutputStep]) -> Iterator[ReportOutput]:
    outputs = {step.seq: step for step in steps}
    for each in record.outputs:
        result, step = OutputResult.from_json(each.output), outputs[each.seq]
        yield ReportOutput(
            result.seq,
            step.name,
            result.destination,
            result.rows,
            result.columns,
            result.files,
            result.bytes,
            result.duration_ms,
            step.register_as if result.dataset_version is not None else None,
            result.dataset_version,
        )
