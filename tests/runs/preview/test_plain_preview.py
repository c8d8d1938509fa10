"""Previews by the reference engine: rows that expectations take out are not shown, and no
expectation ends a preview."""

from __future__ import annotations

from pathlib import Path

from tests.runs.preview.both_engines import by_reference, write_workspace

_OPERATIONS = """\
    - seq: 10
      name: double
      type: update
      arguments: {assignments: [{column: doubled, expression: "m * 2"}]}
    - {seq: 20, name: write, type: output, arguments: {destination: {location: {path: out}}}}
    - {seq: 30, name: drop, type: delete, selector: "s = 'd'"}
  quarantine: {location: {path: refused}}
  expectations:
    - {name: known, at: input, that: "m IS NOT NULL", otherwise: quarantine}
    - {name: small, at: 20, that: "doubled < 10", otherwise: quarantine}
    - {name: few, at: input, that: "FALSE", otherwise: quarantine, tolerate: {rows: 1}}
    - {name: none, at: input, that: "COUNT(*) = 0", otherwise: stop}
"""
_COLUMNS = '      - {name: s, type: string}\n      - {name: m, type: "decimal(18,2)"}\n'
_ROWS = "s,m\na,1\nb,\nc,9\nd,2\n"


def rows(folder: Path, after: int | None) -> list[object]:
    write_workspace(folder, "csv", {"entries.csv": _ROWS}, columns=_COLUMNS, operations=_OPERATIONS)
    return [row["s"] for row in by_reference(folder, after=after).rows]


def test_rows_are_taken_out_where_the_preview_passes(tmp_path: Path) -> None:
    assert rows(tmp_path, 10) == ["a", "c", "d"]
    assert rows(tmp_path, 20) == ["a", "d"]
    assert rows(tmp_path, None) == ["a"]
