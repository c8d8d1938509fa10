"""The parts that a workbook is packed of, unpacked with bounds: what a few bytes can become."""

from __future__ import annotations

import posixpath
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

MOST_UNPACKED = 1 << 30
"""Bytes of all parts: a full sheet of a dozen columns has half of it."""
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How files begin that hold streams: xls ones, and others with a password."""
_BLOCK = 1 << 20
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"


class UnsoundWorkbookError(Exception):
    """A workbook that is not to be read; the message says why, after its name."""


@dataclass(frozen=True, slots=True)
class WorkbookParts:
    """The parts of a workbook by their names in small letters."""

    path: Path
    parts: Mapping[str, ZipInfo]

    @classmethod
    def of(cls, path: Path) -> WorkbookParts | None:
        """None where it is not packed at all. No part but a sheet may be larger than it says: those
        are looked at when they are read."""
        with path.open("rb") as file:
            begins = file.read(len(OLE))
        if begins == OLE:
            return None
        if not begins.startswith(b"PK"):
            raise UnsoundWorkbookError("is no workbook")
        try:
            with ZipFile(path) as archive:
                parts = {info.filename.lower().lstrip("/"): info for info in archive.infolist()}
        except (BadZipFile, ValueError, NotImplementedError, struct.error) as cause:
            raise UnsoundWorkbookError(f"is not whole: {cause}") from cause
        size = sum(info.file_size for info in parts.values())
        if size > MOST_UNPACKED:
            most = f"{MOST_UNPACKED >> 20} MiB"
            raise UnsoundWorkbookError(f"has {size >> 20} MiB when unpacked, more than {most}")
        found = cls(path, parts)
        for name in parts:
            if "worksheets/" not in name and not name.endswith("/"):
                for _ in found.blocks(name):
                    pass
        return found

    def blocks(self, name: str) -> Iterator[bytes]:
        """All of a part, whatever size it says it has; it must not have more."""
        info, size = self.parts[name], 0
        try:
            with self.path.open("rb") as file:
                for block in _unpacked(file, info):
                    size += len(block)
                    if size > info.file_size:
                        raise UnsoundWorkbookError(f"has a part '{name}' that is larger than said")
                    yield block
        except (zlib.error, struct.error) as cause:
            raise UnsoundWorkbookError(f"has a part '{name}' that is not whole: {cause}") from cause

    def read(self, name: str) -> bytes:
        return b"".join(self.blocks(name))

    def related(self, part: str, relation: str) -> str | None:
        """The part that another names by the id of a relation."""
        folder, file = posixpath.split(part)
        found = self.elements(f"{folder}/_rels/{file}.rels")
        target = next((each["Target"] for each in found if each.get("Id") == relation), None)
        if target is None:
            return None
        name = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/").lower()
        return name if name in self.parts else None

    def elements(self, part: str, tag: str | None = None) -> list[Mapping[str, str]]:
        """The attributes of all elements in a small part, of one name or of any."""
        if part not in self.parts:
            return []
        try:
            root = ElementTree.fromstring(self.read(part))
        except (ElementTree.ParseError, ValueError, LookupError) as cause:
            raise UnsoundWorkbookError(f"has a part '{part}' that is no XML: {cause}") from cause
        wanted = (e for e in root.iter() if tag is None or e.tag.rpartition("}")[2] == tag)
        return [each.attrib for each in wanted]

    def xml_sheet(self, sheet: str) -> str | None:
        """The part of a sheet of an xlsx file."""
        for each in self.elements("xl/workbook.xml", "sheet"):
            if each.get("name") == sheet:
                relation = each.get(_RELATION) or each.get(_STRICT_RELATION) or ""
                return self.related("xl/workbook.xml", relation)
        return None


def _unpacked(file: BinaryIO, info: ZipInfo) -> Iterator[bytes]:
    file.seek(info.header_offset)
    name, extra = struct.unpack("<HH", file.read(30)[26:])
    file.seek(name + extra, 1)
    left = info.compress_size
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise UnsoundWorkbookError(f"has a part '{info.filename}' that is packed in an unknown way")
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    while left > 0 and (block := file.read(min(left, _BLOCK))):
        left -= len(block)
        if info.compress_type == ZIP_STORED:
            yield block
            continue
        while block and not inflate.eof:
            yield inflate.decompress(block, _BLOCK)
            block = inflate.unconsumed_tail
