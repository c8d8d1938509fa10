"""A run as the store has it: what became of its expectations, and who waived them."""

from __future__ import annotations

import pytest

from rowbook.api import RunDetails
from rowbook.cli.render.run_record import details_json, print_details
from rowbook.store import RunRecord, SealHead, VerificationRecord
from rowbook.store.runs.run_records import ExpectationRecord, WaiverRecord, WarningRecord
from tests.reports.test_building import AT, RUN
from tests.support.verdicts import PASSED, WAIVED, WAIVER

_WAIVER = {name: getattr(WAIVER, name) for name in ("name", "reason", "by", "at")}


@pytest.fixture
def details() -> RunDetails:
    verdicts = enumerate((PASSED, WAIVED), start=1)
    records = tuple(ExpectationRecord(number, each.as_json(), AT) for number, each in verdicts)
    detail = f"'{WAIVED.name}' ({WAIVED.at}): {WAIVED.detail}"
    warnings = (
        WarningRecord(1, {"message": detail}, AT),
        WarningRecord(2, {"message": "late"}, AT),
    )
    record = RunRecord(
        *(RUN, (), (), warnings, (), records, (WaiverRecord(1, _WAIVER, AT),)),
        verifications=(VerificationRecord(1, {"verdict": "proved"}, AT, "eve"),),
        seal=SealHead(12, "0123456789abcdef" * 4),
    )
    return RunDetails.of(record, None)


def test_verdicts_and_waivers_come_back_from_the_record(details: RunDetails) -> None:
    assert (details.expectations, details.waivers) == ((PASSED, WAIVED), (WAIVER,))


def test_people_see_statuses_waivers_and_groups(
    details: RunDetails, capsys: pytest.CaptureFixture[str]
) -> None:
    print_details(details)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()][3:]
    assert lines[:2] == [
        "verified 2026-02-03 04:05 UTC by eve: proved",
        "seal 12:0123456789abcdef",
    ]
    assert lines[4:] == [
        "accounts are known  input  passed  stop            60         0",
        "journals balance    input  waived  stop         1,204         2",
        "'journals balance' was waived by ann, 2026-02-03 10:00 UTC: timing, booked in February",
        "waived: 'journals balance' (input): 2 of 1,204 groups violate it: journal_id 'J-77':"
        " SUM(amount) = 0.01; …",
        "journal_id  SUM(amount)",
        "───────────────────────",
        "J-77        0.01",
        "J-9         NULL",
        "warning: late",
    ]


def test_programs_get_both(details: RunDetails) -> None:
    found = details_json(details)
    assert [each["status"] for each in found["expectations"]] == ["passed", "waived"]
    assert found["waivers"] == [_WAIVER]


def test_programs_get_verifications_and_the_seal(details: RunDetails) -> None:
    found = details_json(details)
    (verification,) = found["verifications"]
    assert (verification["verdict"], verification["recorded_by"]) == ("proved", "eve")
    assert found["seal"] == "12:0123456789abcdef"
