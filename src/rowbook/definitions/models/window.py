"""Windows of an update: what each row knows of the rows of its group."""

from pydantic import Field

from rowbook.definitions.models.entity import Model
from rowbook.definitions.models.field_types import Expression, OptionalExpression, Text


class WindowDefinition(Model):
    """Values of a group, seen by each of its rows."""

    alias: Text = Field(description="The name of its values in expressions: entity.total.")
    by: tuple[Text, ...] = Field(
        (),
        description="Rows with the same values of these columns are a group; NULL is a value."
        " Left out: all rows are one.",
    )
    selector: OptionalExpression = Field(
        None,
        description="Which rows count; left out: all. Every row of a group sees its values.",
    )
    order_by: tuple[Text, ...] = Field(
        (),
        description="The order of the rows of a group: columns, with a leading - descending. NULL"
        " comes last, rows that are equal by it are in the order of _row_id. Values are then those"
        " of the rows up to and including each row.",
    )
    values: dict[str, Expression] = Field(
        default_factory=dict,
        description="Names and aggregate expressions, such as total: SUM(amount); with order_by"
        " also ROW_NUMBER(), RANK(), LAG(x) and LEAD(x).",
        json_schema_extra={"minProperties": 1},
    )
