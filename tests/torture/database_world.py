"""The same world with its input and two of its outputs in a database.

The rows of a period are told by their digest, as runs record it: how many, and which transactions
wrote them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.crashing_database import CrashingDatabase
from tests.torture.world import FIRST, LINES, Generations, Mark, Rows, World

_TABLES = """
CREATE SCHEMA {schema};
CREATE TABLE {schema}.gl (file text, amount numeric(18,2), _period text)
"""
_DIGEST = """
SELECT concat_ws('.', count(*), sum(xmin::text::bigint), max(xmin::text::bigint)) FROM {schema}.gl
WHERE _period = %s
"""


@dataclass(slots=True)
class DatabaseWorld(World):
    database: CrashingDatabase = field(kw_only=True)
    schema: str = field(kw_only=True)
    _states: dict[str, Generations] = field(default_factory=dict)
    """The rows of a period by their digest."""
    _now: dict[str, dict[str, int]] = field(default_factory=dict)
    """The generations of each period."""

    def make(self) -> None:
        self.execute(_TABLES)
        World.make(self)

    @property
    def sources(self) -> str:
        server = self.database.server
        url = f"jdbc:postgresql://127.0.0.1:{server.port}/postgres"
        options = f'{{url: "{url}", user: {server.user}, schema: {self.schema}}}'
        secret = 'credential_ref: "file://secrets/password"'
        return (
            f"datasource: {{name: inbox, type: jdbc, options: {options}, {secret}}}\n---\n"
            f"datasource: {{name: lake, type: jdbc, options: {options}, {secret}}}\n"
        )

    @property
    def strategy(self) -> str:
        return "{type: table, datasource_id: inbox, table: gl}"

    def put(self, period: str, name: str, *, in_place: bool = False, quietly: bool = False) -> None:
        self.generation += 1
        self._change(period, {**self._now.get(period, {}), name: self.generation}, name)

    def change(self, chance: random.Random, period: str) -> None:
        name = chance.choice((*FIRST, "c.csv"))
        if name not in FIRST and name in self._now[period]:
            others = {n: g for n, g in self._now[period].items() if n != name}
            self._change(period, others, name)
        else:
            self.put(period, name)

    def execute(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return self.database.execute(query.format(schema=self.schema), values)

    def _change(self, period: str, generations: Mapping[str, int], name: str) -> None:
        """In one transaction."""
        self.execute(
            """
            WITH gone AS (DELETE FROM {schema}.gl WHERE _period = %s AND file = %s)
            INSERT INTO {schema}.gl SELECT %s, %s, %s FROM generate_series(1, %s)
            """,
            (period, name, name, generations.get(name), period, LINES * (name in generations)),
        )
        self._now[period] = dict(generations)
        ((digest,),) = self.execute(_DIGEST, (period,))
        self._states[f"rows:{digest}"] = self._now[period]

    # --- what is there

    def _marks(self, name: str) -> list[Mark]:
        if name == "totals":
            return World._marks(self, name)
        if not self.execute(
            "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = '_rowbook_outputs'",
            (self.schema,),
        ):
            return []
        found = self.execute(
            "SELECT run_id, seq FROM {schema}._rowbook_outputs WHERE table_name = %s"
            " ORDER BY published_at DESC",
            (name,),
        )
        return [(run, seq) for run, seq in found]

    def _rows(self, name: str) -> Rows:
        if name == "totals":
            return World._rows(self, name)
        if not self._marks(name):
            return []
        amount = "amount" if name == "lines" else "total"
        query = f"SELECT file, {amount}, _period FROM {{schema}}.{name}"
        return [{"file": f, amount: a, "_period": p} for f, a, p in self.execute(query)]

    def _recorded(self, contents: list[Mapping[str, Any]]) -> Iterator[tuple[str, int]]:
        (content,) = contents
        yield from self._states[content["digest"]].items()

    def _left(self) -> list[str]:
        found = self.execute(
            "SELECT tablename FROM pg_tables"
            " WHERE schemaname = %s AND starts_with(tablename, '_rowbook_stage_')",
            (self.schema,),
        )
        return [*World._left(self), *(name for (name,) in found)]
