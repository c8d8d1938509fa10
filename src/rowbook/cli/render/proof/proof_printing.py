"""A proof printed: as lines, as JSON, or where its page is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rowbook.cli.render.printing import print_json, print_lines


def print_proof(
    found: Mapping[str, object], lines: Iterable[str], page: Path | None, form: str
) -> None:
    if form == "json":
        print_json({**found, "page": str(page)} if page else found)
    else:
        print_lines([f"wrote {page}"] if page else lines)
