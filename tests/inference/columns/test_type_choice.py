"""Types over all values of a column, with the evidence; forms over all columns of a source."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.inference.columns.column_choice import ColumnChoice
from rowbook.inference.columns.type_choice import TextTypes, choose_types
from rowbook.inference.columns.value_shapes import TextProfile
from rowbook.sources.files.text.value_forms import TextForm


def _types(**columns: Sequence[str | None]) -> TextTypes:
    seen = []
    for values in columns.values():
        column = TextProfile()
        column.add(values, [f"f.csv:{n}" for n in range(2, len(values) + 2)])
        seen.append(column)
    return choose_types(seen, list(columns))


def _only(values: Sequence[str | None], name: str = "c") -> ColumnChoice:
    (found,) = _types(**{name: values}).columns
    return found


def test_numbers_with_decimals_are_decimals_with_room() -> None:
    found = _only(["1.5", "-20.25", None, "300"])
    assert (str(found.type), found.evidence) == (
        "decimal(18,2)",
        "decimal(18,2): 3 of 4, 1 empty",
    )
    assert str(_only(["1.234567"]).type) == "decimal(18,6)"
    assert str(_only(["12345678901234567.25"]).type) == "decimal(19,2)"


def test_a_number_that_begins_with_0_is_a_code() -> None:
    found = _only(["4000", "0400"])
    assert str(found.type) == "string"
    assert found.evidence == (
        "string: all 2; 0400 at f.csv:3 begins with 0, which a number would lose"
    )
    assert str(_only(["0", "12"]).type) == "integer"


def test_more_figures_than_an_integer_holds_are_text() -> None:
    assert str(_only(["123456789012345678"]).type) == "integer"
    assert _only(["1234567890123456789"]).evidence == (
        "string: all 1; up to 19 figures are more than an integer holds"
    )


def test_all_columns_are_written_in_one_form() -> None:
    found = _types(a=["1.234,56-", "7,00"], b=["12,5"], c=["42"])
    assert found.form == TextForm(
        decimal_separator=",", thousands_separator=".", negative="trailing"
    )
    assert [str(c.type) for c in found.columns] == ["decimal(18,2)", "decimal(18,2)", "integer"]
    assert found.form_notes == dict.fromkeys(
        ("decimal_separator", "thousands_separator", "negative"), "1.234,56-"
    )


def test_a_column_that_is_written_otherwise_has_a_format_of_its_own() -> None:
    found = _types(a=["1.234,56", "1,5"], rate=["1.08345", "0.9"])
    assert found.form.decimal_separator == ","
    assert dict(found.columns[1].options) == {
        "decimal_separator": ".",
        "thousands_separator": ",",
    }


def test_days_above_12_decide_which_is_the_month() -> None:
    assert _types(d=["01/02/2026", "13/02/2026"]).form.date_format == "dd/MM/yyyy"
    assert _types(d=["01/02/2026", "02/13/2026"]).form.date_format == "MM/dd/yyyy"
    found = _types(d=["01/02/2026"])
    assert found.columns[0].evidence == (
        "date: all 1, dd/MM/yyyy; it may be MM/dd/yyyy, no day is above 12"
    )


def test_the_other_dates_of_a_source_decide_where_one_could_be_either() -> None:
    found = _types(a=["01/02/2026"], b=["12/31/2026"])
    assert found.form.date_format == "MM/dd/yyyy"
    assert [dict(c.options) for c in found.columns] == [{}, {}]


def test_eight_figures_are_dates_where_all_of_them_are() -> None:
    assert str(_only(["20260131", "20260228"]).type) == "date"
    assert str(_only(["20260131", "20261301"]).type) == "integer"
    assert str(_only(["31012026", "28022026"], "Datum").type) == "date"
    assert str(_only(["31012026", "28022026"], "Beleg").type) == "integer"


def test_instants_and_words() -> None:
    assert str(_only(["2026-01-31T10:00:00Z", "2026-01-31 11:30"]).type) == "timestamp"
    found = _types(t=["31.01.2026 10:00"])
    assert found.form.timestamp_format == "dd.MM.yyyy HH:mm"
    assert str(_only(["TRUE", "false", None]).type) == "boolean"
    assert str(_only(["true", "text"]).type) == "string"
    assert str(_only(["1.5E3", "2"]).type) == "float"


def test_instants_in_iso_beside_others_have_a_format_of_their_own() -> None:
    found = _types(
        a=["31.01.2026 10:00", "28.02.2026 10:00"],
        b=["31.01.2026 10:00", "28.02.2026 11:00"],
        c=["2026-01-31 10:00:00"],
    )
    assert found.form.timestamp_format == "dd.MM.yyyy HH:mm"
    assert [dict(each.options) for each in found.columns] == [
        {},
        {},
        {"timestamp_format": "yyyy-MM-dd HH:mm:ss"},
    ]


def test_eight_figures_that_are_codes_keep_their_zeros() -> None:
    assert str(_only(["00012345", "12345678"]).type) == "string"


def test_a_column_without_values_is_text() -> None:
    assert _only([None, ""]).evidence == "string: no value in 2 rows"


def test_the_few_that_are_no_numbers_are_told_with_their_place() -> None:
    found = _only([*(f"{n}.50" for n in range(100)), "12.x0"])
    assert found.evidence == ("string: all 101; all but 1 are numbers: '12.x0' at f.csv:102 is not")


def test_a_mark_for_no_value_is_told_with_the_option_for_it() -> None:
    assert _only(["1.50", "-", "2.50", "3.50", "-"]).evidence == (
        "string: all 5; all but 2 are numbers: '-' at f.csv:3 is not;"
        ' option null_text: "-" takes it for no value'
    )


def test_the_few_that_are_no_dates_are_told_with_their_place() -> None:
    days = [f"{n % 28 + 1:02}.01.2026" for n in range(60)]
    assert _only([*days, "31.02.2026"]).evidence == (
        "string: all 61; all but 1 are dates: '31.02.2026' at f.csv:62 is not"
    )
    assert _only([*days, "soon"]).evidence.endswith("'soon' at f.csv:62 is not")


def test_every_value_counts_not_only_the_first_ones() -> None:
    column = TextProfile()
    for batch in range(50):
        column.add([str(n) for n in range(1000)], [f"f:{batch}"] * 1000)
    column.add(["9.75"], ["f:last"])
    (found,) = choose_types([column], ["n"]).columns
    assert str(found.type) == "decimal(18,2)"
