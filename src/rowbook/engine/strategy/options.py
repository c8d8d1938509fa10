"""Switches of the engine that change how a plan is computed, never what comes out.

They exist to be compared: tests run the same projects with each of them off, benchmarks measure
what each is worth. Nothing outside the engine sets them.
"""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_PLAN = 50
"""Layers and added segments after which a plan is computed (docs/internals/spark-plans.md)."""

LOCAL_VALUES = 60_000
"""Values of few rows that Python computes in the time that Spark takes for a job of one row."""

SMALLEST_TABLE = 8
"""Rules of one shape from which a lookup is faster than a CASE."""


@dataclass(frozen=True, slots=True)
class Options:
    ledger: bool = True
    """Rows are counted; without, the ledger is empty."""
    layers: bool = True
    """Row-wise operations that do not read each other's results become one projection."""
    shared_values: bool = True
    """What several operations of a projection read is computed once, before it."""
    rule_tables: bool = True
    """Rules that compare the same columns with literals become a lookup in a table."""
    segments: bool = True
    """Only what would be computed too often is kept; without, all rows are, before each operation
    that reads them as a whole."""
    few_rows: bool = False
    """Rows are known to be few: what a pass of its own counts is brought here and counted here."""
    local_rows: bool = False
    """Rows are known to be few, and can be read without Spark: they are loaded here, and what is
    computed once is brought here, from where it goes on as a local relation."""
    local_values: int = LOCAL_VALUES
    """Of rows that are here, row-wise operations and appends that compute no more values than that
    are computed here, by the reference engine."""
    window_joins: bool = True
    """Values of whole groups are joined to their rows where that is faster than sorting them."""
    piece_counts: bool = True
    """Rows that were added are counted apart from those that they came to, as they are written."""
    group_checks: bool = True
    """Conditions of rows are looked at with the groups of an aggregate that counts rows, and after
    it only of rows that were added since."""
    narrow_rows: bool = True
    """Columns that nothing reads are left out when rows are loaded; without, Spark finds out."""
    spread_lists: bool = True
    """What rounding leaves of a spread is known from lists of weights before rows are matched;
    without, from the rows that matches make, brought together."""
    copies: bool = True
    """Rows that are made from single ones come to them as they pass; without, in a pass of their
    own."""
    unique_keys: bool = True
    """Keys of joined datasets that are small are looked at before rows are joined with them; where
    each stands there once, no row is looked at for a second match."""
    input_counts: bool = True
    """Operations that pick all rows of the input are counted with it, and leave no mark."""
    passed_rows: bool = True
    """Rows that an output writes are grouped by an aggregate before it as they are written."""
    smallest_table: int = SMALLEST_TABLE
    longest_plan: int = LONGEST_PLAN
