"""The page of lives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.proof.row_life import RowTrace
from rowbook.reports.proof.life_html import trace_page
from tests.reports.page_checks import check_hostile, check_page, elements_in, in_order
from tests.reports.proof.proof_samples import HOSTILE_ROW, LIFE, RUN, TRACED

WITH_BEFORE = replace(
    TRACED, rows=(replace(LIFE, earlier=(replace(TRACED, run_id="earlier"),)),), warnings=("w",)
)
TEXTS = elements_in(trace_page(TRACED)).texts


@pytest.mark.parametrize("trace", [TRACED, WITH_BEFORE, HOSTILE_ROW])
def test_a_page_needs_nothing_and_every_class_has_its_style(trace: RowTrace) -> None:
    check_page(trace_page(trace))


def test_hostile_texts_stay_texts() -> None:
    check_hostile(trace_page(HOSTILE_ROW), trace_page(WITH_BEFORE))


def test_it_begins_with_the_run_and_where_the_row_was_read() -> None:
    assert in_order(TEXTS, "Project", "close draft", "Period", "2026-01", "Run", RUN)
    assert in_order(TEXTS, "published", "gl", "data/gl.csv:2", "read", "id", "1", "amount", "90.00")


def test_operations_stand_in_their_order_with_what_they_changed() -> None:
    assert in_order(TEXTS, "10 delete", "Drop", "not met", "amount = 0", "FALSE", "20 update")
    assert in_order(TEXTS, "amount", "90.00", "→", "45.00", "=", "90.00 / 2", "overwritten by 25")
    assert in_order(TEXTS, "kind", "NULL", "→", "'actual'", "as published", "rates")
    assert in_order(TEXTS, "rates", "data/fx.csv:3", "rate", "2", "24 update", "NULL, not met")
    assert in_order(TEXTS, "30 aggregate", "Totals", "in entity", "DE01", "1 of 13 rows")
    assert in_order(TEXTS, "1 of 13 rows", "40 output", "lake:result", "id", "1", "amount")


def test_what_passed_the_row_by_is_folded() -> None:
    assert in_order(TEXTS, "40 output", "1 operation passed it by", "22", "Pass by", "id = 2")


def test_a_deleted_row_tells_by_what_and_one_that_was_not_read_why() -> None:
    assert in_order(TEXTS, "Drop", "deleted", "amount = 0", "TRUE", "end: deleted by 10 'Drop'")
    assert in_order(TEXTS, "not read", "its period is 2025-12")
    assert "And 4 more rows: `--all` tells of all." in TEXTS


def test_lives_in_earlier_runs_are_told_below() -> None:
    texts = elements_in(trace_page(WITH_BEFORE)).texts
    assert in_order(texts, "40 output", "Before that, in run earlier", "close draft for 2026-01")


def test_the_seal_of_the_run_stands_at_the_foot() -> None:
    (foot,) = elements_in(trace_page(TRACED, "16:e751f45230947a3c")).texts[-1:]
    assert foot == (
        f"`rowbook runs show {RUN}` has the record of the run. Seal 16:e751f45230947a3c: `rowbook"
        " seals verify --head 16:e751f45230947a3c` finds out whether the record was changed since."
    )
    assert "Seal" not in TEXTS[-1]
