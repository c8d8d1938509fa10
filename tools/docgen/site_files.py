"""The repository as a site: which of its files become pages, and where links then lead.

Pages link to files of the repository as a code host shows them. On the site these become pages
too: Markdown as it is, other files as a listing, folders as a list of what is in them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from docgen.markdown import block, code, page

ROOT = Path(__file__).resolve().parents[2]
DOCS = "docs"
OWN_PAGES: Mapping[str, str] = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "index.md",
    "SECURITY.md": "reporting.md",
}
"""Files outside of docs/ that are pages, by their place on the site."""

LISTED = "files"
"""Where on the site other files are."""

_LANGUAGES = {".yaml": "yaml", ".py": "python", ".sh": "sh", ".md": "markdown", ".toml": "toml"}
_UNLISTED = "---\nsearch:\n  exclude: true\n---"
_CODE = re.compile(r"^(```|~~~).*?^\1|(`+)(?!`).+?(?<!`)\2(?!`)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?P<before>\]\()(?P<target>[^)\s]+)(?P<after>(?:\s+\"[^\"]*\")?\))")


def site_place(path: str) -> str | None:
    """Where a file or folder of the repository is on the site; None where it is not there."""
    if path.startswith(f"{DOCS}/") and (path.endswith(".md") or not _is_text(path)):
        return path.removeprefix(f"{DOCS}/")
    if path in OWN_PAGES:
        return OWN_PAGES[path]
    there = ROOT / path
    if not there.exists() or not there.resolve().is_relative_to(ROOT):
        return None
    return f"{LISTED}/{path}/index.md" if there.is_dir() else f"{LISTED}/{path}.md"


def with_site_links(text: str, path: str) -> tuple[str, list[str]]:
    """A page of the repository with its links as the site has them, and the files and folders that
    they lead to and that are listed. A link that leads nowhere stays as it is."""
    listed: list[str] = []
    here = site_place(path)
    assert here is not None

    def moved(target: str) -> str:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc or not parts.path:
            return target
        to = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path)))
        place = site_place(to)
        if place is None:
            return target
        if place.startswith(f"{LISTED}/"):
            listed.append(to)
        relative = posixpath.relpath(place, posixpath.dirname(here) or ".")
        return quote(relative) + (f"#{parts.fragment}" if parts.fragment else "")

    return _outside_code(text, lambda part: _LINK.sub(_replaced(moved), part)), listed


def listing(path: str) -> tuple[str, list[str]]:
    """The page of a file or folder, and what else it leads to."""
    there = ROOT / path
    if not there.is_dir():
        language = _LANGUAGES.get(there.suffix, "text")
        shown = block(f'{language} linenums="1"', there.read_text(encoding="utf-8"))
        return page(_UNLISTED, f"# {code(path)}", shown), []
    inside = sorted(_files(there))
    lines = (f"- [{code(name)}]({quote(_from_folder(name))})" for name in inside)
    return page(_UNLISTED, f"# {code(path)}", "\n".join(lines)), [
        posixpath.join(path, name) for name in inside
    ]


def _from_folder(name: str) -> str:
    return f"{name}.md"


def _files(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith((".", "__")) for part in parts)
        if path.is_file() and not hidden and _is_text(path.name):
            yield "/".join(parts)


def _is_text(path: str) -> bool:
    return not path.endswith((".svg", ".png", ".parquet"))


def _replaced(moved: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    return lambda found: f"{found['before']}{moved(found['target'])}{found['after']}"


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    made, end = [], 0
    for found in _CODE.finditer(text):
        made += [change(text[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*made, change(text[end:])])
