"""PySpark on a JVM of ours: one session at a time, and nothing of it is left behind."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import ArithmeticException
from pyspark.sql import Observation
from pyspark.sql import functions as F

from rowbook.engine.session.gateway import environment
from rowbook.engine.session.session import EngineSettings, open_session
from rowbook.errors import RowbookError
from tests.engine.conftest import Program

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


FOREIGN_ENVIRONMENT = {
    "SPARK_HOME": "/nowhere/spark",
    "SPARK_CONF_DIR": "/nowhere/conf",
    "SPARK_LOCAL_DIRS": "/nowhere/local",
    "SPARK_REMOTE": "sc://nowhere:15002",
    "SPARK_CONNECT_MODE_ENABLED": "1",
    "SPARK_TESTING": "1",
    "PYSPARK_SUBMIT_ARGS": "--master spark://nowhere:7077 pyspark-shell",
    "PYSPARK_PYTHON": "/nowhere/python",
    "PYSPARK_GATEWAY_PORT": "1",
    "MASTER": "spark://nowhere:7077",
    "JAVA_TOOL_OPTIONS": "-Drowbook.test=1",
    "LC_ALL": "C",
    "TZ": "America/New_York",
}


def test_the_jvm_is_asked_once_what_a_function_is(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    gateway: Any = spark.sparkContext._gateway
    client = gateway._gateway_client
    send = client.send_command

    def recorded(command: str, *rest: Any, **options: Any) -> Any:
        sent.append(command)
        return send(command, *rest, **options)

    F.lit("first")
    monkeypatch.setattr(client, "send_command", recorded)
    F.lit("again")
    assert [command for command in sent if command.startswith("r\n")] == []
    assert len([command for command in sent if "again" in command]) == 1


def test_a_failing_query_prints_nothing(
    spark: SparkSession, capfd: pytest.CaptureFixture[str]
) -> None:
    watching = Observation()
    spark.range(5).observe(watching, F.count(F.lit(1)).alias("rows")).collect()
    assert watching.get == {"rows": 5}
    with pytest.raises(ArithmeticException):
        spark.range(1).select(F.lit(9223372036854775807) + F.col("id") + F.lit(1)).collect()
    time.sleep(0.5)
    assert capfd.readouterr() == ("", "")


def test_a_second_session_in_the_process_is_refused(spark: SparkSession) -> None:
    with pytest.raises(RowbookError) as refused:
        open_session(EngineSettings())
    assert str(refused.value) == (
        "ENGINE_006  this process has an open Spark session already ('rowbook' on local[*])"
    )
    assert spark.range(3).count() == 3


@pytest.mark.campaign
def test_sessions_come_and_go_without_a_word_or_a_trace_in_any_environment(
    program: Program,
) -> None:
    said, complained = program.run(
        """
        import os, signal, sys
        from rowbook.engine.session.session import EngineSettings, open_session

        before = dict(os.environ), list(sys.path), signal.getsignal(signal.SIGINT)
        for n in (1, 2):
            with open_session(EngineSettings(profile="small")) as engine:
                from pyspark.sql import functions as F
                spark = engine.spark
                spark.range(n).select(F.lit("größe").alias("ä")).write.parquet(f"out/straße{n}")
                rows = spark.read.parquet(f"out/straße{n}").collect()
                print(n, len(rows), ascii(rows[0]["ä"]), spark.conf.get("spark.sql.ansi.enabled"))
                # what is made in Python goes through a Python worker
                print(spark.createDataFrame([(n,)], ["x"]).collect()[0]["x"])
            engine.close()
        print(sorted(set(os.environ.items()) ^ set(before[0].items())))
        print(sys.path == before[1], signal.getsignal(signal.SIGINT) == before[2])
        """,
        {**FOREIGN_ENVIRONMENT, "PYTHONIOENCODING": "utf-8"},
    )
    assert said == ("1 1 'gr\\xf6\\xdfe' true\n1\n2 2 'gr\\xf6\\xdfe' true\n2\n[]\nTrue True\n")
    assert complained == ""
    assert [path.name for path in program.folder.iterdir()] == ["out"]
    assert sorted(path.name for path in (program.folder / "out").iterdir()) == [
        "straße1",
        "straße2",
    ]
    assert [path.name for path in program.temporary.glob("rowbook-*")] == []


def test_variables_are_there_for_a_while_and_those_with_such_a_beginning_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPARK_HOME", "/nowhere")
    monkeypatch.setenv("OTHER", "stays")
    before = dict(os.environ)
    with environment({"SPARK_PORT": "1"}, without=("SPARK_",)):
        assert os.environ["SPARK_PORT"] == "1"
        assert "SPARK_HOME" not in os.environ
        assert os.environ["OTHER"] == "stays"
        os.environ["SPARK_LATE"] = "added meanwhile"
    assert dict(os.environ) == before


def test_variables_are_put_back_where_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_HOME", "/nowhere")
    before = dict(os.environ)
    with pytest.raises(KeyError), environment({}, without=("SPARK_",)):
        raise KeyError("lost")
    assert dict(os.environ) == before
