"""A plan followed on plain rows: what each operation leaves, what fails, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.reference.computation import Computation
from tests.reference.small_projects import WORKSPACE, Computed, entry
from tests.support.reference_run import source_of
from tests.support.small_plans import CONTEXT, NOW, delete, numbered, plan_of, total, update

LARGE = [entry("a", 1, "9999.99"), entry("b", 2, "1.00")]
OVERFLOW = update("amount", "amount * 10")
MESSAGE = "a value of column 'amount' does not fit decimal(6,2)"


def test_the_rows_after_each_operation_and_what_it_did_are_at_hand(tmp_path: Path) -> None:
    text = numbered(total("account", "n"), delete("n = 1"), update("tag", "'x'"))
    plan = plan_of(tmp_path, WORKSPACE + text)
    tables = {"entries": [*LARGE, entry("c", 1, _deleted=True)]}
    computation = Computation(plan, CONTEXT, source_of(tables))
    start = computation.start()
    done = list(computation.follow(start))
    assert [len(start.rows), *(len(each.effect.working.rows) for each in done)] == [3, 5, 5, 5]
    counts = [
        (c.rows_in, c.matched, c.added, c.deleted, c.rows_out) for c in (d.count for d in done)
    ]
    assert counts == [(2, 2, 2, 0, 4), (4, 2, 0, 2, 2), (2, 2, 0, 0, 2)]


def test_input_rows_keep_the_system_columns_they_bring(computed: Computed) -> None:
    old = NOW.replace(year=2020)
    brought = {"_created_at": old, "_labels": "l", "_created_by_run_id": "r", "_row_id": "mine"}
    (row,) = computed.all([entry("a", **brought, _source_table="other")]).rows  # type: ignore[arg-type]
    assert {name: row[name] for name in brought} == brought
    assert (row["_source_table"], row["_updated_at"], row["_deleted"]) == ("e", NOW, False)


@pytest.mark.parametrize(
    ("operations", "message"),
    [
        ((OVERFLOW,), MESSAGE),
        ((update("tag", "'x'", "account + 9223372036854775807 > 0"),), "a value in its selector"),
        ((total("account", "amount", "SUM(amount) + 9000"),), MESSAGE),
        ((total("account", "n", selector="account + 9223372036854775807 > 0"),), "column 'n'"),
    ],
)
def test_an_overflow_names_operation_and_column(
    computed: Computed, operations: tuple[str, ...], message: str
) -> None:
    (error,) = computed.errors(LARGE, *operations)
    assert error.startswith("RUN_001  operation 1 'op 1': ")
    assert message in error


def test_an_overflow_that_nothing_reads_is_none(computed: Computed) -> None:
    found = computed.all(LARGE, OVERFLOW, update("amount", "1"))
    assert [str(row["amount"]) for row in found.rows] == ["1.00", "1.00"]
    assert found.overflow == f"RUN_001  operation 1 'op 1': {MESSAGE}"


def test_who_reads_an_overflow_is_told_where_it_came_from(computed: Computed) -> None:
    read = update("tag", "TO_STRING(amount)", "id = 'a'")
    assert computed.errors(LARGE, OVERFLOW, read, update("amount", "1")) == [
        f"RUN_001  operation 1 'op 1': {MESSAGE}"
    ]


def test_an_output_reads_what_it_writes(computed: Computed) -> None:
    output = "type: output, arguments: {destination: {location: {path: out}}, columns: [%s]}"
    fixed = update("amount", "1")
    assert computed.errors(LARGE, OVERFLOW, output % "id", fixed) == []
    assert computed.errors(LARGE, OVERFLOW, output % "amount", fixed) != []
