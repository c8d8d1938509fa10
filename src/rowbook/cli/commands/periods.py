"""`rowbook periods`: the periods of a calendar: open, closed, locked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from rowbook.cli import completion
from rowbook.cli.exit_codes import Exit
from rowbook.cli.options import Debug, Folder, Format, Reason, Yes
from rowbook.cli.prompts import consent
from rowbook.cli.render.printing import as_text, instant, print_json
from rowbook.cli.render.tables import TextColumn, print_table
from rowbook.definitions.workspace_root import find_workspace
from rowbook.runs.prepare.lease_clock import at_present

if TYPE_CHECKING:
    from rowbook.runs.versions.period_status import PeriodLine
    from rowbook.store import PeriodState, PeriodStatus

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

_CHANGES = (
    TextColumn("period"),
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
    from rowbook.runs.open_workspace import OpenWorkspace
    from rowbook.runs.versions.period_status import list_periods

    with OpenWorkspace(find_workspace(folder or Path())) as workspace:
        lines = list_periods(workspace, calendar, year, at_present().date())
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
    from rowbook.runs.open_workspace import OpenWorkspace
    from rowbook.runs.versions.period_status import find_period

    with OpenWorkspace(find_workspace(folder or Path())) as workspace:
        found = find_period(workspace, calendar, period)
    consent(f"Lock {found.identifier} of calendar {calendar} for good?", yes=yes)
    return _move(period, calendar, "locked", reason, folder, format)


def history(
    period: Annotated[
        str | None,
        typer.Argument(
            help="The period, such as 2026-01; else all.", autocompletion=completion.periods
        ),
    ] = None,
    calendar: _Calendar = "gregorian",
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show who closed and locked periods, when and why.

    Examples:

      rowbook periods history 2026-01

      rowbook periods history --calendar fiscal
    """
    from rowbook.api import Workspace

    changes = Workspace.open(folder or Path()).period_history(period, calendar=calendar)
    if format == "json":
        listed = [{"period": each.period, **_change(each)} for each in changes]
        print_json({"calendar": calendar, "changes": listed})
    elif not changes:
        which = f"period {period}" if period else "every period"
        sys.stdout.write(f"{which} of calendar {calendar} is open\n")
    else:
        print_table(_CHANGES, [[each.period, *_change_cells(each)] for each in changes])
    return Exit.DONE


COMMANDS = {"list": list_, "close": close, "lock": lock, "history": history}


def _move(
    period: str,
    calendar: str,
    status: PeriodStatus,
    reason: str | None,
    folder: Path | None,
    form: str,
) -> int:
    from rowbook.runs.open_workspace import OpenWorkspace
    from rowbook.runs.versions.period_status import move_period
    from rowbook.store import this_process

    by, at = this_process().user, at_present()
    with OpenWorkspace(find_workspace(folder or Path())) as workspace:
        line = move_period(workspace, calendar, period, status, by=by, at=at, reason=reason)
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
        *_change_cells(state),
    ]


def _change_cells(state: PeriodState) -> list[str]:
    return [
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
        **_change(state),
    }


def _change(state: PeriodState) -> dict[str, Any]:
    return {
        "status": state.status,
        "changed_at": as_text(state.changed_at),
        "changed_by": state.changed_by,
        "reason": state.reason,
    }
