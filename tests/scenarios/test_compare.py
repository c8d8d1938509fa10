"""Errors, columns, the ledger, and outputs that are not there."""

from __future__ import annotations

import pytest

from rowbook.errors import Diagnostic
from rowbook.scenarios.outcome import Outcome
from tests.scenarios.samples import J1, compared, entry, failed, ledger, only, text_of, written

MISMATCH = failed("APPEND_003", "columns of 'budget' do not fit: budget_type")


class TestError:
    @pytest.mark.parametrize(
        "expect",
        [
            "error: {code: APPEND_003}",
            "error: {code: APPEND_003, contains: budget_type}",
            "error: {code: APPEND_003, contains: ''}",
        ],
    )
    def test_it_is_met_by_code_and_text(self, expect: str) -> None:
        assert compared(expect, MISMATCH) == []

    def test_it_is_met_by_any_of_several_errors(self) -> None:
        outcome = Outcome(errors=(Diagnostic("EXPR_002", "unknown column"), *MISMATCH.errors))
        assert compared("error: {code: APPEND_003, contains: budget}", outcome) == []

    @pytest.mark.parametrize(
        ("expect", "outcome", "message"),
        [
            (
                "error: {code: APPEND_001}",
                MISMATCH,
                "expected error APPEND_001, got APPEND_003",
            ),
            (
                "error: {code: APPEND_003, contains: kind}",
                MISMATCH,
                "expected error APPEND_003 with 'kind' in its message,"
                " got APPEND_003 without that text",
            ),
            (
                "error: {code: APPEND_003, contains: Budget_Type}",
                MISMATCH,
                "expected error APPEND_003 with 'Budget_Type' in its message,"
                " got APPEND_003 without that text",
            ),
            (
                "error: {code: APPEND_003}",
                Outcome(working=ledger(J1)),
                "expected error APPEND_003, but there was no error",
            ),
            (
                "working: {rows: [{id: J1}]}",
                MISMATCH,
                "an error that is not expected: APPEND_003",
            ),
        ],
    )
    def test_it_is_not_met(self, expect: str, outcome: Outcome, message: str) -> None:
        found = only(compared(expect, outcome))
        assert (found.what, found.message) == ("error", message)

    def test_code_and_text_must_be_of_one_error(self) -> None:
        others = (
            Diagnostic("EXPR_002", "unknown column 'budget_type'"),
            Diagnostic("JOIN_001", "x"),
        )
        found = compared("error: {code: JOIN_001, contains: budget_type}", Outcome(errors=others))
        assert len(found) == 1

    def test_an_unexpected_error_is_shown(self) -> None:
        text = text_of(compared("working: {rows: []}", MISMATCH))
        assert "APPEND_003  columns of 'budget' do not fit: budget_type" in text

    def test_after_an_unexpected_error_nothing_else_is_told(self) -> None:
        expect = "{working: {rows: [{id: J1}]}, ledger: [{seq: 1, matched: 1}]}"
        assert len(compared(expect, MISMATCH)) == 1

    def test_with_an_expected_error_the_ledger_counts(self) -> None:
        expect = "{error: {code: APPEND_003}, ledger: [{seq: 1, matched: 1}]}"
        assert [m.what for m in compared(expect, MISMATCH)] == ["operation 1"]


class TestColumns:
    @pytest.mark.parametrize(
        "columns",
        ["[id, line, day, amount, _labels]", "[id, line, day, amount, _labels], rows: [{}]"],
    )
    def test_names_in_order_pass(self, columns: str) -> None:
        expect = f"outputs: {{result: {{columns: {columns}}}}}"
        assert compared(expect, written(ledger(J1))) == []

    @pytest.mark.parametrize(
        ("columns", "told"),
        [
            ("[line, id, day, amount, _labels]", "(in another order)"),
            ("[id, line, day, amount]", "(not expected: _labels)"),
            ("[id, line, day, amount, _labels, note]", "(missing: note)"),
            ("[id, line, day, sum, _labels]", "(missing: sum; not expected: amount)"),
            ("[]", "(not expected: id, line, day, amount, _labels)"),
        ],
    )
    def test_other_names_or_another_order_fail(self, columns: str, told: str) -> None:
        expect = f"outputs: {{result: {{columns: {columns}}}}}"
        found = only(compared(expect, written(ledger(J1))))
        assert found.message.endswith(f"got id, line, day, amount, _labels  {told}")

    def test_columns_alone_say_nothing_of_rows(self) -> None:
        expect = "outputs: {result: {columns: [id, line, day, amount, _labels]}}"
        assert compared(expect, written(ledger(J1, J1))) == []

    def test_columns_and_rows_are_both_told(self) -> None:
        expect = "outputs: {result: {columns: [id], rows: []}}"
        assert len(compared(expect, written(ledger(J1)))) == 2

    def test_a_column_to_ignore_counts_only_where_it_is_named(self) -> None:
        match = "ignore: [_labels]"
        some, all_of_them = "[id, line, day, amount]", "[id, line, day, amount, _labels]"
        for columns in (some, all_of_them):
            expect = f"outputs: {{result: {{columns: {columns}}}}}"
            assert compared(expect, written(ledger(J1)), match) == []

    @pytest.mark.parametrize(
        "columns", ["[id, line, day, amount]", "[id, line, day, amount, _labels]"]
    )
    def test_system_columns_of_the_working_dataset_count_only_where_named(
        self, columns: str
    ) -> None:
        expect = f"working: {{columns: {columns}}}"
        assert compared(expect, Outcome(working=ledger(J1))) == []

    def test_the_order_of_the_working_dataset_is_checked(self) -> None:
        expect = "working: {columns: [line, id, day, amount]}"
        found = only(compared(expect, Outcome(working=ledger(J1))))
        assert found.message.endswith("(in another order)")


class TestLedger:
    OUTCOME = Outcome(ledger=(entry(10, rows_in=4, matched=3, rows_out=4), entry(20, deleted=1)))

    @pytest.mark.parametrize(
        "expect",
        [
            "ledger: [{seq: 10, matched: 3}]",
            "ledger: [{seq: 10, rows_in: 4, rows_out: 4, added: 0}, {seq: 20, deleted: 1}]",
            "ledger: [{seq: 20}]",
            "ledger: [{seq: 20, deleted: 1}, {seq: 10}]",
            "ledger: [{seq: 10, name: step 10, type: update}]",
        ],
    )
    def test_what_is_left_out_is_not_checked(self, expect: str) -> None:
        assert compared(expect, self.OUTCOME) == []

    def test_a_wrong_count_is_shown(self) -> None:
        found = compared("ledger: [{seq: 10, matched: 2, rows_in: 4}]", self.OUTCOME)
        assert text_of(found).splitlines() == [
            "operation 10: the ledger has other counts  (line 6)",
            "    matched: expected 2, got 3",
        ]

    def test_a_wrong_name_or_type_is_shown(self) -> None:
        expect = "ledger: [{seq: 10, name: step 1, type: delete, matched: 2}]"
        assert text_of(compared(expect, self.OUTCOME)).splitlines() == [
            "operation 10: the ledger has another entry  (line 6)",
            "    name: expected 'step 1', got 'step 10'",
            "    type: expected 'delete', got 'update'",
            "    matched: expected 2, got 3",
        ]

    def test_an_operation_that_is_not_there_fails(self) -> None:
        found = only(compared("ledger: [{seq: 15, matched: 2}]", self.OUTCOME))
        assert found.message == "not in the ledger; operations there: 10, 20"


class TestOutputs:
    def test_an_output_that_was_not_written_fails(self) -> None:
        found = only(compared("outputs: {resul: {rows: []}}", written(ledger())))
        expected = ("output resul", "it was not written; did you mean 'result'?  outputs: result")
        assert (found.what, found.message) == expected

    def test_a_run_without_working_dataset_fails(self) -> None:
        found = only(compared("working: {rows: []}", Outcome()))
        assert (found.what, found.message) == ("working", "there is no working dataset")

    def test_each_table_is_told_by_its_name(self) -> None:
        outcome = Outcome(ledger(J1), {"a": ledger(J1), "data/b": ledger(J1), "c": ledger(J1)})
        expect = "{working: {rows: []}, outputs: {a: {rows: []}, data/b: {rows: []}}}"
        found = [mismatch.what for mismatch in compared(expect, outcome)]
        assert found == ["working", "output a", "output data/b"]
