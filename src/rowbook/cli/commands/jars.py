"""`rowbook jars`: what Delta tables and databases need beside Spark."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Format
from rowbook.cli.render.printing import print_json
from rowbook.text.visible import number


def list_(format: Format = "text", debug: Debug = False) -> int:  # noqa: A002
    """Show which jars there are, and which are here.

    Examples:

      rowbook jars list
    """
    from rowbook.api import list_jars

    found = list_jars()
    if format == "json":
        jars = [
            {"for": j.extra, "file": j.jar.file_name, "sha256": j.jar.sha256, "here": j.is_here}
            for j in found.jars
        ]
        print_json({"folder": str(found.folder), "jars": jars})
        return Exit.DONE
    for each in found.jars:
        state = "here" if each.is_here else "missing"
        sys.stdout.write(f"{each.extra:<11}{state:<9}{each.jar.file_name}\n")
    sys.stdout.write(f"kept in {found.folder}\n")
    return Exit.DONE


def fetch(
    only: Annotated[
        Literal["delta", "postgresql", "iceberg", "mysql", "s3"] | None,
        typer.Option("--only", help="For this kind of data source alone."),
    ] = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Fetch the jars that are missing.

    A run fetches what it needs by itself. This is for machines that will have no network later.

    Examples:

      rowbook jars fetch

      rowbook jars fetch --only delta
    """
    from rowbook.api import fetch_missing_jars

    found = fetch_missing_jars(only)
    names = [each.jar.file_name for each in found.jars]
    if format == "json":
        print_json({"folder": str(found.folder), "fetched": names})
    else:
        sys.stdout.writelines(f"fetched {name}\n" for name in names)
        sys.stdout.write(f"{number(len(names), 'jar')} fetched into {found.folder}\n")
    return Exit.DONE


COMMANDS = {"list": list_, "fetch": fetch}
