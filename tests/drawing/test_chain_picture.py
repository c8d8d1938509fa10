"""Chains as pictures: each project with what it reads and registers."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from rowbook.drawing.chain_picture import chain_flow, chain_html, chain_mermaid, chain_svg
from rowbook.errors import Diagnostic
from rowbook.runs.chains.plan_chain import ChainPlan, PlannedLink, PlannedSupply

CLOSE = PlannedLink(
    "close",
    2,
    (PlannedSupply("gl", 1, None),),
    ("closed",),
    False,
    "unchanged since run 01a1",
    True,
)
REPORT = PlannedLink(
    "report",
    None,
    (PlannedSupply("closed", 1, "close"),),
    (),
    True,
    "it is asked for",
    True,
    (Diagnostic("DATASOURCE_006", "no data at <b>"),),
)
PLAN = ChainPlan("report", "2026-01", (CLOSE, REPORT))


def test_projects_stand_in_order_between_what_they_read_and_register() -> None:
    close, report = chain_flow(PLAN).rows
    assert (close.step.label, close.step.title) == ("1 project, version 2", "close")
    assert [note.text for note in close.step.notes] == ["passed over: unchanged since run 01a1"]
    assert [(link.label, link.card.title) for link in close.reads] == [("reads", "gl")]
    assert [(link.label, link.card.title) for link in close.writes] == [("registers", "closed")]
    assert (report.step.label, report.step.kind) == ("2 project, draft", "update")
    assert [note.text for note in report.reads[0].card.notes] == ["of project close"]


def test_mermaid_has_every_dataset_and_project_once() -> None:
    assert chain_mermaid(PLAN).splitlines() == [
        "flowchart TD",
        '    dataset1[("dataset<br/>gl")]',
        '    dataset2[("dataset<br/>closed")]',
        '    project1["project, version 2<br/>close<br/>passed over: unchanged since run 01a1"]',
        "    dataset1 --> project1",
        "    project1 --> dataset2",
        '    project2["project, draft<br/>report<br/>runs: it is asked for'
        '<br/>DATASOURCE_006 no data at #60;b#62;"]',
        "    dataset2 --> project2",
    ]


def test_the_picture_is_well_formed_and_names_the_chain() -> None:
    root = ET.fromstring(chain_svg(PLAN))
    assert root[0].text == "report for 2026-01, with what it depends on"
    assert "no data at <b>" in "".join(root.itertext())


def test_the_page_has_the_picture_and_the_order() -> None:
    html = chain_html(PLAN)
    assert "<h1>report for 2026-01, with what it depends on</h1>" in html
    assert "<td>1</td><td>close</td><td>version 2</td><td>passed over:" in html
    assert "no data at &lt;b&gt;" in html
    assert html.count("<svg") == 1
