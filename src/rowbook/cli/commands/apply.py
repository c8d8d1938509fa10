"""`rowbook apply`: records changed definitions in the store, after showing what changes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Trust, Yes
from rowbook.cli.prompts import consent
from rowbook.cli.render.printing import print_json, print_lines, report_failure, report_findings
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import Change, ChangePlan, ProjectConflict


def apply(
    yes: Yes = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Record changed definitions as new versions.

    Those of datasets, data sources, resolvers and calendars. Shows what changes first, breaking
    changes marked, and asks. A breaking change of a dataset puts the active projects that use it
    into conflict.

    Examples:

      rowbook apply

      rowbook apply --yes --format json
    """
    workspace = open_workspace(folder, trust=trust)
    try:
        plan = workspace.plan_changes()
    except RowbookError as error:
        return report_findings(error, workspace.root, format, {"applied": False, "changes": []})
    if format == "text":
        print_lines(_lines(plan))
    if plan.changes and format == "json" and not yes:
        message = f"{number(len(plan.changes), 'change')} not applied"
        refusal = RowbookError.of("USAGE_001", message, hint="say --yes to apply what was printed")
        return report_failure(refusal, format, _as_json(plan, plan.conflicts, applied=False))
    conflicts = plan.conflicts
    if plan.changes:
        consent(f"Apply {number(len(plan.changes), 'change')}?", yes=yes)
        conflicts = workspace.apply(plan).conflicts
    if format == "json":
        print_json(_as_json(plan, conflicts, applied=bool(plan.changes)))
    elif plan.changes:
        sys.stdout.write("applied\n")
    return Exit.DONE


def _lines(plan: ChangePlan) -> Iterator[str]:
    for change in plan.changes:
        sign = "~" if change.before else "+"
        yield f"{sign} {change.kind} {change.name}  version {change.version}"
        for each in change.differences if change.before else ():
            yield f"    {'! ' if each.breaking else '  '}{each.text}"
    for conflict in plan.conflicts:
        yield from _conflict(conflict)
    yield _summary(plan)
    only_stored = [f"{each.kind} {each.name}" for each in plan.comparison.without_file]
    if only_stored:
        yield f"in the store without a file, and left as they are: {', '.join(only_stored)}"
    if plan.elsewhere:
        found = number(plan.elsewhere, "error")
        yield f"{found} in projects and scenarios, which are not applied: see `rowbook validate`"


def _conflict(each: ProjectConflict) -> Iterator[str]:
    yield f"! project {each.project} comes into conflict: {each.conflict.reason}"
    for broken in each.conflict.report["broken"]:
        where = f"operation {broken['seq']} ({broken['operation']})  " if broken["seq"] else ""
        yield f"      {where}{broken['code']}  {broken['message']}"


def _summary(plan: ChangePlan) -> str:
    new = sum(not change.before for change in plan.changes)
    breaking = sum(bool(change.breaking) for change in plan.changes)
    changed = f"{len(plan.changes) - new} changed{f' ({breaking} breaking)' if breaking else ''}"
    return f"{new} new, {changed}, {plan.comparison.unchanged} unchanged"


def _as_json(
    plan: ChangePlan, conflicts: Sequence[ProjectConflict], *, applied: bool
) -> dict[str, Any]:
    return {
        "applied": applied,
        "changes": [_change_as_json(change) for change in plan.changes],
        "unchanged": plan.comparison.unchanged,
        "without_file": [
            {"kind": each.kind, "name": each.name, "version": each.version}
            for each in plan.comparison.without_file
        ],
        "conflicts": [
            {"project": each.project, "reason": each.conflict.reason, **each.conflict.report}
            for each in conflicts
        ],
    }


def _change_as_json(change: Change) -> dict[str, Any]:
    return {
        "kind": change.kind,
        "name": change.name,
        "version": change.version,
        "action": "changed" if change.before else "new",
        "breaking": bool(change.breaking),
        "differences": [
            {"text": each.text, "breaking": each.breaking} for each in change.differences
        ]
        if change.before
        else [],
    }
