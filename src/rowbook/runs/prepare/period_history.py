"""What the store knows of periods that a run reads: their status, and which were ever published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from rowbook.periods import Calendar, Period
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.used_datasets import used_datasets
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.value_class import dataclass

_ORDER = ("open", "closed", "locked")


@dataclass(frozen=True, slots=True)
class PeriodHistory:
    """`statuses` by period, of those that are not open. `published`: of the datasets that runs
    register, by id, the periods of such runs."""

    statuses: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def status(self, period: Period, calendar: Calendar) -> str:
        """A month of a quarter that is closed is closed, too."""
        found: list[str] = []
        above: Period | None = period
        while above is not None:
            found.append(self.statuses.get(above.identifier, "open"))
            above = calendar.parent(above)
        return max(found, key=_ORDER.index)


def history_of(
    workspace: OpenWorkspace, plan: ProjectPlan, definitions: Definitions
) -> PeriodHistory:
    """The store is asked only where a project reads other periods."""
    views = [each for each in used_datasets(plan) if each.origin is not None]
    store = workspace.find_store() if views else None
    if store is None:
        return PeriodHistory()
    from rowbook.runs.versions.period_status import calendar_identity

    statuses: dict[str, str] = {}
    if any(each.definition.require for each in views):
        states = store.periods.states(calendar_identity(plan.calendar.name, definitions))
        statuses = {each.period: each.status for each in states}
    published: dict[str, frozenset[str]] = {}
    for identity in {each.origin.id for each in views if each.origin is not None}:
        if periods := store.definitions.published_periods(identity):
            published[identity] = periods
    return PeriodHistory(statuses, published)
