"""Everything the benchmarks call inside Rowbook, in one place; tables alone: rowbook_tables.py."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook import Workspace
from rowbook.definitions.loading import load_document
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.yaml.nodes import SourceText
from rowbook.definitions.yaml.reader import parse
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.execution.writers import PassingWriter, Writer
from rowbook.engine.session.jars import Extra
from rowbook.engine.session.java import find_java
from rowbook.engine.session.launch import heap
from rowbook.engine.session.session import EngineSettings, open_session
from rowbook.engine.session.settings import ProfileName
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Type
from rowbook.expressions.values import Value
from rowbook.planning.steps import OutputStep
from rowbook.reference.computation import Computation
from rowbook.reference.outputs import WrittenTable
from rowbook.runs.execute.run_reader import RunReader
from rowbook.runs.execute.run_writer import OutputWriter, PassingOutputs
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request, request_draft
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_snapshot import take_snapshot
from rowbook.runs.preview.plain_preview import PlainInput
from rowbook.scenarios.compare import compare
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.row_files import FileRows
from rowbook.sources.source import BegunOutput

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NOW = "2026-02-03T04:05:06Z"
"""The clock of all runs."""


@contextmanager
def session(
    profile: ProfileName = "bulk", extras: Collection[Extra] = ()
) -> Iterator[SparkSession]:
    """A session as `rowbook run` (bulk) or `rowbook preview` (small) opens it; as there, Python
    does not look through all that is imported for what has gone."""
    with open_session(EngineSettings(profile=profile, extras=frozenset(extras))) as engine:
        gc.freeze()
        yield engine.spark


def wanted(root: Path, project: str, period: str) -> Request:
    """A project of the workspace, checked and planned for a period."""
    with OpenWorkspace(root) as workspace:
        return request_draft(workspace, project, period, now=NOW)


def run(spark: SparkSession, asked: Request, *, ledger: bool = True) -> Path:
    """A draft run: outputs written as `rowbook run --draft` writes them; the folder they are in.
    Without `ledger` nothing is counted."""
    resolved = resolve_run(asked)
    passing = PassingOutputs(resolved)
    writer = OutputWriter(
        resolved,
        lambda *_: None,
        lambda written: [result for _, result in written],
        [],
        passing=passing,
    )
    _run(spark, asked, writer, Options(ledger=ledger), passing)
    return asked.sandbox


@contextmanager
def published(
    spark: SparkSession, root: Path, project: str, period: str
) -> Iterator[Callable[[], None]]:
    """A run that publishes its outputs, of a project that is activated before."""
    with Workspace.open(root, spark=spark, trust=True) as books:
        books.apply()
        books.activate(project)

        def publish() -> None:
            assert books.run(project, period).status == "completed"

        yield publish


def run_unwritten(spark: SparkSession, asked: Request) -> None:
    """A run whose outputs are computed in full and then thrown away."""
    _run(spark, asked, _NoopWriter(), Options(), _NothingPassing())


def run_on_rows(asked: Request) -> None:
    """The same by the reference engine, from reading the files on, without Spark."""
    resolved = resolve_run(asked)
    computation = Computation(asked.plan, asked.context, PlainInput(resolved).tables)
    for _ in computation.follow(computation.start()):
        pass


def found(asked: Request) -> None:
    """What a run finds and records before Spark starts."""
    take_snapshot(resolve_run(asked))


def comparison(count: int, different: int) -> Callable[[], None]:
    """What a scenario does with `count` rows that came out, of which `different` are not as its
    file of expected rows says: to be called as often as wanted."""
    numbers = range(count)
    expected = [_line(i) for i in numbers]
    got = [_line(i) | ({"amount": Decimal(-1)} if i < different else {}) for i in numbers]
    texts = tuple({name: str(value) for name, value in row.items()} for row in expected)
    file = FileRows(tuple(_LINE), texts, tuple(i + 2 for i in numbers))
    fields = tuple(Field(name, kind) for name, kind in _LINE.items())
    outcome = Outcome(outputs={"result": WrittenTable(fields, tuple(got))})
    documents, _ = parse(SourceText("scenario.yaml", _SCENARIO))
    entry = load_document(documents[0]).entry
    assert entry is not None
    scenario = entry.model
    assert isinstance(scenario, ScenarioDefinition)

    def compared() -> None:
        files, keys = {"rows.csv": file}, ("journal_id", "line_number")
        found = compare(scenario.expect, scenario.match, outcome, entry.place, files, keys)
        assert bool(found) == bool(different)

    return compared


_LINE: dict[str, Type] = {
    "journal_id": t.STRING,
    "line_number": t.INTEGER,
    "posting_date": t.DATE,
    "account_code": t.STRING,
    "amount": t.decimal(18, 2),
}
_SCENARIO = """\
scenario:
  name: many rows
  period: "2026-01"
  project: p
  expect: {outputs: {result: {file: rows.csv}}}
"""


def _line(i: int) -> dict[str, Value]:
    journal, line = divmod(i, 4)
    day = date(2026, 1, 1 + journal % 31)
    return {
        "journal_id": f"J{journal:07}",
        "line_number": line + 1,
        "posting_date": day,
        "account_code": str(1000 + i % 8000),
        "amount": Decimal(i * 7919 % 1_000_000) / 100,
    }


def driver_memory() -> str:
    """The heap of a bulk session, for sessions that are opened without Rowbook."""
    return heap({}, "bulk")


def java_home() -> Path:
    """The Java that Rowbook's sessions run on."""
    return find_java().home


def _run(
    spark: SparkSession,
    asked: Request,
    writer: Writer,
    options: Options,
    passing: PassingWriter | None = None,
) -> None:
    with ExitStack() as resources:
        reader = RunReader(lambda: spark, resolve_run(asked), resources)
        pipeline = Pipeline(
            asked.plan, asked.context, reader, writer, options=options, passing=passing
        )
        pipeline.run()
    violated = [each.name for each, seen in pipeline.observations if seen.violated]
    if violated:
        raise RuntimeError(f"expectations that ought to hold do not: {', '.join(violated)}")


class _NoopWriter:
    """Spark's `noop` format computes every row and column, and keeps none."""

    def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
        """See Writer."""
        frame.write.format("noop").mode("overwrite").save()


class _NothingPassing:
    """Rows pass to be grouped, and are written by nobody."""

    seqs: frozenset[int] = frozenset()

    def begin(self, step: OutputStep) -> BegunOutput:
        raise AssertionError("no output is begun")

    def written(self, step: OutputStep, rows: int) -> None:
        raise AssertionError("no output is begun")

    def refusal(self, step: OutputStep, error: Exception) -> RowbookError | None:
        return None
