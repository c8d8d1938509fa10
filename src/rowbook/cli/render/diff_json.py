"""How two runs differ, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rowbook.text.cell_text import as_json

if TYPE_CHECKING:
    from rowbook.api import (
        CellChange,
        ComparedRun,
        Groups,
        GroupTotals,
        OutputDifference,
        Row,
        RunDifference,
        TableDifference,
        Total,
    )


def difference_json(found: RunDifference) -> dict[str, Any]:
    return {
        "before": _run(found.before),
        "after": _run(found.after),
        "same": found.same,
        "outputs": [_output(each) for each in found.outputs],
        "unmatched": [
            {name: getattr(each, name) for name in ("side", "seq", "name", "destination")}
            for each in found.unmatched
        ],
    }


def _run(compared: ComparedRun) -> dict[str, Any]:
    run = compared.run
    return {
        "run_id": run.id,
        "project": run.project_name,
        "version": run.project_version,
        "draft": run.draft,
        "period": run.period,
        "status": run.status,
        "recomputed_as": compared.recomputed_as,
        "changed_input": list(compared.changed_input),
    }


def _output(output: OutputDifference) -> dict[str, Any]:
    table = output.table
    return {
        "seq": output.seq,
        "name": output.name,
        "destination": output.destination,
        "same": table.same,
        "key": list(table.key),
        "columns": list(table.columns),
        "counts": _counts(table),
        "repeated_keys": {
            "before": {"keys": table.repeated_before.keys, "rows": table.repeated_before.rows},
            "after": {"keys": table.repeated_after.keys, "rows": table.repeated_after.rows},
        },
        "columns_only_before": list(table.columns_only_before),
        "columns_only_after": list(table.columns_only_after),
        "retyped": [
            {
                "column": each.column,
                "before": str(each.before),
                "after": str(each.after),
                "compared": each.compared,
            }
            for each in table.retyped
        ],
        "changed_cells": dict(table.changed_cells),
        "totals": [_total(each) for each in table.totals],
        "subtotals": [
            {
                "seq": each.seq,
                "level": each.level,
                "rows_before": each.rows_before,
                "rows_after": each.rows_after,
                "totals": [_total(total) for total in each.totals],
            }
            for each in table.subtotals
        ],
        "mixed": table.mixed,
        "groups": _groups(table.groups) if table.groups else None,
        "changed": [
            {
                "key": _row(each.key),
                "known_by": _row(each.known_by),
                "cells": [_cell(cell) for cell in each.cells],
            }
            for each in table.changed_rows
        ],
        "only_before": [_row(each) for each in table.rows_only_before],
        "only_after": [_row(each) for each in table.rows_only_after],
    }


def _counts(table: TableDifference) -> dict[str, int]:
    names = ("rows_before", "rows_after", "equal", "changed", "only_before", "only_after")
    return {name: getattr(table, name) for name in names}


def _row(row: Row) -> Mapping[str, Any]:
    return {name: as_json(value) for name, value in row.items()}


def _cell(cell: CellChange) -> dict[str, Any]:
    return {"column": cell.column, "before": as_json(cell.before), "after": as_json(cell.after)}


def _total(total: Total) -> dict[str, Any]:
    numbers = {name: as_json(getattr(total, name)) for name in ("before", "after", "difference")}
    return {"column": total.column, **numbers}


def _groups(groups: Groups) -> dict[str, Any]:
    return {
        "columns": list(groups.columns),
        "count": groups.count,
        "different": groups.different,
        "shown": [_group(each) for each in groups.shown],
    }


def _group(group: GroupTotals) -> dict[str, Any]:
    return {
        "group": _row(group.group),
        "seq": group.seq,
        "level": group.level,
        "rows_before": group.rows_before,
        "rows_after": group.rows_after,
        "totals": [_total(each) for each in group.totals],
    }
