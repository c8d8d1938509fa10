"""What breaks the rules of append."""

from __future__ import annotations

from tests.planning.rules.case import TOTAL, Case, summed
from tests.support.trial import (
    ONLY_LEDGER_RESOLVED,
    append,
    project,
)

APPEND = (
    Case("APPEND_001", "unknown", project(append("⟦late_entry")), "APPEND_001"),
    Case(
        "APPEND_002",
        "the pinned version is not there",
        project(append("late_entries, dataset_version: ⟦5")),
        "APPEND_002",
    ),
    Case(
        "APPEND_003 alignment 1",
        "a result that the working dataset does not have",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: ⟦total_budget, expression: "SUM(amount)"}'),
            )
        ),
        "APPEND_003",
    ),
    Case(
        "APPEND_003 alignment 1",
        "a key that the working dataset does not have",
        project(append("budget", more=summed("⟦kind", TOTAL))),
        "APPEND_003",
    ),
    Case(
        "APPEND_003",
        "a result of another type",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: ⟦currency, expression: "SUM(amount)"}'),
            )
        ),
        "APPEND_003",
    ),
    Case(
        "APPEND_004",
        "source_selector",
        project(append("late_entries", more='source_selector: "invalid ⟦syntax here"')),
        "APPEND_004",
    ),
    Case(
        "APPEND_004",
        "an aggregation",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: amount, expression: "SUM(amount⟦"}'),
            )
        ),
        "APPEND_004",
    ),
    Case(
        "APPEND_005",
        "an unknown function",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: amount, expression: "⟦MEDIAN(amount)"}'),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "no aggregate function",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: amount, expression: "⟦amount"}'),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "nested aggregates",
        project(
            append(
                "budget",
                more=summed(
                    "account_code", '{column: amount, expression: "SUM(⟦MAX_AGG(amount))"}'
                ),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "no keys",
        project(append("budget", more=f"aggregation: {{group_by: ⟦[], aggregations: [{TOTAL}]}}")),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "no results",
        project(
            append("budget", more="aggregation: {group_by: [account_code], aggregations: ⟦[]}")
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "a key twice",
        project(append("budget", more=summed("account_code, ⟦plan.account_code", TOTAL))),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "a result twice",
        project(
            append(
                "budget",
                more=summed("account_code", TOTAL, '{column: ⟦amount, expression: "AVG(amount)"}'),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "a system column as result",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: ⟦_labels, expression: "MAX_AGG(kind)"}'),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "a key as result",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: ⟦account_code, expression: "MAX_AGG(kind)"}'),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_006",
        "group_by",
        project(append("budget", more=summed("account_code, ⟦nonexistent_column", TOTAL))),
        "APPEND_006",
    ),
    Case(
        "APPEND_006",
        "an aggregation",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: amount, expression: "SUM(⟦amout)"}'),
            )
        ),
        "APPEND_006",
    ),
    Case(
        "APPEND_007",
        "no resolver anywhere",
        project(append("⟦late_entries")),
        "APPEND_007",
        ONLY_LEDGER_RESOLVED,
    ),
)
