"""What went wrong inside Spark, in our words: code, operation and column.

Spark's own text goes along as the cause and is shown with --debug only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.utils import is_remote

from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.session.gateway import server_label
from rowbook.errors import Diagnostic, OperationRef, RowbookError
from rowbook.sources.publishing.disk_errors import scratch_failure
from rowbook.spark.causes import innermost_cause, is_spark_failure, unread_path
from rowbook.spark.losses import loss_in
from rowbook.spark.markers import found_in

_OVERFLOWS = re.compile(
    r"\[(?:BINARY_)?ARITHMETIC_OVERFLOW|\[NUMERIC_VALUE_OUT_OF_RANGE|\[CAST_OVERFLOW"
    r"|\[DATETIME_OVERFLOW|\[DECIMAL_PRECISION|\[NUMERIC_OUT_OF_SUPPORTED_RANGE"
)
_OF_ROWS = ("JOIN_005", "JOIN_007", "RUN_012")
"""What rows are found to be at fault of inside Spark, with the operation before the message."""

_CONDITION = re.compile(r"\[([A-Z][A-Z_]+(?:\.[A-Z_]+)?)\] ([^\n]*)")


@dataclass(frozen=True, slots=True)
class RetryPart:
    """Something that a job computes and that can fail on its own: a column of an operation."""

    seq: int
    name: str
    what: str
    kind: str
    frame: Callable[[], DataFrame]
    """Makes a frame that computes this part and nothing after it."""


def explain(
    error: Exception,
    parts: Callable[[], Iterable[RetryPart]],
    read: ReadInput,
    appends: Mapping[str, OperationRef],
    doing: str | OperationRef,
    operations: Iterable[OperationRef] = (),
    unmet: Callable[[], Diagnostic | None] = lambda: None,
) -> RowbookError:
    """The error as a user reads it. `parts` gives those the failed job computed, in their order;
    `read` is its input; `appends` names the operation that appends a dataset; `doing` is
    the operation at work; `operations` are those that a text raised inside Spark may begin with;
    `unmet` says which REQUIRE found no value, as far as nothing before it fails: which of several
    failures Spark meets first is chance, and what is told is that of the first operation."""
    text = str(error)
    marked = found_in(text)
    try:
        required = unmet()
    except PySparkException as earlier:
        if marked and marked[0] == "RUN_013":
            return explain(earlier, parts, read, appends, doing, operations)
        required = None
    if required is not None:
        return because(error, required)
    if marked and marked[0] in _OF_ROWS:
        begins = (each for each in operations if marked[1].startswith(f"{each}: "))
        joining = next(begins, None)
        return _because(error, marked[0], marked[1].removeprefix(f"{joining}: "), joining)
    if marked and marked[0].startswith(("DATASET_", "DATASOURCE_")):
        found = read.bad_values() or (Diagnostic(*marked),)
        appending = next((a for name, a in appends.items() if f"'{name}'" in marked[1]), None)
        if appending is not None:
            return cannot_load(appending, found, error)
        return because(error, *found)
    if is_overflow(error):
        return _overflow(error, parts, doing)
    if lost := explain_loss(error, doing):
        return lost
    cause = innermost_cause(error)
    if path := unread_path(error):
        label = read.label_of(path) or PurePath(path).name
        return _because(error, "DATASOURCE_007", f"{label} cannot be read: {cause.text}", None)
    if reason := scratch_failure(error):
        return _because(
            error, "ENGINE_008", f"{_scratch_folder()} cannot be written: {reason}", None
        )
    condition = _CONDITION.search(cause.text) or _CONDITION.search(text)
    if condition is None:
        return _because(error, "RUN_002", cause.text, doing)
    inner = "" if condition[0] in cause.text else f"{cause.text}: "
    return _because(error, "RUN_002", f"{inner}{condition[2]} [{condition[1]}]", doing)


def is_overflow(error: Exception) -> bool:
    """Whether a job failed of a value that does not fit its type."""
    text = str(error)
    marked = found_in(text)
    return bool(_OVERFLOWS.search(text)) or (marked is not None and marked[0] == "RUN_001")


class LostRowsError(RowbookError):
    """Rows that were kept are gone with an executor (ENGINE_009): computing them again helps."""


def explain_loss(error: Exception, doing: str | OperationRef | None = None) -> RowbookError | None:
    """What Spark lost of itself, as a user reads it; None where that is not what failed."""
    loss = loss_in(error)
    if loss is None:
        return None
    match loss.what:
        case "rows":
            message = f"rows that were kept went with an executor: {loss.reason}"
            lost = LostRowsError(*_because(error, "ENGINE_009", message, doing).diagnostics)
            lost.__cause__ = error
            return lost
        case "executor":
            return _because(error, "ENGINE_009", loss.reason, doing)
        case "application":
            message = f"the cluster ended Rowbook's application: {loss.reason}"
            return _because(error, "ENGINE_011", message, doing)
        case "server":
            message = f"{server_label()} was lost or restarted ({loss.reason})"
            return _because(error, "ENGINE_010", message, doing)


@contextmanager
def losses_explained() -> Iterator[None]:
    """For what is asked of Spark outside of operations."""
    try:
        yield
    except RowbookError:
        raise
    except Exception as error:
        lost = explain_loss(error) if is_spark_failure(error) else None
        if lost is None:
            raise
        raise lost from error


def _scratch_folder() -> str:
    """Where Spark keeps what it sorts and exchanges, if that is on this machine."""
    session = None if is_remote() else SparkSession.getActiveSession()
    folder = session.conf.get("spark.local.dir", None) if session else None
    return f"Spark's scratch folder {folder}" if folder else "the scratch folder of Spark's workers"


def cannot_load(
    where: OperationRef, causes: Iterable[Diagnostic], error: Exception
) -> RowbookError:
    """What an append's source lacks, as the append's own error (APPEND_008)."""
    said = "; ".join(f"{cause.message} ({cause.code})" for cause in causes)
    return _because(error, "APPEND_008", said, where)


def _overflow(
    error: Exception, parts: Callable[[], Iterable[RetryPart]], doing: str | OperationRef
) -> RowbookError:
    for part in parts():
        if _fails(part):
            message = f"{part.what} does not fit {part.kind}"
            return _because(error, "RUN_001", message, OperationRef(part.seq, part.name))
    return _because(error, "RUN_001", "a value does not fit its type", doing)


def _fails(part: RetryPart) -> bool:
    try:
        part.frame().write.format("noop").mode("overwrite").save()
    except PySparkException:
        return True
    return False


def _because(
    error: Exception, code: str, message: str, doing: str | OperationRef | None
) -> RowbookError:
    if isinstance(doing, str):
        return because(error, Diagnostic(code, f"{doing}: {message}"))
    return because(error, Diagnostic(code, message, operation=doing))


def because(error: Exception, *found: Diagnostic) -> RowbookError:
    explained = RowbookError(*found)
    explained.__cause__ = error
    return explained
