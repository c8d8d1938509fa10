"""A certificate of verified runs as a page that stands for itself, to be printed and filed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rowbook.drawing.markup import Markup, element, joined, page
from rowbook.reference.evidence.row_evidence import ColumnTotal, RowEvidence
from rowbook.reports.html_sections import facts, list_section
from rowbook.reports.html_tables import table
from rowbook.reports.model import RunReport
from rowbook.reports.report_page import run_facts
from rowbook.reports.steps_html import operation
from rowbook.reports.style import STYLE
from rowbook.runs.verify.verification import Verification
from rowbook.text.plan_words import parameter_text
from rowbook.text.visible import number

_NOT_PROVED = (
    "That the rules are right: they are shown here for somebody to judge.",
    "That the data was right when it was read: only that it is the data that was read.",
    "That nothing happened outside of what Rowbook records: data that was never read is not here.",
    "That the record was not made anew from the beginning by who owns the store: only a head that"
    " left the building before, or a signature by a key that the owner does not have, tells.",
    "Fingerprints of rows tell changes by mistake or by hand. They are no protection against"
    " somebody who looks for other rows of the same fingerprint; the SHA-256 of files is.",
    "Columns of floats are compared by their number of values and their sum, within a billionth.",
)
_GOOD = {"proved"}


@dataclass(frozen=True, slots=True)
class SealText:
    """All that checks a seal without Rowbook."""

    number: int
    statement: str
    hash: str
    signature: str | None
    public_key: str | None


@dataclass(frozen=True, slots=True)
class CertifiedRun:
    """`definitions` are kind, name, version and SHA-256 of what decided the run; `digests` those of
    files, by their names from the workspace's folder."""

    verification: Verification
    report: RunReport
    definitions: tuple[tuple[str, str, str, str], ...]
    digests: tuple[tuple[str, str], ...]
    seal: SealText | None


def certificate_html(runs: Sequence[CertifiedRun], made: str) -> str:
    verdicts = {each.verification.verdict for each in runs}
    title = f"Certificate: {', '.join(sorted(verdicts)) or 'no run'}"
    parts = [part for each in runs for part in _run(each)]
    limits = element("ul", *(element("li", text) for text in _NOT_PROVED))
    closing = element("section", element("h2", "What this does not prove"), limits)
    footer = element("footer", made, class_="quiet")
    return page(title, STYLE, element("main", *parts, closing), footer)


def check_commands(run: CertifiedRun) -> Iterator[str]:
    """What an outsider types to check the record, with sha256sum and openssl alone."""
    seal = run.seal
    if seal is not None:
        yield f"printf '%s' '{seal.statement}' > statement.txt"
        yield f"echo '{seal.hash}  statement.txt' | sha256sum -c"
    if seal is not None and seal.signature and seal.public_key:
        yield f"printf '%s' '{seal.signature}' | base64 -d > signature.bin"
        yield "cat > seal.pem <<'END'"
        yield from seal.public_key.strip().splitlines()
        yield "END"
        yield (
            "openssl pkeyutl -verify -pubin -inkey seal.pem -rawin -in statement.txt"
            " -sigfile signature.bin"
        )


def file_commands(run: CertifiedRun) -> Iterator[str]:
    """The same for the files that were read, in the folder of the workspace."""
    if run.digests:
        yield "sha256sum -c <<'END'"
        yield from (f"{digest.removeprefix('sha256:')}  {name}" for name, digest in run.digests)
        yield "END"


def _run(run: CertifiedRun) -> Iterator[Markup]:
    found, report = run.verification, run.report
    tone = "good" if found.verdict in _GOOD else "bad"
    yield element(
        "header",
        element("h1", f"{report.project} for {report.period}"),
        element("p", element("span", found.verdict, class_=f"status {tone}")),
        facts(run_facts(report)),
    )
    yield from list_section("Notes", (*report.notes, *found.all_notes))
    yield from list_section("Parameters", tuple(map(parameter_text, report.parameters)))
    yield from _questions(found)
    yield from _sources(run)
    yield from _rules(run)
    yield from _ledger(found)
    yield from _totals(found)
    yield from _record(run)


def _questions(found: Verification) -> Iterator[Markup]:
    """The three that are kept apart."""
    same = all(each.presence == "same" for each in found.inputs)
    rows = all(each.at_hand for each in found.inputs)
    results = [each.result for each in found.outputs]
    result = "not recomputed" if None in results or found.obstacles else "yes"
    if "differs" in results or any(not each.is_same for each in found.operations):
        result = "no"
    counted = sum(each.is_same for each in found.operations)
    answers = (
        ("Are the bytes the same that were read?", _yes(is_so=same), _counted(found)),
        (
            "Are the rows the same that were read?",
            _yes(is_so=rows),
            "where bytes are others, by what was kept of those that were read",
        ),
        (
            "Is the result the same?",
            result,
            f"{counted} of {len(found.operations)} operations counted the same"
            + (f", computed again by {found.engine}" if found.engine else ""),
        ),
        *(
            (f"Is {each.table} on disk what was written?", each.on_disk, f"output {each.seq}")
            for each in found.outputs
        ),
    )
    heads = {"Question": "name", "Answer": "short", "How it is known": "said"}
    yield element("h2", "Re-performance")
    yield table("What was asked, and what was found", heads, answers)


def _yes(*, is_so: bool) -> str:
    return "yes" if is_so else "no"


def _counted(found: Verification) -> str:
    others = [f"{each.location}: {each.presence}" for each in found.inputs]
    others = [text for text in others if not text.endswith(": same")]
    return "; ".join(others) or f"{number(len(found.inputs), 'place')} by SHA-256 or version"


def _sources(run: CertifiedRun) -> Iterator[Markup]:
    rows = []
    for place in run.verification.inputs:
        for content in place.contents:
            identity = content.digest or f"version {content.version or '?'}"
            said = place.presence + (", from evidence" if place.from_evidence else "")
            rows.append(
                (place.dataset, content.name, element("code", identity), f"{content.size:,}", said)
            )
    heads = {"Dataset": None, "File or table": "said", "Identity": "said", "Bytes": "number"}
    yield element("h2", "Sources")
    yield table("What was read, and what is there now", {**heads, "Now": "short"}, rows)
    totals = [
        (each.dataset, *_total_cells(each.evidence, total))
        for each in run.verification.rows_read
        for total in each.evidence.totals or (None,)
    ]
    if totals:
        heads = {"Dataset": None, "Rows": "number", "Column": "name"}
        heads |= {"Values": "number", "Total": "number"}
        yield table("The rows that were read when it was computed again", heads, totals)


def _total_cells(evidence: RowEvidence, total: ColumnTotal | None) -> tuple[str, ...]:
    rows = f"{evidence.rows:,}"
    if total is None:
        return rows, "", "", ""
    return rows, total.column, f"{total.values:,}", "" if total.sum is None else f"{total.sum}"


def _evidence_cells(evidence: RowEvidence) -> Iterator[tuple[str, ...]]:
    yield from (_total_cells(evidence, total) for total in evidence.totals)
    yield f"{evidence.rows:,}", "fingerprint", "", element("code", evidence.fingerprint)


def _rules(run: CertifiedRun) -> Iterator[Markup]:
    yield element("h2", "Rules")
    heads = {"Kind": None, "Name": "name", "Version": "number", "SHA-256": "said"}
    rows = [(k, n, v, element("code", digest)) for k, n, v, digest in run.definitions]
    yield table("The definitions that decided the run", heads, rows)
    for step in run.report.steps:
        yield operation(step, run.report, is_open=True)


def _ledger(found: Verification) -> Iterator[Markup]:
    if not found.operations:
        return
    names = {"rows_in": "Rows in", "matched": "Matched", "added": "Added"}
    names |= {"deleted": "Deleted", "quarantined": "Quarantined", "rows_out": "Rows out"}
    heads = {"Seq": "number", "Operation": "name", **dict.fromkeys(names.values(), "number")}
    rows = []
    for step in found.operations:
        now = step.recomputed or {}
        cells = [_count_cell(step.recorded[name], now.get(name)) for name in names]
        rows.append((str(step.seq), step.name, *cells))
    yield element("h2", "Ledger")
    yield table("What each operation counted, as recorded; others where computed", heads, rows)


def _count_cell(then: int, now: int | None) -> str:
    if then == now:
        return f"{then:,}"
    other = "nothing" if now is None else f"{now:,}"
    return element("span", f"{then:,}, now {other}", class_="bad")


def _totals(found: Verification) -> Iterator[Markup]:
    rows = [
        (f"{output.seq} {output.table}", *cells, output.result or "")
        for output in found.outputs
        if (evidence := output.recorded or output.recomputed) is not None
        for cells in _evidence_cells(evidence)
    ]
    if rows:
        heads = {"Output": "name", "Rows": "number", "Column": "name", "Values": "number"}
        heads |= {"Total": "number", "Result": "short"}
        yield element("h2", "Control totals")
        yield table("What outputs wrote, and whether the same comes out again", heads, rows)


def _record(run: CertifiedRun) -> Iterator[Markup]:
    record = run.verification.record
    rows: list[tuple[str, str]] = [
        ("Record", record.record),
        ("Seal", str(record.head) if record.head else "none"),
        ("Chain up to it", record.chain),
        ("Signature", record.signature),
    ]
    yield element("h2", "Record")
    yield table("The record of the run in the store", {"What": "name", "State": "said"}, rows)
    for title, commands in (
        ("To check the seal without Rowbook:", check_commands(run)),
        ("To check the files that were read, in the folder of the workspace:", file_commands(run)),
    ):
        lines = [element("code", line) for line in commands]
        if lines:
            text = Markup("\n").join(lines)
            yield element("p", title)
            yield element("pre", joined(Markup(text)))


def certificate_json(runs: Sequence[CertifiedRun], made: str) -> dict[str, Any]:
    return {"made": made, "runs": [_run_json(each) for each in runs]}


def _run_json(run: CertifiedRun) -> dict[str, Any]:
    found, seal = run.verification, run.seal
    return {
        **found.as_json(),
        "sources": [
            {"dataset": place.dataset, "place": place.location, **content.as_json()}
            for place in found.inputs
            for content in place.contents
        ],
        "rows_read": [
            {"dataset": each.dataset, **each.evidence.as_json()} for each in found.rows_read
        ],
        "definitions": [
            {"kind": kind, "name": name, "version": version, "sha256": digest}
            for kind, name, version, digest in run.definitions
        ],
        "evidence": [
            {"seq": each.seq, "table": each.table, **each.recorded.as_json()}
            for each in found.outputs
            if each.recorded is not None
        ],
        "seal": None
        if seal is None
        else {
            "number": seal.number,
            "statement": seal.statement,
            "hash": seal.hash,
            "signature": seal.signature,
            "public_key": seal.public_key,
        },
        "commands": [*check_commands(run), *file_commands(run)],
    }
