"""`rowbook run --upstream` and `--all`: projects that feed each other, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowbook.cli.exit_codes import Exit
from rowbook.cli.render.chain_result import link_json, print_link, print_summary
from rowbook.cli.render.printing import (
    note_json,
    note_lines,
    path_from_here,
    print_json,
    report_findings,
)
from rowbook.cli.render.progress import Progress
from rowbook.errors import RowbookError
from rowbook.text.visible import number
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from rowbook.api import ChainLink, ChainListeners, ChainResult, RunStart, Workspace


@dataclass(frozen=True, slots=True)
class ChainWords:
    """What was asked for; without a project, all. Without `last` it is one period."""

    project: str | None
    first: str
    last: str | None
    draft: bool
    as_of: str | None
    now: str | None
    parameters: dict[str, str]
    reopen_closed: str | None


def run_chain(workspace: Workspace, words: ChainWords, form: str, *, quiet: bool) -> Exit:
    progress = Progress(quiet=quiet or form == "json")
    said = _Said(progress, form, path_from_here(workspace.root), draft=words.draft, quiet=quiet)
    with progress:
        try:
            result = _run(workspace, words, said)
        except RowbookError as error:
            progress.done()
            return report_findings(error, workspace.root, form, {"ok": False, "links": []})
        except BaseException:  # a later one may be interrupted
            if form == "json" and said.links:
                print_json({"ok": False, "links": list(map(link_json, said.links))})
            raise
    if form == "json":
        links = list(map(link_json, result.links))
        print_json({"ok": result.ok, "links": links, "notes": said.notes})
    else:
        print_summary(result)
    return Exit.DONE if result.ok else Exit.FINDINGS


class _Said:
    """What is told while a chain runs."""

    def __init__(
        self, progress: Progress, form: str, folder: str, *, draft: bool, quiet: bool
    ) -> None:
        self._progress = progress
        self._form = form
        self._folder = folder
        self._draft = draft
        self._quiet = quiet
        self.links: list[ChainLink] = []
        self.notes: list[dict[str, object]] = []

    def listeners(self) -> ChainListeners:
        from rowbook.api import ChainListeners

        told = self._progress
        return ChainListeners(
            self.order, self.link, self.start, told.step, told.session, told.begin
        )

    def order(self, projects: tuple[str, ...], late: tuple[str, ...]) -> None:
        self._progress.say(f"{number(len(projects), 'project')}, in order: {', '.join(projects)}")
        if late:
            self._progress.say(f"checked when what they read is there: {', '.join(late)}")

    def start(self, start: RunStart) -> None:
        if start.drift is not None and (note := note_json(start.drift)) not in self.notes:
            self.notes.append(note)
            for line in note_lines(start.drift):
                self._progress.say(line)
        if start.version is None and not self._draft:
            self._progress.say(f"{start.project} was never activated: it runs as a draft")
        version = "draft" if start.version is None else f"version {start.version}"
        self._progress.say(f"run {start.run_id} of {start.project} ({version}) for {start.period}")

    def link(self, link: ChainLink) -> None:
        self.links.append(link)
        self._progress.done()
        if self._form == "text":
            print_link(link, self._folder, quiet=self._quiet)


def _run(workspace: Workspace, words: ChainWords, said: _Said) -> ChainResult:
    periods, listeners = (words.first, words.last), said.listeners()
    if words.project is None:
        return workspace.run_all(
            *periods,
            draft=words.draft,
            as_of=words.as_of,
            now=words.now,
            reopen_closed=words.reopen_closed,
            listeners=listeners,
        )
    return workspace.run_upstream(
        words.project,
        *periods,
        draft=words.draft,
        as_of=words.as_of,
        now=words.now,
        parameters=words.parameters,
        reopen_closed=words.reopen_closed,
        listeners=listeners,
    )
