"""`rowbook jars`: what Delta tables and databases need beside Spark."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Format
from rowbook.cli.render.printing import print_json
from rowbook.engine.session.jars import EXTRAS, JARS, Extra, fetch_jars, jar_folder, missing_jars
from rowbook.text.visible import number


def list_(format: Format = "text", debug: Debug = False) -> int:  # noqa: A002
    """Show which jars there are, and which are here.

    Examples:

      rowbook jars list
    """
    folder = jar_folder()
    missing = missing_jars(EXTRAS, folder)
    if format == "json":
        jars = [
            {"for": extra, "file": jar.file_name, "sha256": jar.sha256, "here": jar not in missing}
            for extra in EXTRAS
            for jar in JARS[extra]
        ]
        print_json({"folder": str(folder), "jars": jars})
        return Exit.DONE
    for extra in EXTRAS:
        for jar in JARS[extra]:
            state = "missing" if jar in missing else "here"
            sys.stdout.write(f"{extra:<11}{state:<9}{jar.file_name}\n")
    sys.stdout.write(f"kept in {folder}\n")
    return Exit.DONE


def fetch(
    only: Annotated[
        Extra | None, typer.Option("--only", help="For this kind of data source alone.")
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
    folder = jar_folder()
    missing = missing_jars((only,) if only else EXTRAS, folder)
    if missing:
        fetch_jars(missing, folder)
    if format == "json":
        print_json({"folder": str(folder), "fetched": [jar.file_name for jar in missing]})
    else:
        for jar in missing:
            sys.stdout.write(f"fetched {jar.file_name}\n")
        sys.stdout.write(f"{number(len(missing), 'jar')} fetched into {folder}\n")
    return Exit.DONE


COMMANDS = {"list": list_, "fetch": fetch}
