"""The verb of a workspace for where columns come from and go to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowbook.api.client import LazyModule
from rowbook.api.verbs.check_verbs import CheckVerbs

if TYPE_CHECKING:
    from rowbook.runs.chains import chain_lineage
    from rowbook.runs.chains.chain_lineage import Direction, LineageResult
else:
    chain_lineage = LazyModule("rowbook.runs.chains.chain_lineage")


class LineageVerbs(CheckVerbs):
    def lineage(
        self,
        project: str,
        column: str | None = None,
        *,
        direction: Direction = "project",
        draft: bool = False,
    ) -> LineageResult:
        """Which columns of which datasets the columns of a project's outputs come from, by the
        active version, or the files as they are; no Spark, no data.

        `upstream` follows what other projects register to what these read. `downstream` gives the
        outputs that columns go into, here and in projects that read what this one registers. A
        `column` alone, or with its dataset or table before a point, is looked at alone.
        """
        verb = chain_lineage.find_lineage
        return self._client.call(verb, project, column, direction, draft=draft)
