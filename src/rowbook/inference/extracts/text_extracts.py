"""Csv files and json lines to look at: how they are written is found out first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from rowbook.errors import RowbookError
from rowbook.inference.extracts.data_places import DataPlace
from rowbook.inference.extracts.delimiter_guess import DelimiterGuess, guess_delimiter
from rowbook.inference.extracts.encoding_guess import EncodingGuess, guess_file_encoding
from rowbook.inference.extracts.extract import Extract, Option, Rows, SourceProposal
from rowbook.planning.datasources import option_text
from rowbook.sources.files.csv.dialect import CsvDialect, dialect_of
from rowbook.sources.files.csv.header import read_head, unique_names
from rowbook.sources.files.csv.records import records
from rowbook.sources.files.json.lines import lines

_SAMPLES = 5
_DEFAULT_DELIMITER = ","


def csv_extract(place: DataPlace) -> Extract:
    """DATASOURCE_007 where lines are no rows, or files of several months are unlike."""
    encoding = _encoding(place)
    path, label = place.files[0]
    guess = guess_delimiter(path, encoding.encoding)
    options = {"root": Option(place.root), **_csv_options(encoding, guess)}
    dialect = dialect_of({name: option_text(o.value) for name, o in options.items()}, label)
    headers = _headers(path, dialect, label)
    for other, name in place.files[1:]:
        if _headers(other, dialect, name) != headers:
            raise RowbookError.of("DATASOURCE_007", f"{name} has other columns than {label}")
    return Extract(
        place.stem,
        place.label,
        SourceProposal("csv", options),
        place.below,
        is_table=False,
        headers=headers,
        rows=lambda: _csv_rows(place.files, dialect),
        by_position=not dialect.header,
    )


def _encoding(place: DataPlace) -> EncodingGuess:
    """Of all files; one that has letters of ASCII alone is in any that the others are in."""
    found = [guess_file_encoding(path) for path, _ in place.files]
    return next((each for each in found if each.encoding != "utf-8"), found[0])


def _csv_options(encoding: EncodingGuess, guess: DelimiterGuess) -> dict[str, Option]:
    options: dict[str, Option] = {}
    if encoding.encoding != "utf-8":
        options["encoding"] = Option(encoding.encoding, encoding.why)
    if guess.delimiter != _DEFAULT_DELIMITER:
        options["delimiter"] = Option(guess.delimiter, f"{guess.fields} fields a line")
    if guess.header_row is None:
        options["header"] = Option(False, "the first line is a row like the others")
    elif guess.header_row > 1:
        above = guess.header_row - 1
        lines_ = "a line" if above == 1 else f"{above} lines"
        options["header_row"] = Option(guess.header_row, f"{lines_} above it")
    return options


def _headers(path: Path, dialect: CsvDialect, label: str) -> tuple[str, ...]:
    return unique_names(read_head(path, dialect, label), dialect, label)


def _csv_rows(files: Sequence[tuple[Path, str]], dialect: CsvDialect) -> Rows:
    faults: list[str] = []
    for path, label in files:
        for record in records(path, dialect):
            if record.fault is None:
                yield f"{label}:{record.line}", record.fields
            else:
                faults.append(f"{label}:{record.line} ({record.fault})")
    if faults:
        raise _no_rows(faults)


def json_extract(place: DataPlace) -> Extract:
    encoding = _encoding(place)
    options = {"root": Option(place.root)}
    if encoding.encoding != "utf-8":
        options["encoding"] = Option(encoding.encoding, encoding.why)
    keys: dict[str, None] = {}
    for path, _ in place.files:
        for line in lines(path, encoding.encoding):
            keys |= dict.fromkeys(line.values)
    headers = tuple(keys)
    return Extract(
        place.stem,
        place.label,
        SourceProposal("json", options),
        place.below,
        is_table=False,
        headers=headers,
        rows=lambda: _json_rows(place.files, encoding.encoding, headers),
    )


def _json_rows(files: Sequence[tuple[Path, str]], encoding: str, headers: Sequence[str]) -> Rows:
    faults: list[str] = []
    for path, label in files:
        for line in lines(path, encoding):
            if line.fault is None:
                yield f"{label}:{line.number}", [line.values.get(name) for name in headers]
            else:
                faults.append(f"{label}:{line.number} ({line.fault})")
    if faults:
        raise _no_rows(faults)


def _no_rows(faults: Sequence[str]) -> RowbookError:
    more = f" and {len(faults) - _SAMPLES:,} more" if len(faults) > _SAMPLES else ""
    message = f"lines that are no rows: {', '.join(islice(faults, _SAMPLES))}{more}"
    return RowbookError.of("DATASOURCE_007", message, hint="correct the file, and try again")


def is_json(path: Path) -> bool:
    """By its first character that is no blank."""
    first = next(_first_lines(path), b"").lstrip(b"\xef\xbb\xbf \t\r\n")
    return first.startswith(b"{")


def _first_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from iter(lambda: file.read(256), b"")
