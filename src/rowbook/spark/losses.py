"""What Spark lost of itself while it was at work: rows that were kept, an executor, all of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from rowbook.spark.causes import failure_text

_ROWS = re.compile(r"\[CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND\] ([^\n]*?block \S+)")
_EXECUTOR = re.compile(r"ExecutorLostFailure \((executor \S+) [^)]*\)(?: Reason: ([^\n]*))?")
_SHUFFLES = re.compile(r"has failed the maximum allowable number of times: \d+\.?")
_APPLICATION = re.compile(
    r"Master removed our application: \w+|All masters are unresponsive"
    r"|(?:Yarn a|A)pplication has (?:been killed|already (?:exited|ended))[^\n]*"
    r"|SparkContext was shut ?down|stopped SparkContext|Max number of executor failures[^\n]*"
)
_SERVER = re.compile(
    r"StatusCode\.UNAVAILABLE|RETRIES_EXCEEDED|Connection reset by peer|Socket closed"
    r"|NO_ACTIVE_SESSION|\[?INVALID_HANDLE\.(?:SESSION_\w+|OPERATION_NOT_FOUND)"
)


@dataclass(frozen=True, slots=True)
class Loss:
    what: Literal["rows", "executor", "application", "server"]
    reason: str


def loss_in(error: BaseException) -> Loss | None:
    """None where that is not what failed."""
    text = failure_text(error)
    if type(error).__module__.startswith(("pyspark.errors.exceptions.connect", "grpc")) and (
        found := _SERVER.search(text)
    ):
        return Loss("server", found[0])
    if found := _ROWS.search(text):
        return Loss("rows", found[1])
    if found := _EXECUTOR.search(text):
        return Loss("executor", f"{found[1]} was lost: {(found[2] or 'no reason is told').strip()}")
    if _SHUFFLES.search(text):
        return Loss("executor", "executors were lost again and again")
    if found := _APPLICATION.search(text):
        return Loss("application", found[0])
    return None
