"""What breaks the rules of all operations."""

from __future__ import annotations

from tests.planning.rules.case import FX, Case
from tests.support.trial import (
    ONLY_LEDGER_RESOLVED,
    aggregate,
    append,
    delete,
    output,
    project,
    update,
)

OPERATIONS = (
    Case("BR-001", "seq 0", project("- {seq: ⟦0, name: a, type: delete}"), "PROJECT_002"),
    Case("BR-001", "seq -3", project("- {seq: ⟦-3, name: a, type: delete}"), "PROJECT_002"),
    Case(
        "BR-001",
        "the same seq twice",
        project("- {seq: 7, name: a, type: delete}", "- {seq: ⟦7, name: b, type: delete}"),
        "PROJECT_002",
    ),
    Case(
        "BR-004",
        "an update that asks for deleted rows",
        project(
            "- {seq: 1, name: a, type: update, arguments: {⟦include_deleted: true,"
            ' assignments: [{column: net, expression: "1"}]}}'
        ),
        "YAML_002",
    ),
    Case("BR-006 VR-003", "update", project(update(selector="⟦{{nope}}", net="1")), "UPDATE_003"),
    Case(
        "BR-006",
        "aggregate",
        project(aggregate(selector="posted AND ⟦{{nope}}", n="COUNT(*)")),
        "SELECTOR_001",
    ),
    Case(
        "BR-006",
        "append",
        project(append("late_entries", more='source_selector: "⟦{{nope}}"')),
        "SELECTOR_001",
    ),
    Case("BR-006", "delete", project(delete("NOT ⟦{{nope}}")), "SELECTOR_001"),
    Case("BR-006 V-001", "output", project(output(selector="⟦{{nope}}")), "OUTPUT_001"),
    Case(
        "BR-006",
        "a selector that is not boolean",
        project(delete("{{total}}"), more='selectors: {total: "⟦amount * 2"}'),
        "SELECTOR_003",
    ),
    Case(
        "BR-007",
        "an assignment without expression",
        project(
            "- {seq: 1, name: a, type: update, arguments: {assignments: [⟦{column: net}]}}",
        ),
        "YAML_003",
    ),
    Case(
        "VR-001 BR-007",
        "no assignments",
        project("- {seq: 1, name: a, type: update, arguments: {assignments: ⟦[]}}"),
        "UPDATE_001",
    ),
    Case(
        "BR-008 BR-015",
        "the alias of another operation's join",
        project(update(joins=FX, net="amount * fx.rate"), update(seq=2, net="⟦fx.rate")),
        "EXPR_003",
    ),
    Case(
        "BR-008a",
        "a join of a dataset that does not exist",
        project(update(joins='{alias: a, dataset_id: ⟦rats, on: "gl.currency = a.x"}', net="1")),
        "JOIN_001",
    ),
    Case(
        "BR-008a",
        "a join of a disabled dataset",
        project(update(joins='{alias: a, dataset_id: ⟦retired, on: "gl.currency = a.x"}', net="1")),
        "JOIN_003",
    ),
    Case("BR-008a APPEND_001", "a disabled source", project(append("⟦retired")), "APPEND_001"),
    Case(
        "BR-008a",
        "a join of a dataset without resolver",
        project(
            update(
                joins='{alias: fx, dataset_id: ⟦rates, on: "gl.currency = fx.currency"}',
                net="fx.rate",
            )
        ),
        "RESOLVER_005",
        ONLY_LEDGER_RESOLVED,
    ),
    Case(
        "BR-008b",
        "a join with a period of its own",
        project(
            update(
                joins='{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency",'
                ' ⟦period: "2026-01"}',
                net="fx.rate",
            )
        ),
        "YAML_002",
    ),
    Case(
        "BR-008c",
        "a join pinned to a version that does not exist",
        project(
            update(joins='{alias: a, dataset_id: rates, dataset_version: ⟦2, on: "TRUE"}', net="1")
        ),
        "JOIN_002",
    ),
    Case(
        "BR-010 APPEND_003",
        "a source with columns that the working dataset does not have",
        project(append("⟦budget")),
        "APPEND_003",
    ),
    Case(
        "BR-011",
        "a delete with a destination",
        project(
            "- {seq: 1, name: a, type: delete, arguments: ⟦{destination: {location: {path: x}}}}"
        ),
        "PROJECT_006",
    ),
    Case(
        "BR-011",
        "an update with a destination",
        project(
            "- {seq: 1, name: a, type: update, arguments: {⟦destination: {location: {path: x}},"
            ' assignments: [{column: net, expression: "1"}]}}'
        ),
        "YAML_002",
    ),
    Case("BR-014", "in an assignment", project(update(net="⟦SUM(amount)")), "EXPR_007"),
    Case(
        "BR-014",
        "in an update's selector",
        project(update(selector="amount > ⟦AVG(amount)", net="1")),
        "EXPR_007",
    ),
    Case("BR-014", "in a delete's selector", project(delete("⟦COUNT(*) > 1")), "EXPR_007"),
    Case(
        "BR-014", "in an output's selector", project(output(selector="⟦COUNT(*) > 1")), "EXPR_007"
    ),
    Case(
        "BR-014",
        "in a join's condition",
        project(update(joins='{alias: fx, dataset_id: rates, on: "⟦MAX_AGG(posted)"}', net="1")),
        "EXPR_007",
    ),
    Case(
        "BR-014",
        "in a source_selector",
        project(append("late_entries", more='source_selector: "⟦COUNT(*) > 1"')),
        "EXPR_007",
    ),
    Case(
        "BR-014",
        "in a named selector",
        project(delete("{{many}}"), more='selectors: {many: "⟦COUNT(*) > 1"}'),
        "EXPR_007",
    ),
    Case("BR-015 VR-006", "update", project(update(net="gl.amount + ⟦gl.amout")), "EXPR_002"),
    Case("BR-015", "delete", project(delete("⟦amout = 0")), "EXPR_002"),
    Case("BR-015", "aggregate", project(aggregate(total="SUM(⟦amout)")), "AGGREGATE_004"),
    Case(
        "BR-015 APPEND_006",
        "append",
        project(append("late_entries", more="source_selector: \"⟦currency = 'EUR'\"")),
        "APPEND_006",
    ),
    Case("BR-015 V-001", "output", project(output(selector="⟦amout = 0")), "OUTPUT_001"),
)
