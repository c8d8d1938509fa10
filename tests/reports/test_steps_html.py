"""An operation in a report: its rules in words and as written, and rows that show what it did."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from rowbook.engine.measure.figures import Moved, Number, Sample
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.reports.model import ReportRule, ReportStep, ReportWindow
from rowbook.reports.steps_html import change_of, operation
from tests.reports.page_checks import elements_in
from tests.reports.samples import COMPLETED, CONVERT, DROP, FAILED, PUBLISH, TOTALS


def texts(step: ReportStep) -> list[str]:
    return elements_in(operation(step, COMPLETED, is_open=True)).texts


@pytest.mark.parametrize(
    ("moved", "change"),
    [
        (Moved(Decimal("300.00"), Decimal("50.50")), Decimal("249.50")),
        (Moved(Decimal("0.00"), Decimal("7.25")), Decimal("-7.25")),
        (Moved(1.5, 0.5), 1.0),
        (None, None),
    ],
)
def test_a_change_is_what_was_gained_without_what_was_lost(
    moved: Moved | None, change: Number | None
) -> None:
    assert change_of(replace(CONVERT, moved=moved)) == change


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (CONVERT, "changed 2 rows, amount +249.50"),
        (DROP, "deleted 4 rows, amount 0.00"),
        (TOTALS, "added 2 rows"),
        (PUBLISH, "wrote 1,202 rows"),
    ],
)
def test_the_summary_says_what_it_came_to(step: ReportStep, said: str) -> None:
    assert texts(step)[:3] == [f"{step.seq} {step.type}", step.name, said]


def test_an_operation_that_failed_says_so_and_counts_nothing() -> None:
    found = texts(FAILED.steps[1])
    assert found[:3] == ["20 delete", "Drop", "failed here"]
    assert not any(text.startswith("deleted") for text in found)


def test_an_operation_is_folded_unless_it_is_open() -> None:
    assert operation(DROP, COMPLETED, is_open=True).startswith('<details class="step" open="open">')
    assert operation(DROP, COMPLETED, is_open=False).startswith('<details class="step"><summary>')


def test_rules_stand_in_words_and_as_written() -> None:
    found = texts(CONVERT)
    start = found.index("As written") + 1
    assert found[start : start + 9] == [
        *("looks up rates", "fx_rates version 3", "gl.account = rates.account"),
        *("which rows", "note is 'x'", "{{marked}}"),
        *("amount", "amount × rates.rate", "amount * rates.rate"),
    ]
    new = texts(TOTALS)
    assert new[new.index("total") : new.index("total") + 2] == ["total", "(new)"]


def test_columns_that_an_append_brings_are_named_together() -> None:
    rules = tuple(ReportRule(name, "string", False, name, None) for name in ("a", "b"))
    found = texts(replace(TOTALS, type="append", rules=rules))
    assert found[-2:] == ["brings columns", "a, b"]


def test_a_cell_that_was_changed_has_what_it_was() -> None:
    page = operation(CONVERT, COMPLETED, is_open=True)
    assert '<span class="was">50.50</span> <span class="changed">300.00</span>' in page
    assert '<td class="number"><span class="quiet">NULL</span></td>' in page
    found = texts(CONVERT)
    assert "2 of 2 rows that it changed" in found


def test_of_many_columns_those_are_shown_that_say_most() -> None:
    fields = tuple(Field(f"c{i}", t.STRING) for i in range(14))
    fields += (Field("amount", t.decimal(18, 2)), Field("empty", t.STRING))
    row = {f.name: "x" for f in fields} | {"amount": Decimal("1.00"), "empty": None}
    step = replace(CONVERT, sample=Sample(fields, (row,), ({},)))
    found = texts(step)
    caption = next(text for text in found if "columns" in text)
    assert caption == "1 of 2 rows that it changed, 10 of 16 columns"
    start = found.index(caption) + 1
    assert found[start : start + 10] == [
        *("c0", "c1", "amount", "c2", "c3", "c4", "c5", "c6", "c7", "c8"),
    ]


def test_windows_are_told_in_words_and_as_written() -> None:
    window = ReportWindow("t", "For each entity: t.total is the sum of amount.", "t: by entity")
    found = texts(replace(CONVERT, windows=(window,)))
    start = found.index("window t")
    assert found[start + 1 : start + 3] == [window.english, window.written]
