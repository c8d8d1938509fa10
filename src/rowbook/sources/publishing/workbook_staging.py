"""Workbooks put together: each output's rows staged beside the table, all written by the last."""

from __future__ import annotations

from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from rowbook.planning.columns import PERIOD
from rowbook.sources.files.excel.workbook_writer import SheetContent, check_size, write_workbook
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import data_files, plain_path
from rowbook.sources.files.parquet.metadata import read_footer
from rowbook.sources.publishing.exchange import (
    remove,
    remove_written,
    sheet_beside,
    written_beside,
)
from rowbook.sources.source import WriteRequest
from rowbook.sources.source_errors import output_error
from rowbook.spark.column_names import column
from rowbook.spark.markers import refusal_in, refusing
from rowbook.write_points import write_point


def stage_sheet(frame: DataFrame, target: FileTarget, order: WriteRequest) -> tuple[int, Path]:
    """The rows of one sheet, kept until its workbook is written; how many, and where."""
    folder = sheet_beside(target.path, order.run_id, order.seq)
    remove(folder)
    try:
        written = written_beside(target.path, order.run_id)
        rows = rows_of_periods(frame, target, order)
        rows.write.format("parquet").save(plain_path(written))
        written.rename(folder)
    except PySparkException as cause:
        if said := refusal_in(cause):
            raise output_error(f"{target.label}:", said) from cause
        raise
    finally:
        remove_written(target.path, order.run_id)
    write_point("a sheet was staged")
    sheet = _staged(target, order, order.seq, target.sheet or "")
    check_size(sheet.rows, len(frame.columns), target.label)
    return sheet.rows, folder


def write_sheets(target: FileTarget, order: WriteRequest, to: Path) -> int:
    """The workbook of all its sheets, those that were staged before first; gives the rows of this
    one. What the others were staged as stays, for who stages this one again."""
    sheets = [*order.sheets, (order.seq, target.sheet or "")]
    contents = [_staged(target, order, seq, name) for seq, name in sheets]
    assert target.file_name is not None
    write_workbook(to / target.file_name, contents, target.label)
    remove(sheet_beside(target.path, order.run_id, order.seq))
    return contents[-1].rows


def rows_of_periods(frame: DataFrame, target: FileTarget, order: WriteRequest) -> DataFrame:
    """Where no folders tell it: rows of other periods than the run's are refused."""
    if order.periods is None or target.file_name is None or order.mode != "replace":
        return frame
    period = column(PERIOD.name)
    said = F.concat(F.lit("rows of period "), period, F.lit(" are not of the run's period"))
    own = F.when(period.isin(*order.periods), period).otherwise(refusing(said))
    return frame.withColumn(PERIOD.name, own)


def _staged(target: FileTarget, order: WriteRequest, seq: int, name: str) -> SheetContent:
    folder = sheet_beside(target.path, order.run_id, seq)
    files = tuple(file.path for file in data_files(folder, "parquet"))
    return SheetContent(name, files, sum(read_footer(path, path.name).rows for path in files))
