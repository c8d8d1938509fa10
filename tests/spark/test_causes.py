"""The innermost cause is found in what Spark says, as it says it on a worker and on the driver."""

from __future__ import annotations

import pytest

from rowbook.spark.causes import Cause, innermost_cause, unread_path

TRACE = """\
Job aborted due to stage failure: Task 0 in stage 1.0 failed 1 times, most recent failure: \
Lost task 0.0 in stage 1.0 (TID 1) (host executor driver): org.apache.spark.SparkException: \
[FAILED_READ_FILE.NO_HINT] Encountered error while reading file \
file:///acme/data/a%20b/gl.csv.gz.  SQLSTATE: KD001
	at org.apache.spark.sql.errors.QueryExecutionErrors$.cannotReadFilesError(Q.scala:856)
	at java.base/java.lang.Thread.run(Thread.java:840)
Caused by: com.univocity.parsers.common.TextParsingException: java.io.EOFException - Unexpected end
Parser Configuration: CsvParserSettings:
	at com.univocity.parsers.common.AbstractParser.handleException(AbstractParser.java:402)
	... 23 more
Caused by: java.io.EOFException: Unexpected end of input stream
	at org.apache.hadoop.io.compress.DecompressorStream.decompress(DecompressorStream.java:165)
	at java.base/java.io.InputStreamReader.read(InputStreamReader.java:181)
	... 27 more

Driver stacktrace:
"""
SPILL = """\
Job aborted due to stage failure: java.io.IOException: No space left on device
	at java.base/java.io.FileOutputStream.writeBytes(Native Method)
	at net.jpountz.lz4.LZ4BlockOutputStream.flush(LZ4BlockOutputStream.java:243)
	at org.apache.spark.storage.DiskBlockObjectWriter.commitAndGet(DiskBlockObjectWriter.scala:205)
	at org.apache.spark.sql.execution.datasources.FileFormatWriter$.executeTask(F.scala:397)
"""
WRITTEN = """\
org.apache.spark.SparkException: [TASK_WRITE_FAILED] Task failed while writing rows.
	at org.apache.spark.sql.errors.QueryExecutionErrors$.taskFailedWhileWritingRowsError(Q.scala:1)
Caused by: java.io.IOException: No space left on device
	at java.base/java.io.FileOutputStream.writeBytes(Native Method)
	at org.apache.hadoop.fs.RawLocalFileSystem$LocalFSFileOutputStream.write(RawLocal.java:423)
	at org.apache.spark.storage.Unrelated.write(Unrelated.scala:1)
"""


def test_the_last_cause_is_the_innermost() -> None:
    cause = innermost_cause(RuntimeError(TRACE))
    assert (cause.kind, cause.text) == ("java.io.EOFException", "Unexpected end of input stream")
    assert cause.frames[0] == "org.apache.hadoop.io.compress.DecompressorStream.decompress"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "java.lang.OutOfMemoryError: Java heap space",
            Cause("java.lang.OutOfMemoryError", "Java heap space"),
        ),
        ("[UNABLE_TO_INFER_SCHEMA] no\nmore", Cause("", "[UNABLE_TO_INFER_SCHEMA] no")),
        (
            "x\nCaused by: java.lang.NullPointerException",
            Cause("java.lang.NullPointerException", ""),
        ),
    ],
)
def test_without_causes_it_is_what_was_thrown_or_said(text: str, cause: Cause) -> None:
    assert innermost_cause(RuntimeError(text)) == cause


def test_a_cause_without_words_is_named_by_its_class() -> None:
    assert Cause("java.io.EOFException", "").text == "EOFException"


def test_a_file_that_was_not_read_is_named() -> None:
    assert unread_path(RuntimeError(TRACE)) == "/acme/data/a b/gl.csv.gz"
    assert unread_path(RuntimeError(SPILL)) is None


def test_what_spark_keeps_for_itself_is_told_from_what_it_writes_for_others() -> None:
    assert innermost_cause(RuntimeError(SPILL)).in_scratch
    assert not innermost_cause(RuntimeError(WRITTEN)).in_scratch
