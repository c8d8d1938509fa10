"""Random projects whose random tables are files: one table, the same rows in each format."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rowbook.api import Preview, RowbookError
from rowbook.planning.workspace_check import check_workspace
from tests.engine.random_expressions import FIELDS
from tests.engine.random_projects import WORKSPACE, random_project, random_tables
from tests.support.reference_run import bag

_TABLES = {"main": "t", "extra": "x", "names": "n"}
_ARROW = {
    "string": pa.string(),
    "integer": pa.int64(),
    "float": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}
_TYPES = {
    **{field.name: str(field.type) for field in FIELDS},
    "code": "integer",
    "label": "string",
    "rate": "decimal(24,6)",
    "_deleted": "boolean",
    "_period": "string",
    "_row_id": "string",
}


def write_random_project(folder: Path, pick: random.Random, kind: str) -> None:
    """A project that plans, and tables in files that are not empty: those have no columns."""
    files = f'{{{{table_name}}}}.{kind}", format: {kind}'
    workspace = WORKSPACE.replace('{{table_name}}.parquet"', files)
    while True:
        text = f"{workspace}---\n{random_project(pick, 6)}"
        (folder / "rowbook.yaml").write_text(text, encoding="utf-8")
        tables = random_tables(pick)
        if check_workspace(folder).projects["random"].plan and all(tables.values()):
            break
    for name, rows in tables.items():
        _WRITERS[kind](folder / f"{_TABLES[name]}.{kind}", rows)


def outcome(preview: Callable[[], Preview]) -> tuple[tuple[str, ...], Counter[str]] | str:
    """Columns and rows, floats to ten digits, since POWER may differ in the last; runs have ids of
    their own. Or the code of an error: of rows that match twice, either engine may name any."""
    try:
        found = preview()
    except RowbookError as error:
        return error.diagnostics[0].code
    dropped = "_created_by_run_id"
    rows = [{n: v for n, v in row.items() if n != dropped} for row in found.rows]
    return found.columns, bag(rows)


def _write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    lines = [",".join(rows[0]), *(",".join(map(_quoted, row.values())) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _quoted(value: Any) -> str:
    if value is None:
        return ""
    return '"' + _text(value).replace('"', '""') + '"'


def _text(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float():
            special = {math.inf: "Infinity", -math.inf: "-Infinity"}
            return "NaN" if math.isnan(value) else special.get(value, repr(value))
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case _:
            return str(value)


def _write_json(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    texts = [{n: None if v is None else _text(v) for n, v in row.items()} for row in rows]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in texts), encoding="utf-8")


def _write_parquet(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    schema = pa.schema([(name, _arrow(_TYPES[name])) for name in rows[0]])
    typed = [{n: _exact(v, schema.field(n).type) for n, v in row.items()} for row in rows]
    pq.write_table(pa.Table.from_pylist(typed, schema), path)


def _arrow(kind: str) -> pa.DataType:
    if not kind.startswith("decimal"):
        return _ARROW[kind]
    precision, scale = kind.removeprefix("decimal(").removesuffix(")").split(",")
    return pa.decimal128(int(precision), int(scale))


def _exact(value: Any, kind: pa.DataType) -> Any:
    if isinstance(value, Decimal) and pa.types.is_decimal(kind):
        return value.quantize(Decimal(1).scaleb(-kind.scale))
    return value


_WRITERS: dict[str, Callable[[Path, Sequence[Mapping[str, Any]]], None]] = {
    "csv": _write_csv,
    "json": _write_json,
    "parquet": _write_parquet,
}
