"""Elements: what is no markup is escaped, wherever it stands."""

from __future__ import annotations

from rowbook.drawing.markup import Markup, element, joined, page


def test_texts_are_escaped_and_markup_is_not() -> None:
    assert element("p", "a < b", element("b", "&")) == "<p>a &lt; b<b>&amp;</b></p>"
    assert joined("<", Markup("<br>")) == "&lt;<br>"


def test_attributes_are_escaped_too() -> None:
    assert element("a", title='"><script>') == '<a title="&quot;&gt;&lt;script&gt;"></a>'


def test_names_of_attributes_that_python_does_not_allow() -> None:
    assert element("p", class_="x", marker_end="y") == '<p class="x" marker-end="y"></p>'


def test_numbers_are_short_and_none_is_left_out() -> None:
    assert element("rect", x=2.0, y=0.5, id=None) == '<rect x="2" y="0.5"></rect>'


def test_a_page_allows_its_own_style_and_nothing_else() -> None:
    head = page("a < b", "p {}")
    digest = "sha256-SNJDlN1Iy2mnt7DOjQIyDb2LQE6O5PQiSZomcdzawQ4="
    assert f"\"default-src 'none'; style-src '{digest}'\"" in head
    assert "<title>a &lt; b</title><style>p {}</style>" in head
