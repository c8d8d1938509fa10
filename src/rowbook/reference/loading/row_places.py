"""Where a row of a source stands, for people who look for it."""

from __future__ import annotations

from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import declared_columns
from rowbook.reference.loading.dataset_rows import PlainTable
from rowbook.reference.loading.load_faults import key_columns, row_place
from rowbook.reference.working_rows import text_of


def place_of_row(dataset: Dataset, table: PlainTable, index: int) -> str:
    """File and line or row; of a table without files its name and the row's key."""
    if table.lines is not None:
        return table.lines[index]
    if table.name_of is not None:
        return table.name_of(index)
    if table.place_of is not None:
        first = next(name for name in table.columns if name not in table.partitions)
        return table.place_of(first, index)
    declared = declared_columns(dataset, by_position=table.by_position, partitions=table.partitions)
    sources = {each.name: source for each, source in declared if source in table.columns}
    row = table.rows[index]
    cells = {name: row.get(source) for name, source in key_columns(dataset, sources).items()}
    texts = {name: None if value is None else text_of(value) for name, value in cells.items()}
    return row_place(table.origin, texts)
