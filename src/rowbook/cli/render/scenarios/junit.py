"""Results as JUnit XML, for build servers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from rowbook.cli.render.junit_file import save_junit, xml_file, xml_text
from rowbook.cli.render.scenarios.scenario_diff import Describe
from rowbook.cli.render.scenarios.scenario_report import details

if TYPE_CHECKING:
    from rowbook.api import ScenarioResult, TestEngine


def write_junit(
    path: Path, results: Sequence[ScenarioResult], engine: TestEngine, describe: Describe
) -> None:
    save_junit(path, junit(results, engine, describe))


def junit(results: Sequence[ScenarioResult], engine: TestEngine, describe: Describe) -> bytes:
    """The XML: a test suite for each file, with the engine that ran it among its properties, a test
    case for each scenario."""
    root = ElementTree.Element("testsuites", {"name": "rowbook", **_totals(results)})
    for file, of_file in groupby(results, key=lambda result: result.file):
        cases = list(of_file)
        suite = ElementTree.SubElement(
            root, "testsuite", {"name": xml_text(file), **_totals(cases), "skipped": "0"}
        )
        properties = ElementTree.SubElement(suite, "properties")
        ElementTree.SubElement(properties, "property", {"name": "engine", "value": engine})
        suite.extend(_case(result, describe) for result in cases)
    return xml_file(root)


def _totals(results: Sequence[ScenarioResult]) -> dict[str, str]:
    return {
        "tests": str(len(results)),
        "failures": str(sum(result.status == "failed" for result in results)),
        "errors": str(sum(result.status == "error" for result in results)),
        "time": f"{sum(result.duration for result in results):.3f}",
    }


def _case(result: ScenarioResult, describe: Describe) -> ElementTree.Element:
    file = xml_text(result.file)
    case = ElementTree.Element(
        "testcase",
        {
            "name": xml_text(result.name),
            "classname": file,
            "file": file,
            "line": str(result.line),
            "time": f"{result.duration:.3f}",
        },
    )
    if result.status != "passed":
        kind = "failure" if result.status == "failed" else "error"
        attributes = {"message": xml_text(_message(result)), "type": kind}
        part = ElementTree.SubElement(case, kind, attributes)
        part.text = xml_text("\n".join(details(result, describe)))
    return case


def _message(result: ScenarioResult) -> str:
    if result.mismatches:
        first = result.mismatches[0]
        return f"{first.what}: {first.message}"
    return "; ".join(f"{d.code}  {d.text}" for d in result.diagnostics[:1])
