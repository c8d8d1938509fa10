"""A change of a project's or a period's status, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowbook.cli.render.printing import as_text, instant
from rowbook.text.table_layout import TextColumn

if TYPE_CHECKING:
    from rowbook.api import PeriodState, ProjectChange

CHANGE = (
    TextColumn("status"),
    TextColumn("when (UTC)"),
    TextColumn("by", long="cut"),
    TextColumn("reason", long="wrapped"),
)


def change_cells(change: PeriodState | ProjectChange) -> list[str]:
    when = instant(change.changed_at)
    return [change.status, when, change.changed_by or "", change.reason or ""]


def change_json(change: PeriodState | ProjectChange) -> dict[str, Any]:
    return {
        "status": change.status,
        "changed_at": as_text(change.changed_at),
        "changed_by": change.changed_by,
        "reason": change.reason,
    }
