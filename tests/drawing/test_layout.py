"""Where cards stand: apart, inside, and level with what belongs to them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from rowbook.drawing.flow import flow_of
from rowbook.drawing.layout import Box, lay_out
from rowbook.runs.run_plan.plan_model import RunPlan
from tests.drawing.plans import FILES, hostile, plan_of, sample


@pytest.fixture(params=["sample", "hostile"])
def plan(request: pytest.FixtureRequest, tmp_path: Path) -> RunPlan:
    return sample() if request.param == "sample" else hostile(tmp_path)


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


def test_a_project_without_joins_and_outputs_has_only_a_spine(tmp_path: Path) -> None:
    plan = hostile(tmp_path)
    project = tmp_path / "projects" / "hostile.yaml"
    head = FILES["projects/hostile.yaml"].partition("    - seq: 1\n")[0]
    project.write_text(f"{head}    - {{seq: 2, name: drop, type: delete}}\n", encoding="utf-8")
    narrow = lay_out(flow_of(plan_of(tmp_path, "hostile")), headed=True)
    assert {box.x for box in narrow.boxes} == {24}
    assert narrow.width < lay_out(flow_of(plan), headed=True).width
