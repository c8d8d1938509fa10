"""Elements of SVG and HTML. Whatever is not markup already is escaped, so that no text can become
any."""

from __future__ import annotations

from html import escape

from rowbook.visible import visible


class Markup(str):
    """Text that is markup."""

    __slots__ = ()


def element(tag: str, *inside: str, **attributes: str | float | None) -> Markup:
    """An element with what is inside it. Of an attribute's name, `_` stands for `-`, and one at its
    end for nothing; an attribute of None is left out."""
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_plain(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{given}>{joined(*inside)}</{tag}>")


def joined(*parts: str) -> Markup:
    """Parts one after the other."""
    return Markup("".join(part if isinstance(part, Markup) else _plain(part) for part in parts))


def _plain(value: str | float) -> str:
    return escape(visible(value)) if isinstance(value, str) else f"{value:g}"
