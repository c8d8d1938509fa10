"""What happens otherwise: quarantine (EXPECT_005) and tolerance (EXPECT_008)."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from rowbook.definitions.models.expectation import ExpectationDefinition
from rowbook.definitions.place import Place
from rowbook.definitions.yaml.nodes import Scalar
from rowbook.planning.expectations.expectation_plan import (
    CheckPoint,
    Condition,
    GroupCondition,
    Tolerance,
)
from rowbook.planning.findings import Findings


def check_consequence(
    definition: ExpectationDefinition,
    place: Place,
    point: CheckPoint,
    condition: Condition | None,
    findings: Findings,
) -> None:
    at = place.at("otherwise")
    if definition.otherwise != "quarantine":
        if definition.whole:
            message = "`whole` says which rows are quarantined, and none are"
            hint = "say otherwise: quarantine, or leave `whole` out"
            findings.add(place.at("whole"), "EXPECT_005", message, hint)
        return
    if point.kind in ("output", "end"):
        where = "an output writes" if point.kind == "output" else "there are in the end"
        message = f"rows that {where} cannot be quarantined any more"
        findings.add(at, "EXPECT_005", message, "say at: input, or after which operation, at: 10")
    if isinstance(condition, GroupCondition) and not condition.keys:
        message = "the condition is about all rows: there are none to quarantine"
        findings.add(at, "EXPECT_005", message, "say `by`, or otherwise: stop")
    if definition.include_deleted:
        message = "rows that are deleted are not quarantined"
        findings.add(place.at("include_deleted"), "EXPECT_005", message, "leave it out")


def tolerance_of(
    definition: ExpectationDefinition,
    place: Place,
    condition: Condition | None,
    findings: Findings,
) -> Tolerance | None:
    given = definition.tolerate
    if given is None:
        return None
    if isinstance(condition, GroupCondition):
        message = "`tolerate` counts rows, and the condition is about an aggregate"
        hint = "say in `that` how far it may be off: ABS(SUM(amount)) <= 0.05"
        findings.add(place, "EXPECT_008", message, hint)
    if given.share is None and given.rows is None:
        findings.add(place, "EXPECT_008", "`tolerate` says neither share nor rows")
    if given.rows is not None and given.rows < 0:
        findings.add(place.at("rows"), "EXPECT_008", f"'rows' is 0 or more, not {given.rows}")
    share = share_of(given.share)
    if given.share is not None and share is None:
        message = f"'share' is a number from 0 to 1, not '{given.share.text}'"
        findings.add(place.at("share"), "EXPECT_008", message, "0.01 is one row in 100")
    return Tolerance(share, given.rows)


def share_of(value: Scalar | None) -> Decimal | None:
    try:
        share = None if value is None else Decimal(value.text)
    except InvalidOperation:
        return None
    return share if share is not None and share.is_finite() and 0 <= share <= 1 else None
