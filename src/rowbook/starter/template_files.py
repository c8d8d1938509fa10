"""The files of a template."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Literal, TypeAlias

from rowbook.definitions.json_schema import schema_of_all
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.starter.company import MONTHS
from rowbook.starter.ledger import budget_csv, ledger_csv

TemplateName: TypeAlias = Literal["close", "minimal"]
PROJECTS: Mapping[TemplateName, str] = MappingProxyType(
    {"close": "monthly_close", "minimal": "sales_report"}
)
SCHEMA_FILE = ".rowbook-schema/rowbook.json"
_NAME = "workspace_name"
_RENAMED = {"gitignore": ".gitignore"}
"""Under its own name the file would hide parts of the template from git and packagers."""


def template_files(template: TemplateName, name: str) -> dict[str, str]:
    """The text of each file, by its path; `name` is that of the workspace."""
    found = dict(_texts(files("rowbook.starter") / "templates" / template))
    found[WORKSPACE_FILE] = found[WORKSPACE_FILE].replace(_NAME, name)
    found[SCHEMA_FILE] = json.dumps(schema_of_all(), indent=2, ensure_ascii=False) + "\n"
    return dict(sorted({**found, **_generated(template)}.items()))


def workspace_name(folder_name: str) -> str:
    """The name of a folder as the name of a workspace: letters, digits, '_', '-' and '.'."""
    plain = unicodedata.normalize("NFKD", folder_name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_.\-]+", "_", plain).strip("_.-") or "workspace"


def _generated(template: TemplateName) -> Mapping[str, str]:
    if template == "minimal":
        return {}
    ledgers = {f"data/gl/{month}.csv": ledger_csv(month) for month in MONTHS}
    budgets = {f"data/budget/{month}.csv": budget_csv(month) for month in MONTHS}
    return ledgers | budgets


def _texts(folder: Traversable, path: str = "") -> Mapping[str, str]:
    found: dict[str, str] = {}
    for each in folder.iterdir():
        name = f"{path}{_RENAMED.get(each.name, each.name)}"
        if each.is_dir():
            found |= _texts(each, f"{name}/")
        else:
            found[name] = each.read_text(encoding="utf-8")
    return found
