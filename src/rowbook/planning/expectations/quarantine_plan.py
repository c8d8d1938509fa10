"""Plans that look at few expectations: at those that quarantine, since they change rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.used_datasets import datasets_beside_input


def only_quarantines(plan: ProjectPlan, beside: Collection[Expectation] = ()) -> ProjectPlan:
    """Without other expectations than those `beside`; of datasets that were loaded for others
    alone, none is left either."""
    kept: Sequence[Expectation] = ()
    while True:
        there = datasets_beside_input(replace(plan, expectations=(*kept, *beside)))
        loaded = {(each.id, each.version) for each in there}
        found = [
            each
            for each in plan.expectations
            if each in beside or (each.otherwise == "quarantine" and _is_reached(each, loaded))
        ]
        if len(found) == len(kept):
            return replace(plan, expectations=tuple(found))
        kept = found


def _is_reached(expectation: Expectation, loaded: Collection[tuple[str, int]]) -> bool:
    dataset = expectation.point.dataset
    return dataset is None or (dataset.id, dataset.version) in loaded
