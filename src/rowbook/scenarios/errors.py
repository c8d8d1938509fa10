"""What is wrong with a scenario before it runs: with the scenario itself, or with the definitions
it runs, which is what `expect.error` may be about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.place import Place
from rowbook.definitions.workspace_files import SCENARIO_FOLDER, WorkspaceFiles
from rowbook.errors import Diagnostic, RowbookError, in_order
from rowbook.planning.definitions.dataset_check import check_dataset
from rowbook.planning.definitions.from_files import file_definitions
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.findings import Findings
from rowbook.planning.scenarios import ScenarioSetting, check_scenario, inline_datasets


@dataclass(frozen=True, slots=True)
class Faults:
    """`own` keep the scenario from running; `reported` are those of its project and datasets."""

    own: tuple[Diagnostic, ...]
    reported: tuple[Diagnostic, ...]


def find_faults(
    entry: Entry[ScenarioDefinition], files: WorkspaceFiles, setting: ScenarioSetting | None
) -> Faults:
    written = [d for d in errors(files.diagnostics) if is_within(d, entry.place)]
    reported = [d for d in written if is_inline(d, entry.place)]
    reported += entry.operation_faults
    if setting is not None:
        reported += setting.planned.diagnostics
        reported += _dataset_faults(entry, setting)
        reported += _period_faults(entry, setting)
    findings = Findings()
    check_scenario(entry, files, findings)
    own = [*written, *findings.diagnostics]
    reported = list(errors(reported))
    own = [d for d in errors(own) if d not in reported]
    if not own and not reported and (setting is None or setting.planned.plan is None):
        reported = _unplanned(files, setting)
    return Faults(in_order(own), in_order(reported))


def errors(diagnostics: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    return (d for d in diagnostics if d.severity == "error")


def is_within(diagnostic: Diagnostic, place: Place) -> bool:
    position = diagnostic.position
    return position is not None and place.exists and place.holds(position)


def is_inline(diagnostic: Diagnostic, scenario: Place) -> bool:
    """Whether a finding is about a project or dataset that is written into a scenario."""
    return any(is_within(diagnostic, scenario.at(key)) for key in ("project", "datasets"))


def _dataset_faults(entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> list[Diagnostic]:
    """Of the scenario's own datasets, and of those that the project uses."""
    findings = Findings()
    used = (setting.known.dataset(name, None) for name in setting.used_names)
    versions = [*inline_datasets(entry), *(v for v in used if not isinstance(v, Missing))]
    for version in versions:
        if version.place is not None:
            check_dataset(version.model, version.place, setting.known, findings)
    return findings.diagnostics


def _period_faults(entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> list[Diagnostic]:
    """Where the scenario expects one: else it is a fault of its own."""
    expected = entry.model.expect.error
    if expected is None or not expected.code.startswith("PERIOD_"):
        return []
    calendar = setting.known.calendar(setting.project.model.calendar_id or "gregorian")
    if isinstance(calendar, Missing):
        return []
    try:
        calendar.parse(entry.model.period)
    except RowbookError as error:
        position = entry.place.at("period").position
        return [d.at(position) for d in error.diagnostics]
    return []


def _unplanned(files: WorkspaceFiles, setting: ScenarioSetting | None) -> list[Diagnostic]:
    """Where planning is silent: the project, or what it needs, is in a file that is unreadable."""
    broken = [
        d
        for d in errors(files.diagnostics)
        if d.position is None or not d.position.file.startswith(f"{SCENARIO_FOLDER}/")
    ]
    if setting is not None:
        of_project = [d for d in broken if is_within(d, setting.project.place)]
        if of_project:
            return of_project
    findings = Findings()
    file_definitions(files, findings)
    return [*broken, *errors(findings.diagnostics)]
