"""Two engines compared: whatever differs names both values."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from rowbook.errors import Diagnostic, Position
from rowbook.expectations.verdict import Verdict
from rowbook.expressions import types as t
from rowbook.scenarios.engine_comparison import with_differences
from rowbook.scenarios.outcome import Outcome, SampledVerdict
from tests.scenarios.executing import Executor, codes, run_one
from tests.scenarios.samples import entry, failed, scenario, table, text_of

COLUMNS = {"id": t.STRING, "amount": t.decimal(18, 2), "_row_id": t.STRING}
WHERE = Position("scenarios/x.yaml", 3, 5)
SAME = Outcome(
    table(COLUMNS, ("J1", Decimal(1), "r1"), ("J2", None, "r2")),
    {"result": table(COLUMNS, ("J1", Decimal(1), "r1"))},
    (entry(1, matched=2),),
)


def differences(reference: Outcome, spark: Outcome) -> str:
    return text_of(list(with_differences(reference, spark, WHERE).differences))


def test_rows_in_another_order_are_the_same() -> None:
    turned = table(COLUMNS, ("J2", None, "r2"), ("J1", Decimal("1.00"), "r1"))
    assert differences(SAME, replace(SAME, working=turned)) == ""


def test_another_value_is_named_with_both() -> None:
    other = table(COLUMNS, ("J1", Decimal(1), "r1"), ("J2", None, "r3"))
    assert differences(SAME, replace(SAME, working=other)) == (
        "working: 1 row is not the same;"
        " expected is the reference engine's, got is Spark's  (line 3)\n"
        "  different rows\n"
        "    id 'J2' (of the reference engine)\n"
        "      _row_id: expected 'r2', got 'r3'"
    )


def test_a_row_too_many_is_shown() -> None:
    other = {"result": table(COLUMNS, ("J1", Decimal(1), "r1"), ("J9", Decimal(9), "r9"))}
    found = differences(SAME, replace(SAME, outputs=other))
    assert "output result: 1 row is not the same" in found
    assert "unexpected rows" in found


def test_other_columns_and_an_output_that_one_lacks_are_differences() -> None:
    fewer = table({"id": t.STRING}, ("J1",))
    found = differences(SAME, replace(SAME, working=fewer, outputs={}))
    assert "working: columns id string, amount decimal(18,2), _row_id string" in found
    assert "output result: columns id string" in found
    assert "none on Spark" in found


def test_counts_are_compared() -> None:
    found = differences(SAME, replace(SAME, ledger=(entry(1, matched=3),)))
    assert "operation 1: other counts" in found
    assert "matched: expected 2, got 3" in found


def test_errors_must_be_the_same_to_the_letter() -> None:
    one = failed("DATASET_012", "NULL in 1 row")
    assert differences(one, one) == ""
    found = differences(one, failed("DATASET_012", "NULL in 2 rows"))
    assert "expected 'DATASET_012 NULL in 1 row', got 'DATASET_012 NULL in 2 rows'" in found
    assert "got 'no error'" in differences(one, SAME)


def test_of_rows_that_match_a_join_twice_any_may_be_named() -> None:
    text = "join '%s' to dataset 'fx': key %s matches 2 rows"
    one = failed("JOIN_005", text % ("a", "EUR"))
    assert differences(one, failed("JOIN_005", text % ("a", "USD"))) == ""
    assert differences(one, failed("JOIN_005", text % ("b", "EUR"))) != ""


def test_spark_may_fail_on_an_overflow_that_nothing_reads() -> None:
    overflow = Diagnostic("RUN_001", "a value of column 'x' does not fit integer")
    unread = replace(SAME, unread_overflow=overflow)
    assert differences(unread, Outcome(errors=(overflow,))) == ""
    assert differences(unread, failed("RUN_001", "another")) != ""


def test_a_scenario_on_which_engines_do_not_agree_is_an_error(tmp_path: Path) -> None:
    other = with_differences(SAME, failed("RUN_002", "something"), WHERE)
    result = run_one(tmp_path, scenario("x"), Executor(other))
    assert (result.status, codes(result)) == ("error", ["SCENARIO_006"])
    assert result.mismatches == other.differences


JUDGED = SampledVerdict(
    Verdict("known", None, "input", "tolerated", "quarantine", "…", "rows", 3, 1, "1 of 3 rows"),
    table({"id": t.STRING}, ("J1",)),
    table({}),
)


def test_what_became_of_expectations_is_compared_with_its_samples() -> None:
    ours = replace(SAME, verdicts=(JUDGED,))
    assert differences(ours, ours) == ""
    other = replace(JUDGED, verdict=replace(JUDGED.verdict, violated=2))
    found = differences(ours, replace(SAME, verdicts=(other,)))
    assert "expectation 'known': not the same" in found
    assert "violated: expected 1, got 2" in found
    other = replace(JUDGED, samples=table({"id": t.STRING}, ("J2",)))
    found = differences(ours, replace(SAME, verdicts=(other,)))
    assert "expectation 'known': 1 row is not the same" in found
    assert "one engine has more expectations" in differences(ours, SAME)


def test_rows_that_were_taken_out_are_compared() -> None:
    taken = table({"id": t.STRING}, ("J1",))
    ours = replace(SAME, quarantined=taken)
    assert differences(ours, ours) == ""
    assert "quarantined: columns id string" in differences(ours, SAME)
