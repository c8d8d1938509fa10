"""What a look at the chain of seals came to, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rowbook.cli.render.printing import print_lines
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import ChainReport, SealFinding

_KEY_DIGITS = 16


def report_json(report: ChainReport) -> dict[str, Any]:
    return {
        "verdict": report.verdict,
        "seals": report.seals,
        "head": str(report.head) if report.head else None,
        "unsigned": report.unsigned,
        "keys": [
            {"id": each.id, "first": each.first, "last": each.last, "seals": each.seals}
            for each in report.keys
        ],
        "findings": [
            {
                "finding": each.word,
                "seal": each.seal,
                "kind": each.kind,
                "subject": each.subject,
                "name": each.name,
                "detail": each.detail,
            }
            for each in report.findings
        ],
    }


def print_report(report: ChainReport) -> None:
    print_lines(_lines(report))


def _lines(report: ChainReport) -> Iterator[str]:
    yield from _findings(report.findings)
    head = f", head {report.head}" if report.head else ""
    state = "whole" if report.is_whole else "not whole"
    yield f"{state}: {number(report.seals, 'seal')}{head}"
    for each in report.keys:
        span = f"{each.first} to {each.last}" if each.first != each.last else f"{each.first}"
        yield f"signed with key {each.id[:_KEY_DIGITS]}: {number(each.seals, 'seal')} ({span})"
    if report.unsigned:
        yield f"not signed: {number(report.unsigned, 'seal')}"


def _findings(findings: Sequence[SealFinding]) -> Iterator[str]:
    """Those of one kind that follow each other are one line."""
    first: SealFinding | None = None
    last = 0
    for each in findings:
        if first is not None and _goes_on(first, last, each):
            last += 1
            continue
        if first is not None:
            yield _line(first, last)
        first, last = each, each.seal or 0
    if first is not None:
        yield _line(first, last)


def _goes_on(first: SealFinding, last: int, each: SealFinding) -> bool:
    same = (first.word, first.detail) == (each.word, each.detail)
    return same and first.word in ("signature bad", "not signed") and each.seal == last + 1


def _line(first: SealFinding, last: int) -> str:
    text = str(first)
    if first.seal is None or last <= first.seal:
        return text
    return text.replace(f" at {first.seal}:", f" at {first.seal} to {last}:", 1)
