"""What pages have above, between and below their tables: facts, lists with a heading, the seal of
the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rowbook.drawing.markup import Markup, element
from rowbook.text.plan_words import one_line


def facts(pairs: Iterable[tuple[str, str]]) -> Markup:
    return element(
        "dl",
        *(element("div", element("dt", name), element("dd", value)) for name, value in pairs),
        class_="facts",
    )


def list_section(
    title: str, texts: Sequence[str], kind: str | None = None, *, level: int = 2
) -> Iterator[Markup]:
    if texts:
        items = (element("li", one_line(text)) for text in texts)
        heading = element(f"h{level}", title)
        yield element("section", heading, element("ul", *items), class_=kind)


def page_footer(said: str, seal: str | None) -> Markup:
    """With the newest seal over the run that a page is about, where there is one."""
    check = "finds out whether the record was changed since."
    sealed = f" Seal {seal}: `rowbook seals verify --head {seal}` {check}" if seal else ""
    return element("footer", f"{said}{sealed}", class_="quiet")
