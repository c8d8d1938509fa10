"""`rowbook plan --upstream`: the projects that would run before one, and the order."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rowbook.cli.render.diagnostics import as_json, print_findings
from rowbook.cli.render.printing import note_json, path_from_here, print_json
from rowbook.text.chain_words import chain_headline, chain_size, chain_tree, decision, version_label
from rowbook.text.visible import number, visible

if TYPE_CHECKING:
    from rowbook.api import ChainPlan, PlannedLink


def write_chain(plan: ChainPlan, form: str, root: Path, stream: TextIO) -> None:
    match form:
        case "text":
            stream.writelines(f"{visible(line)}\n" for line in _lines(plan))
            write_chain_problems(plan, root, stream)
        case "json":
            print_json(_as_json(plan), stream)
        case "svg" | "mermaid" | "html":
            from rowbook.api import draw_chain

            stream.write(draw_chain(plan, form))


def write_chain_problems(plan: ChainPlan, root: Path, stream: TextIO) -> None:
    if plan.problems:
        found = number(len(plan.problems), "problem")
        stream.write(f"\n{found} that runs would fail of:\n")
        print_findings(plan.problems, path_from_here(root), stream)


def _lines(plan: ChainPlan) -> list[str]:
    widest = max(len(each.project) for each in plan.links)
    versions = max(len(version_label(each)) for each in plan.links)
    numbers = len(str(len(plan.links)))
    order = [
        f"  {place:>{numbers}} {link.project:<{widest}}  {version_label(link):<{versions}}"
        f"  {decision(link)}"
        for place, link in enumerate(plan.links, start=1)
    ]
    late = [each.project for each in plan.links if not each.checked]
    unchecked = ["", f"Not checked before others have run: {', '.join(late)}"] if late else []
    head = [chain_headline(plan), chain_size(plan), "", "Order", *order]
    return [*head, "", "Reads", *(f"  {line}" for line in chain_tree(plan)), *unchecked]


def _as_json(plan: ChainPlan) -> dict[str, Any]:
    return {
        "project": plan.project,
        "period": plan.period,
        "links": [_link(each) for each in plan.links],
        "problems": [as_json(each) for each in plan.problems],
        "notes": [note_json(each.drift) for each in plan.links if each.drift],
    }


def _link(link: PlannedLink) -> dict[str, Any]:
    found = asdict(replace(link, problems=(), drift=None))
    del found["drift"]
    return {**found, "problems": [as_json(each) for each in link.problems]}
