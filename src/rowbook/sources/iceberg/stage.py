"""Staging an output of an Iceberg table: Spark writes it to a copy that nobody sees."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from rowbook.errors import RowbookError, reason
from rowbook.planning.columns import PERIOD
from rowbook.reference.outputs import other_period_error
from rowbook.sources.iceberg.catalogs.catalog import OutputName
from rowbook.sources.iceberg.errors import refusal_in
from rowbook.sources.iceberg.iceberg_schema import (
    FrameColumn,
    iceberg_type,
    spark_kind,
    stored_name,
)
from rowbook.sources.iceberg.iceberg_table import IcebergTarget
from rowbook.sources.iceberg.lake_files import ensure_folder
from rowbook.sources.iceberg.settlement import settle_iceberg, table_location
from rowbook.sources.iceberg.spark_tables import folder_table
from rowbook.sources.iceberg.staged_state import (
    FORMAT,
    OUTPUT,
    RUN,
    staging_metadata,
    underneath,
    written_by,
)
from rowbook.sources.iceberg.staging_places import fresh_staging
from rowbook.sources.iceberg.staging_table import StagingTable
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.publishing.column_fitting import fitted_rows, typed_rows
from rowbook.sources.source import StagedOutput, WriteRequest, WriteResult
from rowbook.sources.source_errors import no_period_error, output_error, table_exists_error
from rowbook.sources.stores.object_path import DataPath
from rowbook.spark.column_names import column
from rowbook.write_points import write_point


@dataclass(frozen=True, slots=True)
class IcebergWrite:
    """An output, and the table as it is; `base` None: there is none yet."""

    target: IcebergTarget
    order: StagedOutput | WriteRequest
    base: TableMetadata | None

    @property
    def output(self) -> OutputName:
        return OutputName(self.order.run_id, self.order.seq)

    @property
    def location(self) -> DataPath:
        return table_location(self.target, self.base)

    @property
    def replaces_all(self) -> bool:
        return self.order.mode == "replace" and self.order.periods is None

    @property
    def compression(self) -> str | None:
        given = self.target.catalog.options.get("compression")
        return "uncompressed" if given == "none" else given

    def check(self) -> None:
        """OUTPUT_006 where the table cannot take an output as it is."""
        label, base = self.target.label, self.base
        if base is None or not base.is_begun:
            return
        if self.order.mode == "error_if_exists":
            raise table_exists_error(label)
        if base.content["format-version"] < FORMAT:
            hint = f"upgrade it: set its property format-version to {FORMAT}"
            raise output_error(label, "is of format 1, which is read alone", hint)
        if base.content.get("encryption-keys"):
            raise output_error(label, "is encrypted, and read alone")
        replaces_periods = self.order.mode == "replace" and self.order.periods is not None
        if replaces_periods and PERIOD.name not in base.columns:
            raise no_period_error(label)

    def rows(self, frame: DataFrame) -> DataFrame:
        """In the types of the table; OUTPUT_006 where one does not fit."""
        label = self.target.label
        frame = typed_rows(frame, label)
        frame = frame.toDF(*(stored_name(name) for name in frame.columns))
        for field in frame.schema.fields:
            if iceberg_type(field.dataType.jsonValue()) is None:
                said = field.dataType.simpleString()
                why = f"cannot be written: column '{field.name}' is {said}"
                raise output_error(label, why)
        if self.base is None or not self.base.is_begun or self.replaces_all:
            return frame
        kinds = {name: spark_kind(kind) for name, kind in self.base.columns.items()}
        for there in self.base.schema()["fields"]:
            if there["required"] and there["name"] not in frame.columns:
                why = f"needs a value in column '{there['name']}', which the output does not have"
                raise output_error(label, why)
        return fitted_rows(frame, kinds, label)


def stage_iceberg(frame: DataFrame, target: IcebergTarget, order: WriteRequest) -> StagedOutput:
    """OUTPUT_006 where the catalog cannot be asked: there is nothing to come back to yet."""
    try:
        ensure_folder(target.catalog.warehouse)
        job = IcebergWrite(target, order, target.metadata())
        job.check()
        if order.at_once:
            job.rows(frame)
            nothing = WriteResult(0, 0, 0, 0)
            return replace(StagedOutput.of(target, order, nothing), frame=frame)
        return claimed_stage(job, frame)
    except OSError as cause:
        why = f"cannot be written: {reason(cause)}"
        raise output_error(target.label, why) from cause


def claimed_stage(job: IcebergWrite, frame: DataFrame) -> StagedOutput:
    """Rows that fail to be computed leave nothing."""
    try:
        job.target.open().claim(job.target.name, job.output, job.location)
        write_point("an output of an Iceberg table is claimed")
        job = replace(job, base=job.target.metadata())
        job.check()
        return staged_rows(job, frame, fresh_staging(job.location, job.output))
    except BaseException:
        settle_iceberg(job.target, job.output)
        raise


def staged_rows(job: IcebergWrite, frame: DataFrame, staging: StagingTable) -> StagedOutput:
    began = time.monotonic()
    rows = job.rows(frame)
    columns = [FrameColumn(f.name, f.dataType.jsonValue()) for f in rows.schema.fields]
    staging.create(
        staging_metadata(
            job.base,
            columns,
            staging.folder,
            job.compression,
            whole=job.replaces_all,
            by_period=job.order.periods is not None,
        )
    )
    _save(job, rows, staging)
    write_point("an output of an Iceberg table is written")
    metadata = staging.metadata()
    snapshot = metadata.snapshot(metadata.main)
    assert snapshot is not None
    written = written_by(snapshot)
    _check_periods(job, staging)
    files = staging.files()
    if said := staging.damage(files, written.rows):
        hint = "look after the disk, then run again"
        raise output_error(job.target.label, f"was staged, but {said}", hint)
    staging.sync()
    write_point("staged rows are on disk")
    took = int((time.monotonic() - began) * 1000)
    details = {
        "folder": staging.name,
        "files": [list(each) for each in files],
        "underneath": underneath(job.base),
    }
    order = job.order
    return StagedOutput(
        job.target,
        order.mode,
        order.periods,
        order.run_id,
        order.seq,
        replace(written, duration_ms=took),
        details,
    )


def _check_periods(job: IcebergWrite, staging: StagingTable) -> None:
    """Iceberg would add rows of any period to what it replaces."""
    if job.order.mode == "replace" and job.order.periods is not None:
        found = staging.other_period(job.order.periods)
        if found is not None:
            raise other_period_error(job.target.label, found[0])


def _save(job: IcebergWrite, rows: DataFrame, staging: StagingTable) -> None:
    order = job.order
    with folder_table(rows.sparkSession, staging.folder) as name:
        writer = rows.writeTo(name)
        for key, value in {RUN: order.run_id, OUTPUT: str(order.seq)}.items():
            writer = writer.option(f"snapshot-property.{key}", value)
        try:
            if order.mode != "replace" or job.base is None:
                writer.append()
            elif order.periods is None:
                writer.overwrite(F.lit(True))
            else:
                writer.overwrite(column(PERIOD.name).isin(*order.periods))
        except Exception as error:
            if refusal := refusal_in(error):
                raise _explained(job, refusal) from error
            raise


def _explained(job: IcebergWrite, said: str) -> RowbookError:
    if "some, but not all, rows match" in said:
        why = "has files with rows of several periods: those of one cannot be replaced"
        hint = f"divide its files by {PERIOD.name}: partition it by that, and rewrite its files"
        return output_error(job.target.label, why, hint)
    return output_error(job.target.label, f"cannot be written: {said}")
