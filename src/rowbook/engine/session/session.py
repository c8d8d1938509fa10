"""The life of a Spark session: our own, a Connect endpoint's, or one that is handed to us."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING

from rowbook.engine.session.endpoints import check_master, check_remote, endpoint, unreachable
from rowbook.engine.session.executors import executors_of
from rowbook.engine.session.jars import jars_for
from rowbook.engine.session.java import find_java
from rowbook.engine.session.jvm import Jvm, JvmError
from rowbook.engine.session.scratch import scratch_folder
from rowbook.engine.session.settings import (
    SEMANTIC_CONF,
    EngineSettings,
    agrees,
    check_conf,
    checkpoint_conf,
    delta_sizes,
    own_session_conf,
    semantic_values,
)
from rowbook.engine.strategy.stages import Executors
from rowbook.errors import Diagnostic, RowbookError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["SEMANTIC_CONF", "Engine", "EngineSettings", "adopt_session", "open_session"]

_HADOOP = "spark.hadoop."
_CLUSTERS = ("spark://", "yarn", "k8s://")


class Engine:
    """An open session that means what Rowbook means; `close` ends what was opened with it."""

    def __init__(self, spark: SparkSession, endings: ExitStack, *, is_own: bool = True) -> None:
        self.spark = spark
        self.endings = endings
        """What is closed with the session."""
        self._is_own = is_own

    def set_up(self, conf: Mapping[str, str]) -> Engine:
        """The same for one run, with settings of its own: runs beside it keep theirs. A session
        that was handed to us is its owner's to set."""
        if not self._is_own:
            return self
        spark = self.spark.newSession() if hasattr(self.spark, "newSession") else self.spark
        for key, value in conf.items():
            spark.conf.set(key, value)
        return Engine(spark, ExitStack())

    @property
    def executors(self) -> Executors:
        return executors_of(self.spark)

    def cancel(self) -> None:
        """Drops what Spark is at work on; who waits for it gets an error. For other threads."""
        from pyspark.sql.utils import is_remote

        with contextlib.suppress(Exception):
            if is_remote():
                self.spark.interruptAll()
            else:
                self.spark.sparkContext.cancelAllJobs()

    def close(self) -> None:
        """Ends the session and, if it is ours, Spark. A second call does nothing."""
        self.endings.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_session(settings: EngineSettings, *, debug: bool = False) -> Engine:
    """Our own session gets every setting; at a `remote` ours are set for the client and checked."""
    check_conf(settings.conf)
    with ExitStack() as opening:
        if settings.remote is None:
            spark = opening.enter_context(_own(settings, debug=debug))
        else:
            spark = opening.enter_context(_remote(settings.remote, debug=debug))
            where = endpoint(settings.remote)
            conf = {**settings.conf, **semantic_values(), **checkpoint_conf(settings)}
            _settle(spark, conf, f"the session at {where}")
            if "delta" in settings.extras:
                for key, value in delta_sizes(settings).items():
                    spark.conf.set(key, settings.conf.get(key, value))
        return Engine(spark, opening.pop_all())


def adopt_session(given: SparkSession) -> Engine:
    """Somebody's session stays open when the engine is closed. A classic one is left as it is:
    settings are made on a twin beside it. A Connect session is one client's own already."""
    session = given.newSession() if hasattr(given, "newSession") else given
    _settle(session, semantic_values(), "the given session")
    return Engine(session, ExitStack(), is_own=False)


@contextlib.contextmanager
def _own(settings: EngineSettings, *, debug: bool) -> Iterator[SparkSession]:
    """Spark in a JVM beside this process. PySpark is imported while that starts, not before."""
    check_master(settings.master)
    if "pyspark" in sys.modules:
        from rowbook.engine.session.gateway import refuse_second_session

        refuse_second_session()
    java = find_java()
    with scratch_folder(settings.scratch) as scratch:
        conf = own_session_conf(settings, scratch.folder, jars_for(settings.extras), debug=debug)
        jvm = Jvm.start(
            java,
            conf,
            profile=settings.profile,
            scratch=scratch.folder,
            lock=scratch.lock,
            debug=debug,
        )
        with contextlib.closing(jvm), ExitStack() as opened:
            from rowbook.engine.session.gateway import session_on

            try:
                spark = opened.enter_context(session_on(jvm, debug=debug))
            except JvmError as error:
                if not settings.master.startswith(_CLUSTERS):
                    raise
                raise _not_taken(settings.master, error) from error
            jvm.in_use()
            yield spark


def _not_taken(master: str, error: JvmError) -> JvmError:
    """A cluster that does not start the application (ENGINE_011)."""
    message = f"{master}: {error.diagnostics[0].message}"
    return JvmError(Diagnostic("ENGINE_011", message), log=error.log)


@contextlib.contextmanager
def _remote(url: str, *, debug: bool) -> Iterator[SparkSession]:
    """A session of this client alone at a Connect endpoint; ENGINE_004 if none can be had."""
    check_remote(url)
    from pyspark.sql import SparkSession

    from rowbook.engine.session.gateway import be_brief, connect_mode

    with connect_mode(debug=debug):
        try:
            spark = SparkSession.builder.remote(url).create()
            be_brief(spark)
            spark.version  # noqa: B018 - the first question that the server has to answer
        except Exception as cause:
            raise unreachable(url, _first_line(cause)) from cause
        try:
            yield spark
        finally:
            spark.stop()


def _settle(spark: SparkSession, conf: Mapping[str, str], whose: str) -> None:
    """Sets what the session lets us set, then checks all; ENGINE_005 names one that is off. An open
    session knows Hadoop's settings by their own names."""
    from pyspark.errors import PySparkException

    refusals: dict[str, str] = {}
    for key, value in conf.items():
        try:
            spark.conf.set(key.removeprefix(_HADOOP), value)
        except PySparkException as refusal:
            refusals[key] = _first_line(refusal)
    for key, value in conf.items():
        found = spark.conf.get(key.removeprefix(_HADOOP), None)
        if not agrees(found, value):
            reason = SEMANTIC_CONF[key].reason if key in SEMANTIC_CONF else refusals.get(key, "")
            raise RowbookError.of(
                "ENGINE_005",
                f"{whose} keeps {key} at '{found}' and does not take '{value}': {reason}",
            )


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
