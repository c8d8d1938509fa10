"""Proofs made by hand: a figure and a row of a small close, and the same with hostile texts."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from rowbook.proof.explanation import (
    Absence,
    ContributingRow,
    Contribution,
    Explanation,
    FormulaPart,
    JoinedShare,
)
from rowbook.proof.row_life import (
    CellStep,
    JoinedMatch,
    LifeGroup,
    LifeOutput,
    LifeStep,
    RowLife,
    RowTrace,
)
from tests.reports.samples import EVIL

RUN = "01a1e320-47ae-7ee2-ac9b-35a6673817b8"
EXPLAINED = Explanation(
    *(RUN, "close", 7, "2026-01", "lake:result", "amount"),
    figure=Decimal("70.00"),
    rows=1,
    formula="SUM(amount) of 3 rows by 30 'Totals'",
    contributions=(
        Contribution("gl", (20, 30), {"entity": "DE01"}, 2, Decimal("100.00")),
        Contribution("gl", (30,), {"entity": "US01"}, 1, Decimal("-30.01")),
        Contribution(None, (), {"line": "rounding"}, 0, Decimal("0.01")),
    ),
    total=Decimal("70.00"),
    ties=True,
    largest=(
        ContributingRow("data/gl.csv:2", "r1", {"id": 1, "note": None}, Decimal("90.00"), "gl"),
    ),
    more_rows=2,
    joined=(JoinedShare("rates", "data/fx.csv:3", {"code": "EUR"}, 2, Decimal("100.00")),),
    not_in=(
        Absence("deleted by 10 'Drop'", 10, 5, None, ("data/gl.csv:4", "data/gl.csv:5")),
        Absence("not chosen by 30 'Totals'", 30, 2, Decimal("-8.00"), ("data/gl.csv:9",)),
    ),
    replayed="equal",
)

HOSTILE_FIGURE = replace(
    EXPLAINED,
    run_id=EVIL,
    project=EVIL,
    period=EVIL,
    output=EVIL,
    column=EVIL,
    figure=EVIL,
    formula=EVIL,
    contributions=(
        Contribution(EVIL, (1,), {EVIL: EVIL}, 1, Decimal(1)),
        Contribution(None, (), {"line": EVIL}, 0, None),
    ),
    total=EVIL,
    ties=False,
    largest=(ContributingRow(EVIL, EVIL, {EVIL: EVIL}, EVIL, EVIL),),
    joined=(JoinedShare(EVIL, EVIL, {EVIL: EVIL}, 1, EVIL),),
    not_in=(Absence(EVIL, 1, 1, EVIL, (EVIL, EVIL)),),
    parts=(FormulaPart(EVIL, EVIL, (Contribution(EVIL, (), {}, 1, EVIL),)),),
    warnings=(EVIL,),
)

LIFE = RowLife(
    "01a1e320-47ae-7dd0-83cb-c7e0cc4bbc17",
    *("gl", "data/gl.csv:2", "published"),
    values={"id": 1, "note": None, "amount": Decimal("90.00")},
    steps=(
        LifeStep(10, "Drop", "delete", False, "amount = 0", "FALSE"),
        LifeStep(
            *(20, "Convert", "update", True),
            changes=(
                CellStep("amount", Decimal("90.00"), Decimal("45.00"), "90.00 / 2", 25),
                CellStep("kind", None, "actual", "'actual'", is_published=True),
            ),
            joined=(JoinedMatch("rates", "fx", "data/fx.csv:3", {"rate": Decimal(2)}),),
        ),
        LifeStep(22, "Pass by", "update", False, "id = 2", "FALSE"),
        LifeStep(24, "Unknown", "update", None, "note = 'x'", "NULL"),
        LifeStep(
            *(25, "Sign", "update", True),
            changes=(CellStep("amount", Decimal("45.00"), Decimal("-45.00"), is_published=True),),
        ),
        LifeStep(30, "Totals", "aggregate", True),
    ),
    groups=(LifeGroup(30, {"entity": "DE01"}, 13, "entity"),),
    outputs=(LifeOutput(40, "lake:result", {"id": 1, "amount": Decimal("-45.00")}),),
)
DELETED = RowLife(
    *("r2", "gl", "data/gl.csv:4", "deleted", "by 10 'Drop'"),
    steps=(LifeStep(10, "Drop", "delete", True, "amount = 0", "TRUE"),),
)
NOT_READ = RowLife(None, "gl", None, "not read", "its period is 2025-12")
TRACED = RowTrace(RUN, "close", None, "2026-01", (LIFE, DELETED, NOT_READ), more=4)

_EVIL_STEP = LifeStep(
    *(10, EVIL, "update", True, EVIL, EVIL),
    changes=(CellStep(EVIL, EVIL, f"{EVIL}2", EVIL),),
    joined=(JoinedMatch(EVIL, EVIL, EVIL, {EVIL: EVIL}),),
)
_EVIL_LIFE = RowLife(
    *(EVIL, EVIL, EVIL, "kept", EVIL, EVIL, {EVIL: EVIL}),
    steps=(_EVIL_STEP, replace(_EVIL_STEP, met=False), replace(_EVIL_STEP, met=None)),
    groups=(LifeGroup(10, {EVIL: EVIL}, 1, EVIL), LifeGroup(11, {EVIL: EVIL}, 1, alias=EVIL)),
    outputs=(LifeOutput(12, EVIL, {EVIL: EVIL}),),
)
HOSTILE_ROW = RowTrace(
    *(EVIL, EVIL, None, EVIL),
    rows=(replace(_EVIL_LIFE, earlier=(replace(TRACED, project=EVIL),)), NOT_READ),
    inputs="changed",
    warnings=(EVIL,),
)
