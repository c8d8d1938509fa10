"""Formats of dates and timestamps in text sources."""

from __future__ import annotations

import pytest

from rowbook.expressions.scalars.date_layouts import layout_of


@pytest.mark.parametrize(
    ("form", "text", "iso"),
    [
        ("yyyy-MM-dd", "2026-01-31", "2026-01-31"),
        ("dd.MM.yyyy", "31.01.2026", "2026-01-31"),
        ("MM/dd/yyyy", "01/31/2026", "2026-01-31"),
        ("yyyyMMdd", "20260131", "2026-01-31"),
        ("dd.MM.yyyy", "31.1.2026", None),
        ("dd.MM.yyyy", "31x01x2026", None),
        ("dd.MM.yyyy", "31.01.2026\n", None),
        ("dd.MM.yyyy", " 31.01.2026", None),
    ],
)
def test_a_date_format_says_where_year_month_and_day_are(
    form: str, text: str, iso: str | None
) -> None:
    layout = layout_of(form, with_time=False)
    assert layout is not None
    assert layout.iso(text) == iso


@pytest.mark.parametrize(
    ("form", "text", "iso"),
    [
        ("dd.MM.yyyy HH:mm", "31.01.2026 10:05", "2026-01-31T10:05"),
        ("yyyyMMdd'T'HHmmss", "20260131T100500", "2026-01-31T10:05:00"),
        ("yyyy/MM/dd HH:mm:ss.SSS", "2026/01/31 10:05:07.250", "2026-01-31T10:05:07.250"),
        ("yyyy-MM-dd HH:mm:ssXXX", "2026-01-31 10:05:07+02:00", "2026-01-31T10:05:07+02:00"),
        ("yyyy-MM-dd", "2026-01-31", "2026-01-31"),
        ("yyyyMMdd'T'HHmmss", "20260131 100500", None),
    ],
)
def test_a_timestamp_format_may_have_a_time_a_fraction_and_an_offset(
    form: str, text: str, iso: str | None
) -> None:
    layout = layout_of(form, with_time=True)
    assert layout is not None
    assert layout.iso(text) == iso


@pytest.mark.parametrize(
    ("form", "with_time"),
    [
        ("", False),
        ("yyyy-MM", False),
        ("yyyy-MM-dd HH:mm", False),
        ("yyyy-MM-dd-dd", False),
        ("yy-MM-dd", False),
        ("d.M.yyyy", False),
        ("yyyy-MM-dd [HH]", True),
        ("yyyy-MM-dd ss", True),
        ("yyyy-MM-dd HH:mm.SSS", True),
        ("yyyy-MM-dd hh:mm a", True),
        ("yyyy-MM-dd'", True),
    ],
)
def test_what_is_no_format_is_none(form: str, with_time: bool) -> None:
    assert layout_of(form, with_time=with_time) is None
