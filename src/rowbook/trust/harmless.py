"""Settings of an engine that nobody must be asked about: how much of this machine it takes.

The list says what is harmless, with the values; whatever is not on it may name classes, jars, files
or other machines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_MASTER = re.compile(r"local(?:\[(?:\*|[0-9]{1,4})(?:,[0-9]{1,4})?\])?")
_BOOLEAN = r"true|false"
_COUNT = r"[0-9]{1,9}"
_RATIO = r"[0-9]{1,6}(?:\.[0-9]{1,6})?"
_SIZE = r"-?[0-9]{1,15} ?(?:[kmgt]i?b?|b)?"
_ANY_NUMBER = rf"{_BOOLEAN}|{_RATIO}|{_SIZE}"

_CONF: Mapping[str, str] = {
    r"spark\.(?:driver|executor)\.(?:memory|memoryOverhead)": _SIZE,
    r"spark\.driver\.maxResultSize": _SIZE,
    r"spark\.(?:driver|executor)\.cores": _COUNT,
    r"spark\.default\.parallelism": _COUNT,
    r"spark\.memory\.(?:fraction|storageFraction)": _RATIO,
    r"spark\.sql\.shuffle\.partitions": _COUNT,
    r"spark\.sql\.adaptive\.[A-Za-z.]+": _ANY_NUMBER,
    r"spark\.sql\.autoBroadcastJoinThreshold": _SIZE,
    r"spark\.sql\.broadcastTimeout": _COUNT,
    r"spark\.sql\.files\.(?:maxPartitionBytes|openCostInBytes)": _SIZE,
    r"spark\.sql\.files\.(?:minPartitionNum|maxPartitionNum)": _COUNT,
    r"spark\.sql\.codegen\.wholeStage": _BOOLEAN,
    r"spark\.sql\.codegen\.cache\.maxEntries": _COUNT,
    r"spark\.sql\.maxPlanStringLength": _COUNT,
    r"spark\.sql\.debug\.maxToStringFields": _COUNT,
    r"spark\.ui\.enabled": r"false",
    r"spark\.ui\.showConsoleProgress": _BOOLEAN,
    r"spark\.log\.level": r"all|debug|error|fatal|info|off|trace|warn",
}
"""Keys and their values, in any case."""


def is_harmless_master(master: str) -> bool:
    """Spark on this machine, in a process of ours."""
    return _MASTER.fullmatch(master) is not None


def is_harmless_conf(key: str, value: str) -> bool:
    return any(
        re.fullmatch(wanted, key) and re.fullmatch(values, value, re.IGNORECASE)
        for wanted, values in _CONF.items()
    )
