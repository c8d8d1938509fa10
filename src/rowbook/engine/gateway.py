"""PySpark on a JVM of ours. Here alone PySpark's inner parts are touched.

PySpark holds its gateway, its context and its session in class attributes, reads the environment
at several places, and takes over Ctrl-C. All of that is put back when the session ends, so that
one process can open sessions one after another.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping

from pyspark import SparkContext
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from rowbook.engine.jvm import Jvm
from rowbook.engine.launch import FOREIGN
from rowbook.errors import RowbookError

CONNECT_MODE = "SPARK_CONNECT_MODE_ENABLED"
"""While this variable stands, PySpark's functions make columns for Spark Connect."""


_ECHOES = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")


@contextlib.contextmanager
def session_on(jvm: Jvm) -> Iterator[SparkSession]:
    """A session on that JVM. Only one can be in a process at a time (ENGINE_006)."""
    _refuse_second_session()
    variables = {
        "PYSPARK_GATEWAY_PORT": str(jvm.port),
        "PYSPARK_GATEWAY_SECRET": jvm.secret,
        "PYSPARK_PYTHON": sys.executable,
    }
    former = SparkContext._gateway, SparkContext._jvm
    with environment({}, without=(CONNECT_MODE,)), _signals_and_paths():
        SparkContext._gateway = SparkContext._jvm = None
        try:
            with environment(variables, without=(*FOREIGN, "MASTER")):
                spark = _opened(jvm)
            try:
                yield spark
            finally:
                _stop(spark)
        finally:
            _forget()
            SparkContext._gateway, SparkContext._jvm = former


@contextlib.contextmanager
def connect_mode() -> Iterator[None]:
    """PySpark as a client of Spark Connect, for as long as it lasts."""
    _refuse_second_session()
    with environment({}, without=(CONNECT_MODE, "SPARK_REMOTE", "SPARK_API_MODE", "MASTER")):
        try:
            yield
        finally:
            os.environ.pop(CONNECT_MODE, None)


def _refuse_second_session() -> None:
    """ENGINE_006 where this process has a session already that is not ours to share."""
    running = SparkContext._active_spark_context
    if running is not None:
        raise RowbookError.of(
            "ENGINE_006",
            f"this process has a Spark session already ('{running.appName}', {running.master})",
        )


@contextlib.contextmanager
def environment(variables: Mapping[str, str], *, without: tuple[str, ...]) -> Iterator[None]:
    """These variables and none that starts so; afterwards as before, but for what others set."""
    hidden = {key: value for key, value in os.environ.items() if key.startswith(without)}
    for key in hidden:
        del os.environ[key]
    os.environ.update(variables)
    try:
        yield
    finally:
        for key in variables:
            os.environ.pop(key, None)
        os.environ.update(hidden)


@contextlib.contextmanager
def without_echo() -> Iterator[None]:
    """Keeps PySpark from printing every exception of Spark's, as JSON, before it raises it."""
    loggers = [PySparkLogger.getLogger(name) for name in _ECHOES]
    former = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in zip(loggers, former, strict=True):
            logger.disabled = disabled


def _opened(jvm: Jvm) -> SparkSession:
    try:
        return SparkSession.builder.getOrCreate()
    except Exception as cause:
        said = re.search(r"^:? ?[\w.$]+(?:Exception|Error): (.+)$", str(cause), re.MULTILINE)
        raise jvm.error("Spark did not start", said[1] if said else str(cause)) from cause


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
def _signals_and_paths() -> Iterator[None]:
    """PySpark cancels all jobs at Ctrl-C, which is wanted, but never gives the signal back."""
    in_main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT)
    path = list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = path
        if in_main and handler is not None:
            signal.signal(signal.SIGINT, handler)
