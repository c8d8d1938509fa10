"""What a session is opened with, and the Spark settings that decide results."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from rowbook.engine.session.jars import Extra
from rowbook.engine.session.java_options import check_java_options, executor_conf
from rowbook.errors import RowbookError
from rowbook.spark.row_pass import PASS_CONF

ProfileName = Literal["small", "bulk"]


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Where Spark runs and how.

    `remote` (`sc://host:port`, Spark Connect) wins over `master`. `profile` is about speed alone:
    `small` starts and answers fastest (tests, previews, scenarios), `bulk` is for real volumes.
    `scratch` is where Spark may put temporary files; None means the system's temporary folder.
    """

    master: str = "local[*]"
    remote: str | None = None
    conf: Mapping[str, str] = field(default_factory=dict)
    profile: ProfileName = "bulk"
    scratch: Path | None = None
    extras: frozenset[Extra] = frozenset()
    """Data sources to have beside Spark's own; at a `remote` the server must have them."""

    checkpoint_dir: str | None = None
    """Where executors that may be lost keep rows: a path or URL that all of them see."""

    def meets(self, needed: EngineSettings) -> bool:
        """Whether a session of these settings serves a run that needs those."""
        return needed.joined_with(self) == self

    def joined_with(self, other: EngineSettings) -> EngineSettings:
        """At the same place, large enough for both and with the data sources of both."""
        profile: ProfileName = "bulk" if "bulk" in (self.profile, other.profile) else "small"
        return replace(self, profile=profile, extras=self.extras | other.extras)

    @property
    def is_local(self) -> bool:
        """Driver and executors are one process on this machine."""
        return is_local(self.master)

    @property
    def sees_this_disk(self) -> bool:
        """All of Spark runs on this machine."""
        return self.remote is None and self.is_local

    @property
    def cores(self) -> int:
        """How many tasks run at once; where another machine decides that, the least it may be."""
        return _cores(self.master) if self.sees_this_disk else _ELSEWHERE[self.profile]


def is_local(master: str) -> bool:
    return master == "local" or master.startswith("local[")


class Meaning(NamedTuple):
    """A value that results depend on, and why it is this one."""

    value: str
    reason: str


SEMANTIC_CONF: Mapping[str, Meaning] = MappingProxyType(
    {
        "spark.sql.ansi.enabled": Meaning(
            "true", "overflow and bad casts are errors, never NULL or a wrapped number"
        ),
        "spark.sql.storeAssignmentPolicy": Meaning(
            "ANSI", "writing into a table never converts silently"
        ),
        "spark.sql.caseSensitive": Meaning("true", "column names are case-sensitive"),
        "spark.sql.session.timeZone": Meaning("UTC", "timestamps are UTC"),
        "spark.sql.timestampType": Meaning("TIMESTAMP_LTZ", "a timestamp is an instant"),
        "spark.sql.parquet.outputTimestampType": Meaning(
            "TIMESTAMP_MICROS", "timestamps are stored as microseconds"
        ),
        "spark.sql.legacy.timeParserPolicy": Meaning(
            "CORRECTED", "dates in text are read by one parser, whatever their age"
        ),
        "spark.sql.parquet.datetimeRebaseModeInRead": Meaning(
            "CORRECTED", "dates before 1582 are read as they are stored"
        ),
        "spark.sql.parquet.datetimeRebaseModeInWrite": Meaning(
            "CORRECTED", "dates before 1582 are stored as they are"
        ),
        "spark.sql.parquet.int96RebaseModeInRead": Meaning(
            "CORRECTED", "timestamps before 1900 are read as they are stored"
        ),
        "spark.sql.parquet.int96RebaseModeInWrite": Meaning(
            "CORRECTED", "timestamps before 1900 are stored as they are"
        ),
        "spark.sql.decimalOperations.allowPrecisionLoss": Meaning(
            "true", "beyond 38 digits a decimal's scale is cut, as type inference expects"
        ),
        "spark.sql.legacy.decimal.retainFractionDigitsOnTruncate": Meaning(
            "false", "that cut goes no further than to scale 6"
        ),
        "spark.sql.sources.partitionOverwriteMode": Meaning(
            "static", "Rowbook decides itself what a write replaces"
        ),
        "spark.sql.sources.partitionColumnTypeInference.enabled": Meaning(
            "false", "the text in a folder's name stays text: period=2026 and code=007 too"
        ),
        "spark.hadoop.parquet.page.verify-checksum.enabled": Meaning(
            "true", "a damaged page of a parquet file is an error, never another figure"
        ),
        "spark.sql.files.ignoreCorruptFiles": Meaning("false", "no row is lost unnoticed"),
        "spark.sql.files.ignoreMissingFiles": Meaning("false", "no row is lost unnoticed"),
    }
)

CHECKPOINT_FOLDER = "spark.checkpoint.dir"

_OWN: Mapping[str, str] = MappingProxyType(
    {
        CHECKPOINT_FOLDER: "it is the engine's `checkpoint_dir`",
        "spark.master": "it is the engine's `master`",
        "spark.remote": "it is the engine's `remote`",
        "spark.api.mode": "`master` or `remote` decides it",
        "spark.submit.deployMode": "the driver runs beside Rowbook",
    }
)


def check_conf(conf: Mapping[str, str]) -> None:
    """Refuses (ENGINE_003) settings that would change results, or that are Rowbook's to make."""
    check_java_options(conf)
    for key, value in conf.items():
        if key in _OWN:
            raise RowbookError.of("ENGINE_003", f"engine.conf may not set {key}: {_OWN[key]}")
        meaning = SEMANTIC_CONF.get(key)
        if meaning and not agrees(value, meaning.value):
            raise RowbookError.of(
                "ENGINE_003",
                f"engine.conf sets {key} to '{value}', but it must be '{meaning.value}': "
                f"{meaning.reason}",
            )


def agrees(found: str | None, wanted: str) -> bool:
    """Whether a value means the one that is wanted; Spark takes all of ours in any case."""
    return found is not None and found.strip().lower() == wanted.lower()


def semantic_values() -> dict[str, str]:
    return {key: meaning.value for key, meaning in SEMANTIC_CONF.items()}


_AUTHENTICATED: Mapping[str, str] = MappingProxyType(
    {
        "spark.authenticate": "true",
        "spark.network.crypto.enabled": "true",
        "spark.network.crypto.saslFallback": "false",
    }
)
"""Spark's ports on this machine answer nobody who does not know a secret, which a local Spark makes
for itself in memory. A cluster has its own: what it asks for is for `engine.conf` to say."""
_MAKES_SECRET = re.compile(r"local|local\[ *(\d+|\*) *(, *\d+ *)?\]")
"""Other masters are none, which Spark says better than that it has no secret for them."""


_YARN: Mapping[str, str] = MappingProxyType(
    {
        "spark.hadoop.yarn.resourcemanager.connect.max-wait.ms": "20000",
        "spark.hadoop.yarn.resourcemanager.connect.retry-interval.ms": "2000",
        "spark.hadoop.ipc.client.connect.max.retries": "3",
    }
)
"""A resource manager that does not answer is asked again for 20 seconds, not for 15 minutes."""


def own_session_conf(
    settings: EngineSettings, scratch: Path, jars: Sequence[Path] = (), *, debug: bool
) -> dict[str, str]:
    """Comfort, then the user's, then what decides results. `jars` are those of its extras."""
    comfort = {
        "spark.app.name": "rowbook",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.adaptive.enabled": "true",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        **PASS_CONF,
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": (scratch / "warehouse").as_uri(),
        # Two calls into the JVM and a walk up the stack for every method of a Column.
        "spark.python.sql.dataFrameDebugging.enabled": str(debug).lower(),
        # Of 100 classes that Spark keeps by itself, a project of some steps needs all: every one is
        # compiled again whenever it runs.
        "spark.sql.codegen.cache.maxEntries": "5000",
        # What is known of rows is worded anew for every column that is only passed on: with a
        # hundred columns that takes minutes.
        "spark.sql.constraintPropagation.enabled": "false",
    }
    if not debug:
        # Spark words every plan for its event log; with a thousand rules that takes seconds.
        comfort["spark.sql.maxPlanStringLength"] = "65536"
    per_core = {"small": 1, "bulk": 16}[settings.profile]
    comfort["spark.sql.shuffle.partitions"] = str(per_core * settings.cores)
    if settings.is_local:
        if settings.profile == "small":
            # Every hash table takes a page, however few rows: by itself 64 MB, made and cleared.
            comfort["spark.buffer.pageSize"] = "1m"
        comfort |= {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.local.dir": str(scratch),
            **(_AUTHENTICATED if _MAKES_SECRET.fullmatch(settings.master) else {}),
        }
    if settings.master == "yarn":
        comfort |= _YARN
    own = {"spark.master": settings.master}
    if not settings.is_local:
        own |= {**executor_conf(settings.conf), **checkpoint_conf(settings)}
    conf = {**comfort, **settings.conf, **semantic_values(), **own}
    return {**conf, **with_extras(settings, jars, conf)}


def checkpoint_conf(settings: EngineSettings) -> dict[str, str]:
    """A path is one of the file system, whatever Hadoop takes for the default."""
    folder = settings.checkpoint_dir
    if folder is None:
        return {}
    return {CHECKPOINT_FOLDER: Path(folder).as_uri() if folder.startswith("/") else folder}


def with_extras(
    settings: EngineSettings, jars: Sequence[Path], conf: Mapping[str, str]
) -> dict[str, str]:
    """Jars on the driver's class path cost no time; executors elsewhere get them from there."""
    added = {}
    if jars:
        given = conf.get("spark.driver.extraClassPath")
        paths = [*map(str, jars), *([given] if given else [])]
        added["spark.driver.extraClassPath"] = os.pathsep.join(paths)
        if not settings.is_local:
            own = [*map(str, jars), *filter(None, [conf.get("spark.jars")])]
            added["spark.jars"] = ",".join(own)
    if "delta" in settings.extras:
        given = conf.get("spark.sql.extensions")
        added["spark.sql.extensions"] = ",".join(filter(None, [given, _DELTA_EXTENSION]))
        added["spark.sql.catalog.spark_catalog"] = _DELTA_CATALOG
        sizes = delta_sizes(settings)
        added |= {key: value for key, value in sizes.items() if key not in conf}
    return added


def delta_sizes(settings: EngineSettings) -> dict[str, str]:
    """For sessions that read and write Delta tables."""
    return {_DELTA_TASKS: str(settings.cores), _DELTA_BIN: "128m"}


_DELTA_EXTENSION = "io.delta.sql.DeltaSparkSessionExtension"
_DELTA_CATALOG = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
_DELTA_TASKS = "spark.databricks.delta.snapshotPartitions"
"""Tasks that read a table's log. Left alone there are 50, which take ten seconds on two cores."""
_DELTA_BIN = "spark.databricks.delta.optimizeWrite.binSize"
"""Bytes of rows that one task writes, as they come out of a shuffle. With the usual 512 MB, a
million rows are for one task."""


_ELSEWHERE: Mapping[ProfileName, int] = MappingProxyType({"small": 2, "bulk": 16})


def _cores(master: str) -> int:
    """N of `local[N]`; all that this process may use for `local[*]`; 1 for `local`."""
    if master == "local":
        return 1
    given = re.match(r"local\[(\d+)", master)
    if given:
        return int(given[1])
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
