"""Which periods of another dataset a dataset reads."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from rowbook.definitions.models.entity import Model
from rowbook.definitions.models.field_types import OptionalInteger, Word

PeriodsWord: TypeAlias = Literal["current", "previous", "same_last_year", "year_to_date", "all"]
WhenMissing: TypeAlias = Literal["error", "warn", "empty"]
RequiredStatus: TypeAlias = Literal["closed", "locked"]


class PeriodSpan(Model):
    """Periods counted from the run's: one of the two keys."""

    trailing: OptionalInteger = Field(
        None,
        description="So many periods up to the run's, its own among them.",
        json_schema_extra={"minimum": 1},
    )
    offset: OptionalInteger = Field(
        None, description="The one so many after the run's; -3: the third before it."
    )

    def __str__(self) -> str:
        named = self.model_dump(exclude_none=True)
        return ", ".join(f"{name}: {number}" for name, number in named.items())


def _form(data: object) -> str:
    return "span" if isinstance(data, dict | PeriodSpan) else "word"


PeriodChoice: TypeAlias = Annotated[
    Annotated[PeriodsWord, Word, Tag("word")] | Annotated[PeriodSpan, Tag("span")],
    Discriminator(_form),
]


def includes_own(periods: PeriodsWord | PeriodSpan) -> bool:
    """Whether the run's own period is among them."""
    if isinstance(periods, PeriodSpan):
        return periods.offset in (None, 0)
    return periods in ("current", "year_to_date", "all")
