"""The jars that some data sources need beside Spark: which there are, which are here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rowbook.engine.session.jars import (
    EXTRAS,
    JARS,
    Extra,
    Jar,
    fetch_jars,
    jar_folder,
    missing_jars,
)


@dataclass(frozen=True, slots=True)
class JarState:
    extra: Extra
    jar: Jar
    is_here: bool


@dataclass(frozen=True, slots=True)
class JarList:
    folder: Path
    jars: tuple[JarState, ...]


def list_jars(only: Extra | None = None) -> JarList:
    folder = jar_folder()
    extras = (only,) if only else EXTRAS
    missing = missing_jars(extras, folder)
    jars = (JarState(extra, jar, jar not in missing) for extra in extras for jar in JARS[extra])
    return JarList(folder, tuple(jars))


def fetch_missing_jars(only: Extra | None = None) -> JarList:
    found = list_jars(only)
    missing = tuple(each for each in found.jars if not each.is_here)
    if missing:
        fetch_jars([each.jar for each in missing], found.folder)
    return JarList(found.folder, missing)
