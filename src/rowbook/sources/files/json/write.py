"""Json lines from a frame."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as s

from rowbook.errors import RowbookError
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.json.lines import JsonOptions, count_rows
from rowbook.sources.files.listing import LocalFile
from rowbook.sources.files.text.arrangement import TextFiles
from rowbook.sources.files.text.encodings import PACKED, open_text
from rowbook.sources.files.text.value_forms import TextForm
from rowbook.sources.files.text.write_values import as_text
from rowbook.sources.plain_output import PlainOutput
from rowbook.sources.publishing.file_layout import NewFile
from rowbook.spark.column_names import column

_ENCODING = "utf-8"
_DATES = (s.DateType, s.TimestampType)


@dataclass(frozen=True, slots=True)
class JsonWriting:
    """In UTF-8: NULL as null, decimals as numbers with their scale, dates and timestamps (UTC) as
    ISO text or as the form says, NaN and the infinities as text: they are no numbers in json."""

    form: TextForm
    compression: str | None

    @classmethod
    def to(cls, target: FileTarget) -> JsonWriting:
        """As the target's options say; DATASOURCE_002 for an encoding that json must not have."""
        found = JsonOptions.of(target.options, target.label)
        if found.encoding != _ENCODING:
            message = f"{target.label}: json files are written in UTF-8, not in {found.encoding}"
            raise RowbookError.of("DATASOURCE_002", message, hint="leave encoding out")
        packed = target.options.get("compression")
        return cls(found.form, None if packed == "none" else packed)

    @property
    def options(self) -> dict[str, str]:
        return {"ignoreNullFields": "false", "compression": self.compression or "none"}

    def prepare(self, frame: DataFrame) -> DataFrame:
        """Dates and timestamps as text; Spark would cut off microseconds."""
        columns = [
            as_text(column(f.name), f.dataType, self.form).alias(f.name)
            if isinstance(f.dataType, _DATES)
            else column(f.name)
            for f in frame.schema.fields
        ]
        return frame.select(*columns)

    def arrange(
        self, _: SparkSession, __: Path, ___: Sequence[str], files: Sequence[NewFile]
    ) -> None:
        texts = TextFiles(_ENCODING, self.compression, header=False, joins=True, rows=iter)
        texts.arrange(files)

    def part_rows(self, file: LocalFile) -> int:
        return self.rows(file)

    def row_files(self, folder: Path, columns: Sequence[str], by: Sequence[str]) -> None:
        return None

    def local_writing(self) -> None:
        return None

    def plain_table(self, _: PlainOutput) -> None:
        return None

    def rows(self, file: LocalFile) -> int:
        return count_rows(file.path, _ENCODING)


def copy_lines(path: Path, to: Path, more: Mapping[str, str | None]) -> None:
    """The rows of a file, each with more members, and what they had as it is written."""
    members = ",".join(f"{json.dumps(key)}:{json.dumps(value)}" for key, value in more.items())
    opener = PACKED.get(to.suffix, open)
    with open_text(path, _ENCODING) as lines, opener(to, "wt", encoding=_ENCODING) as copy:
        for line in lines:
            if row := line.strip().removesuffix("}").rstrip():
                copy.write(f"{row}{'' if row.endswith('{') else ','}{members}}}\n")
