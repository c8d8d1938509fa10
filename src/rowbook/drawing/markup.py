"""Elements of SVG and HTML. Whatever is not markup already is escaped, so that no text can become
any."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape

from rowbook.text.visible import visible


class Markup(str):
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
    return Markup("".join(part if isinstance(part, Markup) else _plain(part) for part in parts))


def _plain(value: str | float) -> str:
    return escape(visible(value)) if isinstance(value, str) else f"{value:g}"


def page(title: str, style: str, *body: Markup) -> str:
    """A page with this style. Its policy lets the page be what it is, and nothing more."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    head = element(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", title),
        element("style", Markup(style)),
    )
    return f"<!doctype html>\n{element('html', head, element('body', *body), lang='en')}\n"
