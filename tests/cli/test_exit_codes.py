"""Exit codes are a promise to scripts."""

from __future__ import annotations

from rowbook.cli.exit_codes import REFUSALS, Exit
from rowbook.cli.render.printing import report_failure
from rowbook.errors import Diagnostic, RowbookError
from rowbook.errors.codes import CODES


def test_every_end_has_the_number_that_scripts_know() -> None:
    assert {each.name: int(each) for each in Exit} == {
        "DONE": 0,
        "FINDINGS": 1,
        "USAGE": 2,
        "RUN_FAILED": 3,
        "REFUSED": 4,
        "INTERRUPTED": 130,
    }


def test_what_is_refused_is_a_code_that_there_is() -> None:
    assert REFUSALS.issubset(CODES)


def test_a_refusal_is_one_only_where_nothing_else_is_wrong() -> None:
    def ends(*codes: str) -> Exit:
        error = RowbookError(*(Diagnostic(code, "so it is") for code in codes))
        return report_failure(error, "text")

    assert ends("RUN_003") is Exit.REFUSED
    assert ends("RUN_003", "PERIOD_006") is Exit.REFUSED
    assert ends("RUN_003", "USAGE_001") is Exit.RUN_FAILED
    assert ends("USAGE_001") is Exit.USAGE
