"""Text on its way to people: nothing that it holds becomes markup or turns the line around."""

from __future__ import annotations

from html import escape


def visible(words: object) -> str:
    """Words with every character that cannot be seen, such as one that turns the line, as its escape."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in str(words))


def text(words: object) -> str:
    """Words as HTML."""
    return escape(visible(words), quote=True)


def apart(words: object) -> str:
    """Words that somebody typed: letters from right to left stay within themselves."""
    return f"<bdi>{text(words)}</bdi>"


def row(*cells: str, kind: str = "") -> str:
    """A row of a table; cells are HTML already."""
    mark = f' class="{kind}"' if kind else ""
    return f"<tr{mark}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"


def table(heads: tuple[str, ...], rows: str, kind: str) -> str:
    """A table with a head that is printed again on each page."""
    head = "".join(f'<th scope="col">{text(one)}</th>' for one in heads)
    return f'<table class="{kind}">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n'
