"""Rows saved by Spark as a commit of a Delta table, and what it says when it refuses them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame

from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD
from rowbook.reference.outputs import other_period_error
from rowbook.sources.delta.commits import application
from rowbook.sources.delta.errors import is_conflict, other_period_in, refusal_in
from rowbook.sources.files.listing import plain_path
from rowbook.sources.source import StagedOutput, WriteRequest
from rowbook.sources.source_errors import output_error
from rowbook.sources.stores.object_path import DataPath
from rowbook.sources.stores.spark_access import allow_commits, scan_settings
from rowbook.spark.causes import is_spark_failure

_PLAIN = re.compile(r"[A-Za-z0-9 ._:/-]*")


@dataclass(frozen=True, slots=True)
class DeltaWrite:
    """Rows of an output to a table of these `options`."""

    frame: DataFrame
    order: StagedOutput | WriteRequest
    label: str
    options: Mapping[str, str]

    @property
    def name(self) -> str:
        return application(self.order.run_id, self.order.seq)

    @property
    def replaces_all(self) -> bool:
        return self.order.mode == "replace" and self.order.periods is None

    def refused(self, why: str, hint: str | None = None) -> RowbookError:
        return output_error(self.label, why, hint)


def save(job: DeltaWrite, rows: DataFrame, to: DataPath, number: int, by: Sequence[str]) -> None:
    """As one commit. To an object store it is no safe one where others commit too."""
    allow_commits(rows.sparkSession, to)
    writer = rows.write.format("delta").options(**_options(job, number), **scan_settings(to))
    mode = "overwrite" if job.order.mode == "replace" else "append"
    try:
        writer.mode(mode).partitionBy(*by).save(plain_path(to))
    except Exception as error:
        refusal = refusal_in(error) if is_spark_failure(error) else None
        if refusal is None:
            raise
        raise _explained(job, error, *refusal) from error


def _options(job: DeltaWrite, number: int) -> dict[str, str]:
    order = job.order
    options = {
        "txnAppId": job.name,
        "txnVersion": str(number),
        "userMetadata": f"rowbook run {order.run_id} output {order.seq}",
        "optimizeWrite": "true",
    }
    if "compression" in job.options:
        options["compression"] = job.options["compression"]
    if job.replaces_all:
        return {**options, "overwriteSchema": "true"}
    options["mergeSchema"] = "true"
    if order.mode == "replace" and order.periods is not None:
        options["replaceWhere"] = replaced_rows(order.periods)
    return options


def _explained(job: DeltaWrite, error: Exception, code: str, reason: str) -> RowbookError:
    period = other_period_in(error)
    if period is not None:
        return other_period_error(job.label, None if period == "null" else period)
    if is_conflict(code):
        return job.refused("was changed by others at the same time, again and again", "run again")
    if code == "DELTA_CONCURRENT_TRANSACTION":
        return job.refused("was not written: the run was given up for dead meanwhile")
    return job.refused(f"cannot be written: {reason}")


def replaced_rows(periods: Sequence[str]) -> str:
    """As SQL, hence nothing that could mean anything in there goes into it as it is."""
    return f"`{PERIOD.name}` IN ({', '.join(map(_literal, periods))})"


def _literal(text: str) -> str:
    return f"'{text}'" if _PLAIN.fullmatch(text) else f"CAST(X'{text.encode().hex()}' AS STRING)"
