"""Other users of this machine can reach Spark's ports. They get nothing there."""

from __future__ import annotations

import os
import struct
import subprocess
from typing import Any

import pytest
from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

REQUEST, RESPONSE, FAILURE = 3, 4, 5
"""Kinds of messages between parts of Spark, as their first byte says."""
NOBODY = 65534
STRANGER = "exec 3<>/dev/tcp/127.0.0.1/$0 && cat >&3 && timeout 20 head --bytes=9 <&3"


def request(body: bytes) -> bytes:
    head = struct.pack(">bqi", REQUEST, 1, len(body))
    return struct.pack(">q", 8 + len(head) + len(body)) + head + body


def asked_by_a_stranger(port: int, message: bytes) -> str:
    """The kind of the answer that another user gets, or that there is none."""
    other = NOBODY if os.getuid() == 0 else None
    command = ["bash", "-c", STRANGER, str(port)]
    ended = subprocess.run(command, input=message, capture_output=True, user=other, cwd="/")
    assert ended.returncode == 0, ended.stderr
    return str(ended.stdout[8]) if len(ended.stdout) == 9 else "closed"


def java(spark: SparkSession) -> Any:
    return spark.sparkContext._jvm


def question(spark: SparkSession, port: int) -> bytes:
    """Whether the driver has an endpoint of some name: what every client asks first."""
    jvm = java(spark)
    content = jvm.java.io.ByteArrayOutputStream()
    words = jvm.java.io.DataOutputStream(content)
    words.writeBoolean(False)
    words.writeBoolean(True)
    words.writeUTF("127.0.0.1")
    words.writeInt(port)
    words.writeUTF("endpoint-verifier")
    verifier = "org.apache.spark.rpc.netty.RpcEndpointVerifier$CheckExistence"
    kind = jvm.java.lang.Class.forName(verifier)
    made = kind.getConstructors()[0].newInstance(_array(spark, "HeartbeatReceiver"))
    objects = jvm.java.io.ObjectOutputStream(content)
    objects.writeObject(made)
    objects.flush()
    return bytes(content.toByteArray())


def _array(spark: SparkSession, text: str) -> Any:
    gateway = spark.sparkContext._gateway
    assert gateway is not None
    made = gateway.new_array(java(spark).java.lang.Object, 1)
    made[0] = text
    return made


def test_the_driver_does_not_answer_other_users(spark: SparkSession) -> None:
    port = int(spark.conf.get("spark.driver.port") or 0)
    assert asked_by_a_stranger(port, request(question(spark, port))) in (str(FAILURE), "closed")


def test_blocks_of_data_are_not_given_to_other_users(spark: SparkSession) -> None:
    manager = java(spark).org.apache.spark.SparkEnv.get().blockManager()
    port = manager.blockManagerId().port()
    folders_of = struct.pack(">b", 10)
    for texts in ([spark.sparkContext.applicationId], ["driver"]):
        if texts == ["driver"]:
            folders_of += struct.pack(">i", len(texts))
        for text in texts:
            folders_of += struct.pack(">i", len(text)) + text.encode()
    assert asked_by_a_stranger(port, request(folders_of)) in (str(FAILURE), "closed")


def test_spark_itself_gets_through(spark: SparkSession) -> None:
    """Results of a megabyte and more are fetched from such a port."""
    rows = spark.range(0, 400_000, 1, 1).selectExpr("id", "id * 2 as twice").collect()
    assert len(rows) == 400_000
    assert rows[-1] == (399_999, 799_998)
