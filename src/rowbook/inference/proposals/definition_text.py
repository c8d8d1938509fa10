"""YAML as people write it: a line for each key, comments beside, values in quotes where needed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from rowbook.text.cell_text import one_line
from rowbook.text.visible import visible, width
from rowbook.value_class import dataclass

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[./-][A-Za-z0-9_]+)*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_INDENT = "  "
_WIDEST = 60
"""A comment stands above a line that is longer."""


@dataclass(frozen=True, slots=True)
class YamlLine:
    """Without a text it is a comment alone."""

    depth: int
    text: str
    comment: str = ""


def definition_text(lines: Iterable[YamlLine]) -> str:
    found: list[str] = []
    for line in lines:
        indent, comment = _INDENT * line.depth, one_line(visible(line.comment))
        text = f"{indent}{line.text}"
        if not line.text or (comment and width(text) > _WIDEST):
            found.append(f"{indent}# {comment}")
            comment = ""
        if line.text:
            found.append(f"{text}  # {comment}" if comment else text)
    return "".join(f"{each}\n" for each in found)


def scalar(value: object) -> str:
    """A value in quotes, unless everybody takes it for the same without."""
    if isinstance(value, bool | int):
        return str(value).lower()
    text = str(value)
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


def flow(mapping: Mapping[str, object]) -> str:
    return "{" + ", ".join(f"{key}: {_flow_value(value)}" for key, value in mapping.items()) + "}"


def _flow_value(value: object) -> str:
    return flow(value) if isinstance(value, Mapping) else scalar(value)
