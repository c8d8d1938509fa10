"""YAML syntax errors in plain words: what is wrong, where, and the usual cause.

The parser's own texts are kept apart by a fragment that libyaml and PyYAML's own parser share.
"""

from __future__ import annotations

import re

import yaml

from rowbook.definitions.yaml.nodes import SourceText
from rowbook.errors import Diagnostic, Snippet
from rowbook.value_class import dataclass

_WIDTH = 76
_VALUE = r"(?:^|: |- )[ ]*"
_QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')"""

_TAB = "indent with spaces: YAML does not allow tabs there"
_QUOTE = "put the value in quotes"

_CLUES: dict[str, tuple[str, str]] = {
    "tab": (r"^ *\t", _TAB),
    "template": (
        _VALUE + r"\{\{",
        'put the whole value in quotes, for example selector: "{{active}} AND amount > 0"',
    ),
    "after quotes": (
        _VALUE + _QUOTED + r"[ \t]*[^\s#,\]}:]",
        "the quoted text ends before the end of the line: quote the whole value, and write a "
        "quote inside it as '' (in single quotes) or \\\" (in double quotes)",
    ),
    "two colons": (r":\s.*:(?:\s|$)", "put a value that contains ': ' in quotes"),
    "no space after colon": (r"^ *(?:- +)*[\w.-]+:[^\s:/]", "put a space after the colon"),
    "long key": (r"^.{1000}", "a key has at most 1,024 characters"),
    "no space after dash": (r"^ *-[^\s-]", "put a space after the '-'"),
    "list item": (r"^ *-(?:\s|$)", "a list stands below its key, all its items in one column"),
}
"""What a line may show of the cause: a pattern, and what to do."""


@dataclass(frozen=True, slots=True)
class _Problem:
    """How a problem is told.

    In `message`, {char} is the character at its place, {pair} that and the next, {line} the line
    on which the structure around it starts. `clues` are looked for on the line, `clues_above` on
    the one before; `hint` serves where none is found."""

    message: str
    hint: str | None = None
    clues: tuple[str, ...] = ()
    at_start: bool = False
    """Shown where the structure around it starts, not where the parser gave up."""
    code: str = "YAML_005"
    clues_above: tuple[str, ...] = ()


_UNQUOTED_START = _Problem("a value cannot start with '{char}'", _QUOTE, ("template",), True)
_UNCLOSED = _Problem(
    "a text opened with {char} is not closed", "add the closing quote", at_start=True
)
_TAB_INDENT = _Problem("a tab where spaces are needed", _TAB)
_ESCAPE = "write \\\\ for a backslash, or put the text in single quotes"
_BLOCK_HEADER = _Problem(
    "text on the line of '|' or '>'",
    "start the text on the next line, or put a value that starts with '|' or '>' in quotes",
)
_TAG = _Problem("a value that starts with '!' is a YAML tag", None, (), True, "YAML_008")

_PROBLEMS: tuple[tuple[str, _Problem], ...] = (
    ("mapping values are not allowed", _Problem(
        "a ':' where no key is expected",
        "check the indentation of this line, and that the key above it ends with ':'",
        ("tab", "two colons"), clues_above=("no space after colon",))),
    ("could not find expected ':'", _Problem(
        "a line that is not 'key: value'",
        "write 'key: value'; text that continues a value is indented deeper than its key",
        ("no space after colon", "no space after dash", "long key"), True)),
    ("did not find expected key", _Problem(
        "this does not fit the mapping that starts on line {line}",
        "check the indentation (the keys of one mapping start in one column) and the quotes above",
        ("template", "after quotes", "list item"))),
    ("expected <block end>", _Problem(
        "this does not fit what starts on line {line}",
        "check the indentation (what belongs together starts in one column) and the quotes above",
        ("template", "after quotes", "list item"))),
    ("did not find expected '-'", _Problem(
        "this does not fit the list that starts on line {line}",
        "check the indentation: the items of one list all start with '- ' in one column",
        ("template", "after quotes"))),
    ("',' or ']'", _Problem(
        "the list opened with '[' on line {line} is not closed, or lacks a ','",
        "add the ']' or the ','; put values with brackets, commas or ': ' in quotes")),
    ("',' or '}'", _Problem(
        "the mapping opened with '{{' on line {line} is not closed, or lacks a ','",
        "add the '}' or the ','; put values with braces, commas or ': ' in quotes")),
    ("cannot start any token", _UNQUOTED_START),
    ("a tab character", _TAB_INDENT),
    ("unexpected end of stream", _UNCLOSED),
    ("unexpected document", _UNCLOSED),
    ("unknown escape character", _Problem(
        "'{pair}' is no escape of a text in double quotes", _ESCAPE)),
    ("escape code", _Problem("an escape that is no character", _ESCAPE)),
    ("hexdecimal number", _Problem("an escape with too few hexadecimal digits", _ESCAPE)),
    ("hexadecimal numbers", _Problem("an escape with too few hexadecimal digits", _ESCAPE)),
    ("alphabetic or numeric character", _UNQUOTED_START),
    ("node content", _Problem("a value cannot start with '{char}'", _QUOTE)),
    ("sequence entries are not allowed", _Problem(
        "a list item cannot start here",
        "start the list on the line below its key, or put a value that starts with '- ' in quotes",
        ("tab",))),
    ("mapping keys are not allowed", _Problem("a value cannot start with '? '", _QUOTE, ("tab",))),
    ("<document start>", _Problem(
        "a document must start with '---' here", "put '---' on a line of its own before this one")),
    ("tag handle", _TAG),
    ("incompatible YAML", _Problem("the %YAML line asks for a version other than 1.1 or 1.2")),
    ("comment or line break", _BLOCK_HEADER),
    ("chomping or indentation", _BLOCK_HEADER),
)  # fmt: skip

_CONTEXTS: tuple[tuple[str, _Problem], ...] = (
    ("a directive", _Problem(
        "a line that starts with '%' must be a %YAML directive", "quote the text", (), True)),
    ("a tag", _TAG),
)  # fmt: skip


def explain(source: SourceText, error: yaml.YAMLError, read_to: int) -> Diagnostic:
    """The finding for an error of the YAML parser.

    `read_to` is the offset up to which the file was understood, for errors that name no place."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return Diagnostic("YAML_005", f"not valid YAML: {error}", source.position(read_to))
    place = error.problem_mark.index if error.problem_mark else read_to
    start = error.context_mark.index if error.context_mark else place
    problem = _problem(error)
    if problem.at_start or not source.text[place:].strip():
        place = start
    char = source.text[place : place + 1] or "the end of the file"
    if char == "\t":
        problem = _TAB_INDENT
    message = problem.message.format(
        char=char, pair=source.text[place : place + 2], line=source.position(start).line
    )
    position = source.position(place)
    line, above = source.line(position.line), source.line(position.line - 1)
    hint = _clue(line, problem.clues) or _clue(above, problem.clues_above) or problem.hint
    return Diagnostic(problem.code, message, position, hint, _snippet(line, position.column - 1))


def _problem(error: yaml.MarkedYAMLError) -> _Problem:
    """The first row that fits: by what the parser was reading, then by what it missed."""
    for said, table in ((error.context, _CONTEXTS), (error.problem, _PROBLEMS)):
        for fragment, problem in table:
            if fragment in (said or ""):
                return problem
    said = (error.problem or "").replace("{", "{{").replace("}", "}}")
    return _Problem(f"not valid YAML: {said}")


def _clue(line: str, names: tuple[str, ...]) -> str | None:
    for name in names:
        pattern, hint = _CLUES[name]
        if re.search(pattern, line[:1_000]):
            return hint
    return None


def _snippet(line: str, column: int) -> Snippet | None:
    """The line around a place; what cannot be seen shows as '·'."""
    first = max(0, min(column - _WIDTH // 2, len(line) - _WIDTH))
    shown = "".join(c if c.isprintable() else "·" for c in line[first : first + _WIDTH])
    return Snippet(shown, column - first, column - first + 1, "line") if shown.strip() else None
