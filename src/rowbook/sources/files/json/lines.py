"""Files of json lines seen by Python: the keys they begin with, and which lines are wrong.

Spark reads the data. What Spark cannot say (which line) is found here, in the files themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NoReturn

from rowbook.errors import RowbookError, reason
from rowbook.planning.columns import ALWAYS
from rowbook.sources.files.text.content_guesses import encoding_hint, refuse_no_text
from rowbook.sources.files.text.encodings import open_text
from rowbook.sources.files.text.options import text_encoding, text_form
from rowbook.sources.files.text.value_forms import NumberText, TextForm
from rowbook.sources.raw import BadValue
from rowbook.sources.stores.object_path import DataPath

LOOKED_AT = 1_000
"""Rows of each file of which the keys are known before Spark reads it."""

NO_OBJECT = "no object"
BLANK = " \t"
_LINE_ENDS = "\r\n"
_CHUNK = 1_000_000


@dataclass(frozen=True, slots=True)
class JsonOptions:
    encoding: str
    form: TextForm

    @classmethod
    def of(cls, options: Mapping[str, str], label: str) -> JsonOptions:
        """DATASOURCE_002 for values that cannot be."""
        form = replace(text_form(options, label), exponents=True)
        return cls(text_encoding(options, label), form)


@dataclass(frozen=True, slots=True)
class Line:
    """`values` are text, of numbers NumberText, None for null; `nested` names those that are lists
    or objects, as json, `bare` numbers and booleans that stand without quotes."""

    number: int
    values: Mapping[str, str | None]
    fault: str | None = None
    nested: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Keys:
    """`complete` where files have no rows but the first ones; `is_empty`: no rows at all. `rows`
    are the first ones of all files together."""

    names: tuple[str, ...]
    complete: bool
    is_empty: bool
    rows: tuple[Line, ...]

    def columns(self, wanted: Collection[str], later: Collection[str]) -> tuple[str, ...]:
        """With the system's, which no row was asked for but any may have. A table without rows has
        all that are wanted."""
        if self.is_empty:
            return tuple(wanted)
        system = () if self.complete else (field.name for field in ALWAYS)
        return tuple(dict.fromkeys((*self.names, *later, *system)))


def lines(path: DataPath, encoding: str) -> Iterator[Line]:
    with open_text(path, encoding) as file:
        yield from lines_in(file)


def lines_in(texts: Iterable[str]) -> Iterator[Line]:
    for number, text in enumerate(texts, start=1):
        if text.strip(BLANK + _LINE_ENDS):
            yield _line(number, text)


def first_keys(files: Sequence[tuple[DataPath, str]], encoding: str) -> Keys:
    """DATASOURCE_007 for a file that cannot be read."""
    names: dict[str, None] = {}
    first: list[Line] = []
    complete, is_empty = True, True
    for path, label in files:
        rows = 0
        try:
            refuse_no_text(path, "json", label)
            for line in islice(lines(path, encoding), LOOKED_AT + 1):
                rows += 1
                names |= dict.fromkeys(line.values) if rows <= LOOKED_AT else {}
                first += [line] if len(first) < LOOKED_AT else []
        except (UnicodeError, OSError, EOFError) as cause:
            message = f"{label} cannot be read: {reason(cause)}"
            hint = encoding_hint([path], encoding) if isinstance(cause, UnicodeError) else None
            raise RowbookError.of("DATASOURCE_007", message, hint=hint) from cause
        complete = complete and rows <= LOOKED_AT
        is_empty = is_empty and not rows
    return Keys(tuple(names), complete, is_empty, tuple(first))


def find(
    files: Sequence[tuple[DataPath, str]],
    encoding: str,
    column: str | None,
    shown_as: str,
    is_bad: Callable[[str | None], bool],
    most: int,
) -> list[BadValue]:
    """Bad values of a column in sound rows; with no column, what is wrong with the other rows."""
    found = (
        BadValue(f"{label}:{line.number}", shown_as, value)
        for path, label in files
        for line in lines(path, encoding)
        if (column is None) != (line.fault is None)
        if is_bad(value := line.fault if column is None else line.values.get(column))
    )
    return list(islice(found, most))


def count_rows(path: DataPath, encoding: str) -> int:
    """How many rows a file holds that Spark wrote: each has a line, and ends it."""
    rows = 0
    with open_text(path, encoding) as file:
        while chunk := file.read(_CHUNK):
            rows += chunk.count("\n")
    return rows


class _RefusedError(ValueError):
    """A key that stands twice in an object, or a number that json has not."""


def _line(number: int, text: str) -> Line:
    try:
        row = _DECODER.decode(text)
        if not isinstance(row, _Members):
            return Line(number, {}, NO_OBJECT)
        values = {key: _text(value) for key, value in row.unique()}
        nested = tuple(key for key, value in row if isinstance(value, list))
        bare = tuple(key for key, value in row if isinstance(value, NumberText | bool))
        for each in (*values, *values.values()):
            (each or "").encode()
    except _RefusedError as refused:
        return Line(number, {}, str(refused))
    except UnicodeEncodeError:
        return Line(number, {}, "half of a character (\\ud800 … \\udfff alone)")
    except RecursionError:
        return Line(number, {}, "nested too deeply")
    except json.JSONDecodeError as error:
        return Line(number, {}, f"no json from column {error.colno} on")
    return Line(number, values, nested=nested, bare=bare)


class _Members(list[tuple[str, object]]):
    def unique(self) -> list[tuple[str, object]]:
        seen: set[str] = set()
        for key, _ in self:
            if key in seen:
                raise _RefusedError(f"key '{key}' stands twice")
            seen.add(key)
        return self


def _refuse_constant(name: str) -> NoReturn:
    raise _RefusedError(f"{name} is no value of json")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_Members,
    parse_float=NumberText,
    parse_int=NumberText,
    parse_constant=_refuse_constant,
)


def _text(value: object) -> str | None:
    """A value as Spark's reader has it; what is nested, as json."""
    if value is None:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return _nested(value)


def _nested(value: object) -> str:
    if isinstance(value, _Members):
        members = (f"{json.dumps(k, ensure_ascii=False)}:{_nested(v)}" for k, v in value)
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_nested, value))}]"
    if isinstance(value, NumberText):
        return str(value)
    return json.dumps(value, ensure_ascii=False)
