"""The options of json files, read and checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rowbook.sources.files.text.options import text_encoding, text_form
from rowbook.sources.files.text.value_forms import TextForm


@dataclass(frozen=True, slots=True)
class JsonOptions:
    encoding: str
    form: TextForm


def json_options(options: Mapping[str, str], label: str) -> JsonOptions:
    """As a data source's options say; DATASOURCE_002 for values that cannot be."""
    form = replace(text_form(options, label), exponents=True)
    return JsonOptions(text_encoding(options, label), form)
