"""A chain as a picture or a page: projects in order, beside each what it reads and registers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rowbook.drawing.flow import Card, Flow, Kind, Link, Note, Row
from rowbook.drawing.markup import element, page
from rowbook.drawing.mermaid import mermaid_node
from rowbook.drawing.plan_page import STYLE
from rowbook.drawing.svg import flow_svg, picture
from rowbook.runs.chains.plan_chain import ChainPlan, PlannedLink, PlannedSupply
from rowbook.text.chain_words import chain_headline, chain_size, decision, version_label


def chain_svg(plan: ChainPlan) -> str:
    return flow_svg(chain_flow(plan), chain_headline(plan), chain_size(plan))


def chain_html(plan: ChainPlan) -> str:
    title = chain_headline(plan)
    heads = ("", "project", "", "what becomes of it", "reads", "registers")
    rows = (
        (
            str(place),
            link.project,
            version_label(link),
            decision(link),
            ", ".join(each.dataset for each in link.reads),
            ", ".join(link.registers),
        )
        for place, link in enumerate(plan.links, start=1)
    )
    body = (element("tr", *(element("td", cell) for cell in row)) for row in rows)
    top = element("tr", *(element("th", each, scope="col") for each in heads))
    main = element(
        "main",
        element("h1", title),
        element("p", chain_size(plan), class_="quiet"),
        *(element("p", f"problem: {each}", class_="bad") for each in plan.problems),
        element("figure", picture(chain_flow(plan), title)),
        element("table", element("thead", top), element("tbody", *body)),
    )
    return page(title, STYLE, main)


def chain_mermaid(plan: ChainPlan) -> str:
    """Every dataset and every project once."""
    return "".join(f"{line}\n" for line in _mermaid_lines(plan))


def chain_flow(plan: ChainPlan) -> Flow:
    start = Card("table", "asked for", plan.project, (Note(f"for {plan.period}"),))
    return Flow(start, tuple(_row(place, each) for place, each in enumerate(plan.links, start=1)))


def _row(place: int, link: PlannedLink) -> Row:
    reads = tuple(Link(_source(each), "reads") for each in link.reads)
    writes = tuple(Link(Card("dataset", "dataset", each), "registers") for each in link.registers)
    return Row(_project(link, f"{place} "), reads, writes)


def _project(link: PlannedLink, place: str = "") -> Card:
    """Those that run have the colour of work."""
    kind: Kind = "update" if link.runs else "dataset"
    problems = (Note(f"{each.code} {each.text}", "bad") for each in link.problems)
    return Card(
        kind,
        f"{place}project, {version_label(link)}",
        link.project,
        (Note(decision(link)), *problems),
    )


def _source(read: PlannedSupply) -> Card:
    label = "dataset" if read.version is None else f"dataset, version {read.version}"
    notes = () if read.producer is None else (Note(f"of project {read.producer}"),)
    return Card("dataset", label, read.dataset, notes)


def _mermaid_lines(plan: ChainPlan) -> Iterator[str]:
    yield "flowchart TD"
    names = dict.fromkeys(
        name
        for link in plan.links
        for name in (*(each.dataset for each in link.reads), *link.registers)
    )
    datasets = {name: f"dataset{place}" for place, name in enumerate(names, start=1)}
    for name, node in datasets.items():
        yield f"    {node}{mermaid_node(Card('dataset', 'dataset', name))}"
    for place, link in enumerate(plan.links, start=1):
        card = _project(link)
        yield f"    project{place}{mermaid_node(replace(card, kind='update'))}"
        yield from (f"    {datasets[each.dataset]} --> project{place}" for each in link.reads)
        yield from (f"    project{place} --> {datasets[each]}" for each in link.registers)
