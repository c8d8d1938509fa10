"""The picture of a plan: well-formed, safe, and nothing over anything else."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from rowbook.drawing.flow import flow_of
from rowbook.drawing.layout import lay_out
from rowbook.drawing.svg import plan_svg
from rowbook.drawing.text_widths import drawn_width
from rowbook.runs.run_plan.plan_model import RunPlan
from tests.drawing.plans import EVIL, WIDE, hostile, sample

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=["sample", "hostile"])
def plan(request: pytest.FixtureRequest, tmp_path: Path) -> RunPlan:
    return sample() if request.param == "sample" else hostile(tmp_path)


def texts(plan: RunPlan) -> list[str]:
    """The lines that are drawn, without their tooltips."""
    tree = ElementTree.fromstring(plan_svg(plan))
    found = tree.findall(f".//{SVG}text")
    return [(each[0].tail if len(each) else each.text) or "" for each in found]


def test_it_is_well_formed_and_holds_only_shapes_and_text(plan: RunPlan) -> None:
    tree = ElementTree.fromstring(plan_svg(plan))
    assert {each.tag.removeprefix(SVG) for each in tree.iter()} == {
        *("svg", "title", "style", "defs", "marker", "path", "rect", "g", "text"),
    }
    allowed = {
        *("class", "x", "y", "width", "height", "rx", "d", "id", "role", "viewBox", "orient"),
        *("marker-end", "refX", "refY", "markerWidth", "markerHeight", "markerUnits"),
    }
    assert {name for each in tree.iter() for name in each.attrib} <= allowed
    assert len(tree.findall(f".//{SVG}style")) == 1


def test_nothing_comes_from_elsewhere(plan: RunPlan) -> None:
    drawn = plan_svg(plan).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "http" not in drawn
    assert "@import" not in drawn
    assert drawn.count("url(") == drawn.count("url(#tip)")


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    tree = ElementTree.fromstring(plan_svg(hostile(tmp_path)))
    tooltips = [each.text for each in tree.findall(f".//{SVG}text/{SVG}title")]
    assert EVIL in tooltips
    assert WIDE in tooltips


def test_there_are_colours_for_dark_surroundings() -> None:
    assert "@media (prefers-color-scheme: dark)" in plan_svg(sample())


def test_no_line_is_wider_than_the_widest_card(plan: RunPlan) -> None:
    widest = max(box.width for box in lay_out(flow_of(plan), headed=True).boxes)
    _, _, *lines = texts(plan)
    assert max(drawn_width(line, 12, monospaced=False) for line in lines) < widest


def test_the_order_is_that_of_the_operations() -> None:
    types = (" update", " aggregate", " append", " delete", " output")
    assert [text for text in texts(sample()) if text.endswith(types)] == [
        *("10 update", "20 update", "30 delete", "40 append", "50 update", "60 aggregate"),
        *("70 output", "80 output"),
    ]
