"""What breaks the rules of update and output."""

from __future__ import annotations

from tests.planning.rules.case import Case
from tests.support.trial import (
    output,
    project,
    update,
)

UPDATE = (
    Case(
        "VR-002",
        "a column name with a blank",
        project(
            "- {seq: 1, name: a, type: update, arguments:"
            ' {assignments: [{column: ⟦"net amount", expression: "1"}]}}'
        ),
        "UPDATE_002",
    ),
    Case(
        "VR-002",
        "a column name that starts with a digit",
        project(
            "- {seq: 1, name: a, type: update, arguments:"
            ' {assignments: [{column: ⟦1st, expression: "1"}]}}'
        ),
        "UPDATE_002",
    ),
    Case("VR-004", "syntax", project(update(selector="amount ⟦amount", net="1")), "UPDATE_004"),
    Case("VR-005", "syntax", project(update(net="(amount + 1⟦")), "UPDATE_005"),
    Case("VR-007", "types", project(update(net="⟦amount + currency")), "EXPR_004"),
    Case("VR-007", "the column's type", project(update(amount="⟦currency")), "EXPR_004"),
)

OUTPUT = (
    Case("V-001", "syntax", project(output(selector="amount = ⟦= 0")), "OUTPUT_001"),
    Case("V-001", "unknown table", project(output(selector="⟦ledger.amount = 0")), "OUTPUT_001"),
    Case("V-002", "column", project(output(more="columns: [amount, ⟦amout]")), "OUTPUT_002"),
    Case("V-003", "none", project(output(to="⟦{}")), "OUTPUT_003"),
    Case("V-003", "half a table", project(output(to="⟦{datasource_id: lake}")), "OUTPUT_003"),
    Case(
        "V-003",
        "an empty table",
        project(output(to='⟦{datasource_id: lake, table: ""}')),
        "OUTPUT_003",
    ),
    Case("V-003", "no data source", project(output(to="⟦{table: result}")), "OUTPUT_003"),
    Case(
        "V-003",
        "both",
        project(output(to="⟦{datasource_id: lake, table: t, location: {path: out}}")),
        "OUTPUT_003",
    ),
    Case("V-004", "name", project(output(more='register_as_dataset: ⟦""')), "OUTPUT_004"),
    Case("V-005", "selector", project(output(selector="⟦amount + 1")), "OUTPUT_005"),
    Case("V-007", "columns", project(output(more="columns: ⟦[]")), "OUTPUT_007"),
)
