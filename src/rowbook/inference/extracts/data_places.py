"""Where data that is looked at lies: below the workspace, and which part of its name is a month."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.locations.file_options import ENDINGS, PACKED_ENDINGS
from rowbook.value_class import dataclass

_MONTH = re.compile(r"(?<!\d)(20\d\d)([-_./]?)(0[1-9]|1[0-2])(?![-_.]?\d)")


@dataclass(frozen=True, slots=True)
class DataPlace:
    """`label` is its path as definitions have it; of files of several months the template that all
    have, with `files` in their order. `root` is the folder that nothing of it varies below."""

    label: str
    files: tuple[tuple[Path, str], ...]

    @property
    def is_monthly(self) -> bool:
        return "{{MM}}" in self.label

    @property
    def root(self) -> str:
        fixed = self.label.partition("{{")[0] if self.is_monthly else self.label
        return str(PurePosixPath(fixed + "x").parent) if self.is_monthly else _parent(fixed)

    @property
    def below(self) -> str:
        return str(PurePosixPath(self.label).relative_to(self.root))

    @property
    def stem(self) -> str:
        """What a dataset may be called: without months and endings."""
        parts = [re.sub(r"\{\{\w+\}\}", "", part) for part in self.below.split("/")]
        words = [re.sub(r"[-_. ]{2,}", "_", _bare(part)).strip("-_. ") for part in parts]
        named = [word for word in words if word]
        return named[-1] if named else PurePosixPath(self.root).name or "data"


def data_places(paths: Iterable[Path], boundary: Boundary) -> tuple[DataPlace, ...]:
    """Files whose names differ by their month alone are one table. USAGE_001 for what is not there,
    DATASOURCE_004 for what lies outside the workspace."""
    places: dict[str, list[tuple[Path, str]]] = {}
    for path in paths:
        if not os.path.exists(path):  # noqa: PTH110 - Path.exists fails on names that are too long
            raise RowbookError.of("USAGE_001", f"{path} does not exist")
        label = _label(path, boundary)
        template = _MONTH.sub(r"{{YYYY}}\2{{MM}}", label, count=1) if path.is_file() else label
        places.setdefault(template, []).append((path, label))
    return tuple(DataPlace(label, tuple(files)) for label, files in places.items())


def month_in(label: str) -> str | None:
    found = _MONTH.search(label)
    return f"{found[1]}-{found[3]}" if found else None


def _label(path: Path, boundary: Boundary) -> str:
    real, root = os.path.realpath(path), os.path.realpath(boundary.root)
    if not boundary.contains(real):
        raise RowbookError.of(
            "DATASOURCE_004",
            f"'{path}' is outside the workspace {boundary.root} and its allowed locations",
            hint="put it below the workspace, or name its folder in allowed_locations",
        )
    inside = real == root or real.startswith(root.rstrip(os.sep) + os.sep)
    return Path(real).relative_to(root).as_posix() if inside else Path(real).as_posix()


def _parent(label: str) -> str:
    return str(PurePosixPath(label).parent)


def _bare(name: str) -> str:
    """Without the endings of formats and packing."""
    endings = [e for kinds in (ENDINGS, PACKED_ENDINGS) for each in kinds.values() for e in each]
    lower = name.lower()
    for ending in (*endings, ".gz", ".bz2", ".tsv", ".txt"):
        if lower.endswith(ending):
            return _bare(name[: -len(ending)])
    return name
