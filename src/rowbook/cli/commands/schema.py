"""`rowbook schema`: JSON Schema for editors."""

from __future__ import annotations

from typing import Annotated

import typer

from rowbook.cli.option_types import Debug, Folder, Format, Trust
from rowbook.cli.render.printing import print_json


def schema(
    kind: Annotated[
        str | None,
        typer.Argument(
            help="workspace, dataset, datasource, resolver, calendar, project, scenario."
        ),
    ] = None,
    folder: Folder = None,
    trust: Trust = False,
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
    from rowbook.api import json_schema

    print_json(json_schema(kind))
    return 0
