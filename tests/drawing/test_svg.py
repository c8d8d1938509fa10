"""The picture of a plan: well-formed, safe, and nothing over anything else."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rowbook.drawing.flow import flow_of
from rowbook.drawing.layout import Box, lay_out
from rowbook.drawing.svg import plan_svg
from rowbook.drawing.text_widths import drawn_width
from rowbook.runs.run_plan.plan_model import RunPlan
from tests.drawing.plans import EVIL, FILES, WIDE, hostile, plan_of, sample

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


def test_cards_do_not_touch_and_stay_inside(plan: RunPlan) -> None:
    layout = lay_out(flow_of(plan), headed=True)
    assert all(
        box.x > 0 and box.right < layout.width and box.y > 0 and box.bottom < layout.height
        for box in layout.boxes
    )
    assert not [pair for pair in combinations(layout.boxes, 2) if _touch(*pair)]


def _touch(one: Box, other: Box) -> bool:
    beside = one.right <= other.x or other.right <= one.x
    return not (beside or one.bottom <= other.y or other.bottom <= one.y)


def test_arrows_lead_from_card_to_card(plan: RunPlan) -> None:
    layout = lay_out(flow_of(plan), headed=False)
    for arrow in layout.arrows:
        ends = [(arrow.x1, arrow.y1), (arrow.x2, arrow.y2)]
        assert all(
            any(box.x <= x <= box.right and box.y <= y <= box.bottom for box in layout.boxes)
            for x, y in ends
        )
    cards = 1 + sum(1 + len(row.reads) + len(row.writes) for row in flow_of(plan).rows)
    assert (len(layout.boxes), len(layout.arrows)) == (cards, cards - 1)


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


def test_a_project_without_joins_and_outputs_has_only_a_spine(tmp_path: Path) -> None:
    plan = hostile(tmp_path)
    project = tmp_path / "projects" / "hostile.yaml"
    head = FILES["projects/hostile.yaml"].partition("    - seq: 1\n")[0]
    project.write_text(f"{head}    - {{seq: 2, name: drop, type: delete}}\n", encoding="utf-8")
    narrow = lay_out(flow_of(plan_of(tmp_path, "hostile")), headed=True)
    assert {box.x for box in narrow.boxes} == {24}
    assert narrow.width < lay_out(flow_of(plan), headed=True).width
