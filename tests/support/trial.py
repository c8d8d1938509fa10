"""A small workspace to break: texts in, findings and plans out, places marked in the text itself.

`⟦` stands before the character at which a finding is expected. It is taken out before the text is
written, and the finding must stand at exactly that line and column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

from rowbook.errors import Diagnostic
from rowbook.planning.columns import Columns
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AnyStep
from rowbook.planning.workspace_check import CheckedWorkspace, check_workspace
from tests.support.write_files import write_files

MARK = "⟦"
FILE = "projects/trial.yaml"

BASE = """\
workspace: {name: acme, default_resolver_id: warehouse}
---
dataset:
  name: gl_entries
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: journal_id, type: string, nullable: false}
      - {name: line_number, type: integer, nullable: false}
      - {name: posting_date, type: date}
      - {name: account_code, type: string, nullable: false}
      - {name: currency, type: string}
      - {name: amount, type: "decimal(18,2)", nullable: false}
      - {name: weight, type: float}
      - {name: posted, type: boolean}
      - {name: entered, type: timestamp}
  natural_key_columns: [journal_id, line_number]
  lookups:
    - {alias: accounts, dataset_id: accounts, on: "gl.account_code = accounts.account_code"}
    - {alias: groups, dataset_id: groups, on: "accounts.group_code = groups.group_code"}
---
dataset:
  name: accounts
  main_table:
    name: accounts
    columns: [{name: account_code, type: string, nullable: false}, {name: group_code, type: string}]
---
dataset:
  name: groups
  main_table:
    name: groups
    columns: [{name: group_code, type: string, nullable: false}, {name: title, type: string}]
---
dataset:
  name: rates
  main_table:
    name: fx
    temporal_mode: period
    columns:
      - {name: currency, type: string, nullable: false}
      - {name: rate, type: "decimal(12,6)", nullable: false}
---
dataset:
  name: budget
  main_table:
    name: plan
    temporal_mode: period
    columns:
      - {name: account_code, type: string, nullable: false}
      - {name: kind, type: string}
      - {name: amount, type: "decimal(18,2)"}
      - {name: share, type: "decimal(9,6)"}
  lookups:
    - {alias: chart, dataset_id: accounts, on: "plan.account_code = chart.account_code"}
---
dataset:
  name: late_entries
  main_table:
    name: late
    temporal_mode: period
    columns:
      - {name: journal_id, type: string, nullable: false}
      - {name: line_number, type: integer, nullable: false}
      - {name: amount, type: integer, nullable: false}
---
dataset:
  name: retired
  status: disabled
  main_table: {name: retired, columns: [{name: currency, type: string}]}
---
datasource: {name: lake, type: parquet, options: {root: data/lake}}
---
datasource: {name: erp, type: jdbc, options: {url: "jdbc:postgresql://db:5432/erp", user: reader}}
---
datasource: {name: tape, type: csv, status: disabled}
---
resolver:
  name: warehouse
  rules: [{name: all, strategy: {type: table, datasource_id: lake, table: "{{table_name}}"}}]
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """A workspace in a folder of its own: BASE in rowbook.yaml, the text on trial beside it."""

    folder: Path

    def check(
        self, text: str, *, base: str = BASE, files: Mapping[str, str] | None = None
    ) -> CheckedWorkspace:
        """Everything that is found with this text as one more file."""
        all_files = {"rowbook.yaml": base, FILE: text, **(files or {})}
        write_files(self.folder, {n: content.replace(MARK, "") for n, content in all_files.items()})
        return check_workspace(self.folder)

    def refuses(
        self, text: str, *codes: str, base: str = BASE, files: Mapping[str, str] | None = None
    ) -> tuple[Diagnostic, ...]:
        """The findings: those of the codes, each at its mark in the text, and no others."""
        found = self.check(text, base=base, files=files).diagnostics
        expected = list(zip(codes, marks(text), strict=True))
        assert places(found) == expected, f"expected {expected}, found {list(map(str, found))}"
        return found

    def accepts(self, text: str, *, base: str = BASE) -> CheckedWorkspace:
        """The workspace, in which nothing is found: no error, no warning."""
        checked = self.check(text, base=base)
        assert [str(d) for d in checked.diagnostics] == []
        return checked

    def plan(self, text: str, *, base: str = BASE) -> ProjectPlan:
        """The plan of the one project in the text, in which nothing is found."""
        return plan_of(self.accepts(text, base=base))

    def step(self, operation: str, *, base: str = BASE) -> AnyStep:
        """The step of a project's only operation."""
        (step,) = self.plan(project(operation), base=base).steps
        return step


def plan_of(checked: CheckedWorkspace) -> ProjectPlan:
    """The plan of the workspace's only project."""
    (planned,) = checked.projects.values()
    assert planned.plan is not None
    return planned.plan


def places(found: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    """Code and place of each finding."""
    return [(d.code, str(d.position)) for d in found]


def marks(text: str, file: str = FILE) -> list[str]:
    """The marked places of a text, in order."""
    result: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        column = 1
        for part in line.split(MARK)[:-1]:
            column += len(part)
            result.append(f"{file}:{number}:{column}")
    return result


def project(*operations: str, more: str = "", input_dataset_id: str = "gl_entries") -> str:
    """A project of these operations; `more` are further keys of it."""
    head = f"project:\n  name: trial\n  input_dataset_id: {input_dataset_id}\n"
    body = "\n".join(dedent(operation).strip("\n") for operation in operations)
    return f"{head}{indent(dedent(more), '  ')}\n  operations:\n{indent(body, '    ')}\n"


def update(*, seq: int = 1, selector: str | None = None, joins: str = "", **columns: str) -> str:
    """An update that assigns to each column its expression."""
    listed = ", ".join(f'{{column: {c}, expression: "{e}"}}' for c, e in columns.items())
    joined = f"joins: [{joins}], " if joins else ""
    return _operation(seq, "update", selector, f"{joined}assignments: [{listed}]")


def aggregate(
    *, by: str = "account_code", seq: int = 1, selector: str | None = None, **columns: str
) -> str:
    """An aggregate by some columns, with an expression for each result."""
    listed = ", ".join(f'{{column: {c}, expression: "{e}"}}' for c, e in columns.items())
    return _operation(seq, "aggregate", selector, f"group_by: [{by}], aggregations: [{listed}]")


def append(source: str, *, seq: int = 1, more: str = "") -> str:
    """An append of a dataset; `more` are further arguments."""
    return _operation(seq, "append", None, f"source: {{dataset_id: {source}}}{more and ', '}{more}")


def delete(selector: str | None = None, *, seq: int = 1) -> str:
    """A delete."""
    return _operation(seq, "delete", selector, "")


def output(
    *,
    seq: int = 1,
    selector: str | None = None,
    to: str = "{datasource_id: lake, table: result}",
    more: str = "",
) -> str:
    """An output into the lake; `more` are further arguments."""
    return _operation(seq, "output", selector, f"destination: {to}{more and ', '}{more}")


def _operation(seq: int, kind: str, selector: str | None, arguments: str) -> str:
    condition = "" if selector is None else f'selector: "{selector}", '
    return f"- {{seq: {seq}, name: {kind}, type: {kind}, {condition}arguments: {{{arguments}}}}}"


def types(columns: Columns) -> dict[str, str]:
    """The business columns with their types; `?` marks those that may be NULL."""
    return {f.name: f"{f.type}{'?' if f.nullable else ''}" for f in columns.business}


LEDGER = {
    "journal_id": "string",
    "line_number": "integer",
    "posting_date": "date?",
    "account_code": "string",
    "currency": "string?",
    "amount": "decimal(18,2)",
    "weight": "float?",
    "posted": "boolean?",
    "entered": "timestamp?",
}
"""The business columns that a project starts with."""

NO_DEFAULT = BASE.replace(", default_resolver_id: warehouse", "")
"""No dataset has a resolver."""

ONLY_LEDGER_RESOLVED = NO_DEFAULT.replace(
    "  name: gl_entries\n", "  name: gl_entries\n  resolver_id: warehouse\n"
)
"""Only the input dataset has one."""
