"""What is sealed, as people know it: by the name of a definition, project or calendar instead of
its id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.store.database import tables as t
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class SubjectNames:
    """Words before and behind what a subject says after its kind and id, by these."""

    words: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, connection: Connection, calendars: Mapping[str, str]) -> SubjectNames:
        """As the newest versions have them. `calendars` are those that nobody defines, by id."""
        return cls(dict(_words(connection, dict(calendars))))

    def find(self, subject: str) -> str | None:
        """Of a subject, also one that is gone, or of what a pointer is of: `dataset 'gl' version 2`
        of `definition dataset 3b05… 2`. None where the store has no name for it."""
        for count in range(3):
            key, *rest = subject.rsplit(" ", count)
            if key in self.words:
                before, behind = self.words[key]
                return f"{before}{' '.join(rest)}{behind}"
        return None


def _words(
    connection: Connection, calendars: dict[str, str]
) -> Iterator[tuple[str, tuple[str, str]]]:
    d, p = t.definition_version.c, t.project_version.c
    definitions = sa.select(d.kind, d.id, d.name).order_by(d.version)
    for kind, identity, name in connection.execute(definitions):
        yield f"definition {kind} {identity}", (f"{kind} '{name}' version ", "")
        yield f"{kind} {identity}", (f"{kind} '{name}'", "")
        if kind == "calendar":
            calendars[identity] = name
    for identity, name in connection.execute(sa.select(p.project_id, p.name).order_by(p.version)):
        yield f"project version {identity}", (f"project '{name}' version ", "")
        yield f"project change {identity}", ("change ", f" of project '{name}'")
        yield f"project {identity}", (f"project '{name}'", "")
    for identity, name in calendars.items():
        yield f"period {identity}", ("period ", f" in calendar '{name}'")
