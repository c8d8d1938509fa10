"""docs/scenarios.md: which scenario of library/ shows which rule, and all claims by file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from docgen.coverage import UndocumentedError
from docgen.markdown import generated_from, page, slug, table
from docgen.scenario_rules import DOCUMENTS, RULES, Rule
from rowbook.definitions.loading import Entry
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.workspace_files import SCENARIO_FOLDER, read_workspace

LIBRARY = Path(__file__).resolve().parents[2] / "library"

_RULES = "Rules:"
_INTRODUCTION = """\
[library](../library/rowbook.yaml) is a workspace of scenarios: each states one claim, brings the
few rows that show it, and says what must come out. They are tests and explanations at once. Most
bring their own datasets and project, so that a claim can be read in one place.

`rowbook test -C library` runs them all, in seconds, `rowbook test -C library -k budget` those whose
name contains a word; with `--both` on Spark too, which must give the same. How a scenario is
written is in [Projects](projects.md#scenarios).

- [Rules](#rules): the rules of the documents that define the operations, and where each is shown.
- [Codes](#codes): the errors that scenarios expect.
- [Claims](#claims): everything the library says, file by file."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A scenario of the library: what it claims, where it stands, which rules and code it shows."""

    text: str
    file: str
    line: int
    about: str
    """What its file is about: the comment at the file's start."""
    rules: tuple[str, ...]
    code: str | None

    @property
    def link(self) -> str:
        """To the file, named with the line."""
        return f"[{posixpath.basename(self.file)}:{self.line}](../library/{self.file})"


def claims(root: Path = LIBRARY) -> list[Claim]:
    """All scenarios of a workspace, in the order of files and lines."""
    files = read_workspace(root)
    found = [_claim(entry) for entry in files.scenarios]
    return sorted(found, key=lambda claim: (claim.file, claim.line))


def rules_of(description: str | None) -> tuple[str, ...]:
    """The rules that the first line of a description names: `Rules: BR-004, BR-009`."""
    first = (description or "").partition("\n")[0]
    if not first.startswith(_RULES):
        return ()
    return tuple(name.strip() for name in first.removeprefix(_RULES).split(","))


def check_rules(found: Iterable[Claim]) -> None:
    """Every rule has a scenario or says where it is shown, and scenarios name no other rules."""
    shown = {rule for claim in found for rule in claim.rules}
    told = {rule.id for rule in RULES.values() if rule.elsewhere}
    problems = {
        "no scenario in library, and no reason in scenario_rules.py": RULES.keys() - shown - told,
        "named by a scenario of library, but not in scenario_rules.py": shown - RULES.keys(),
    }
    for problem, rules in problems.items():
        if rules:
            raise UndocumentedError(f"{', '.join(sorted(rules))}: {problem}")


def scenarios_page() -> str:
    """The page; UndocumentedError where a rule has neither scenario nor reason."""
    found = claims()
    check_rules(found)
    return page(
        generated_from(f"library/{SCENARIO_FOLDER}"),
        "# Scenarios",
        _INTRODUCTION,
        "## Rules",
        *(part for title, rules in DOCUMENTS.items() for part in _document(title, rules, found)),
        "## Codes",
        "The scenarios that expect an error, by its code.",
        table(("code", "scenarios"), _codes(found)),
        "## Claims",
        *_files(found),
    )


def _claim(entry: Entry[ScenarioDefinition]) -> Claim:
    model, source = entry.model, entry.place.document.source
    first = source.text.partition("\n")[0]
    return Claim(
        model.name,
        source.file,
        entry.place.at("name").position.line,
        first.removeprefix("#").strip() if first.startswith("#") else "",
        rules_of(model.description),
        model.expect.error.code if model.expect.error else None,
    )


def _document(title: str, rules: Sequence[Rule], found: Sequence[Claim]) -> Iterator[str]:
    yield f"### {title}"
    yield table(("rule", "says", "shown by"), (_row(rule, found) for rule in rules))


def _row(rule: Rule, found: Sequence[Claim]) -> tuple[str, str, str]:
    links = " ".join(claim.link for claim in found if rule.id in claim.rules)
    return rule.id, rule.says, " ".join(filter(None, (links, rule.elsewhere)))


def _codes(found: Sequence[Claim]) -> Iterator[tuple[str, str]]:
    for code in sorted({claim.code for claim in found if claim.code}):
        links = " ".join(claim.link for claim in found if claim.code == code)
        yield f"[{code}](errors.md#{slug(code)})", links


def _files(found: Sequence[Claim]) -> Iterator[str]:
    for file, group in groupby(found, key=lambda claim: claim.file):
        inside = list(group)
        yield f"### {posixpath.basename(file)}"
        yield f"{inside[0].about} [Open the file](../library/{file})."
        yield table(
            ("line", "claim", "rules"),
            ((str(c.line), _escaped(c.text), ", ".join(c.rules)) for c in inside),
        )


def _escaped(text: str) -> str:
    """Names and patterns in a claim are not formatting."""
    return re.sub(r"([*_<>\[\]])", r"\\\1", text)
