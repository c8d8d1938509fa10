"""`rowbook periods`: the periods of a calendar: open, closed, locked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from rowbook.cli import completion
from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Reason, Yes
from rowbook.cli.prompts import consent
from rowbook.cli.render.printing import as_text, instant, print_json
from rowbook.cli.render.text_tables import print_table
from rowbook.definitions.workspace_root import find_workspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.text.table_layout import TextColumn

if TYPE_CHECKING:
    from rowbook.runs.versions.period_status import PeriodLine
    from rowbook.store import PeriodStatus

_Period: TypeAlias = Annotated[
    str,
    typer.Argument(help="The period, such as 2026-01.", autocompletion=completion.periods),
]
_Calendar: TypeAlias = Annotated[
    str, typer.Option("--calendar", metavar="NAME", help="The calendar, by name or id.")
]

_LISTED = (
    TextColumn("period"),
    TextColumn("level", spare=1),
    TextColumn("first day", spare=2),
    TextColumn("last day", spare=3),
    TextColumn("status"),
    TextColumn("when (UTC)"),
    TextColumn("by", long="cut"),
    TextColumn("reason", long="wrapped"),
)


def list_(
    calendar: _Calendar = "gregorian",
    year: Annotated[
        int | None, typer.Option("--year", help="The calendar's year; else the current one.")
    ] = None,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show the months of a year: open, closed, locked.

    And every other period that is closed or locked.

    Examples:

      rowbook periods list --year 2026

      rowbook periods list --calendar fiscal
    """
    from rowbook.runs.versions.period_status import list_periods

    root = find_workspace(folder or Path())
    lines = list_periods(root, calendar, year, at_present().date())
    if format == "json":
        print_json({"calendar": calendar, "periods": [_as_json(line) for line in lines]})
        return Exit.DONE
    print_table(_LISTED, [_cells(line) for line in lines])
    return Exit.DONE


def close(
    period: _Period,
    calendar: _Calendar = "gregorian",
    reason: Reason = None,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Close a period for runs without a reason.

    Runs then write into it only with --reopen-closed and a reason.

    Examples:

      rowbook periods close 2026-01 --reason "books are closed"
    """
    return _move(period, calendar, "closed", reason, folder, format)


def lock(
    period: _Period,
    calendar: _Calendar = "gregorian",
    reason: Reason = None,
    yes: Yes = False,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Lock a closed period for good.

    Nothing is ever written into it again. Asks first.

    Examples:

      rowbook periods lock 2026-01 --yes
    """
    from rowbook.runs.versions.period_status import find_period

    found = find_period(find_workspace(folder or Path()), calendar, period)
    consent(f"Lock {found.identifier} of calendar {calendar} for good?", yes=yes)
    return _move(period, calendar, "locked", reason, folder, format)


COMMANDS = {"list": list_, "close": close, "lock": lock}


def _move(
    period: str,
    calendar: str,
    status: PeriodStatus,
    reason: str | None,
    folder: Path | None,
    form: str,
) -> int:
    from rowbook.runs.versions.period_status import move_period
    from rowbook.store import this_process

    root = find_workspace(folder or Path())
    by, at = this_process().user, at_present()
    line = move_period(root, calendar, period, status, by=by, at=at, reason=reason)
    if form == "json":
        print_json(_as_json(line))
    else:
        sys.stdout.write(f"period {line.period.identifier} of calendar {calendar} is {status}\n")
    return Exit.DONE


def _cells(line: PeriodLine) -> list[str]:
    period, state = line.period, line.state
    return [
        period.identifier,
        period.level,
        period.start.isoformat(),
        period.end.isoformat(),
        state.status,
        instant(state.changed_at),
        state.changed_by or "",
        state.reason or "",
    ]


def _as_json(line: PeriodLine) -> dict[str, Any]:
    period, state = line.period, line.state
    return {
        "period": period.identifier,
        "level": period.level,
        "start": period.start.isoformat(),
        "end": period.end.isoformat(),
        "status": state.status,
        "changed_at": as_text(state.changed_at),
        "changed_by": state.changed_by,
        "reason": state.reason,
    }
