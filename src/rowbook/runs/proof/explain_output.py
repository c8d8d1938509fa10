"""What a figure of an output of a past run is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rowbook.errors import RowbookError, suggestion
from rowbook.expressions.bound import Bound
from rowbook.expressions.folding import TRUE
from rowbook.expressions.scope import Scope, Table
from rowbook.planning.columns import is_listed
from rowbook.planning.steps import OutputStep
from rowbook.proof.backward.row_questions import figure_rows
from rowbook.proof.explain_figure import ExplainOptions, explain_figure
from rowbook.proof.explanation import Explanation
from rowbook.proof.figure import Figure
from rowbook.proof.replay import Replay, SourceRow
from rowbook.reference.working_rows import JoinedRow
from rowbook.runs.compare.past_runs import OutputTable, past_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.proof.earlier_runs import EarlierRuns, run_label
from rowbook.runs.proof.many_rows_error import ManyRowsError, refused
from rowbook.runs.proof.published_rows import compare_published
from rowbook.runs.proof.run_replay import RunReplay, replay_again, run_again
from rowbook.runs.tables.row_condition import row_condition
from rowbook.runs.tables.run_output import choose_table
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """The figure: a column of the rows of an output, by seq, name or table (None: the only one),
    that `where` is true for. `group_by` gathers contributions by columns; `not_in` is a condition
    on rows as they were read, for those that are not in it; `limit` is how many are listed."""

    output: str | None
    column: str
    where: str | None = None
    group_by: tuple[str, ...] = ()
    not_in: str | None = None
    limit: int = 10
    accept_changed_input: bool = False


def explain_output(
    workspace: OpenWorkspace, run_id: str, request: ExplainRequest, use: SparkUse
) -> Explanation:
    """PROOF_002 where the figure is none: several rows of a column that nothing sums up. PROOF_001
    where very many rows are more than summed up."""
    try:
        return _explained(workspace, run_id, request, use)
    except ManyRowsError as cause:
        raise refused(run_id, cause) from cause


def _explained(
    workspace: OpenWorkspace, run_id: str, request: ExplainRequest, use: SparkUse
) -> Explanation:
    past = past_run(workspace, run_id)
    table = choose_table(past, request.output)
    step, accepted = table.step, request.accept_changed_input
    where = _where(request, step, past.request.plan.input.table_name)
    with run_again(workspace, run_id, step.seq, accept_changed_input=accepted) as again:
        try:
            run = replay_again(again, lambda _: figure_rows(step.seq, where or TRUE), use)
        except ManyRowsError:
            if not step.columns.fields[request.column].type.is_numeric:
                raise
        else:
            before = EarlierRuns(workspace, use, again.resources, accept_changed_input=accepted)
            return explain_replayed(workspace, run, table, request, use, before)
        from rowbook.runs.proof.explain_many import ManyQuestion, explain_many

        label = run_label(again.past, step)
        return explain_many(again, ManyQuestion(step, where, request, label), use)


_OTHERS = "why other rows are not in it is told of the rows that were replayed"


def explain_replayed(
    workspace: OpenWorkspace,
    run: RunReplay,
    table: OutputTable,
    request: ExplainRequest,
    use: SparkUse | None = None,
    before: EarlierRuns | None = None,
) -> Explanation:
    """Of a run that was replayed for this output, all of it where Spark is not to be used; with
    what runs before had computed where these are followed."""
    where = _where(request, table.step, run.past.request.plan.input.table_name)
    figure = Figure(run.replay, table.step.seq, request.column, where)
    _check_one(figure)
    options = ExplainOptions(
        _group_columns(request, run.replay),
        request.limit,
        _is_wanted(request.not_in, run.replay),
    )
    found = explain_figure(figure, run_label(run.past, table.step), options)
    replayed, why = compare_published(figure, run, table, workspace, request.where, use)
    part = () if run.part is None else (run.part, _OTHERS)
    return replace(
        found,
        replayed=replayed,
        inputs=run.inputs,
        warnings=(*run.warnings, *part, *found.warnings, *why),
        earlier=before.explanations(figure, run, request.limit) if before else (),
    )


def _where(request: ExplainRequest, step: OutputStep, table_name: str) -> Bound | None:
    """USAGE_001 for a column that the output does not have."""
    fields = step.fields
    names = [each.name for each in fields]
    if request.column not in names:
        hint = suggestion(request.column, names, "columns")
        message = f"output {step.seq} '{step.name}' has no column '{request.column}'"
        raise RowbookError.of("USAGE_001", message, hint=hint)
    return row_condition(request.where, Scope(Table.of(fields), table_name))


def _check_one(figure: Figure) -> None:
    if len(figure.numbers) > 1 and not figure.type.is_numeric:
        rows = len(figure.numbers)
        message = f"'{figure.column}' is {figure.type}, and {rows:,} rows of the output are meant"
        hint = "say with --where which of them it is"
        raise RowbookError.of("PROOF_002", message, hint=hint)


def _group_columns(request: ExplainRequest, replay: Replay) -> tuple[str, ...]:
    last = replay.plan.steps[-1].columns.fields
    known = dict.fromkeys(
        (*last, *(name for each in replay.sources.values() for name in each.values))
    )
    for name in request.group_by:
        if name not in known:
            hint = suggestion(name, [each for each in known if is_listed(each)], "columns")
            raise RowbookError.of("USAGE_001", f"there is no column '{name}'", hint=hint)
    return request.group_by


def _is_wanted(condition: str | None, replay: Replay) -> Callable[[SourceRow], bool]:
    """Rows of datasets that do not have the columns are not meant."""
    if condition is None:
        return lambda _: True
    bound: dict[tuple[str, int], Callable[[JoinedRow], bool] | None] = {}
    failure: RowbookError | None = None
    datasets = {each.key[:2]: each.dataset for each in replay.sources.values()}
    for key, dataset in datasets.items():
        try:
            tree = row_condition(condition, Scope(dataset.readable, dataset.table_name))
        except RowbookError as error:
            failure = failure or error
            bound[key] = None
        else:
            picks = replay.environment.evaluators.condition(tree)
            bound[key] = picks
    if failure is not None and not any(bound.values()):
        raise failure

    def is_wanted(source: SourceRow) -> bool:
        picks = bound[source.key[:2]]
        return picks is not None and picks({None: source.values})

    return is_wanted
