"""A plan for programs."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from rowbook.cli.render.diagnostics import as_json
from rowbook.text.plan_words import iso

if TYPE_CHECKING:
    from rowbook.api import RunPlan


def plan_json(plan: RunPlan, *, stages: bool = False) -> dict[str, Any]:
    """All of it, as JSON knows values; how it would be computed only with `stages`."""
    found = asdict(replace(plan, warnings=()))
    if not stages:
        del found["stages"]
    return {
        **found,
        "draft": plan.version is None,
        "first_day": iso(plan.first_day),
        "last_day": iso(plan.last_day),
        "as_of": iso(plan.as_of),
        "warnings": [as_json(each) for each in plan.warnings],
    }
