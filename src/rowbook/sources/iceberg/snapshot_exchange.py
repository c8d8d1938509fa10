"""Publishing what was staged of an Iceberg table: the snapshot of the copy becomes the table's.

That takes no Spark where the table is as it was when it was copied. Where others wrote to it since,
the rows are written again, to a copy of what it is now.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rowbook.planning.columns import PERIOD
from rowbook.sources.iceberg.catalogs.catalog import ClaimLostError, OutputName
from rowbook.sources.iceberg.iceberg_table import IcebergTarget
from rowbook.sources.iceberg.settlement import check_warehouse, finish_output, table_location
from rowbook.sources.iceberg.spark_tables import SnapshotScan
from rowbook.sources.iceberg.stage import IcebergWrite, claimed_stage, staged_rows
from rowbook.sources.iceberg.staged_state import (
    output_in,
    published_metadata,
    underneath,
    written_by,
)
from rowbook.sources.iceberg.staging_places import fresh_staging, recorded_staging
from rowbook.sources.iceberg.staging_table import StagedFile
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.publishing.table_lock import held
from rowbook.sources.source import Publishing, StagedOutput, WriteResult
from rowbook.sources.source_errors import output_error

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ATTEMPTS = 20


def publish_iceberg(staged: StagedOutput, publishing: Publishing) -> WriteResult:
    target, began = cast("IcebergTarget", staged.target), time.monotonic()
    check_warehouse(target)
    output = OutputName(staged.run_id, staged.seq)
    with _turn(target, publishing):
        found = None if staged.frame is not None else output_in(target.metadata(), output)
        written = _publish(staged, publishing) if found is None else written_by(found)
        finish_output(target, output)
    took = staged.written.duration_ms + int((time.monotonic() - began) * 1000)
    return replace(written, duration_ms=took)


def damage_of(staged: StagedOutput) -> str | None:
    target = cast("IcebergTarget", staged.target)
    check_warehouse(target)
    location = table_location(target, target.metadata())
    output = OutputName(staged.run_id, staged.seq)
    table = recorded_staging(location, output, staged.details["folder"])
    if not table.paths():
        return "its staged files are gone"
    files: list[StagedFile] = [tuple(each) for each in staged.details["files"]]
    return table.damage(files, staged.written.rows)


@contextmanager
def _turn(target: IcebergTarget, publishing: Publishing) -> Iterator[None]:
    """On a disk writers wait for each other. In an object store nothing keeps others out: who finds
    the table changed begins again."""
    location = table_location(target, target.metadata())
    if not isinstance(location, Path):
        yield
        return
    location.parent.mkdir(parents=True, exist_ok=True)
    with held(location, target.label, publishing):
        yield


def _publish(staged: StagedOutput, publishing: Publishing) -> WriteResult:
    target = cast("IcebergTarget", staged.target)
    job = IcebergWrite(target, staged, target.metadata())
    job.check()
    if staged.frame is not None:
        staged = claimed_stage(job, staged.frame)
        job = IcebergWrite(target, staged, target.metadata())
    elif why := damage_of(staged):
        raise output_error(target.label, f"cannot be published: {why}", "resume the run")
    first, announced = staged, False
    for _ in range(_ATTEMPTS):
        if staged.details["underneath"] != underneath(job.base):
            staged = _staged_again(job, first, publishing.session(target.label))
        if not announced:
            publishing.announce(staged.written)
            announced = True
        if _is_exchanged(job, staged):
            return staged.written
        job = IcebergWrite(target, first, target.metadata())
        job.check()
    why = "was changed by others at the same time, again and again"
    raise output_error(target.label, why, "run again")


def _is_exchanged(job: IcebergWrite, staged: StagedOutput) -> bool:
    target, output = job.target, job.output
    table = recorded_staging(job.location, output, staged.details["folder"])
    content = published_metadata(job.base, table.metadata(), output, job.location, job.compression)
    try:
        return target.open().exchange(target.name, output, job.base, content)
    except ClaimLostError as cause:
        why = "was not written: the run was given up for dead meanwhile"
        raise output_error(target.label, why) from cause


def _staged_again(job: IcebergWrite, first: StagedOutput, spark: SparkSession) -> StagedOutput:
    before = recorded_staging(job.location, job.output, first.details["folder"])
    with ExitStack() as resources:
        scan = SnapshotScan(spark, job.target.catalog.warehouse, resources)
        rows = _rows_of(first, before.metadata(), scan)
        return staged_rows(job, rows, fresh_staging(job.location, job.output))


def _rows_of(staged: StagedOutput, metadata: TableMetadata, scan: SnapshotScan) -> DataFrame:
    """What an output added to the copy of a table."""
    snapshot = metadata.snapshot(metadata.main)
    assert snapshot is not None
    parent = snapshot.content.get("parent-snapshot-id")
    if staged.mode == "replace":
        frame = scan.frame(metadata)
        return frame if staged.periods is None else _of_periods(frame, staged.periods)
    if parent is None:
        return scan.frame(metadata)
    between = {"start-snapshot-id": str(parent), "end-snapshot-id": str(snapshot.id)}
    return scan.frame(metadata, between)


def _of_periods(frame: DataFrame, periods: Sequence[str]) -> DataFrame:
    from rowbook.spark.column_names import column

    return frame.where(column(PERIOD.name).isin(*periods))
