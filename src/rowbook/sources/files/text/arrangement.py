"""Text files joined and cut without Spark: rows are lines, or a few lines each."""

from __future__ import annotations

import bz2
import gzip
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import chain, groupby, islice
from pathlib import Path
from typing import IO, cast

from rowbook.sources.files.text.encodings import open_text
from rowbook.sources.publishing.file_layout import NewFile

_NUMBERED = re.compile(r"^part-[0-9]+")


@dataclass(frozen=True, slots=True)
class TextFiles:
    """`rows` are the texts of rows in a file's lines, a header among them; `header_bytes` is how
    much of a file that takes. `joins` says that files' bytes can be put one after the other."""

    encoding: str
    compression: str | None
    header: bool
    joins: bool
    rows: Callable[[Iterable[str]], Iterator[str]]
    header_bytes: Callable[[Path], int] = lambda _: 0

    def arrange(self, files: Sequence[NewFile]) -> None:
        for _, group in groupby(files, key=lambda file: file.folder):
            folder = list(group)
            whole = all(piece.is_whole for file in folder for piece in file.pieces)
            (self._join if whole and self.joins else self._cut)(folder)

    def _join(self, files: Sequence[NewFile]) -> None:
        for file in files:
            first, *rest = (piece.part.file.path for piece in file.pieces)
            skipped = self.header_bytes(first)
            with first.open("ab") as joined:
                for path in rest:
                    with path.open("rb") as part:
                        part.seek(skipped)
                        shutil.copyfileobj(part, joined)
                    path.unlink()

    def _cut(self, files: Sequence[NewFile]) -> None:
        parts = list(dict.fromkeys(piece.part.file.path for file in files for piece in file.pieces))
        rows = chain.from_iterable(self._rows_of(path) for path in parts)
        header = self._header_of(parts[0])
        made: dict[Path, Path] = {}
        for number, file in enumerate(files):
            name = _NUMBERED.sub(f"part-{number:05}", parts[0].name)
            hidden = file.folder / f".{name}"
            made[hidden] = file.folder / name
            with text_to(hidden, self.encoding, self.compression) as text:
                text.writelines(chain(header, islice(rows, file.rows)))
        for path in parts:
            path.unlink()
        for hidden, path in made.items():
            hidden.rename(path)

    def _rows_of(self, path: Path) -> Iterator[str]:
        with open_text(path, self.encoding) as file:
            yield from islice(self.rows(file), int(self.header), None)

    def _header_of(self, path: Path) -> list[str]:
        if not self.header:
            return []
        with open_text(path, self.encoding) as file:
            return list(islice(self.rows(file), 1))


@contextmanager
def text_to(path: Path, encoding: str, compression: str | None) -> Iterator[IO[str]]:
    """The same rows always become the same bytes: no time is in them."""
    with ExitStack() as held:
        raw: IO[bytes] = held.enter_context(path.open("wb"))
        if compression == "gzip":
            raw = cast(IO[bytes], held.enter_context(gzip.GzipFile("", "wb", 9, raw, mtime=0)))
        elif compression == "bzip2":
            raw = cast(IO[bytes], held.enter_context(bz2.BZ2File(raw, "wb")))
        yield held.enter_context(TextIOWrapper(raw, encoding=encoding, newline=""))
