"""Writes the generated pages of docs/; with --check only tells which of them are out of date."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from docgen.coverage import UndocumentedError
from docgen.errors_page import errors_page
from docgen.functions_page import functions_page
from docgen.scenarios_page import scenarios_page
from docgen.schema_page import schema_page
from docgen.shown import NotShownError, pages_that_show, refreshed

DOCS = Path(__file__).resolve().parents[1] / "docs"

PAGES: Mapping[str, Callable[[], str]] = {
    "errors.md": errors_page,
    "functions.md": functions_page,
    "scenarios.md": scenarios_page,
    "schema.md": schema_page,
}


def out_of_date() -> dict[str, str]:
    """The pages whose file is missing or differs from what is generated, with their new text: whole
    pages, and those that show parts of other files."""
    made = {name: make() for name, make in PAGES.items()}
    made |= {name: refreshed((DOCS / name).read_text("utf-8")) for name in pages_that_show(DOCS)}
    return {name: text for name, text in made.items() if _read(DOCS / name) != text}


def write() -> None:
    """Write the pages that need it."""
    for name, text in out_of_date().items():
        (DOCS / name).write_text(text, encoding="utf-8")


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def main(arguments: list[str]) -> int:
    """Returns the exit code: 1 where --check finds a page out of date, or one cannot be made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    try:
        if not options.check:
            write()
            return 0
        stale = out_of_date()
    except (UndocumentedError, NotShownError) as problem:
        print(problem, file=sys.stderr)
        return 1
    for name in stale:
        print(f"docs/{name} is out of date: run `make docs`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
