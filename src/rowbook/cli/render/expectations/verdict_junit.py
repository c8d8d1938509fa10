"""What became of expectations as JUnit XML: a test suite for each run, a test case for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from rowbook.cli.render.expectations.verdict_table import waiver_text
from rowbook.cli.render.junit_file import xml_file, xml_text
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from rowbook.api import Diagnostic, RunResult, RunStart, Verdict

_SKIPPED = ("skipped", "nothing to check", "waived", "not evaluated")


@dataclass(frozen=True, slots=True)
class JUnitSuite:
    """A run or a check; `errors` are why it failed, where no expectation is the reason."""

    name: str
    project: str
    verdicts: tuple[Verdict, ...]
    errors: tuple[Diagnostic, ...] = ()


def suite_of(start: RunStart, result: RunResult) -> JUnitSuite:
    name = f"{start.project} {start.period}"
    return JUnitSuite(name, start.project, result.expectations, result.errors)


def verdicts_junit(suites: Sequence[JUnitSuite]) -> bytes:
    """A failure is what stops a run. What only warns has passed, and says so in its output; what
    was waived, or not looked at, is skipped."""
    root = ElementTree.Element("testsuites", {"name": "rowbook"})
    found = [_suite(each) for each in suites]
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(each.get(name, "0")) for each in found)))
    root.extend(found)
    return xml_file(root)


def _suite(suite: JUnitSuite) -> ElementTree.Element:
    cases = [_case(each, suite.project) for each in suite.verdicts]
    if suite.errors and not any(each.stops for each in suite.verdicts):
        cases.append(_broken(suite))
    found = ElementTree.Element("testsuite", {"name": xml_text(suite.name)})
    found.set("tests", str(len(cases)))
    for name, part in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        found.set(name, str(sum(case.find(part) is not None for case in cases)))
    found.extend(cases)
    return found


def _case(verdict: Verdict, project: str) -> ElementTree.Element:
    owner = xml_text(verdict.owner or project)
    case = ElementTree.Element(
        "testcase", {"name": xml_text(verdict.name), "classname": owner, "time": "0.000"}
    )
    said = f"{verdict.status} ({verdict.at}): {verdict.detail}"
    if verdict.waiver is not None:
        said = f"{said}; {waiver_text(verdict.waiver)}"
    if verdict.stops:
        _part(case, "failure", said, _samples(verdict))
    elif verdict.status in _SKIPPED:
        _part(case, "skipped", said)
    elif verdict.status != "passed":
        output = ElementTree.SubElement(case, "system-out")
        output.text = xml_text("\n".join((said, _samples(verdict))).rstrip())
    return case


def _broken(suite: JUnitSuite) -> ElementTree.Element:
    case = ElementTree.Element("testcase", {"name": "run", "classname": xml_text(suite.project)})
    first = suite.errors[0]
    text = "\n".join(f"{each.code}  {each.text}" for each in suite.errors)
    _part(case, "error", f"{first.code}  {first.text}", text)
    return case


def _part(case: ElementTree.Element, kind: str, message: str, text: str = "") -> None:
    attributes = {"message": xml_text(message)}
    if kind != "skipped":
        attributes["type"] = kind
    part = ElementTree.SubElement(case, kind, attributes)
    part.text = xml_text(text) or None


def _samples(verdict: Verdict) -> str:
    """A line for each row or group."""
    return "\n".join(
        ", ".join(f"{name} {value}" for name, value in each.items()) for each in verdict.samples
    )
