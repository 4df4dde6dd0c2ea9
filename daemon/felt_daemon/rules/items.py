"""The items of a pack's document, each by the names that a chapter may call it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Document = dict[str, Any]

# Lists of rows, and the keys of a row that make its name.
_ROWS = {
    "rules": ("id",),
    "gates": ("id",),
    "clocks": ("id",),
    "doubts": ("family", "doubt"),
    "inferences": ("becomes",),
    "inspections": ("family",),
}
# Tables whose keys are names.
_TABLES = ("reports", "directives", "elections")
# Tables that are one item.
_SINGLE = ("opening", "start", "burns")
_WAYS = ("shuffle", "deal", "start")


def list_of(document: Mapping[str, Any], name: str) -> list[Any]:
    """A list; empty where there is none, or what is there is none: the models say so."""
    found: object = document.get(name)
    return cast("list[object]", found) if isinstance(found, list) else []


def texts_of(document: Mapping[str, Any], name: str) -> list[str]:
    """The texts of a list; of whatever else stands in it the models speak."""
    return [one for one in list_of(document, name) if isinstance(one, str)]


def rows_of(document: Mapping[str, Any], name: str) -> list[Document]:
    """The rows of a list, those that are tables."""
    return [row for row in list_of(document, name) if isinstance(row, dict)]


def table_of(document: Mapping[str, Any], name: str) -> Document:
    """A table; empty where there is none, or what is there is none."""
    found: object = document.get(name)
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Item:
    """One row or table of a part.

    `key` is its kind and name, as `rules/shoe-jam`, `ways/deal/hand` or `opening`; `holder` is the list or
    table that it stands in, and `body` what it says: a table, or the words of a directive.
    """

    part: str
    kind: str
    name: str
    holder: list[Any] | Document
    body: Any

    @property
    def key(self) -> str:
        """Its kind and name."""
        return f"{self.kind}/{self.name}" if self.kind != self.name else self.kind

    @property
    def is_table(self) -> bool:
        """Whether it says more than a word."""
        return isinstance(self.body, dict)

    @property
    def names(self) -> frozenset[str]:
        """What it may be called where items are left out: its name, with or without its kind."""
        short = {self.name.rpartition("/")[2]} if self.kind == "ways" else set[str]()
        return frozenset({self.key, self.name, *short})

    def leave_out(self) -> None:
        """Take it out of its part."""
        if isinstance(self.holder, list):
            self.holder[:] = [row for row in self.holder if row is not self.body]
        else:
            del self.holder[self.name.rpartition("/")[2]]

    def fill(self, word: str, text: str) -> None:
        """Put a text in the place of `{word}` wherever its texts say so."""
        for name, value in self.body.items():
            self.body[name] = filled(value, f"{{{word}}}", text)


def filled(value: object, mark: str, text: str) -> object:
    """The same with a text in the place of every mark, however deep."""
    if isinstance(value, str):
        return value.replace(mark, text)
    if isinstance(value, list):
        return [filled(one, mark, text) for one in cast("list[object]", value)]
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        return {name: filled(one, mark, text) for name, one in table.items()}
    return value


def place(loc: Iterable[int | str], document: Mapping[str, Any]) -> str:
    """Where in a document something is, as `rules.shoe-jam.holds.[1].until`.

    A row that has a name is called by it; others are counted from one.
    """
    steps = tuple(loc)
    words = [f"[{step + 1}]" if isinstance(step, int) else step for step in steps]
    match steps:
        case (str(kind), int(count), *_):
            row: object = list_of(document, kind)[count]
            words[1] = (_row_name(kind, cast("Document", row)) if isinstance(row, dict) else "") or words[1]
        case _:
            pass
    return ".".join(words) or "pack"


def _row_name(kind: str, row: Mapping[str, Any]) -> str:
    """What a row of a list is called by; empty where it has no name."""
    return "/".join(str(row[key]) for key in _ROWS.get(kind, ()) if key in row)


def items_of(document: Document, part: str) -> Iterator[Item]:
    """Every item that has a name."""
    for kind in _ROWS:
        for row in rows_of(document, kind):
            yield Item(part, kind, _row_name(kind, row), document[kind], row)
    for kind in _TABLES:
        table = table_of(document, kind)
        for name, body in table.items():
            yield Item(part, kind, name, table, body)
    methods = table_of(document, "methods")
    for kind in _WAYS:
        ways = table_of(methods, kind)
        for name, body in ways.items():
            yield Item(part, "ways", f"{kind}/{name}", ways, body)
    for name in _SINGLE:
        if name in document:
            yield Item(part, name, name, document, document[name])
