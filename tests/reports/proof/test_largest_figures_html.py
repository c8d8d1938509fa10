"""The largest figures in the report of a run."""

from __future__ import annotations

from dataclasses import replace

from rowbook.reports.proof.largest_figures_html import explain_command
from rowbook.reports.report_page import report_html
from rowbook.runs.proof.explain_output import ExplainRequest
from rowbook.runs.proof.largest_figures import RunFigure
from tests.reports.page_checks import check_hostile, check_page, elements_in, in_order
from tests.reports.proof.proof_samples import EXPLAINED, HOSTILE_FIGURE, RUN
from tests.reports.proof.test_explanation_html import QUOTIENT
from tests.reports.samples import COMPLETED, EVIL

LARGEST = RunFigure(40, "Publish", ExplainRequest("40", "amount", "line = 'Cost'"), EXPLAINED)
TOTAL = RunFigure(40, "Publish", ExplainRequest("40", "amount"), replace(QUOTIENT, ties=False))
REFUSED = RunFigure(
    41, "Details", ExplainRequest("41", "amount"), None, "data/gl.csv was changed since"
)
REPORT = replace(COMPLETED, largest=(LARGEST, TOTAL, REFUSED))
TEXTS = elements_in(report_html(REPORT)).texts


def test_each_figure_is_told_with_what_it_is_made_of() -> None:
    assert in_order(TEXTS, "What the largest figures are made of", "40 output", "amount", "70.00")
    assert in_order(TEXTS, "where line = 'Cost' of Publish", "What it is made of", "100.00", "gl")
    assert in_order(TEXTS, "together", "The largest rows", "data/gl.csv:2", "10", "rows looked at")
    assert in_order(TEXTS, "40 output", "in all rows of Publish", "41 output")


def test_each_has_the_command_that_goes_on() -> None:
    command = f"""rowbook explain {RUN} --output 40 --column amount --where "line = 'Cost'\""""
    assert in_order(TEXTS, "More of it:", command)
    assert in_order(TEXTS, "More of it:", f"rowbook explain {RUN} --output 41 --column amount")


def test_what_a_shell_would_read_as_more_is_quoted() -> None:
    costs = replace(LARGEST, request=ExplainRequest("40", "a b", "line = '$(rm x)'"))
    assert explain_command(costs, "r") == (
        """rowbook explain r --output 40 --column "a b" --where 'line = '"'"'$(rm x)'"'"''"""
    )


def test_a_figure_that_cannot_be_explained_says_why() -> None:
    assert "It is not explained here: data/gl.csv was changed since." in TEXTS


def test_a_report_without_figures_has_no_such_section() -> None:
    texts = elements_in(report_html(COMPLETED)).texts
    assert "What the largest figures are made of" not in texts


def test_hostile_texts_stay_texts() -> None:
    request = ExplainRequest("40", EVIL, EVIL)
    evil = RunFigure(40, EVIL, request, HOSTILE_FIGURE)
    page = report_html(replace(COMPLETED, largest=(evil, replace(evil, found=None, why=EVIL))))
    check_page(page)
    check_page(report_html(REPORT))
    check_hostile(page, report_html(REPORT))
