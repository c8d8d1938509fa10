"""Datasets: a main table with typed columns, temporal mode, and standing joins."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field, ValidationInfo, WithJsonSchema, field_validator

from rowbook.definitions.models.entity import Entity, Model
from rowbook.definitions.models.expectation import ExpectationDefinition
from rowbook.definitions.models.field_types import (
    Boolean,
    Expression,
    OptionalReference,
    OptionalText,
    Reference,
    Text,
    Version,
    Word,
    fault,
)
from rowbook.definitions.models.other_periods import PeriodChoice, RequiredStatus, WhenMissing

TemporalMode: TypeAlias = Literal["period", "bitemporal"]
Status: TypeAlias = Literal["active", "disabled"]

_TYPE_SCHEMA = {
    "anyOf": [
        {"enum": ["string", "integer", "decimal", "float", "boolean", "date", "timestamp"]},
        {"type": "string", "pattern": r"^decimal\s*\(\s*\d+\s*,\s*\d+\s*\)$"},
    ]
}
TypeName: TypeAlias = Annotated[Text, WithJsonSchema(_TYPE_SCHEMA)]


class ColumnFormat(Model):
    """How the values of one column are written in text."""

    decimal_separator: OptionalText = Field(
        None, description="`.` or `,` between a number's whole and its fraction."
    )
    thousands_separator: OptionalText = Field(
        None,
        description="`.`, `,`, an apostrophe or a space between groups of three digits, where"
        " there are groups.",
    )
    negative: OptionalText = Field(
        None,
        description="leading: `-5`; trailing: `5-`; parentheses: `(5)`.",
        json_schema_extra={"enum": ["leading", "trailing", "parentheses"]},
    )
    strip: OptionalText = Field(
        None, description="Signs that may stand before or after a number, such as `€$`."
    )
    date_format: OptionalText = Field(None, description="Of yyyy, MM, dd and punctuation.")
    timestamp_format: OptionalText = Field(
        None, description="Of yyyy, MM, dd, HH, mm, ss, S, XXX and punctuation."
    )

    @property
    def options(self) -> dict[str, str]:
        """What it says, by name."""
        return {name: value for name, value in self if value is not None}


class ColumnDefinition(Model):
    """A column of a table."""

    name: Text = Field(description="Letters, digits and `_`; the name used in expressions.")
    type: TypeName = Field(
        description="string, integer, decimal(p,s), float, boolean, date or timestamp;"
        " decimal alone is decimal(24,6)."
    )
    nullable: Boolean = Field(True, description="Whether NULL is allowed; true if left out.")
    source: OptionalText = Field(
        None, description="The physical name in the source, where it differs from `name`."
    )
    format: ColumnFormat | None = Field(
        None,
        description="How its values are written in csv or json, where not as the data source's"
        " options say; date_format also of whole numbers that are dates, in any source.",
    )
    description: OptionalText = Field(None, description="What the column holds, for people.")


class UnpivotDefinition(Model):
    """Columns of the source that become rows: one for each of them and each row."""

    columns: tuple[Text, ...] = Field(
        description="The physical names of the columns that become rows, in this order.",
        json_schema_extra={"minItems": 1},
    )
    name: Text = Field(description="The declared column that holds the name of such a column.")
    value: Text = Field(description="The declared column that holds its value.")
    nulls: Annotated[Literal["drop", "keep"], Word] = Field(
        "drop",
        description="Whether a column that is empty in a row becomes a row; drop: it does not.",
    )


class TableDefinition(Model):
    """The main table of a dataset."""

    name: Text = Field(description="The logical name used in expressions: `gl` in `gl.amount`.")
    temporal_mode: Annotated[TemporalMode | None, Word] = Field(
        None,
        description="period: rows carry the period they belong to; bitemporal: rows are valid"
        " from/to; left out: a snapshot, read whole.",
    )
    period_from: OptionalText = Field(
        None,
        description="With temporal_mode period: the date or timestamp that says which period a row"
        " belongs to, where it has no `_period`.",
    )
    unpivot: UnpivotDefinition | None = Field(
        None, description="For a wide table: which of its columns become rows."
    )
    columns: tuple[ColumnDefinition, ...] = Field(
        (),
        description="The columns that are loaded; others in the source are left alone.",
        json_schema_extra={"minItems": 1},
    )


class LookupDefinition(Model):
    """A standing join: usable as alias.column in every expression over the dataset."""

    alias: Text = Field(description="The name used in expressions.")
    dataset_id: Reference = Field(description="The dataset joined, by name or id.")
    dataset_version: Version = Field(None, description="Pins a version; left out: the latest.")
    on: Expression = Field(
        description="The join condition; may use the main table and earlier lookups."
    )


class DatasetDefinition(Entity):
    """Rows with a schema: what a project reads, joins, appends and registers."""

    kind: ClassVar[str] = "dataset"

    of: OptionalReference = Field(
        None,
        description="Another dataset, by name or id, which this one reads in the `periods` it says:"
        " it has the other's columns, keys, lookups, resolver and versions.",
    )
    main_table: TableDefinition = Field(
        default_factory=lambda: TableDefinition(name=""),
        validate_default=True,
        description="The table and its columns; left out where `of` names another dataset.",
    )
    natural_key_columns: tuple[Text, ...] = Field(
        (), description="Columns that name a row for people and for comparing runs."
    )
    lookups: tuple[LookupDefinition, ...] = Field(
        (), description="Standing joins, done only where an expression mentions the alias."
    )
    resolver_id: OptionalReference = Field(
        None, description="The resolver that finds its data; left out: the default resolver."
    )
    status: Annotated[Status, Word] = Field(
        "active", description="A disabled dataset is refused wherever it is used."
    )
    version: Version = Field(
        None, description="The version this text describes; left out: 1, or the next one."
    )
    periods: PeriodChoice = Field(
        "current",
        description="With `of`: current, previous, same_last_year, year_to_date, all,"
        " {trailing: n} or {offset: n}; in the run's calendar, at the level of its period.",
    )
    missing: Annotated[WhenMissing, Word] = Field(
        "error",
        description="With `of`: what a period among them without data is. error: the run is"
        " refused; warn: it has no rows, and the run says so; empty: it has no rows.",
    )
    require: Annotated[RequiredStatus | None, Word] = Field(
        None,
        description="With `of`: the status that periods other than the run's must have; closed:"
        " locked ones too.",
    )

    expectations: tuple[ExpectationDefinition, ...] = Field(
        (), description="What must hold of its rows whenever a run loads it."
    )

    @field_validator("main_table", mode="before")
    @classmethod
    def _is_there(cls, table: object, info: ValidationInfo) -> object:
        """Unless `of`, which stands before it, names another dataset."""
        is_left_out = isinstance(table, TableDefinition) and not table.name
        if is_left_out and info.data.get("of") is None:
            raise fault("YAML_003", "required key 'main_table' is missing")
        return table
