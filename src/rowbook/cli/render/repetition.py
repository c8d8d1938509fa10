"""Whether a repeated run read and wrote the same, for people and for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rowbook.cli.exit_codes import Exit
from rowbook.cli.render.printing import print_lines
from rowbook.cli.render.run_result import exit_of, result_json

if TYPE_CHECKING:
    from rowbook.api import Repetition


def exit_of_repetition(found: Repetition) -> Exit:
    ended = exit_of(found)
    return Exit.FINDINGS if ended is Exit.DONE and found.differs else ended


def repetition_json(found: Repetition) -> dict[str, Any]:
    return {
        **result_json(found),
        "repeats": found.repeats,
        "inputs": [asdict(each) for each in found.compared_inputs],
        "compared": [asdict(each) for each in found.compared_outputs],
    }


def print_verdicts(found: Repetition) -> None:
    """A line for each input and output of the run that was repeated."""
    if found.compared_inputs or found.compared_outputs:
        print_lines([f"compared with run {found.repeats}"])
    lines = [
        *(
            ("input", f"{each.location} of {each.dataset}", each.verdict, each.why)
            for each in found.compared_inputs
        ),
        *(
            ("output", f"{each.seq} {each.destination}", each.verdict, each.why)
            for each in found.compared_outputs
        ),
    ]
    print_lines(
        f"  {what:6}  {name}: {verdict}" + (f" ({why})" if why else "")
        for what, name, verdict, why in lines
    )
