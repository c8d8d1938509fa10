"""What a run read and what it wrote, in a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rowbook.drawing.markup import Markup, element, joined
from rowbook.reports.html_tables import table
from rowbook.reports.model import InputDataset, InputFile, InputPlace, ReportOutput
from rowbook.text.number_format import duration, instant, size
from rowbook.text.plan_words import one_line
from rowbook.text.visible import number

_MOST_FILES = 10


def inputs(datasets: Sequence[InputDataset]) -> Iterator[Markup]:
    if not datasets:
        return
    rows = [
        (
            element("strong", dataset.name),
            str(dataset.version),
            element("code", place.location),
            ", ".join(place.periods),
            _contents(place),
            one_line(dataset.rule or ""),
        )
        for dataset in datasets
        for place in dataset.places
    ]
    heads = {"Dataset": None, "Version": "number", "Location": "said", "For": "short"}
    heads |= {"What was there": "said", "Found by rule": "name"}
    yield element("h2", "What was read")
    yield table(
        "Files by size and time of change, tables by version, when the run began", heads, rows
    )


def _contents(place: InputPlace) -> Markup:
    if place.missing is not None:
        return element("span", one_line(place.missing), class_="bad")
    if len(place.files) == 1:
        return joined(_identified(place.files[0]))
    items = [element("li", _identified(file)) for file in place.files]
    said = f"{number(len(items), 'file')}, {size(sum(file.size for file in place.files))}"
    if not items:
        return joined("no files")
    opened = "open" if len(items) <= _MOST_FILES else None
    return element("details", element("summary", said), element("ul", *items), open=opened)


def _identified(file: InputFile) -> str:
    length = number(file.size, "byte") if file.size else ""
    modified = "" if file.modified is None else instant(file.modified)
    version = "" if file.version is None else f"version {file.version}"
    return ", ".join((file.name, *filter(None, (length, modified, version))))


def outputs(written: Sequence[ReportOutput]) -> Iterator[Markup]:
    yield element("h2", "What was written")
    if not written:
        yield element("p", "Nothing.", class_="quiet")
        return
    rows = [
        (
            str(each.seq),
            one_line(each.name),
            element("code", each.destination),
            f"{each.rows:,}",
            str(len(each.columns)),
            f"{each.files:,}",
            size(each.bytes),
            _registered(each),
            duration(each.duration_ms),
        )
        for each in written
    ]
    heads = {"Seq": "number", "Output": "name", "Destination": "said"}
    heads |= dict.fromkeys(("Rows", "Columns", "Files", "Size"), "number")
    heads |= {"Registered as": "short", "Took": "number"}
    yield table("Each was published as a whole", heads, rows)


def _registered(each: ReportOutput) -> str:
    return "" if each.dataset is None else f"{each.dataset}, version {each.dataset_version}"
