"""What the plan of a chain says, in words that all its forms share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.runs.chains.plan_chain import ChainPlan, PlannedLink, PlannedSupply


def chain_headline(plan: ChainPlan) -> str:
    return f"{plan.project} for {plan.period}, with what it depends on"


def chain_size(plan: ChainPlan) -> str:
    running = sum(each.runs for each in plan.links)
    return f"{number(len(plan.links), 'project')}, of which {running} would run"


def version_label(link: PlannedLink) -> str:
    return "draft" if link.version is None else f"version {link.version}"


def decision(link: PlannedLink) -> str:
    return f"{'runs' if link.runs else 'passed over'}: {link.because}"


def chain_tree(plan: ChainPlan) -> Iterator[str]:
    """What the project reads, who registers that, what those read; below a project that stands
    there already, nothing is repeated."""
    links = {each.project: each for each in plan.links}
    drawn: set[str] = set()

    def below(project: str, indent: str) -> Iterator[str]:
        drawn.add(project)
        reads = links[project].reads
        for each in reads:
            is_last = each is reads[-1]
            yield f"{indent}{'└─' if is_last else '├─'} {_branch(each, drawn)}"
            if each.producer is not None and each.producer not in drawn:
                yield from below(each.producer, f"{indent}{'   ' if is_last else '│  '}")

    yield plan.project
    yield from below(plan.project, "")


def _branch(read: PlannedSupply, drawn: set[str]) -> str:
    version = "" if read.version is None else f" version {read.version}"
    if read.producer is None:
        return f"{read.dataset}{version}"
    again = ", as above" if read.producer in drawn else ""
    return f"{read.dataset}{version}, registered by {read.producer}{again}"
