"""YAML as people write it: a line for each key, comments beside, values in quotes where needed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from rowbook.text.visible import visible, width
from rowbook.value_class import dataclass

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[./-][A-Za-z0-9_]+)*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_INDENT = "  "
_WIDEST = 60
"""A comment stands above a line that is longer."""


@dataclass(frozen=True, slots=True)
class Line:
    depth: int
    text: str
    comment: str = ""


def definition_text(lines: Iterable[Line]) -> str:
    found: list[str] = []
    for line in lines:
        indent = _INDENT * line.depth
        text = f"{indent}{line.text}"
        if line.comment and width(text) > _WIDEST:
            found.append(f"{indent}# {line.comment}")
        elif line.comment:
            text = f"{text}  # {line.comment}"
        found.append(text)
    return "".join(f"{visible(each)}\n" for each in found)


def scalar(value: object) -> str:
    """A value in quotes, unless everybody takes it for the same without."""
    if isinstance(value, bool | int):
        return str(value).lower()
    text = str(value)
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)


def flow(mapping: Mapping[str, object]) -> str:
    return "{" + ", ".join(f"{key}: {_flow_value(value)}" for key, value in mapping.items()) + "}"


def _flow_value(value: object) -> str:
    return flow(value) if isinstance(value, Mapping) else scalar(value)
