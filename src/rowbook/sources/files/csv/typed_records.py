"""Whole lines of a csv file as columns in their types, by Arrow; where it is certain that Spark and
our rules make the same of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.csv as arrow_csv

from rowbook.expressions.types import Type
from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.line_records import block_has_records
from rowbook.sources.files.text.encodings import LOST
from rowbook.sources.files.text.strict_values import UnsureError, strict_values


@dataclass(frozen=True, slots=True)
class TypedRecords:
    """Of files with the same header."""

    names: tuple[str, ...]
    dialect: CsvDialect
    line_end: str

    @property
    def may_be_sure(self) -> bool:
        """Whether it is worth trying. The line of a table of one column may be empty."""
        dialect = self.dialect
        usual = dialect.escape == dialect.quote and dialect.null_text is None
        plain = dialect.encoding == "utf-8" and not dialect.compression
        whole = dialect.header_row == 1 and self.line_end != "\r" and len(self.names) > 1
        return usual and plain and whole

    def table(self, lines: bytes, types: Mapping[str, Type], *, is_first: bool) -> pa.Table:
        """The columns of these types; UnsureError where anything else may be meant. The first lines
        of a file have the header."""
        if b"\0" in lines or (not lines.isascii() and LOST.encode() in lines):
            raise UnsureError
        if not block_has_records(b"\n" + lines, self.dialect, self.line_end):
            raise UnsureError
        places = {name: f"c{self.names.index(name)}" for name in types}
        try:
            texts = self._texts(lines, list(places.values()))
        except pa.ArrowInvalid as cause:
            raise UnsureError from cause
        if is_first and self.dialect.header:
            texts = _below_header(texts, places)
        columns = [strict_values(texts[places[name]], kind) for name, kind in types.items()]
        return pa.table(columns, names=list(types))

    def _texts(self, lines: bytes, wanted: list[str]) -> pa.Table:
        names = [f"c{i}" for i in range(len(self.names))]
        return arrow_csv.read_csv(
            pa.BufferReader(lines),
            read_options=arrow_csv.ReadOptions(
                use_threads=False, block_size=len(lines) + 1, column_names=names
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=self.dialect.delimiter, quote_char=self.dialect.quote
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                include_columns=wanted,
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )


def _below_header(texts: pa.Table, places: Mapping[str, str]) -> pa.Table:
    header = texts.slice(0, 1).to_pylist()
    if header != [{place: name for name, place in places.items()}]:
        raise UnsureError
    return texts.slice(1)
