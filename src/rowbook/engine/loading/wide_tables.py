"""Columns that become rows, on Spark: checked and converted as columns, then unpivoted.

account  USD   GBP         account  currency  units
1000     1.10  0.90   →    1000     USD       1.10
                           1000     GBP       0.90
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame

from rowbook.engine.loading.text_parsing import from_text
from rowbook.planning.unpivot import Unpivot
from rowbook.sources.files.text.value_forms import ISO
from rowbook.spark.column_names import column

WIDE_COLUMN = "__column"
"""The physical name of the column that a row was made of."""


def unpivoted(frame: DataFrame, unpivot: Unpivot, columns: Sequence[str]) -> DataFrame:
    """`columns` are those that the rows are to have, beside that one."""
    made = (unpivot.name.name, unpivot.value.name)
    kept = tuple(column(name) for name in columns if name not in made)
    wide = tuple(column(name) for name in unpivot.columns)
    rows = frame.unpivot(kept, wide, WIDE_COLUMN, unpivot.value.name)
    if unpivot.drops_nulls:
        rows = rows.filter(column(unpivot.value.name).isNotNull())
    name = from_text(column(WIDE_COLUMN), unpivot.name.type, ISO)
    return rows.withColumn(unpivot.name.name, name)
