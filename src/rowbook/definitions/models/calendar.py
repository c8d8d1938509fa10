"""Calendars: levels of periods and the rule that makes them."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from rowbook.definitions.models.entity import Entity, Model
from rowbook.definitions.models.field_types import Integer, OptionalText, PeriodText, Text, Word
from rowbook.definitions.models.resolver import tag_of


class LevelDefinition(Model):
    """A level, such as month."""

    name: Text = Field(description="year, half, quarter, month, week, day, or a name of your own.")
    parent: OptionalText = Field(None, description="The coarser level it divides.")
    identifier: Text = Field(description='How its periods are written: "FY{year}-{n:02}".')


class MonthsRuleDefinition(Model):
    """Fiscal years of twelve calendar months."""

    type: Annotated[Literal["months"], Word] = Field(description="Twelve calendar months a year.")
    start_month: Integer = Field(1, description="The calendar month the year starts with, 1 to 12.")


class WeeksRuleDefinition(Model):
    """Fiscal years of 52 or 53 weeks."""

    type: Annotated[Literal["weeks"], Word] = Field(description="52 or 53 weeks a year.")
    pattern: Annotated[Literal["4-4-5", "4-5-4", "5-4-4"], Word] = Field(
        description="Weeks in the three months of each quarter."
    )
    start: Text = Field(description="The first day of one of the years: 2025-12-29.")


Rule: TypeAlias = Annotated[
    Annotated[MonthsRuleDefinition, Tag("type months")]
    | Annotated[WeeksRuleDefinition, Tag("type weeks")],
    Discriminator(tag_of),
]


class PeriodDefinition(Model):
    """A period that is listed, such as a period 13."""

    identifier: PeriodText = Field(description="How it is written.")
    level: Text = Field(description="The level it belongs to.")
    start: Text = Field(description="Its first day: 2026-06-30.")
    end: Text = Field(description="Its last day.")
    parent: OptionalText = Field(None, description="The identifier of the period it is part of.")


class CalendarDefinition(Entity):
    """How time is divided into periods."""

    kind: ClassVar[str] = "calendar"

    levels: tuple[LevelDefinition, ...] = Field((), description="From the coarsest to the finest.")
    rule: Rule | None = Field(None, description="How periods are made; left out: all are listed.")
    periods: tuple[PeriodDefinition, ...] = Field(
        (), description="Periods listed one by one, alone or beside those of the rule."
    )
