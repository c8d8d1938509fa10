"""The lineage of a project among those that it reads from, and those that read what it registers;
no Spark, no rows, no trace."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rowbook.errors import RowbookError, suggestion
from rowbook.lineage.column_lineage import OutputLineage, ProjectLineage
from rowbook.lineage.influences import SourceColumn
from rowbook.lineage.plan_lineage import plan_lineage
from rowbook.lineage.project_lineages import ColumnUse, ProjectLineages, only_column
from rowbook.runs.chains.chain import ChainSource, chain_sources, find_target
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.value_class import dataclass

Direction: TypeAlias = Literal["project", "upstream", "downstream"]


@dataclass(frozen=True, slots=True)
class LineageResult:
    """`outputs` are those of the project: by what it reads itself, or, `upstream`, by what the
    projects before it read. `downstream` there are `uses` instead. `unknown` are projects that
    cannot be planned, whose lineage nobody knows."""

    project: str
    direction: Direction
    column: str | None
    reads: tuple[str, ...]
    outputs: tuple[OutputLineage, ...] = ()
    uses: tuple[ColumnUse, ...] = ()
    unknown: tuple[str, ...] = ()


def find_lineage(
    workspace: OpenWorkspace,
    project: str,
    column: str | None = None,
    direction: Direction = "project",
    *,
    draft: bool = False,
) -> LineageResult:
    """`column` is one of an output, or, downstream, also one that the project reads; with its
    dataset or table before a point, where several have it. USAGE_001 where there is none."""
    target = find_target(workspace, project, draft=draft)
    sources = {each.entry.model.name: each for each in chain_sources(workspace, draft=draft)}
    own = _lineage(sources[target])
    if direction == "project":
        outputs = _chosen(own, column)
        return LineageResult(target, direction, column, own.reads, outputs)
    others = {name: _lineage_or_none(each) for name, each in sources.items() if name != target}
    unknown = tuple(sorted(name for name, found in others.items() if found is None))
    known = (found for found in others.values() if found is not None)
    lineages = ProjectLineages((own, *known))
    if direction == "upstream":
        outputs = _chosen(lineages.upstream(own), column)
        return LineageResult(target, direction, column, own.reads, outputs, (), unknown)
    uses = lineages.downstream(_starts(own, column))
    return LineageResult(target, direction, column, own.reads, (), uses, unknown)


def _lineage(source: ChainSource) -> ProjectLineage:
    planned = source.planned()
    if planned.plan is None:
        raise RowbookError(*(each for each in planned.diagnostics if each.severity == "error"))
    return plan_lineage(planned.plan)


def _lineage_or_none(source: ChainSource) -> ProjectLineage | None:
    plan = source.plan()
    return None if plan is None else plan_lineage(plan)


def _chosen(lineage: ProjectLineage, column: str | None) -> tuple[OutputLineage, ...]:
    if column is None:
        return lineage.outputs
    table, _, name = column.rpartition(".")
    found = [
        output
        for each in lineage.outputs
        if table in ("", each.dataset, each.table) and (output := only_column(each, name))
    ]
    if not found:
        known = {each.column for output in lineage.outputs for each in output.columns}
        message = f"no output of project '{lineage.project}' has a column '{column}'"
        raise _no_column(message, column, known)
    return tuple(found)


def _starts(lineage: ProjectLineage, column: str | None) -> list[SourceColumn]:
    """Columns of what the project registers; or of what it reads or registers, those of a name."""
    made = [
        SourceColumn(each.dataset, written.column)
        for each in lineage.outputs
        if each.dataset is not None
        for written in each.columns
    ]
    if column is None:
        return made
    read = {
        source.key: None
        for output in lineage.outputs
        for sources in (output.rows, *(each.sources for each in output.columns))
        for source in sources
    }
    dataset, _, name = column.rpartition(".")
    starts = [e for e in (*read, *made) if e.column == name and dataset in ("", e.dataset)]
    if not starts:
        known = {each.column for each in (*read, *made)}
        message = (
            f"project '{lineage.project}' reads and registers no column '{column}' that matters"
        )
        raise _no_column(message, column, known)
    return starts


def _no_column(message: str, column: str, known: set[str]) -> RowbookError:
    hint = suggestion(column.rpartition(".")[2], tuple(sorted(known)), "columns")
    return RowbookError.of("USAGE_001", message, hint=hint)
