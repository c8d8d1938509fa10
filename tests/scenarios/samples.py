"""Expectations from YAML, outcomes from Python values, and small workspaces to run."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from rowbook.cli.render.scenarios.scenario_diff import lines
from rowbook.definitions.loading import Entry, load_document
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles, read_workspace
from rowbook.definitions.yaml.nodes import SourceText
from rowbook.definitions.yaml.reader import parse
from rowbook.errors import Diagnostic
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Type
from rowbook.expressions.values import Value
from rowbook.reference.outputs import WrittenTable
from rowbook.runs.execute.result import LedgerEntry
from rowbook.scenarios.compare import compare
from rowbook.scenarios.mismatch import Mismatch
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.row_files import FileRows
from tests.support.write_files import write_files

FILE = "scenarios/trial.yaml"

LEDGER: Mapping[str, Type] = {
    "id": t.STRING,
    "line": t.INTEGER,
    "day": t.DATE,
    "amount": t.decimal(18, 2),
    "_labels": t.STRING,
}
J1 = ("J1", 1, date(2026, 1, 5), Decimal("10.50"), "")
J2 = ("J2", 1, None, Decimal("20.00"), "late")


def table(columns: Mapping[str, Type], *rows: tuple[Value, ...]) -> WrittenTable:
    """Rows that came out, in the order of their columns."""
    fields = tuple(Field(name, kind) for name, kind in columns.items())
    return WrittenTable(fields, tuple(dict(zip(columns, row, strict=True)) for row in rows))


def ledger(*rows: tuple[Value, ...]) -> WrittenTable:
    """Rows with the columns of LEDGER."""
    return table(LEDGER, *rows)


def written(rows: WrittenTable) -> Outcome:
    """A run whose only output, `result`, holds these rows."""
    return Outcome(working=None, outputs={"result": rows})


def entry(
    seq: int, *, rows_in: int = 0, matched: int = 0, deleted: int = 0, rows_out: int = 0
) -> LedgerEntry:
    """An entry of the ledger."""
    return LedgerEntry(seq, f"step {seq}", "update", rows_in, matched, 0, deleted, rows_out, 5)


def failed(code: str, message: str) -> Outcome:
    """A run that ended in an error."""
    return Outcome(errors=(Diagnostic(code, message),))


def expecting(expect: str, match: str = "") -> Entry[ScenarioDefinition]:
    """A scenario with these blocks of YAML as `expect` and `match`."""
    text = "scenario:\n  name: trial\n  period: '2026-01'\n  project: p\n  expect:\n"
    text += indent(dedent(expect).strip("\n"), "    ") + "\n"
    text += f"  match: {{{match}}}\n" if match else ""
    documents, faults = parse(SourceText(FILE, text))
    assert not faults
    loaded = load_document(documents[0])
    assert loaded.diagnostics == ()
    assert loaded.entry is not None
    return loaded.entry


def compared(
    expect: str,
    outcome: Outcome,
    match: str = "",
    *,
    files: Mapping[str, FileRows] | None = None,
    keys: tuple[str, ...] = (),
) -> list[Mismatch]:
    """What is not as the YAML expects."""
    scenario = expecting(expect, match)
    model = scenario.model
    return compare(model.expect, model.match, outcome, scenario.place, files, keys)


def rows_compared(rows: str, actual: WrittenTable, match: str = "") -> list[Mismatch]:
    """What is not as expected in an output, of which `rows` is a YAML list."""
    return compared(f"outputs: {{result: {{rows: {rows}}}}}", written(actual), match)


def text_of(mismatches: list[Mismatch]) -> str:
    """The diff as people see it."""
    return "\n".join(line for m in mismatches for line in lines(m, lambda d: [str(d)]))


def only(mismatches: list[Mismatch]) -> Mismatch:
    """The only mismatch there is."""
    (found,) = mismatches
    return found


WORKSPACE = """\
workspace: {name: acme}
---
dataset:
  name: entries
  main_table:
    name: gl
    columns:
      - {name: id, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)"}
  natural_key_columns: [id]
---
project:
  name: close
  input_dataset_id: entries
  operations:
    - seq: 1
      name: write
      type: output
      arguments: {destination: {datasource_id: lake, table: result}}
"""


def workspace(
    folder: Path, scenarios: str, *, base: str = WORKSPACE, **files: str
) -> WorkspaceFiles:
    """A workspace with these scenarios; `files` are others below its scenarios' folder."""
    content = {"rowbook.yaml": base, FILE: dedent(scenarios)}
    content |= {
        f"scenarios/{name.replace('__', '.')}": dedent(text) for name, text in files.items()
    }
    write_files(folder, content)
    return read_workspace(folder)


def scenario(name: str, *, project: str = "close", **parts: str) -> str:
    """A scenario document; parts are keys with YAML flow values."""
    given: dict[str, Any] = {
        "period": "'2026-01'",
        "project": project,
        "input": "{entries: {rows: [{id: J1, amount: 1}]}}",
        "expect": "{outputs: {result: {rows: [{id: J1}]}}}",
        **parts,
    }
    lines_of = [f"  {key}: {value}" for key, value in given.items() if value]
    return "\n".join([f"scenario:\n  name: {name}", *lines_of]) + "\n---\n"
