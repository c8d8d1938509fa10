"""The command line: which command, which exit code. No traceback without --debug."""

from __future__ import annotations

import io
import sys

import typer

from rowbook import __version__
from rowbook.cli import preview, schema, test, validate
from rowbook.cli import run as run_command
from rowbook.cli.exits import Exit
from rowbook.cli.findings import print_error
from rowbook.errors import Diagnostic, RowbookError

app = typer.Typer(
    name="rowbook",
    help="Declarative, explainable month-end data projects on Spark.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("validate")(validate.validate)
app.command("schema")(schema.schema)
app.command("preview")(preview.preview)
app.command("run")(run_command.run)
app.command("test")(test.test)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rowbook {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Declarative, explainable month-end data projects on Spark."""


def main() -> None:
    """The entry point of the `rowbook` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command; returns its exit code."""
    debug = "--debug" in arguments
    try:
        result = app(arguments, prog_name="rowbook", standalone_mode=False)
    except RowbookError as error:
        if debug:
            raise
        for diagnostic in error.diagnostics:
            print_error(diagnostic)
        return Exit.USAGE
    except typer.TyperException as error:
        if not arguments:
            sys.stderr.write(error.format_message() + "\n")
            return Exit.USAGE
        context = getattr(error, "ctx", None)
        remedy = f"see {context.command_path} --help" if context else None
        print_error(Diagnostic("USAGE_001", error.format_message(), hint=remedy))
        return Exit.USAGE
    except (KeyboardInterrupt, typer.Abort):
        return Exit.INTERRUPTED
    except SystemExit as ending:
        if isinstance(ending.__context__, BrokenPipeError):
            return Exit.DONE
        raise
    except Exception as error:
        if debug:
            raise
        message = f"{type(error).__name__}: {error}"
        hint = "this is a fault of Rowbook, not of your files; --debug shows where"
        print_error(Diagnostic("INTERNAL", message, hint=hint))
        return Exit.USAGE
    return int(result or Exit.DONE)
