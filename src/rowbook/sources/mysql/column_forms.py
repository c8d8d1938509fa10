"""How columns are asked for, so that each value comes over as it is.

Drivers make other values of some: of a date 0000-00-00 no date at all, of a 5 in a TINYINT(1) true,
of a FLOAT six digits, of a moment that of another time zone. So each kind is asked for in a form
that nobody interprets on the way, and is made what it is by Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowbook.sources.databases.output_columns import DIGITS, TableColumn
from rowbook.sources.mysql.errors import quoted_label

if TYPE_CHECKING:
    from pyspark.sql import Column

_INTEGERS = ("tinyint", "smallint", "mediumint", "int", "bigint")
_TEXTS = ("char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set")
_BYTES = ("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob")
LONG_TEXTS = frozenset({"text", "mediumtext", "longtext", "json", "blob", "mediumblob", "longblob"})
BOOLEAN = "tinyint(1)"


@dataclass(frozen=True, slots=True)
class ColumnForm:
    """`select` is the server's expression, with `{c}` for the column, `spark` the type that it
    comes in, `to` the type that it is: a value that is none is `never` so."""

    select: str
    spark: str
    to: str | None = None
    never: str = ""


_TEXT = ColumnForm("CAST({c} AS CHAR)", "string")
_WIDE = ColumnForm("({c} + 0)", "decimal(20,0)")
_FLAG = ColumnForm("({c} + 0)", "int", "boolean", "is neither 0 nor 1")
_FORMS: Mapping[str, ColumnForm] = {
    **dict.fromkeys(_TEXTS, ColumnForm("CONVERT({c} USING utf8mb4)", "string")),
    **dict.fromkeys(_BYTES, ColumnForm("{c}", "binary")),
    **{kind: ColumnForm("{c}", "bigint") for kind in _INTEGERS},
    **{f"{kind} unsigned": ColumnForm("{c}", "bigint") for kind in _INTEGERS},
    "bigint unsigned": ColumnForm("{c}", "decimal(20,0)"),
    "float": ColumnForm("CAST({c} AS DOUBLE)", "double"),
    "double": ColumnForm("{c}", "double"),
    "bit": _WIDE,
    "year": ColumnForm("({c} + 0)", "int"),
    "date": ColumnForm("CAST({c} AS CHAR)", "string", "date", "is no day"),
    "datetime": ColumnForm("CAST({c} AS CHAR)", "string", "timestamp_ntz", "is no moment"),
    "timestamp": ColumnForm(
        "CAST(UNIX_TIMESTAMP({c}) * 1000000 AS SIGNED)", "bigint", "timestamp", "is no moment"
    ),
}


def form_of(column: TableColumn) -> ColumnForm:
    kind = column.kind.replace(" zerofill", "")
    if column.type in (BOOLEAN, "bit(1)"):
        return _FLAG
    if kind.startswith("decimal"):
        precision, scale = column.arguments
        known = ColumnForm("{c}", f"decimal({precision},{scale})")
        return known if precision <= DIGITS else _TEXT
    if kind in ("float unsigned", "double unsigned"):
        kind = kind.partition(" ")[0]
    return _FORMS.get(kind, _TEXT)


def selected(column: TableColumn) -> str:
    return form_of(column).select.format(c=quoted_label(column.name))


def digest_form(column: TableColumn) -> str:
    """A text that tells each value from every other; NULL for NULL."""
    name, form = quoted_label(column.name), form_of(column)
    if form.spark == "binary":
        return f"HEX({name})"
    if form.to in ("date", "timestamp_ntz", "timestamp") or form is _TEXT:
        return f"CAST({name} AS CHAR)"
    text = form.select.format(c=name)
    return text if form.spark == "string" else f"CAST({text} AS CHAR)"


def converted(value: Column, column: TableColumn, label: str) -> Column:
    """DATASOURCE_007 where a value is none of its type."""
    from pyspark.sql import functions as F

    from rowbook.spark.markers import failing

    form = form_of(column)
    if form.to is None:
        return value
    known = _CONVERSIONS[form.to](value)
    text = F.concat(
        F.lit(f"{label} cannot be read: column '{column.name}' holds "),
        value.cast("string"),
        F.lit(f", which {form.never}"),
    )
    fail = failing("DATASOURCE_007", text).cast(form.to)
    return F.when(value.isNull(), F.lit(None).cast(form.to)).otherwise(F.coalesce(known, fail))


def _flag(value: Column) -> Column:
    from pyspark.sql import functions as F

    return F.when(value.isin(0, 1), value == 1)


def _instant(value: Column) -> Column:
    from pyspark.sql import functions as F

    # A zero there is what 0000-00-00 gives: the first moment of a column is a second later.
    return F.when(value > 0, F.timestamp_micros(value))


_CONVERSIONS: Mapping[str, Callable[[Column], Column]] = {
    "boolean": _flag,
    "date": lambda value: value.try_cast("date"),
    "timestamp_ntz": lambda value: value.try_cast("timestamp_ntz"),
    "timestamp": _instant,
}
