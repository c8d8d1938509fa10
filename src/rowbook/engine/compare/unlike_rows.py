"""How many rows only one of two tables has, of the same columns."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType

from rowbook.spark.column_names import column

_FLOAT_DIGITS = 10


def count_unlike(one: DataFrame, other: DataFrame) -> int:
    """Floats are compared by their first digits."""
    first, second = _near(one), _near(other.select(*(column(n) for n in one.columns)))
    return first.exceptAll(second).count() + second.exceptAll(first).count()


def _near(frame: DataFrame) -> DataFrame:
    floats = [f.name for f in frame.schema.fields if isinstance(f.dataType, DoubleType)]
    if not floats:
        return frame
    digits = f"%.{_FLOAT_DIGITS - 1}e"
    return frame.withColumns({name: F.format_string(digits, column(name)) for name in floats})
