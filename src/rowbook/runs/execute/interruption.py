"""What a run that is ended from outside had done, and what it had not, on one line."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rowbook.planning.steps import AnyStep, OutputStep


@dataclass(frozen=True, slots=True)
class Interruption:
    """A run at one of its `steps`, None before the first. Of its outputs some are `published`, and
    `announced` ones are being so: the next command finds out what became of them. A run that can be
    resumed has its id in `resumable`."""

    steps: Sequence[AnyStep]
    at: AnyStep | None
    published: Collection[int]
    announced: Collection[int] = ()
    resumable: str | None = None
    draft: bool = False

    def __str__(self) -> str:
        if self.resumable is None:
            remedy = "a run that was cancelled is not resumed: run it again"
        else:
            remedy = f"`rowbook runs resume {self.resumable}` goes on"
        return f"interrupted {self._where}: {self._outputs}; {remedy}"

    @property
    def _where(self) -> str:
        if self.at is None:
            return "before the first operation"
        return f"at operation {self.at.seq} of {self.steps[-1].seq}"

    @property
    def _outputs(self) -> str:
        outputs = [step for step in self.steps if isinstance(step, OutputStep)]
        done = "written to the sandbox" if self.draft else "published"
        begun = {*self.published, *self.announced}
        if not begun:
            return f"nothing is {done}"
        seqs = {
            done: set(self.published),
            "being so: the next command settles it": begun - set(self.published),
            "not": {each.seq for each in outputs} - begun,
        }
        kinds = {what: [s for s in outputs if s.seq in found] for what, found in seqs.items()}
        return ", ".join(_said(steps, what) for what, steps in kinds.items() if steps)


def _said(outputs: Sequence[OutputStep], what: str) -> str:
    names = ", ".join(f"'{each.name}'" for each in outputs)
    one = len(outputs) == 1
    return f"output{'' if one else 's'} {names} {'is' if one else 'are'} {what}"
