"""What verifying runs came to, for people, and the exit code that says it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rowbook.cli.exit_codes import Exit
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import Verification

_EXITS = {
    "proved": Exit.DONE,
    "differs": Exit.FINDINGS,
    "record changed": Exit.FINDINGS,
    "cannot be recomputed": Exit.RUN_FAILED,
    "refused": Exit.REFUSED,
}
_SAID = ": taken from evidence"
"""What the line of an input says already."""
_WORST = (Exit.FINDINGS, Exit.REFUSED, Exit.RUN_FAILED, Exit.DONE)


def exit_of(found: Sequence[Verification]) -> Exit:
    """Of several runs that of the worst: what differs before what could not be found out."""
    codes = {_EXITS[each.verdict] for each in found}
    return next((code for code in _WORST if code in codes), Exit.DONE)


def verification_lines(found: Sequence[Verification]) -> Iterator[str]:
    if not found:
        yield "no run is in force"
    for each in found:
        yield from _run(each)
    if len(found) > 1:
        counts = Counter(each.verdict for each in found)
        said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        yield f"{number(len(found), 'run')}: {said}"


def _run(found: Verification) -> Iterator[str]:
    run = found.run
    version = "draft" if run.project_version is None else f"v{run.project_version}"
    yield f"{found.verdict}: run {run.id}  {run.project_name} {version}  {run.period}"
    for place in found.inputs:
        kept = ", taken from evidence" if place.from_evidence else ""
        yield f"  input      {place.location}: {place.presence}{kept}"
    if found.operations:
        different = [step for step in found.operations if not step.is_same]
        same = len(found.operations) - len(different)
        yield f"  operations {same} of {len(found.operations)} counted the same"
        for step in different:
            now = dict(step.recomputed or {})
            told = [
                f"{k} {now.get(k, 0):,}, not {v:,}"
                for k, v in step.recorded.items()
                if now.get(k) != v
            ]
            yield f"  operation  {step.seq} '{step.name}': {'; '.join(told)}"
    for output in found.outputs:
        result = f"{output.result}, " if output.result else ""
        yield f"  output     {output.seq} {output.table}: {result}{output.on_disk}"
    record = found.record
    signed = {"good": "signature good", "bad": "signature bad", "none": "not signed"}
    seal = f"seal {record.head}" if record.head else "no seal"
    yield f"  record     {record.record}, {seal}, chain {record.chain}, {signed[record.signature]}"
    for note in found.all_notes:
        if not note.endswith(_SAID):
            yield f"  note: {note}"
    if (where := found.first_difference) is not None:
        yield f"  first difference: {where}"
        yield f"  look further: `rowbook runs repeat {run.id}` makes a draft to `rowbook diff`,"
        yield f"  `rowbook trace {run.id} ROW` shows the life of a row"
