"""Expected rows in files beside a scenario: .csv with a header, or .json with one object a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path, PurePosixPath

from rowbook.definitions.models.scenario import ExpectedResult
from rowbook.definitions.place import Place
from rowbook.definitions.yaml.nodes import Scalar
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.records import MISQUOTED, Record, records_in
from rowbook.sources.files.json.lines import NO_OBJECT, lines_in


@dataclass(frozen=True, slots=True)
class FileRows:
    """The rows of a file as texts, for the columns' types to read; the line each starts on."""

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str | None], ...]
    lines: tuple[int, ...]


class _MalformedError(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")


def read_files(
    expectation: ExpectedResult, place: Place, boundary: Boundary
) -> dict[str, FileRows]:
    """The content of every file that an expectation names, by that name (YAML_001, SCENARIO_005;
    DATASOURCE_004 for one outside the workspace)."""
    here = place.at("expect")
    named = [(here.at("outputs", name), rows.file) for name, rows in expectation.outputs.items()]
    if expectation.working is not None:
        named.append((here.at("working"), expectation.working.file))
    if expectation.quarantined is not None:
        named.append((here.at("quarantined"), expectation.quarantined.file))
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


def read_csv(text: str) -> FileRows:
    """A header and rows. A bare empty cell is NULL, "" is the empty text."""
    header, *records = [*_records(text)] or [Record(1, ())]
    names = tuple(name or "" for name in header.fields)
    if not names or "" in names or len(set(names)) < len(names):
        raise _MalformedError(1, "a header names each column once")
    for each in records:
        if len(each.fields) != len(names):
            message = f"{len(each.fields)} cells below a header of {len(names)}"
            raise _MalformedError(each.line, message)
    rows = tuple(dict(zip(names, each.fields, strict=True)) for each in records)
    return FileRows(names, rows, tuple(each.line for each in records))


def _records(text: str) -> Iterator[Record]:
    for each in records_in(StringIO(text, newline=""), CsvDialect(), strict=True):
        if each.fault == MISQUOTED:
            raise _MalformedError(each.line, MISQUOTED)
        yield each


def read_json_lines(text: str) -> FileRows:
    """One object a line; numbers are taken as they are written."""
    lines = tuple(lines_in(StringIO(text, newline="")))
    for each in lines:
        if each.fault == NO_OBJECT:
            raise _MalformedError(each.number, "not an object; write one object a line")
        if each.fault is not None:
            raise _MalformedError(each.number, f"not JSON: {each.fault}")
        if each.nested:
            raise _MalformedError(each.number, f"'{each.nested[0]}' must be a single value")
    names = dict.fromkeys(name for each in lines for name in each.values)
    rows = tuple(each.values for each in lines)
    return FileRows(tuple(names), rows, tuple(each.number for each in lines))


_READERS: dict[str, Callable[[str], FileRows]] = {".csv": read_csv, ".json": read_json_lines}
