"""Small workspaces with a mistake in them, or with a warning."""

from __future__ import annotations

BASE = """\
workspace: {name: acme, default_resolver_id: r}
---
dataset:
  name: ledger
  main_table:
    name: gl
    columns: [{name: currency, type: string}, {name: amount, type: "decimal(18,2)"}]
---
resolver: {name: r, rules: [{name: all, strategy: {type: catalog, table: t}}]}
"""

HEAD = "project:\n  name: close\n  input_dataset_id: ledger\n  operations:\n"


def deleting(selector: str) -> dict[str, str]:
    """A workspace whose project deletes by a selector, written as it stands in the file."""
    operation = f"    - seq: 1\n      name: drop\n      type: delete\n      selector: {selector}\n"
    return {"rowbook.yaml": BASE, "projects/close.yaml": HEAD + operation}


WRONG = deleting('"amout = 0"')
WARNED = {
    "rowbook.yaml": BASE,
    "projects/close.yaml": HEAD + "    - {seq: 1, name: a, type: update, arguments:"
    ' {assignments: [{column: net, expression: "amount"}]}}\n'
    + "    - {seq: 2, name: b, type: update, arguments:"
    ' {assignments: [{column: net, expression: "amount * 0.125"}]}}\n',
}
