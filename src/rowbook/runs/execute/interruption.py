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
        published = [each for each in outputs if each.seq in self.published]
        announced = [each for each in outputs if each not in published]
        announced = [each for each in announced if each.seq in self.announced]
        missing = [each for each in outputs if each not in (*published, *announced)]
        said = [_said(published, f"{done}")] if published else []
        said += [_said(announced, "being so: the next command settles it")] if announced else []
        if not said:
            return f"nothing is {done}"
        return ", ".join([*said, *([_said(missing, "not")] if missing else [])])


def _said(outputs: Sequence[OutputStep], what: str) -> str:
    names = ", ".join(f"'{each.name}'" for each in outputs)
    one = len(outputs) == 1
    return f"output{'' if one else 's'} {names} {'is' if one else 'are'} {what}"
