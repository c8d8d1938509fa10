"""`rowbook seals`: whether the store's records are as they were sealed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Trust
from rowbook.cli.render.printing import print_json, print_lines
from rowbook.cli.render.proof.seal_report import print_report, report_json
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError
from rowbook.text.visible import number


def verify(
    head: Annotated[
        str | None,
        typer.Option(
            "--head",
            metavar="N:HASH",
            help="A head that was noted before, as `rowbook run` prints it.",
        ),
    ] = None,
    public_key: Annotated[
        list[Path] | None,
        typer.Option(
            "--public-key",
            metavar="FILE",
            help="A key to believe, instead of those that the store has; repeatable.",
        ),
    ] = None,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Check that no record was changed since it was sealed.

    The chain of seals is walked, each record computed again from the store as it is now, and each
    signature checked. A tail that was cut, and a chain that was made anew, are found by a head that
    was noted elsewhere; a chain that somebody without the key made anew, by the public key, too.

    Examples:

      rowbook seals verify

      rowbook seals verify --head 12:0123456789abcdef --public-key seal.key.pub
    """
    workspace = open_workspace(folder, trust=trust)
    report = workspace.verify_seals(head=head, public_keys=public_key or ())
    if format == "json":
        print_json(report_json(report))
    else:
        print_report(report)
    return Exit.DONE if report.is_whole else Exit.FINDINGS


def export(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where it goes; else it is printed."),
    ] = None,
    records: Annotated[
        bool, typer.Option("--records", help="With what was sealed, where it is still there.")
    ] = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Write all seals as lines of JSON.

    They hold all that checks them without Rowbook, with sha256sum and openssl.

    Examples:

      rowbook seals export -o seals.jsonl

      rowbook seals export --records -o seals.jsonl
    """
    found = open_workspace(folder, trust=trust).export_seals(records=records)
    text = "".join(json.dumps(each) + "\n" for each in found)
    if output is None:
        sys.stdout.write(text)
        return Exit.DONE
    try:
        output.write_text(text, encoding="ascii")
    except OSError as error:
        raise RowbookError.of("USAGE_001", f"{output}: {error.strerror}") from None
    if format == "json":
        print_json({"file": str(output), "seals": len(found)})
    else:
        print_lines([f"wrote {output}: {number(len(found), 'seal')}"])
    return Exit.DONE


def key(
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Where the private key goes."),
    ],
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Make a pair of keys to sign seals with.

    The private key goes into a file that only you can read, outside of any workspace; it is never
    printed. The public key goes beside it.

    Examples:

      rowbook seals key -o ~/.config/rowbook/seal.key
    """
    from rowbook.api import make_seal_key

    made = make_seal_key(output)
    public = f"{output}.pub"
    if format == "json":
        print_json({"key": made.id, "private_key": str(output), "public_key": public})
        return Exit.DONE
    print_lines(
        [
            f"wrote {output}, the private key: keep it where who owns the store cannot read it",
            f"wrote {public}, the public key: give it to whoever checks seals",
            f"key {made.id}",
            "",
            "to sign with it, in rowbook.yaml:",
            "  seals:",
            f"    key: file://{output.resolve()}",
            "or, where a scheduler hands secrets to programs, key: env://ROWBOOK_SEAL_KEY",
        ]
    )
    return Exit.DONE


COMMANDS = {"verify": verify, "export": export, "key": key}
