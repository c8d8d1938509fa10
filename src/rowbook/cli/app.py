"""The command line: which command, which exit code. No traceback without --debug."""

from __future__ import annotations

import gc
import importlib
import io
import signal
import sys
import traceback
from collections.abc import Sequence
from itertools import pairwise
from types import FrameType, ModuleType, TracebackType

import typer

from rowbook import __version__
from rowbook.cli.completion import words_typed
from rowbook.cli.exit_codes import Exit
from rowbook.cli.render.printing import report_failure
from rowbook.errors import RowbookError
from rowbook.errors.redaction import redact
from rowbook.errors.termination import TerminationError

COMMANDS = (
    *(
        "init",
        "infer",
        "validate",
        "schema",
        "plan",
        "preview",
        "check",
        "watch",
        "run",
        "show",
        "trace",
        "explain",
        "diff",
        "verify",
        "test",
        "lineage",
    ),
    *("apply", "activate", "deactivate", "gc"),
)
"""Each is a function of its name in the module of its name, or in the one that is said below."""
_MODULES = {
    **dict.fromkeys(("activate", "deactivate"), "projects"),
    **{name: f"rows.{name}" for name in ("preview", "show")},
    "check": "expectations.check",
    **{n: f"proof.{n}" for n in ("explain", "lineage", "seals", "trace", "verify")},
}

GROUPS = ("datasets", "jars", "periods", "projects", "runs", "seals")
"""Commands of two words. Each is a module of its name, with the second words in its COMMANDS."""

_ABOUT = """Declarative, explainable month-end data projects on Spark.

    Examples:

      rowbook init acme

      rowbook run monthly_close --period 2026-01 -C acme

      rowbook run --help
    """


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rowbook {__version__}")
        raise typer.Exit


def _options(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Options of `rowbook` itself."""


def make_app(arguments: Sequence[str]) -> typer.Typer:
    """The commands that the arguments may mean: only the one they name is imported, because
    `validate` shall not wait for what it does not need."""
    app = _typer("rowbook", help=_ABOUT)
    app.callback()(_options)
    words = words_typed()
    asked = arguments if words is None else words
    named = [name for name in (*COMMANDS, *GROUPS) if asked and asked[0] == name]
    for name in named or (*COMMANDS, *GROUPS):
        module = importlib.import_module(f"rowbook.cli.commands.{_MODULES.get(name, name)}")
        if name in COMMANDS:
            app.command(name)(getattr(module, name))
        else:
            app.add_typer(_group(name, module))
    return app


def _group(name: str, module: ModuleType) -> typer.Typer:
    """The commands of a group; what its docstring says after its name is its help."""
    said = (module.__doc__ or "").partition(": ")[2]
    group = _typer(name, help=said[:1].upper() + said[1:])
    for word, command in module.COMMANDS.items():
        group.command(word)(command)
    return group


def _typer(name: str, help: str | None = None) -> typer.Typer:  # noqa: A002
    return typer.Typer(
        name=name,
        help=help,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.excepthook = _print_trace
    heed_termination()
    gc.disable()  # until all is imported: that makes many objects and drops none
    sys.exit(run(sys.argv[1:]))


def heed_termination() -> None:
    """SIGTERM goes the way of Ctrl-C, for which calls of Spark are not torn apart: a run then has
    the time to record how it ended."""
    asked = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise TerminationError if asked else KeyboardInterrupt

    def terminate(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            interrupt(number, frame)
        signal.raise_signal(signal.SIGINT)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, terminate)


def _print_trace(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """What --debug shows: all but secrets."""
    sys.stderr.write(redact("".join(traceback.format_exception(kind, error, trace))))


def run(arguments: list[str]) -> int:
    """Run a command; returns its exit code."""
    debug = "--debug" in arguments
    form = "json" if _wants_json(arguments) else "text"
    try:
        command = make_app(arguments)
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        result = command(arguments, prog_name="rowbook", standalone_mode=False)
    except RowbookError as error:
        if debug:
            raise
        return report_failure(error, form)
    except typer.TyperException as error:
        if not arguments or (len(arguments) == 1 and arguments[0] in GROUPS):
            sys.stderr.write(error.format_message() + "\n")
            return Exit.USAGE
        context = getattr(error, "ctx", None)
        remedy = f"see {context.command_path} --help" if context else None
        return report_failure(
            RowbookError.of("USAGE_001", error.format_message(), hint=remedy), form
        )
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
        return report_failure(RowbookError.of("INTERNAL", message, hint=hint), form)
    return int(result or Exit.DONE)


def _wants_json(arguments: Sequence[str]) -> bool:
    """Errors are told before or without a command having read its options."""
    return "--format=json" in arguments or ("--format", "json") in pairwise(arguments)
