"""The kinds of documents a definition file may hold."""

from __future__ import annotations

from rowbook.definitions.models.calendar import CalendarDefinition
from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.entity import Model
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.models.resolver import ResolverDefinition
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.models.workspace import WorkspaceDefinition

KINDS: dict[str, type[Model]] = {
    "workspace": WorkspaceDefinition,
    "dataset": DatasetDefinition,
    "datasource": DatasourceDefinition,
    "resolver": ResolverDefinition,
    "calendar": CalendarDefinition,
    "project": ProjectDefinition,
    "scenario": ScenarioDefinition,
}
