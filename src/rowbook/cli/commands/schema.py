"""`rowbook schema`: JSON Schema for editors."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from rowbook.cli.option_types import Debug, Folder, Format
from rowbook.definitions.json_schema import schema_of_all, schema_of_kind
from rowbook.definitions.models.kinds import KINDS
from rowbook.errors import RowbookError, suggestion


def schema(
    kind: Annotated[
        str | None,
        typer.Argument(
            help="workspace, dataset, datasource, resolver, calendar, project, scenario."
        ),
    ] = None,
    folder: Folder = None,
    format: Format = "json",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Print the JSON Schema of definitions, for editors.

    Of one kind of definition, or of all kinds.

    Examples:

      rowbook schema project

      rowbook schema > .rowbook/schema.json

    An editor with the YAML language server checks and completes a file that starts with

      # yaml-language-server: $schema=../.rowbook/schema.json
    """
    if kind is not None and kind not in KINDS:
        hint = suggestion(kind, tuple(KINDS), "kinds")
        raise RowbookError.of("USAGE_001", f"'{kind}' is not a kind of definition", hint=hint)
    result = schema_of_all() if kind is None else schema_of_kind(kind)
    sys.stdout.write(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    return 0
