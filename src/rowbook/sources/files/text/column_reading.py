"""How one column is read: as its data source says, and as the column itself does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rowbook.errors import RowbookError
from rowbook.expressions.types import Type
from rowbook.expressions.values import Value
from rowbook.locations.text_options import FORMAT_OPTIONS, format_fault
from rowbook.reference.loading.column_fit import ColumnFit
from rowbook.reference.loading.fitting import fit_value
from rowbook.sources.files.text.form_guesses import form_hint
from rowbook.sources.files.text.plain_text import fit_text
from rowbook.sources.files.text.value_forms import ISO, TextForm


def column_form(form: TextForm, column: str, own: Mapping[str, str]) -> TextForm:
    """A data source's form, but for what a column says; DATASET_017 where both do not go
    together."""
    if not own:
        return form
    found = form.with_options(own)
    given = ((name, getattr(found, name)) for name in FORMAT_OPTIONS)
    options = {name: value for name, value in given if value}
    for name in options:
        if fault := format_fault(name, options):
            message = f"column '{column}': '{name}' {fault}"
            hint = "say both in the column's `format`: what it leaves out is the data source's"
            raise RowbookError.of("DATASET_017", message, hint=hint)
    return found


def text_fit(form: TextForm) -> Callable[[str, Mapping[str, str]], ColumnFit]:
    """For tables in which everything is text."""

    def fit(column: str, own: Mapping[str, str]) -> ColumnFit:
        found = column_form(form, column, own)
        return ColumnFit(fit_text(found), lambda texts, kind: form_hint(texts, kind, found))

    return fit


def typed_fit(column: str, own: Mapping[str, str]) -> ColumnFit:
    """For tables that know their types; where one of a column is text, it may have a form."""
    fits = text_fit(ISO)(column, own)

    def fit(value: Value, to: Type) -> Value:
        return fits.fit(value, to) if isinstance(value, str) else fit_value(value, to)

    return ColumnFit(fit, fits.guess)
