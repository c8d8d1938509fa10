"""Expected rows in files beside a scenario: .csv with a header, or .json with one object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rowbook.definitions.models.scenario import Expectation
from rowbook.definitions.place import Place
from rowbook.definitions.yaml.nodes import Scalar
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary


@dataclass(frozen=True, slots=True)
class FileRows:
    """The rows of a file as texts, for the columns' types to read; the line each starts on."""

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str | None], ...]
    lines: tuple[int, ...]


class _MalformedError(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")


def read_files(expectation: Expectation, place: Place, boundary: Boundary) -> dict[str, FileRows]:
    """The content of every file that an expectation names, by that name (YAML_001, SCENARIO_005;
    DATASOURCE_004 for one outside the workspace)."""
    here = place.at("expect")
    named = [(here.at("outputs", name), rows.file) for name, rows in expectation.outputs.items()]
    if expectation.working is not None:
        named.append((here.at("working"), expectation.working.file))
    return {file: _read(file, at.at("file"), boundary) for at, file in named if file is not None}


def read_input(file: str, place: Place, boundary: Boundary) -> list[dict[str, Scalar | None]]:
    return [
        {n: None if v is None else Scalar(v, 0, 0, "double") for n, v in row.items()}
        for row in _read(file, place, boundary).rows
    ]


def _read(file: str, place: Place, boundary: Boundary) -> FileRows:
    def refuse(code: str, message: str) -> RowbookError:
        return RowbookError(place.diagnostic(code, message))

    folder = PurePosixPath(place.document.source.file).parent
    if not (boundary.root / folder / file).exists():
        folder = PurePosixPath()
    if not boundary.contains(file, str(folder)):
        raise refuse("DATASOURCE_004", f"{file} is outside the workspace")
    reader = _READERS.get(Path(file).suffix.lower())
    if reader is None:
        raise refuse("SCENARIO_005", f"{file} is neither .csv nor .json")
    try:
        text = (boundary.root / folder / file).read_bytes().decode("utf-8-sig")
        return reader(text)
    except UnicodeDecodeError:
        raise refuse("YAML_001", f"{file} is not UTF-8 text") from None
    except OSError as error:
        raise refuse("YAML_001", f"{file} cannot be read: {error.strerror or error}") from None
    except _MalformedError as error:
        raise refuse("SCENARIO_005", f"{file}, {error}") from None


_CELL = re.compile(
    r"""(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n][^,\r\n]*)?)(,|\r\n|\n|\r|\Z)""",
)
"""A quoted or a bare cell, and what ends it."""


def read_csv(text: str) -> FileRows:
    """RFC 4180. A bare empty cell is NULL, "" is the empty text: Python's own reader tells the two
    apart only from 3.13 on."""
    records = _records(text)
    _, header = next(records, (1, []))
    names = tuple(name or "" for name in header)
    if not names or "" in names or len(set(names)) < len(names):
        raise _MalformedError(1, "a header names each column once")
    rows: list[Mapping[str, str | None]] = []
    lines: list[int] = []
    for line, cells in records:
        if len(cells) != len(names):
            raise _MalformedError(line, f"{len(cells)} cells below a header of {len(names)}")
        rows.append(dict(zip(names, cells, strict=True)))
        lines.append(line)
    return FileRows(names, tuple(rows), tuple(lines))


def _records(text: str) -> Iterator[tuple[int, list[str | None]]]:
    """The lines with their cells; blank ones are left out."""
    place, line = 0, 1
    while place < len(text):
        start, cells = line, list[str | None]()
        end = ","
        while end == ",":
            found = _CELL.match(text, place)
            if found is None:
                raise _MalformedError(line, "a quote that does not end its cell")
            quoted, bare, end = found.groups()
            cells.append(bare if quoted is None else quoted.replace('""', '"'))
            line += text.count("\n", place, found.end())
            place = found.end()
        if cells != [None]:
            yield start, cells


def read_json_lines(text: str) -> FileRows:
    """One object a line; numbers are taken as they are written."""
    names: dict[str, None] = {}
    rows: list[Mapping[str, str | None]] = []
    lines: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line, parse_float=str, parse_int=str, parse_constant=str)
        except (ValueError, RecursionError) as error:
            raise _MalformedError(number, f"not JSON: {error}") from None
        if not isinstance(found, dict):
            raise _MalformedError(number, "not an object; write one object a line")
        rows.append({name: _cell(value, name, number) for name, value in found.items()})
        lines.append(number)
        names.update(dict.fromkeys(found))
    return FileRows(tuple(names), tuple(rows), tuple(lines))


def _cell(value: object, name: str, line: int) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, str):
        return value
    raise _MalformedError(line, f"'{name}' must be a single value")


_READERS: dict[str, Callable[[str], FileRows]] = {".csv": read_csv, ".json": read_json_lines}
