"""What a run would fail of, as far as that is known before Spark starts: all of it at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from rowbook.errors import Diagnostic, RowbookError, reason
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import declared_columns, source_of, stored_columns
from rowbook.planning.steps import OutputStep
from rowbook.planning.used_datasets import used_datasets
from rowbook.reference.loading.load_faults import missing_columns
from rowbook.runs.prepare.period_tables import view_problems
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import (
    ResolvedInput,
    ResolvedOutput,
    ResolvedRun,
    ResolvedTable,
    resolve_run,
)
from rowbook.runs.prepare.value_samples import sampled_faults
from rowbook.sources import registry
from rowbook.sources.source import SourceTable, Target
from rowbook.sources.source_errors import NotAskedError, table_exists_error

if TYPE_CHECKING:
    from rowbook.store import Store

_NOTHING_THERE = "DATASOURCE_006"


@dataclass(frozen=True, slots=True)
class ColumnComparison:
    """`undeclared` are the columns that only the source has, `lacking` those that only the
    declaration has, by their physical names."""

    physical: tuple[str, ...]
    undeclared: tuple[str, ...]
    lacking: tuple[str, ...]


class RunProblemsError(RowbookError):
    """What a run would fail of, found before it began."""


def check_run(resolved: ResolvedRun) -> None:
    if found := run_problems(resolved):
        causes = (table.failure.__cause__ for table in resolved.tables if table.failure)
        raise RunProblemsError(*found) from next(causes, None)


def request_problems(request: Request, store: Store | None) -> tuple[Diagnostic, ...]:
    """Of a run that is not resolved yet, which may be what it fails of."""
    try:
        return run_problems(resolve_run(request, store))
    except RowbookError as error:
        return error.diagnostics


def run_problems(resolved: ResolvedRun, *, connect: bool = True) -> tuple[Diagnostic, ...]:
    """Data that is not there or cannot be asked, columns that it lacks, values in the first lines
    of texts that do not fit, destinations that cannot take what is written. Without `connect` no
    server is asked, but for its credential it is seen whether it is there."""
    problems = [
        problem
        for dataset in _read_before_writing(resolved.request)
        for problem in _input_problems(resolved.input(dataset))
    ]
    problems += [
        problem
        for read in resolved.inputs
        for problem in view_problems(read)
        if problem.severity == "error"
    ]
    for output in () if resolved.request.is_draft else resolved.outputs:
        if _is_asked(output, connect=connect):
            problems += _output_problems(output)
        else:
            problems += _credential_problems(output.target)
    return tuple(dict.fromkeys(problems))


def run_warnings(resolved: ResolvedRun) -> tuple[Diagnostic, ...]:
    """What a run would say, and not fail of."""
    found = (each for read in resolved.inputs for each in view_problems(read))
    return tuple(each for each in found if each.severity == "warning")


def compare_columns(dataset: Dataset, table: SourceTable) -> ColumnComparison:
    physical, layout = registry.columns(table), registry.layout(table)
    declared = declared_columns(
        dataset, by_position=layout.by_position, partitions=layout.partitions
    )
    wanted = [(f.name, source) for f, source in (*declared, *stored_columns(dataset, physical))]
    loaded = {source for _, source in wanted}
    lacking = tuple(
        source
        for name, source in wanted
        if source not in physical and not (name == PERIOD.name and table.period is not None)
    )
    undeclared = tuple(name for name in physical if name not in loaded)
    return ColumnComparison(tuple(physical), undeclared, lacking)


def _read_before_writing(request: Request) -> tuple[Dataset, ...]:
    """Data that is read after an output may be made by it: that is for its reader to say."""
    plan = request.plan
    if not request.is_draft:
        before = takewhile(lambda step: not isinstance(step, OutputStep), plan.steps)
        plan = replace(plan, steps=tuple(before))
    return tuple(used_datasets(plan))


def _input_problems(resolved: ResolvedInput) -> Iterator[Diagnostic]:
    """Of values, where all that is to be read is there, with the columns that are declared."""
    dataset = resolved.dataset
    found = [each for table in resolved.tables for each in _table_problems(table, dataset)]
    try:
        found = found or [*sampled_faults(dataset, [each.table for each in resolved.tables])]
    except RowbookError as error:
        found = [*error.diagnostics]
    yield from found


def _table_problems(resolved: ResolvedTable, dataset: Dataset) -> Iterator[Diagnostic]:
    try:
        table = resolved.source()
        found = compare_columns(dataset, table)
    except NotAskedError:
        if resolved.table is not None:
            yield from _credential_problems(resolved.table)
    except RowbookError as error:
        yield from error.diagnostics
    except OSError as error:
        message = f"{resolved.location.location} cannot be read: {reason(error)}"
        yield Diagnostic("DATASOURCE_007", message)
    else:
        period = source_of(dataset, PERIOD.name)
        names = [name for name in found.lacking if name != period]
        hint = registry.column_hint(table, names) if names else None
        for problem in missing_columns(dataset, table.label, found.lacking, found.physical):
            elsewhere = hint if problem.code == "DATASET_010" else None
            yield replace(problem, hint=elsewhere or problem.hint)


def _credential_problems(of: SourceTable | Target) -> tuple[Diagnostic, ...]:
    """Of a server that is not asked."""
    try:
        registry.check_credential(of)
    except RowbookError as error:
        return error.diagnostics
    return ()


def _is_asked(output: ResolvedOutput, *, connect: bool) -> bool:
    """A server may be out of reach; files matter before only where there must be none."""
    if registry.is_server(output.target):
        return connect
    return output.step.mode == "error_if_exists"


def _output_problems(output: ResolvedOutput) -> Iterator[Diagnostic]:
    target = output.target
    try:
        registry.contents(registry.existing(target))
    except RowbookError as error:
        yield from (each for each in error.diagnostics if each.code != _NOTHING_THERE)
    except OSError as error:
        yield Diagnostic("OUTPUT_006", f"{target.label} cannot be written: {reason(error)}")
    else:
        if output.step.mode == "error_if_exists":
            yield from table_exists_error(target.label).diagnostics
