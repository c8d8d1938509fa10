"""The kinds of documents a definition file may hold."""

from __future__ import annotations

from rowbook.definitions.calendar import CalendarDefinition
from rowbook.definitions.dataset import DatasetDefinition
from rowbook.definitions.datasource import DatasourceDefinition
from rowbook.definitions.model import Model
from rowbook.definitions.project import ProjectDefinition
from rowbook.definitions.resolver import ResolverDefinition
from rowbook.definitions.scenario import ScenarioDefinition
from rowbook.definitions.workspace import WorkspaceDefinition

KINDS: dict[str, type[Model]] = {
    "workspace": WorkspaceDefinition,
    "dataset": DatasetDefinition,
    "datasource": DatasourceDefinition,
    "resolver": ResolverDefinition,
    "calendar": CalendarDefinition,
    "project": ProjectDefinition,
    "scenario": ScenarioDefinition,
}
