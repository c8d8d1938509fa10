"""What a run says of verdicts: which of them stop it, and which it only points out."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.errors import Diagnostic
from rowbook.expectations.verdict import Verdict, VerdictStatus


def stop_diagnostics(
    verdicts: Sequence[Verdict], consequence: str = "nothing was published"
) -> tuple[Diagnostic, ...]:
    """EXPECT_101 for each that stops the run: all of them are one failure."""
    return tuple(
        Diagnostic("EXPECT_101", f"{_text(each)}  {consequence}", hint=_waiver_hint(each))
        for each in verdicts
        if each.stops
    )


def warning_diagnostics(verdicts: Sequence[Verdict]) -> tuple[Diagnostic, ...]:
    """For each that does not hold, or was not looked at, and does not stop the run."""
    return tuple(
        Diagnostic(code, _text(each), severity="warning")
        for each in verdicts
        if not each.stops and (code := _WARNINGS.get(each.status)) is not None
    )


_WARNINGS: dict[VerdictStatus, str] = {
    "violated": "EXPECT_102",
    "not evaluated": "EXPECT_103",
    "skipped": "EXPECT_104",
}


def _text(verdict: Verdict) -> str:
    return f"'{verdict.name}' ({verdict.at}): {verdict.detail}"


def _waiver_hint(verdict: Verdict) -> str:
    name = verdict.name.replace('"', '\\"')
    return f'correct the rows, or let it pass with --waive "{name}" --reason "…"'
