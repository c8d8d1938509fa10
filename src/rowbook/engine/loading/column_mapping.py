"""A dataset's declared columns found among a source's physical ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.engine.loading.text_parsing import from_marked_text, from_text
from rowbook.engine.loading.type_fitting import fit
from rowbook.errors import Diagnostic
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import declared_columns, is_periodic, stored_columns
from rowbook.reference.loading.load_faults import missing_columns, unlike
from rowbook.sources.files.text.column_reading import column_form
from rowbook.sources.files.text.value_forms import NUMBERS, TextForm
from rowbook.sources.raw import Raw
from rowbook.spark.column_names import column


@dataclass(frozen=True, slots=True)
class Mapped:
    """A column in its declared type. `source` is its physical name, None for a constant. Where it
    is `checked`, a value that does not fit is NULL; where it `is_text`, characters may be lost.
    `fitted` is the column, None where `text` is parsed, in which numbers of json have a mark where
    it is `marked`."""

    field: Field
    source: str | None
    form: TextForm
    fitted: Column | None = None
    checked: bool = False
    is_text: bool = False
    marked: Callable[[str], Column] | None = None

    @property
    def text(self) -> Column:
        assert self.source is not None
        return self.marked(self.source) if self.marked else column(self.source)

    @property
    def value(self) -> Column:
        """Made anew each time: among thousands, most may never be asked for."""
        return self.parsed(self.text) if self.fitted is None else self.fitted

    def parsed(self, text: Column) -> Column:
        """A text that does not fit is NULL, and only such a one."""
        kind = self.field.type
        return (from_marked_text if self.marked else from_text)(text, kind, self.form)


def map_columns(dataset: Dataset, raw: Raw) -> tuple[tuple[Mapped, ...], tuple[Diagnostic, ...]]:
    """The columns that are loaded: declared ones in order, then system columns that the source
    holds, then the period. DATASET_010 and DATASET_015 for all that are missing, DATASET_011 for
    those whose type cannot become the declared one."""
    own = set(raw.columns)
    physical = {f.name: f.dataType for f in raw.frame.schema.fields if f.name in own}
    mapped: list[Mapped] = []
    missing: list[str] = []
    faults: list[Diagnostic] = []
    declared = declared_columns(dataset, by_position=raw.by_position, partitions=raw.partitions)
    for field, source in (*declared, *stored_columns(dataset, physical)):
        if source not in physical:
            constant = _constant(field, dataset, raw)
            if constant is None:
                missing.append(source)
            else:
                mapped.append(Mapped(field, None, raw.form, constant))
            continue
        if isinstance(physical[source], s.StringType):
            mapped.append(_text(field, source, dataset, raw))
            continue
        fitted = fit(column(source), physical[source], field.type)
        if fitted is None:
            kind = physical[source].simpleString()
            faults.append(unlike(dataset, raw.origin, field, source, kind))
        else:
            mapped.append(Mapped(field, source, raw.form, fitted.value, fitted.checked))
    faults[:0] = missing_columns(dataset, raw.origin, missing, raw.columns)
    return tuple(mapped), tuple(faults)


def _text(field: Field, source: str, dataset: Dataset, raw: Raw) -> Mapped:
    """DATASET_017 where its format and the source's do not go together."""
    form = column_form(raw.form, field.name, dataset.formats.get(field.name, {}))
    is_text = field.type == t.STRING
    marked = raw.marked if field.type.kind in NUMBERS and form.has_numbers else None
    return Mapped(field, source, form, None, not is_text, raw.as_text and is_text, marked)


def _constant(field: Field, dataset: Dataset, raw: Raw) -> Column | None:
    """The period of the place, for rows that do not say theirs."""
    if field.name != PERIOD.name or not is_periodic(dataset):
        return None
    if raw.period_column is not None:
        return column(raw.period_column)
    return None if raw.period is None else F.lit(raw.period)
