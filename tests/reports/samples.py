"""Reports made by hand: of a run that went well, of one that failed, of one with hostile texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

from rowbook.engine.measure.figures import Moved, Sample
from rowbook.expectations.verdict import Verdict, Waiver
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.reports.figure_checks import checks_of
from rowbook.reports.model import (
    Counts,
    ExpectationHistory,
    Failure,
    Followed,
    InputDataset,
    InputFile,
    InputPlace,
    Lookup,
    NamedSelector,
    ReportOutput,
    ReportRule,
    ReportStep,
    RunReport,
)
from tests.support.verdicts import PASSED, SKIPPED, UNBALANCED, WAIVED, WARNED

STARTED = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
FIELDS = (
    Field("account", t.STRING),
    Field("booked", t.DATE),
    Field("amount", t.decimal(18, 2)),
    Field("note", t.STRING),
)


def row(account: str, amount: str | None, note: str | None) -> Mapping[str, Value]:
    number = None if amount is None else Decimal(amount)
    return {"account": account, "booked": date(2026, 1, 31), "amount": number, "note": note}


CONVERT = ReportStep(
    10,
    "Convert",
    "update",
    "Rates of the month",
    "Where note is 'x': sets amount to amount × rates.rate.",
    "note is 'x'",
    "{{marked}}",
    (
        Lookup(
            "rates",
            "fx_rates",
            3,
            "Looks up rates in fx_rates: the row where account is rates.account.",
            "gl.account = rates.account",
        ),
    ),
    (ReportRule("amount", "decimal(18,2)", False, "amount × rates.rate", "amount * rates.rate"),),
    Counts(1204, 2, 0, 0, 1204, 12),
    Decimal("-1250.50"),
    Moved(Decimal("300.00"), Decimal("50.50")),
    1204,
    Sample(
        FIELDS,
        (row("4000", "300.00", "x"), row("5000", None, "x")),
        ({"amount": Decimal("50.50")}, {"amount": None}),
    ),
)
DROP = ReportStep(
    20,
    "Drop",
    "delete",
    None,
    "Deletes the rows where amount is 0.",
    "amount is 0",
    "amount = 0",
    (),
    (),
    Counts(1204, 4, 0, 4, 1200, 0),
    Decimal("-1250.50"),
    Moved(Decimal("0.00"), Decimal("0.00")),
    1200,
    Sample(FIELDS, (row("4000", "0.00", None),)),
)
TOTALS = ReportStep(
    30,
    "Totals",
    "aggregate",
    None,
    "Adds a row for each account, in which total is the sum of amount.",
    None,
    None,
    (),
    (ReportRule("total", "decimal(28,2)", True, "the sum of amount", "SUM(amount)"),),
    Counts(1200, 1200, 2, 0, 1202, 65_432),
    Decimal("-1250.50"),
)
PUBLISH = ReportStep(
    40,
    "Publish",
    "output",
    None,
    "Writes all rows.",
    None,
    None,
    (),
    (),
    Counts(1202, 1202, 0, 0, 1202, 2_340),
    Decimal("-1250.50"),
    writes_all=True,
)
STEPS = (CONVERT, DROP, TOTALS, PUBLISH)
FOLLOWED = Followed("amount", Decimal("-1500.00"), 1204)

COMPLETED = RunReport(
    project="close",
    description="Close of the month",
    owner="finance",
    version=7,
    run_id="01a1e320-47ae-7ee2-ac9b-35a6673817b8",
    status="completed",
    period="2026-01",
    as_of="2026-01-31",
    clock=STARTED,
    started=STARTED,
    duration_ms=235_000,
    requested_by="ada",
    trigger="command",
    engine="local[*]",
    rowbook="0.1.0",
    spark="4.1.4",
    notes=("It wrote into a closed period: late invoice",),
    failure=None,
    warnings=("output 40 was written, but not registered as 'closed'",),
    followed=FOLLOWED,
    figures=None,
    steps=STEPS,
    checks=checks_of(STEPS, FOLLOWED, completed=True),
    selectors=(NamedSelector("marked", "note = 'x'", (10,)),),
    inputs=(
        InputDataset(
            "gl_entries",
            2,
            "files",
            "one file a month",
            (
                InputPlace(
                    "data/gl/2026-01.csv",
                    ("2026-01",),
                    (InputFile("2026-01.csv", 12_345, STARTED, None),),
                    None,
                ),
            ),
        ),
        InputDataset(
            "fx_rates",
            3,
            "lake",
            "tables",
            (InputPlace("lake/rates", (), (InputFile("rates", 0, None, "17"),), None),),
        ),
    ),
    outputs=(
        ReportOutput(
            *(40, "Publish", "lake/closed", 1202, ("account", "amount"), 3, 1_234_567, 2_340),
            dataset="closed",
            dataset_version=4,
        ),
    ),
)

_GONE = ReportStep(
    *(20, "Drop", "delete", None, "Deletes every row.", None, None, (), (), None), failed=True
)
FAILED = replace(
    COMPLETED,
    version=None,
    status="failed",
    notes=(),
    warnings=(),
    failure=Failure(
        20, "Drop", "RUN_001", "a number is too large for its type", "20 'Drop': 1E+20", "widen it"
    ),
    figures="Amounts and sample rows are missing from operation 20 'Drop' on.",
    steps=(CONVERT, _GONE),
    checks=checks_of((CONVERT, _GONE), FOLLOWED, completed=False),
    outputs=(),
)

EVIL = (
    "<script>document.title='owned'</script><img src=http://127.0.0.1:9/x onerror=alert(1)>"
    "\"'&amp;\u202e\u2066evil\u0000\n</style></title><!--"
)
"""What names and data may hold at worst."""

_EVIL_STEP = replace(
    CONVERT,
    name=EVIL,
    description=EVIL,
    english=EVIL,
    where=EVIL,
    selector=EVIL,
    lookups=(Lookup(EVIL, EVIL, 1, EVIL, EVIL),),
    rules=(
        ReportRule(EVIL, EVIL, True, EVIL, EVIL),
        ReportRule(f"{EVIL}2", EVIL, False, EVIL, None),
    ),
    sample=Sample(
        (Field(EVIL, t.STRING), Field("note", t.STRING)),
        ({EVIL: EVIL, "note": EVIL},),
        ({EVIL: f"was {EVIL}"},),
    ),
)
_EVIL_VERDICT = Verdict(
    *(EVIL, EVIL, EVIL, "waived", "stop", EVIL, "rows", 1, 1, EVIL, {EVIL: EVIL}, {}),
    samples=({EVIL: EVIL},),
    waiver=Waiver(EVIL, EVIL, EVIL, EVIL),
)
HOSTILE = replace(
    COMPLETED,
    expectations=(_EVIL_VERDICT,),
    history=(ExpectationHistory(f"{EVIL}1", {(EVIL, EVIL): _EVIL_VERDICT}),),
    unmatched=(EVIL,),
    project=EVIL,
    description=EVIL,
    owner=EVIL,
    run_id=EVIL,
    status=EVIL,
    period=EVIL,
    as_of=EVIL,
    requested_by=EVIL,
    trigger=EVIL,
    engine=EVIL,
    rowbook=EVIL,
    spark=EVIL,
    notes=(EVIL,),
    failure=Failure(10, EVIL, EVIL, EVIL, EVIL, EVIL),
    warnings=(EVIL,),
    followed=Followed(EVIL, Decimal(1), 1),
    figures=EVIL,
    steps=(_EVIL_STEP,),
    selectors=(NamedSelector(EVIL, EVIL, (10,)),),
    inputs=(
        InputDataset(
            EVIL,
            1,
            EVIL,
            EVIL,
            (
                InputPlace(EVIL, (EVIL,), (InputFile(EVIL, 1, STARTED, EVIL),) * 2, None),
                InputPlace(EVIL, (EVIL,), (), EVIL),
            ),
        ),
    ),
    outputs=(
        ReportOutput(*(10, EVIL, EVIL, 1, (EVIL,), 1, 1, 1), dataset=EVIL, dataset_version=1),
    ),
)

_FEWER = replace(SKIPPED, status="passed", measures={"lines": 51})
EXPECTED = replace(
    COMPLETED,
    expectations=(WAIVED, PASSED, WARNED, SKIPPED),
    history=(
        ExpectationHistory("2025-11", {(None, _FEWER.name): _FEWER}),
        ExpectationHistory(
            "2025-12",
            {
                (None, "journals balance"): replace(UNBALANCED, status="passed", samples=()),
                (None, _FEWER.name): replace(_FEWER, measures={"lines": 55}),
            },
        ),
    ),
    unmatched=("20 'Drop'",),
)

REPORTS = {"completed": COMPLETED, "failed": FAILED}
"""Those that have a golden page."""
