"""The status of periods: open, then closed, then locked, and never back. A run that has a reason to
write into a closed period says so on the run; the period stays closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.errors import RowbookError
from rowbook.store.database.connections import StoreDatabase
from rowbook.store.database.tables import period_change
from rowbook.store.seals.canonical_records import Subject
from rowbook.store.seals.seal import SealKind
from rowbook.store.seals.sealer import Sealer

PeriodStatus: TypeAlias = Literal["open", "closed", "locked"]

_BEFORE: dict[PeriodStatus, PeriodStatus] = {"closed": "open", "locked": "closed"}


@dataclass(frozen=True, slots=True)
class PeriodState:
    """A period's status, with who made it so, when and why; a period that was never closed is open,
    and nobody made it so."""

    calendar_id: str
    period: str
    status: PeriodStatus
    changed_at: datetime | None = None
    changed_by: str | None = None
    reason: str | None = None


class Periods:
    def __init__(self, database: StoreDatabase, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    def states(self, calendar_id: str) -> tuple[PeriodState, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(_changes(calendar_id)).mappings().all()
        latest = {row.period: PeriodState(**row) for row in rows}
        return tuple(latest[period] for period in sorted(latest))

    def history(self, calendar_id: str, period: str | None = None) -> tuple[PeriodState, ...]:
        """What a period went through, or all periods of a calendar, oldest first."""
        changes = _changes(calendar_id, period).order_by(None)
        c = period_change.c
        with self._database.reading() as connection:
            rows = connection.execute(changes.order_by(c.changed_at, c.period, c.status))
            return tuple(PeriodState(**row) for row in rows.mappings())

    def close(
        self, calendar_id: str, period: str, *, by: str, at: datetime, reason: str | None = None
    ) -> PeriodState:
        wanted = PeriodState(calendar_id, period, "closed", at, by, reason)
        return self._move(wanted, "period closed", by, at)

    def lock(
        self, calendar_id: str, period: str, *, by: str, at: datetime, reason: str | None = None
    ) -> PeriodState:
        wanted = PeriodState(calendar_id, period, "locked", at, by, reason)
        return self._move(wanted, "period locked", by, at)

    def _move(self, wanted: PeriodState, kind: SealKind, by: str, at: datetime) -> PeriodState:
        with self._database.writing("a period") as connection:
            now = _state(connection, wanted.calendar_id, wanted.period)
            if now.status != _BEFORE[wanted.status]:
                raise _not_that_way(now, wanted.status)
            values = {name: getattr(wanted, name) for name in PeriodState.__slots__}
            connection.execute(period_change.insert().values(**values))
            subject = Subject("period", (wanted.calendar_id, wanted.period, wanted.status))
            self._sealer.seal(connection, kind, subject, at=at, by=by)
        return wanted


def check_writable(
    connection: Connection, calendar_id: str, periods: Sequence[str], reopened: str | None
) -> bool:
    """Refuses to write into a locked period, and into a closed one without a reason; True where the
    reason is needed."""
    is_closed = False
    for period in periods:
        now = _state(connection, calendar_id, period)
        if now.status == "locked":
            raise RowbookError.of("PERIOD_008", f"period {period} is locked ({_since(now)})")
        if now.status == "closed" and not reopened:
            raise RowbookError.of("PERIOD_007", f"period {period} is closed ({_since(now)})")
        is_closed |= now.status == "closed"
    return is_closed


def _state(connection: Connection, calendar_id: str, period: str) -> PeriodState:
    rows = connection.execute(_changes(calendar_id, period)).mappings().all()
    return PeriodState(**rows[-1]) if rows else PeriodState(calendar_id, period, "open")


def _changes(calendar_id: str, period: str | None = None) -> sa.Select[Any]:
    """Changes in the order in which they can only have happened: 'closed' sorts before 'locked'."""
    c = period_change.c
    statement = sa.select(period_change).where(c.calendar_id == calendar_id)
    if period is not None:
        statement = statement.where(c.period == period)
    return statement.order_by(c.period, c.status)


def _since(now: PeriodState) -> str:
    when = now.changed_at.strftime("%Y-%m-%d %H:%M UTC") if now.changed_at else "always"
    reason = f": {now.reason}" if now.reason else ""
    return f"by {now.changed_by}, {when}{reason}"


def _not_that_way(now: PeriodState, wanted: PeriodStatus) -> RowbookError:
    if now.status == "open":
        message = f"period {now.period} is open, and must be closed before it is {wanted}"
    elif now.status == wanted:
        message = f"period {now.period} is {wanted} already ({_since(now)})"
    else:
        message = f"period {now.period} is {now.status} ({_since(now)})"
    return RowbookError.of("PERIOD_006", message)
