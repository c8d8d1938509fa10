"""The rules that the scenario library shows, document by document.

Rules without a number of their own in their document have one here: UPDATE-SCHEMA-1,
AGGREGATE-EDGE-3. A scenario names the rules it shows in the first line of its description.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `elsewhere` says where it is shown, or the rest of it, if not by a scenario."""

    id: str
    says: str
    elsewhere: str = ""


def _rules(*rows: tuple[str, str] | tuple[str, str, str]) -> tuple[Rule, ...]:
    return tuple(Rule(*row) for row in rows)


_LIFE_CYCLE = "It belongs to the life cycle of projects (`rowbook activate`), not to a single run."
_REGISTERING = "A scenario has no store to register datasets in."

DOCUMENTS: Mapping[str, tuple[Rule, ...]] = {
    "Operations": _rules(
        ("BR-001", "`seq` is positive and unique in a project; gaps are allowed."),
        ("BR-002", "The operations of a draft may be reordered freely.", _LIFE_CYCLE),
        ("BR-003", "Reordering an active project makes a new version of it.", _LIFE_CYCLE),
        ("BR-004", "Deleted rows are invisible; only an output can ask for them."),
        ("BR-005", "Without a selector an operation works on all rows that are not deleted."),
        ("BR-006", "A named selector must be defined in the project."),
        ("BR-007", "An assignment has an expression, which may use the joins of its operation."),
        ("BR-008", "A join's alias is known in its own operation only."),
        (
            "BR-008a",
            "A joined dataset must exist and be active; it is found as the input is.",
            "Resolvers play no part in scenarios: [RESOLVER_005](errors.md#resolver_005).",
        ),
        ("BR-008b", "A joined dataset is read for the run's period or as-of date."),
        (
            "BR-008c",
            "A join takes the version it pins, otherwise the latest active one.",
            "That the version is recorded with the run is not seen in a scenario.",
        ),
        ("BR-009", "An aggregate adds rows; it replaces and removes none."),
        ("BR-010", "Appended rows have only columns of the working dataset; the others are NULL."),
        ("BR-011", "Only an output writes anything; other operations change the working dataset."),
        ("BR-012", "An output may stand anywhere among the operations."),
        ("BR-013", "An output without `include_deleted` writes no deleted row."),
        ("BR-014", "Aggregate functions are refused outside of aggregations."),
        ("BR-015", "Every column that an expression names must be there."),
    ),
    "Update": _rules(
        ("VR-001", "There is at least one assignment."),
        ("VR-002", "The column of an assignment has a valid name."),
        ("VR-003", "A named selector is defined."),
        ("VR-004", "The selector parses and is a condition."),
        ("VR-005", "The expression of an assignment parses."),
        ("VR-006", "The columns that expressions name are there."),
        ("VR-007", "Types go together, or convert."),
        ("VR-008", "The working dataset has `_updated_at`."),
        ("UPDATE-SYSTEM-1", "`_updated_at` becomes the run's start on changed rows only."),
        ("UPDATE-SYSTEM-2", "An update neither sees deleted rows nor changes `_deleted`."),
        ("UPDATE-SCHEMA-1", "A new column is NULL on rows that are not selected."),
        ("UPDATE-SCHEMA-2", "An existing column keeps its type, other rows keep their values."),
    ),
    "Windows": _rules(
        ("WINDOW-GROUP-1", "A row sees values of its own group; no row comes or goes."),
        ("WINDOW-GROUP-2", "NULL as a key is a group of its own."),
        ("WINDOW-GROUP-3", "Without keys all rows are one group."),
        ("WINDOW-GROUP-4", "Rows that the window's selector picks count; all of the group see."),
        ("WINDOW-GROUP-5", "Deleted rows neither count nor see."),
        ("WINDOW-ORDER-1", "With an order rows have a number, and a rank."),
        ("WINDOW-ORDER-2", "With an order a value is of the rows up to and including each row."),
        ("WINDOW-ORDER-3", "NULL comes last in an order, also where it is descending."),
        ("WINDOW-ORDER-4", "A row that the window's selector does not pick has no place."),
        ("WINDOW-ORDER-5", "Rows that are equal by the order are in the order of `_row_id`."),
        ("WINDOW-ORDER-6", "Functions of the order are refused where there is none."),
        ("WINDOW-UPDATE-1", "A window sees the rows as they are before its update."),
        ("WINDOW-UPDATE-2", "The update's selector may use values of windows."),
        ("WINDOW-UPDATE-3", "Values may use lookups, and the joins of the update."),
        ("WINDOW-UPDATE-4", "A window's alias is known in its own update only."),
    ),
    "Aggregate": _rules(
        ("AGGREGATE-VALIDATION-1", "`group_by` is not empty."),
        ("AGGREGATE-VALIDATION-2", "`aggregations` is not empty."),
        ("AGGREGATE-VALIDATION-3", "A key stands once."),
        ("AGGREGATE-VALIDATION-4", "All columns are there."),
        ("AGGREGATE-VALIDATION-5", "A result does not go into a system column."),
        ("AGGREGATE-VALIDATION-6", "An aggregation uses an aggregate function."),
        ("AGGREGATE-VALIDATION-7", "A result column stands once, and is no key."),
        ("AGGREGATE-ROW-1", "A summary row holds the keys of its group."),
        ("AGGREGATE-ROW-2", "A summary row holds the results."),
        ("AGGREGATE-ROW-3", "A summary row has system columns of its own."),
        ("AGGREGATE-ROW-4", "Every other column of a summary row is NULL."),
        ("AGGREGATE-INVARIANT-1", "Rows out are rows in and summary rows."),
        ("AGGREGATE-INVARIANT-2", "`_row_id` is unique."),
        ("AGGREGATE-INVARIANT-3", "Summary rows have the columns of the working dataset."),
        ("AGGREGATE-INVARIANT-4", "A summary row's system columns are filled, `_period` aside."),
        ("AGGREGATE-INVARIANT-5", "Summary rows are not deleted."),
        ("AGGREGATE-INVARIANT-6", "Columns that are neither key nor result are NULL."),
        ("AGGREGATE-EDGE-1", "No rows: nothing is added."),
        ("AGGREGATE-EDGE-2", "One group: one summary row."),
        ("AGGREGATE-EDGE-3", "NULL as a key is a group of its own."),
        ("AGGREGATE-EDGE-4", "NULL values are left out; `COUNT(*)` counts them."),
        ("AGGREGATE-EDGE-5", "Nothing but NULLs: NULL, and 0 or the group's size for counts."),
        ("AGGREGATE-TYPE-SUM", "A sum of integers or decimals is a decimal."),
        ("AGGREGATE-TYPE-COUNT", "A count is an integer."),
        ("AGGREGATE-TYPE-AVG", "An average of integers or decimals is a decimal."),
        ("AGGREGATE-TYPE-BY", "The value of a row with the least or greatest order has its type."),
        ("AGGREGATE-TYPE-MIN", "The least value has the type of its column."),
        ("AGGREGATE-TYPE-MAX", "The greatest value has the type of its column."),
    ),
    "Append": _rules(
        ("APPEND_001", "The source must exist and be active."),
        ("APPEND_002", "A pinned version must exist."),
        ("APPEND_003", "Extra columns, or types that do not convert, are refused."),
        ("APPEND_004", "Expressions must parse."),
        ("APPEND_005", "The aggregation must be complete and use known functions."),
        ("APPEND_006", "Columns must be the source's."),
        (
            "APPEND_007",
            "There must be a resolver for the source.",
            "A scenario brings its own rows and needs none: [APPEND_007](errors.md#append_007).",
        ),
        ("APPEND_008", "The source's data must load."),
        ("APPEND-VERSION", "Without a pinned version the latest active one is taken."),
        ("APPEND-SYSTEM", "Appended rows have an id, an origin and a seq of their own."),
        ("APPEND-SCHEMA-1", "Schema alignment 1: the source brings no columns of its own."),
        ("APPEND-SCHEMA-2", "Schema alignment 2: missing columns are NULL."),
        ("APPEND-SCHEMA-3", "Schema alignment 3: the order is the working dataset's."),
        ("APPEND-TEMPORAL-1", "Temporal filtering 1: rows of the run's period."),
        ("APPEND-TEMPORAL-2", "Temporal filtering 2: rows that are valid on the as-of date."),
        ("APPEND-TEMPORAL-3", "Temporal filtering 3: all rows of a snapshot."),
    ),
    "Output": _rules(
        ("V-001", "The selector is a valid condition."),
        ("V-002", "The columns are there."),
        ("V-003", "There is exactly one destination."),
        ("V-004", "A dataset that is registered has a name."),
        ("V-005", "The selector gives true or false."),
        ("V-006", "The write succeeds."),
        ("V-007", "There is at least one column."),
        ("OUTPUT-SCHEMA-1", "The order of columns is that of `columns`."),
        ("OUTPUT-SCHEMA-2", "Columns keep their types."),
        ("OUTPUT-SCHEMA-3", "System columns are written unless `columns` leaves them out."),
        ("OUTPUT-INVARIANT-1", "The working dataset is never changed."),
        (
            "OUTPUT-INVARIANT-2",
            "The rows are computed once.",
            "How often rows are computed is not seen in a result.",
        ),
        ("OUTPUT-INVARIANT-3", "A dataset is registered only after the write.", _REGISTERING),
        ("OUTPUT-INVARIANT-4", "Deleted rows are written only where that is asked for."),
        (
            "OUTPUT-TEMPORAL",
            "A registered dataset has the temporal mode of the working dataset.",
            f"Scenarios show the columns that this needs. {_REGISTERING}",
        ),
    ),
}  # fmt: skip

RULES: Mapping[str, Rule] = {rule.id: rule for rules in DOCUMENTS.values() for rule in rules}
