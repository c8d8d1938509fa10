"""What a proof says, in words that all its forms share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowbook.proof.explanation import Explanation
    from rowbook.proof.row_life import InputState, RowLife

NOW = "(as the data is now)"
"""Of what is not told of the data that the run read."""

_REPLAYED = {"equal": "replayed: equal", "differs": "replayed: DIFFERS", "no": "not compared"}
_INPUTS = {
    "as read": "as the run read them",
    "changed": "changed since: this is told of the data as it is now",
}


def inputs_words(state: InputState) -> str:
    return _INPUTS[state]


def outcome_words(found: Explanation) -> str:
    """Whether its lines add up to a figure, and whether it is the one that was published."""
    words = "adds up to the figure" if found.ties else "DOES NOT ADD UP to the figure"
    return f"{words}, {_REPLAYED[found.replayed]}"


def fate_words(life: RowLife) -> str:
    between = " " if life.reason.startswith("by ") else ": "
    return f"{life.fate}{between}{life.reason}".rstrip(": ")


def project_label(project: str, version: int | None) -> str:
    return f"{project} {'draft' if version is None else f'v{version}'}"
