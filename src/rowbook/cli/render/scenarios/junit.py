"""Results as JUnit XML, for build servers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from rowbook.cli.render.scenarios.scenario_diff import Describe
from rowbook.cli.render.scenarios.scenario_report import details
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from rowbook.api import ScenarioResult, TestEngine

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def write_junit(
    path: Path, results: Sequence[ScenarioResult], engine: TestEngine, describe: Describe
) -> None:
    """In folders made for it if need be (USAGE_001)."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(junit(results, engine, describe))
    except OSError as error:
        reason = error.strerror or error
        raise RowbookError.of(
            "USAGE_001",
            f"the JUnit file {path} cannot be written: {reason}",
            hint="name another file with --junit",
        ) from error


def junit(results: Sequence[ScenarioResult], engine: TestEngine, describe: Describe) -> bytes:
    """The XML: a test suite for each file, with the engine that ran it among its properties, a test
    case for each scenario."""
    root = ElementTree.Element("testsuites", {"name": "rowbook", **_totals(results)})
    for file, of_file in groupby(results, key=lambda result: result.file):
        cases = list(of_file)
        suite = ElementTree.SubElement(
            root, "testsuite", {"name": _clean(file), **_totals(cases), "skipped": "0"}
        )
        properties = ElementTree.SubElement(suite, "properties")
        ElementTree.SubElement(properties, "property", {"name": "engine", "value": engine})
        suite.extend(_case(result, describe) for result in cases)
    ElementTree.indent(root)
    head = '<?xml version="1.0" encoding="utf-8"?>'
    return f"{head}\n{ElementTree.tostring(root, encoding='unicode')}\n".encode()


def _totals(results: Sequence[ScenarioResult]) -> dict[str, str]:
    return {
        "tests": str(len(results)),
        "failures": str(sum(result.status == "failed" for result in results)),
        "errors": str(sum(result.status == "error" for result in results)),
        "time": f"{sum(result.duration for result in results):.3f}",
    }


def _case(result: ScenarioResult, describe: Describe) -> ElementTree.Element:
    file = _clean(result.file)
    case = ElementTree.Element(
        "testcase",
        {
            "name": _clean(result.name),
            "classname": file,
            "file": file,
            "line": str(result.line),
            "time": f"{result.duration:.3f}",
        },
    )
    if result.status != "passed":
        kind = "failure" if result.status == "failed" else "error"
        attributes = {"message": _clean(_message(result)), "type": kind}
        part = ElementTree.SubElement(case, kind, attributes)
        part.text = _clean("\n".join(details(result, describe)))
    return case


def _message(result: ScenarioResult) -> str:
    if result.mismatches:
        first = result.mismatches[0]
        return f"{first.what}: {first.message}"
    return "; ".join(f"{d.code}  {d.text}" for d in result.diagnostics[:1])


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
