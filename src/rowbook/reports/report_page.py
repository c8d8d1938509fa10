"""A report as a page that stands for itself: nothing from elsewhere, no scripts, text escaped."""

from __future__ import annotations

from collections.abc import Iterator

from rowbook.drawing.markup import Markup, element, page
from rowbook.errors import listing
from rowbook.reports.data_html import inputs, outputs
from rowbook.reports.expectations_html import expectations
from rowbook.reports.html_sections import facts, list_section, page_footer
from rowbook.reports.html_tables import scrolling, table
from rowbook.reports.model import Failure, RunReport
from rowbook.reports.proof.largest_figures_html import largest_figures_html
from rowbook.reports.steps_html import change_of, operation
from rowbook.reports.style import STYLE
from rowbook.reports.waterfall import waterfall
from rowbook.text.number_format import duration, format_number, format_signed, instant
from rowbook.text.plan_words import one_line, parameter_text
from rowbook.text.visible import number

_MOST_OPEN = 60
_GOOD, _BAD = {"completed"}, {"failed", "cancelled"}
_MISSING = (
    "A row in which a value is missing meets neither a condition on it nor the opposite of that"
    " condition: it is met only by “has no value”."
)


def report_html(report: RunReport) -> str:
    main = element(
        "main",
        *_header(report),
        *_failure(report.failure),
        *list_section("Warnings", report.warnings, "box"),
        *list_section("Parameters", tuple(map(parameter_text, report.parameters))),
        *expectations(report),
        *_amounts(report),
        *_checks(report),
        *largest_figures_html(report),
        *_ledger(report),
        *_explained(report),
        *_selectors(report),
        *inputs(report.inputs),
        *outputs(report.outputs),
    )
    title = f"{report.project} for {report.period}: {report.status}"
    return page(title, STYLE, main, _footer(report))


def _header(report: RunReport) -> Iterator[Markup]:
    status = report.status
    tone = "good" if status in _GOOD else "bad" if status in _BAD else "quiet"
    yield element(
        "header",
        element("h1", f"{report.project} for {report.period}"),
        element("p", element("span", status, class_=f"status {tone}"), " ", _version(report)),
        *(element("p", one_line(text)) for text in [report.description] if text),
        facts(run_facts(report)),
        *list_section("Notes", report.notes),
    )


def _version(report: RunReport) -> str:
    if report.version is None:
        return "draft: the files as they were, outputs in the sandbox"
    return f"version {report.version} of the project"


def run_facts(report: RunReport) -> Iterator[tuple[str, str]]:
    yield "Period", report.period
    yield "As of", report.as_of
    yield "Run", report.run_id
    if report.started is not None:
        yield "Started", instant(report.started)
        if report.duration_ms is not None:
            yield "Took", duration(report.duration_ms)
    yield "The run's clock", instant(report.clock)
    yield "Run by", f"{report.requested_by}, {_TRIGGERS.get(report.trigger, report.trigger)}"
    if report.owner:
        yield "Owner of the project", report.owner
    yield "Engine", report.engine
    if report.rowbook and report.spark:
        yield "Versions", f"Rowbook {report.rowbook}, Spark {report.spark}"


_TRIGGERS = {"command": "on the command line", "python": "from Python"}


def _failure(failure: Failure | None) -> Iterator[Markup]:
    if failure is None:
        return
    at = f" at operation {failure.seq}, {failure.operation}" if failure.seq else ""
    meaning = f": {failure.meaning}" if failure.meaning else ""
    yield element(
        "section",
        element("h2", f"It failed{at}"),
        element("p", element("strong", failure.code), meaning),
        element("p", one_line(failure.message)),
        *(element("p", "What to do: ", one_line(text)) for text in [failure.hint] if text),
        class_="box failed",
        role="alert",
    )


def _amounts(report: RunReport) -> Iterator[Markup]:
    if report.figures is None and report.followed is None:
        said = "The project has no decimal column whose total could be followed."
        yield element("p", said, class_="quiet")
    if report.followed is not None:
        column = report.followed.column
        yield element("h2", "What became of ", column)
        picture = waterfall(report.steps, report.followed)
        said = f"The total of {column} over all rows that are not deleted"
        if picture is None:
            opening = report.followed.opening
            total = "0" if opening is None else format_number(opening)
            yield element("p", f"{said} is {total}; no operation moves it.")
        else:
            left_out = "Operations that cannot change it are left out."
            caption = element("figcaption", f"{said}. {left_out}", class_="quiet")
            yield element("figure", scrolling(picture, "The picture"), caption)
        if report.followed.others:
            chosen = "Of the decimals, it is the one that most operations give values"
            chosen += " and whose total is not 0 at the end, as far as there is one."
            others = f"`--report-column NAME` follows another: {listing(report.followed.others)}."
            yield element("p", f"{chosen} {others}", class_="quiet")
    if report.figures is not None:
        yield element("p", report.figures, class_="quiet")


def _checks(report: RunReport) -> Iterator[Markup]:
    if not report.checks:
        return
    rows = (
        (
            check.name,
            element("strong", "agrees", class_="good")
            if check.passed
            else element("strong", "does not agree", class_="bad"),
            check.said,
        )
        for check in report.checks
    )
    heads = {"Check": "name", "Result": "short", "Figures": "said"}
    failed = sum(not check.passed for check in report.checks)
    caption = "All figures agree" if not failed else f"{number(failed, 'check')} failed"
    yield element("h2", "Checks")
    yield table(caption, heads, rows)


def _ledger(report: RunReport) -> Iterator[Markup]:
    yield element("h2", "Operations")
    has_taken = any(step.counts is not None and step.counts.quarantined for step in report.steps)
    taken = ["Quarantined"] if has_taken else []
    numbers = ["Rows in", "Matched", "Added", "Deleted", *taken, "Rows out"]
    if report.followed is not None:
        numbers += [f"{what} of {report.followed.column}" for what in ("Change", "Total")]
    heads = {"Seq": "number", "Operation": "name", "Type": "short"}
    heads |= dict.fromkeys([*numbers, "Took"], "number")
    rows = []
    for step in report.steps:
        kind = element("span", step.type, class_=f"type-{step.type}")
        row: list[str] = [str(step.seq), one_line(step.name), kind]
        if step.counts is None:
            state = "failed" if step.failed else "not counted"
            row += [element("span", state, class_="bad" if step.failed else "quiet")]
            row += [""] * (4 + has_taken)
        else:
            found = step.counts
            quarantined = (found.quarantined,) if has_taken else ()
            changed = (found.matched, found.added, found.deleted, *quarantined)
            row += [f"{each:,}" for each in (found.rows_in, *changed, found.rows_out)]
        if report.followed is not None:
            change = change_of(step)
            row += ["" if change is None else format_signed(change)]
            row += ["" if step.total is None else format_number(step.total)]
        row += ["" if step.counts is None else duration(step.counts.duration_ms)]
        rows.append(row)
    said = "Rows in and out are those that are not deleted. Operations are computed together:"
    time = "most of the time is beside those that have rows written."
    yield element("p", f"{said} {time}", class_="quiet")
    yield table("What each operation counted", heads, rows)
    if report.unmatched:
        yield element("p", f"Matched no rows: operation {listing(report.unmatched)}.")


def _explained(report: RunReport) -> Iterator[Markup]:
    yield element("h2", "What each operation does")
    yield element("p", _MISSING, class_="quiet")
    is_open = len(report.steps) <= _MOST_OPEN
    for step in report.steps:
        yield operation(step, report, is_open=is_open or step.failed)


def _selectors(report: RunReport) -> Iterator[Markup]:
    if not report.selectors:
        return
    rows = (
        (
            element("code", each.name),
            element("code", one_line(each.expression)),
            ", ".join(map(str, each.used_by)) or "none",
        )
        for each in report.selectors
    )
    heads = {"Name": None, "Condition": "said", "Used by operations": "short"}
    yield element("h2", "Named selectors")
    yield table("Conditions that operations use by name, written {{name}}", heads, rows)


def _footer(report: RunReport) -> Markup:
    by = f"Written by Rowbook {report.rowbook}. " if report.rowbook else ""
    said = f"{by}`rowbook runs show {report.run_id}` has the record, and"
    again = f"`rowbook runs repeat {report.run_id}` computes it again."
    return page_footer(f"{said} {again}", report.seal)
