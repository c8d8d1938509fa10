"""`rowbook periods`: the periods of a calendar: open, closed, locked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from rowbook.cli import completion
from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Reason, Trust, Yes
from rowbook.cli.prompts import consent
from rowbook.cli.render.printing import print_json
from rowbook.cli.render.status_changes import CHANGE, change_cells, change_json
from rowbook.cli.render.text_tables import print_table
from rowbook.cli.workspace_option import open_workspace
from rowbook.text.table_layout import TextColumn

if TYPE_CHECKING:
    from rowbook.api import PeriodLine

_Period: TypeAlias = Annotated[
    str, typer.Argument(help="The period, such as 2026-01.", autocompletion=completion.periods)
]
_Calendar: TypeAlias = Annotated[
    str, typer.Option("--calendar", metavar="NAME", help="The calendar, by name or id.")
]

_LISTED = (
    TextColumn("period"),
    TextColumn("level", spare=1),
    TextColumn("first day", spare=2),
    TextColumn("last day", spare=3),
    *CHANGE,
)

_CHANGES = (TextColumn("period"), *CHANGE)


def list_(
    calendar: _Calendar = "gregorian",
    year: Annotated[
        int | None, typer.Option("--year", help="The calendar's year; else the current one.")
    ] = None,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show the months of a year: open, closed, locked.

    And every other period that is closed or locked.

    Examples:

      rowbook periods list --year 2026

      rowbook periods list --calendar fiscal
    """
    lines = open_workspace(folder, trust=trust).periods(calendar=calendar, year=year)
    if format == "json":
        print_json({"calendar": calendar, "periods": [_as_json(line) for line in lines]})
    else:
        print_table(_LISTED, [_cells(line) for line in lines])
    return Exit.DONE


def close(
    period: _Period,
    calendar: _Calendar = "gregorian",
    reason: Reason = None,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Close a period for runs without a reason.

    Runs then write into it only with --reopen-closed and a reason.

    Examples:

      rowbook periods close 2026-01 --reason "books are closed"
    """
    line = open_workspace(folder, trust=trust).close_period(
        period, calendar=calendar, reason=reason
    )
    return _print(line, calendar, format)


def lock(
    period: _Period,
    calendar: _Calendar = "gregorian",
    reason: Reason = None,
    yes: Yes = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Lock a closed period for good.

    Nothing is ever written into it again. Asks first.

    Examples:

      rowbook periods lock 2026-01 --yes
    """
    workspace = open_workspace(folder, trust=trust)
    found = workspace.period(period, calendar=calendar)
    consent(f"Lock {found.identifier} of calendar {calendar} for good?", yes=yes)
    line = workspace.lock_period(period, calendar=calendar, reason=reason)
    return _print(line, calendar, format)


def history(
    period: Annotated[
        str | None,
        typer.Argument(
            help="The period, such as 2026-01; else all.", autocompletion=completion.periods
        ),
    ] = None,
    calendar: _Calendar = "gregorian",
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show who closed and locked periods, when and why.

    Examples:

      rowbook periods history 2026-01

      rowbook periods history --calendar fiscal
    """
    changes = open_workspace(folder, trust=trust).period_history(period, calendar=calendar)
    if format == "json":
        listed = [{"period": each.period, **change_json(each)} for each in changes]
        print_json({"calendar": calendar, "changes": listed})
    elif not changes:
        which = f"period {period}" if period else "every period"
        sys.stdout.write(f"{which} of calendar {calendar} is open\n")
    else:
        print_table(_CHANGES, [[each.period, *change_cells(each)] for each in changes])
    return Exit.DONE


COMMANDS = {"list": list_, "close": close, "lock": lock, "history": history}


def _print(line: PeriodLine, calendar: str, form: str) -> int:
    if form == "json":
        print_json(_as_json(line))
    else:
        period, status = line.period.identifier, line.state.status
        sys.stdout.write(f"period {period} of calendar {calendar} is {status}\n")
    return Exit.DONE


def _cells(line: PeriodLine) -> list[str]:
    period, days = line.period, (line.period.start, line.period.end)
    return [period.identifier, period.level, *map(str, days), *change_cells(line.state)]


def _as_json(line: PeriodLine) -> dict[str, Any]:
    period = line.period
    return {
        "period": period.identifier,
        "level": period.level,
        "start": period.start.isoformat(),
        "end": period.end.isoformat(),
        **change_json(line.state),
    }
