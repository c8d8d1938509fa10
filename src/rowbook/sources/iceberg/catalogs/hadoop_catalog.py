"""A catalog that is nothing but folders, each with files `metadata/v3.metadata.json`.

The highest number holds. A new one comes by a second name for a file that is whole, which fails
where the number is taken. The file is made in a folder that is the claim: released, it has another
name, and nothing can be linked from it.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowbook.sources.iceberg.catalogs.catalog import ClaimLostError, OutputName
from rowbook.sources.iceberg.lake_files import sync_folder, write_new
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.stores.object_path import DataPath
from rowbook.write_points import write_point

_METADATA = re.compile(r"v(?P<version>\d+)(?:\.gz)?\.metadata\.json(?:\.gz)?")
_HINT = "version-hint.text"
_CLAIM, _RELEASED = ".claim", ".released"
"""What follows the name of an output."""


@dataclass(frozen=True, slots=True)
class HadoopCatalog:
    warehouse: Path

    def metadata_file(self, name: tuple[str, ...]) -> str | None:
        found = self._newest(name)
        return None if found is None else str(found[1])

    def new_location(self, name: tuple[str, ...]) -> Path:
        return self.warehouse.joinpath(*name)

    def claim(self, name: tuple[str, ...], output: OutputName, location: DataPath) -> None:
        (self.new_location(name) / f"{output.folder}{_CLAIM}").mkdir(parents=True, exist_ok=True)

    def exchange(
        self,
        name: tuple[str, ...],
        output: OutputName,
        base: TableMetadata | None,
        content: Mapping[str, Any],
    ) -> bool:
        table, newest = self.new_location(name), self._newest(name)
        if (None if newest is None else str(newest[1])) != (None if base is None else base.file):
            return False
        version = 1 if newest is None else newest[0] + 1
        folder, claim = table / "metadata", table / f"{output.folder}{_CLAIM}"
        made = claim / f"v{version}-{secrets.token_hex(4)}.metadata.json"
        try:
            folder.mkdir(exist_ok=True)
            write_new(made, json.dumps(content).encode())
            write_point("the metadata of an Iceberg table is written")
            os.link(made, folder / f"v{version}.metadata.json")
        except FileExistsError:
            return False
        except FileNotFoundError as cause:
            raise ClaimLostError from cause
        sync_folder(folder)
        write_point("an Iceberg table has its new metadata")
        _write_hint(folder, version)
        return True

    def release(self, name: tuple[str, ...], output: OutputName) -> Path | None:
        location = self.new_location(name)
        released = location / f"{output.folder}{_RELEASED}"
        with suppress(FileNotFoundError):
            (location / f"{output.folder}{_CLAIM}").rename(released)
        return location if released.is_dir() else None

    def forget(self, name: tuple[str, ...], output: OutputName) -> None:
        for ending in (_CLAIM, _RELEASED):
            claim = self.new_location(name) / f"{output.folder}{ending}"
            if claim.is_dir():
                for each in claim.iterdir():
                    each.unlink()
                claim.rmdir()

    def _newest(self, name: tuple[str, ...]) -> tuple[int, Path] | None:
        folder = self.new_location(name) / "metadata"
        try:
            files = [
                (m, each) for each in folder.iterdir() if (m := _METADATA.fullmatch(each.name))
            ]
        except (FileNotFoundError, NotADirectoryError):
            return None
        return max(((int(m["version"]), each) for m, each in files), default=None)


def _write_hint(folder: Path, version: int) -> None:
    """Only where others begin to look: a sum that stands beside it would be of the old one."""
    made = folder / f".{_HINT}.{secrets.token_hex(4)}.tmp"
    made.write_text(str(version), encoding="utf-8")
    with suppress(FileNotFoundError):
        (folder / f".{_HINT}.crc").unlink()
    made.replace(folder / _HINT)
