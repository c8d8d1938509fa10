"""What breaks the rules of aggregate."""

from __future__ import annotations

from tests.planning.rules.case import Case
from tests.support.trial import (
    aggregate,
    project,
)

AGGREGATE = (
    Case(
        "aggregate: group_by is not empty",
        "empty",
        project(
            "- {seq: 1, name: a, type: aggregate, arguments:"
            ' {group_by: ⟦[], aggregations: [{column: n, expression: "COUNT(*)"}]}}'
        ),
        "AGGREGATE_001",
    ),
    Case(
        "aggregate: aggregations are not empty",
        "empty",
        project(
            "- {seq: 1, name: a, type: aggregate, arguments:"
            " {group_by: [currency], aggregations: ⟦[]}}"
        ),
        "AGGREGATE_002",
    ),
    Case(
        "aggregate: keys are unique",
        "the same column in two spellings",
        project(aggregate(by="currency, ⟦gl.currency", n="COUNT(*)")),
        "AGGREGATE_003",
    ),
    Case(
        "aggregate: columns exist BR-015",
        "a key",
        project(aggregate(by="⟦curency", n="COUNT(*)")),
        "AGGREGATE_004",
    ),
    Case(
        "aggregate: columns exist BR-015",
        "an expression",
        project(aggregate(by="currency", n="SUM(amount) / COUNT(⟦amout)")),
        "AGGREGATE_004",
    ),
    Case(
        "aggregate: columns exist BR-015",
        "the selector",
        project(aggregate(by="currency", selector="⟦amout > 0", n="COUNT(*)")),
        "AGGREGATE_004",
    ),
    *(
        Case(
            "aggregate: no result in a system column",
            name,
            project(
                "- {seq: 1, name: a, type: aggregate, arguments: {group_by: [currency],"
                f' aggregations: [{{column: ⟦{name}, expression: "COUNT(*)"}}]}}}}'
            ),
            "AGGREGATE_005",
        )
        for name in (
            *("_row_id", "_created_at", "_updated_at", "_source_dataset_id", "_source_table"),
            *("_deleted", "_period"),
        )
    ),
    Case(
        "aggregate: an aggregate function",
        "a literal",
        project(aggregate(by="currency", n="⟦1")),
        "AGGREGATE_007",
    ),
    Case(
        "aggregate: an aggregate function",
        "a column that is not a key",
        project(aggregate(by="currency", n="SUM(amount) + ⟦line_number")),
        "AGGREGATE_007",
    ),
    Case(
        "aggregate: an aggregate function",
        "nested",
        project(aggregate(by="currency", n="SUM(⟦COUNT(*))")),
        "AGGREGATE_007",
    ),
    Case(
        "aggregate: results are unique",
        "twice",
        project(
            "- {seq: 1, name: a, type: aggregate, arguments: {group_by: [currency], aggregations:"
            ' [{column: n, expression: "COUNT(*)"}, {column: ⟦n, expression: "SUM(amount)"}]}}'
        ),
        "AGGREGATE_006",
    ),
    Case(
        "aggregate: results are unique",
        "a key",
        project(
            "- {seq: 1, name: a, type: aggregate, arguments: {group_by: [currency], aggregations:"
            ' [{column: ⟦currency, expression: "MAX_AGG(currency)"}]}}'
        ),
        "AGGREGATE_006",
    ),
)
