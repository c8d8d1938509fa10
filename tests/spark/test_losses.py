"""What was lost is found in what Spark says of it."""

from __future__ import annotations

import pytest
from pyspark.errors import PySparkException
from pyspark.errors.exceptions.connect import SparkConnectGrpcException

from rowbook.spark.losses import Loss, loss_in

STAGE = (
    "Job aborted due to stage failure: Task 0 in stage 3.0 failed 4 times, most recent failure: "
)


@pytest.mark.parametrize(
    ("text", "loss"),
    [
        (
            f"{STAGE}Lost task 0.3 in stage 3.0 (TID 9) (127.0.0.1 executor 2): "
            "org.apache.spark.SparkException: [CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND] Checkpoint block "
            "rdd_12_0 not found! Either the executor that originally checkpointed this partition is"
            " no longer alive, or the original RDD is unpersisted.",
            Loss("rows", "Checkpoint block rdd_12_0"),
        ),
        (
            f"{STAGE}Lost task 0.3 in stage 1.0 (TID 9) (10.0.0.7 executor 4): ExecutorLostFailure"
            " (executor 4 exited caused by one of the running tasks) Reason: Command exited with"
            " code 137\nDriver stacktrace:",
            Loss("executor", "executor 4 was lost: Command exited with code 137"),
        ),
        (
            "Job aborted due to stage failure: ShuffleMapStage 7 has failed the maximum allowable"
            " number of times: 4. Most recent failure reason: FetchFailed",
            Loss("executor", "executors were lost again and again"),
        ),
        (
            "Job 3 cancelled because SparkContext was shut down",
            Loss("application", "SparkContext was shut down"),
        ),
        (
            "Job aborted due to stage failure: Master removed our application: FAILED",
            Loss("application", "Master removed our application: FAILED"),
        ),
        ("[DIVIDE_BY_ZERO] Division by zero. StatusCode.UNAVAILABLE", None),
    ],
)
def test_a_loss_is_told_apart_by_what_is_gone(text: str, loss: Loss | None) -> None:
    assert loss_in(PySparkException(text)) == loss


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "<_MultiThreadedRendezvous of RPC that terminated with:\n\tstatus ="
            ' StatusCode.UNAVAILABLE\n\tdetails = "failed to connect to all addresses">',
            "StatusCode.UNAVAILABLE",
        ),
        (
            "[INVALID_HANDLE.SESSION_CHANGED] The handle 1a is invalid. The existing Spark server"
            " driver instance has restarted.",
            "[INVALID_HANDLE.SESSION_CHANGED",
        ),
        (
            "[NO_ACTIVE_SESSION] No active Spark session found. Please create a new Spark session"
            " before running the code.",
            "NO_ACTIVE_SESSION",
        ),
    ],
)
def test_a_server_is_lost_only_where_there_is_one(text: str, reason: str) -> None:
    assert loss_in(SparkConnectGrpcException(text)) == Loss("server", reason)
    assert loss_in(PySparkException(text)) is None
