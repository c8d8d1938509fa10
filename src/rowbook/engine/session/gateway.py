"""PySpark on a JVM of ours. Here alone PySpark's inner parts are touched.

PySpark holds its gateway, its context and its session in class attributes, reads the environment
at several places, and takes over Ctrl-C. All of that is put back when the session ends, so that
one process can open sessions one after another.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from py4j import java_gateway  # type: ignore[import-untyped]
from pyspark import SparkContext
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

from rowbook.engine.session.interrupts import clean_interrupts
from rowbook.engine.session.jvm import Jvm, cause_in
from rowbook.engine.session.launch import FOREIGN
from rowbook.errors import RowbookError

CONNECT_MODE = "SPARK_CONNECT_MODE_ENABLED"
"""While this variable stands, PySpark's functions make columns for Spark Connect."""

_SERVER = "the Spark server"
_ECHOES = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")


@contextlib.contextmanager
def session_on(jvm: Jvm, *, debug: bool) -> Iterator[SparkSession]:
    variables = {
        "PYSPARK_GATEWAY_PORT": str(jvm.port),
        "PYSPARK_GATEWAY_SECRET": jvm.secret,
        "PYSPARK_PYTHON": sys.executable,
    }
    former = SparkContext._gateway, SparkContext._jvm
    handler = signal.getsignal(signal.SIGINT)
    with environment({}, without=(CONNECT_MODE,)), _restored(), _echo(debug):
        SparkContext._gateway = SparkContext._jvm = None
        try:
            with environment(variables, without=(*FOREIGN, "MASTER")):
                spark = _opened(jvm)
                _remember_names()
            try:
                client, cancel = _client(), spark.sparkContext.cancelAllJobs
                with clean_interrupts(client, cancel, handler):
                    yield spark
            finally:
                _remove_checkpoints(spark)
                _stop(spark)
        finally:
            _forget()
            SparkContext._gateway, SparkContext._jvm = former


@contextlib.contextmanager
def connect_mode(*, debug: bool) -> Iterator[None]:
    """PySpark as a client of Spark Connect, for as long as it lasts."""
    refuse_second_session()
    others = (CONNECT_MODE, "SPARK_REMOTE", "SPARK_API_MODE", "MASTER")
    with environment({}, without=others), _echo(debug):
        yield


def be_brief(spark: SparkSession) -> None:
    """A server that is gone is asked again for 20 seconds, not for ten minutes; what comes out then
    says all that PySpark would warn of."""
    from pyspark.sql.connect.client.retries import DefaultPolicy

    remote: Any = spark
    remote.client.set_retry_policies([DefaultPolicy(max_retries=5)])
    warnings.filterwarnings("ignore", message=r"\[RETRIES_EXCEEDED\]")


def server_label() -> str:
    """The server that this process is a client of."""
    session: Any = SparkSession.getActiveSession() if is_remote() else None
    return f"{_SERVER} at sc://{session.client._builder.endpoint}" if session else _SERVER


def refuse_second_session() -> None:
    """ENGINE_006 where this process has a session already: PySpark serves one kind at a time."""
    classic = SparkContext._active_spark_context
    connect = sys.modules.get("pyspark.sql.connect.session")
    if classic is not None:
        running = f"'{classic.appName}' on {classic.master}"
    elif connect is not None and connect.SparkSession._default_session is not None:
        running = "through Spark Connect"
    else:
        return
    raise RowbookError.of(
        "ENGINE_006",
        f"this process has an open Spark session already ({running})",
        hint="close it first, or hand it over with Workspace.open(spark=…)",
    )


@contextlib.contextmanager
def environment(variables: Mapping[str, str], *, without: tuple[str, ...]) -> Iterator[None]:
    """These variables, and no others with such a beginning; afterwards those are as before."""
    hidden = _take_out(without)
    os.environ.update(variables)
    try:
        yield
    finally:
        _take_out(without)
        os.environ.update(hidden)


def _take_out(beginnings: tuple[str, ...]) -> dict[str, str]:
    return {key: os.environ.pop(key) for key in list(os.environ) if key.startswith(beginnings)}


def _opened(jvm: Jvm) -> SparkSession:
    try:
        return SparkSession.builder.getOrCreate()
    except Exception as cause:
        raise jvm.error("Spark did not start", cause_in(str(cause).splitlines())) from cause


def _client() -> Any:
    gateway = SparkContext._gateway
    assert gateway is not None
    return gateway._gateway_client


def _remove_checkpoints(spark: SparkSession) -> None:
    """What this session kept in the checkpoint folder; Spark itself leaves it there."""
    with contextlib.suppress(Exception):
        context: Any = spark.sparkContext
        if folder := context.getCheckpointDir():
            path = context._jvm.org.apache.hadoop.fs.Path(folder)
            path.getFileSystem(context._jsc.hadoopConfiguration()).delete(path, True)


def _remember_names() -> None:
    """PySpark asks the JVM twice what a name is (the class of functions, then one of them) whenever
    it calls one: a quarter of all calls of a run."""
    SparkContext._jvm.__class__ = _KnownNames


class _KnownNames(java_gateway.JVMView):  # type: ignore[misc]
    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if type(found) is java_gateway.JavaClass:
            found.__class__ = _KnownClass
            self.__dict__[name] = found
        return found


class _KnownClass(java_gateway.JavaClass):  # type: ignore[misc]
    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if isinstance(found, java_gateway.JavaMember):
            self.__dict__[name] = found
        return found


def _stop(spark: SparkSession) -> None:
    """Stops Spark; on a JVM that is gone already there is nothing left to stop."""
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        spark.stop()


def _forget() -> None:
    gateway = SparkContext._gateway
    if gateway is not None:
        with contextlib.suppress(Exception):
            gateway.shutdown()
    SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = SparkSession._activeSession = None


@contextlib.contextmanager
def _restored() -> Iterator[None]:
    """Puts back what PySpark takes over or adds to."""
    handler, path = signal.getsignal(signal.SIGINT), list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = path
        if threading.current_thread() is threading.main_thread() and handler is not None:
            signal.signal(signal.SIGINT, handler)


@contextlib.contextmanager
def _echo(wanted: bool) -> Iterator[None]:
    """Whether each exception of Spark's is printed before it is raised.

    PySpark does so as JSON. Py4J does so with what Ctrl-C interrupts, on the root logger; given its
    own logger instead, it is as quiet as it means to be.
    """
    loggers = [PySparkLogger.getLogger(name) for name in _ECHOES]
    former = [logger.disabled for logger in loggers]
    py4j: Any = java_gateway
    root = py4j.logging
    for logger in loggers:
        logger.disabled = not wanted
    if not wanted:
        py4j.logging = py4j.logger
    try:
        yield
    finally:
        py4j.logging = root
        for logger, disabled in zip(loggers, former, strict=True):
            logger.disabled = disabled
