"""Text that is copied into its declared types before Spark reads it, where that is certain."""

from __future__ import annotations

from dataclasses import replace

from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import declared_columns, stored_columns
from rowbook.sources.files.text.value_forms import ISO
from rowbook.sources.raw import Raw


def typed_text(dataset: Dataset, raw: Raw) -> Raw:
    """The same rows in their types; or as they are, for our rules to convert and to say what is
    wrong with them. Columns in folders' names stay text."""
    if raw.typed is None or dataset.unpivot is not None:
        return raw
    own = dict.fromkeys(name for name in raw.columns if name not in raw.partitions)
    declared = declared_columns(dataset, by_position=raw.by_position, partitions=raw.partitions)
    columns = [each for each in (*declared, *stored_columns(dataset, own)) if each[1] in own]
    types = {source: field.type for field, source in columns}
    is_plain = replace(raw.form, exponents=False) == ISO
    has_one_type = all(types[source] == field.type for field, source in columns)
    if not (is_plain and has_one_type) or any(dataset.formats.get(f.name) for f, _ in columns):
        return raw
    never_null = [source for field, source in columns if not field.nullable]
    return raw.typed(types, never_null) or raw
