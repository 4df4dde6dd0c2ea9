"""Packs made of parts: a chapter's own rows together with those of the parts that it names.

A chapter says what its game is and where its text says it; a part has rows that several chapters share.
What a chapter says about the rows of its parts is an `Orders`; the document that comes out has none of it.
"""

from __future__ import annotations

import copy
import difflib
import re
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from felt_daemon.rules.items import Item, filled, items_of, list_of, place, rows_of, table_of, texts_of
from felt_daemon.rules.needs import ill_said, told_unmet, unmet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Shelf = Callable[[], Mapping[str, Mapping[str, Any]]]

Document = dict[str, Any]

# Rows that several files give together; everything else that is a list is one file's word.
LISTS = frozenset(
    {"rules", "doubts", "moves", "gates", "clocks", "patterns", "sets", "inferences", "inspections", "unseen"}
)
# Words that several files give together, each once.
SHARED_WORDS = frozenset({"phases", "families"})
# Tables of what rules tell people to do, all by the same names.
DIRECTIVES = ("directives", "brief", "done")
# What of a part's row a chapter may change; reports and other tables are changed by saying them again.
CHANGEABLE = ("rules", "gates", "clocks")
# What stands in a text for the item's citations.
_CITE = "{cite}"
_SHORT = re.compile(r"^(\d{3}a\.\d{1,2})(\(.*)$")


class BadPack(ValueError):  # noqa: N818 - it is what was met
    """A pack that does not load; the text lists every mistake, one a line."""


class Orders(BaseModel):
    """What a chapter says about its parts.

    `cite`: where this chapter's text has a part's item, by kind and name; `own`: rules of parts on which it
    is silent; `without`: items of parts that it does not have; `change`: keys of a part's row that differ.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: tuple[str, ...] = ()
    cite: dict[str, tuple[str, ...] | dict[str, tuple[str, ...] | dict[str, tuple[str, ...]]]] = {}
    own: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    change: dict[str, dict[str, Document]] = {}

    def cites(self) -> Iterator[tuple[str, list[str]]]:
        """Every citation that it gives, by the item's key: `rules/shoe-jam`, `ways/deal/hand`, `opening`."""
        yield from _cites("", self.cite)


def _cites(path: str, found: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for name, value in found.items():
        if isinstance(value, tuple):
            yield f"{path}{name}", list(cast("tuple[str, ...]", value))
        else:
            yield from _cites(f"{path}{name}/", value)


def composed(
    chapter: Mapping[str, Any], part: Callable[[str], Mapping[str, Any]], shelf: Shelf = dict
) -> Document:
    """The chapter with its parts in one document, in the order: its own rows, then each part's.

    `part` gives a part's document by its name and raises `BadPack` where there is none; so does this for
    whatever does not fit together. `shelf` gives every part that there is, for whoever misses one: a part
    that is missing is told alone, for most other mistakes would come of it.
    """
    return _Composition(chapter, part).document(shelf)


def told(error: ValidationError, document: Mapping[str, Any]) -> BadPack:
    """The mistakes that a model found in a document, one a line."""
    problems = error.errors()
    if any(problem["loc"][0] == "source" for problem in problems):
        # Every rule has its date from there; it is said once.
        problems = [one for one in problems if one["loc"][0] != "rules" or one["loc"][-1] != "since"]
    return BadPack("\n".join(f"{place(one['loc'], document)}: {one['msg']}" for one in problems))


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a sentence that asks whether another name was meant; empty where none is near."""
    near = difflib.get_close_matches(name, list(known))
    return f"; did you mean {near[0]}?" if near else ""


class _Composition:
    """One chapter being put together; `wrong` gathers every mistake."""

    def __init__(self, chapter: Mapping[str, Any], part: Callable[[str], Mapping[str, Any]]) -> None:
        self.own: Document = copy.deepcopy(dict(chapter))
        said = {name: self.own.pop(name) for name in Orders.model_fields if name in self.own}
        try:
            self.orders = Orders.model_validate(said)
        except ValidationError as error:
            raise told(error, said) from None
        self.parts = {name: copy.deepcopy(dict(part(name))) for name in self.orders.parts}
        self.wrong: list[str] = []
        self.taken_from: dict[str, str] = {}

    def document(self, shelf: Shelf) -> Document:
        """The whole; raises `BadPack`."""
        mine = {name for table in DIRECTIVES for name in table_of(self.own, table)}
        for name, document in self.parts.items():
            self.wrong += [
                f"part {name}: {key} is for chapters; a part has rows alone"
                for key in Orders.model_fields
                if key in document
            ]
        left = self._without()
        self._needs(left, shelf)
        self._listen()
        found = {item.key: item for item in self._items()}
        self._own(found, left)
        self._cite(found, left)
        self._change(found, left)
        self._cited()
        for name, document in self.parts.items():
            self._merge(self.own, document, name, "")
        self.wrong += _unsaid(self.own, found)
        self._name_holds()
        _drop_unused(self.own, mine)
        _date(self.own)
        if self.wrong:
            raise BadPack("\n".join(self.wrong))
        return self.own

    def _items(self) -> Iterator[Item]:
        for name, document in self.parts.items():
            yield from items_of(document, name)

    def _without(self) -> set[str]:
        """Leave out what the chapter does not have; the keys that went."""
        items = list(self._items())
        known = {name for item in items for name in item.names}
        self.wrong += [
            f"without: no part has {name}{nearest(name, known)}"
            for name in self.orders.without
            if name not in known
        ]
        gone = [item for item in items if item.names & set(self.orders.without)]
        for item in gone:
            item.leave_out()
        return {item.key for item in gone}

    def _needs(self, left: set[str], shelf: Shelf) -> None:
        """Nothing that the parts need is missing; raises `BadPack`."""
        self.wrong += ill_said(self.parts)
        found = unmet(self.own, self.parts, self.orders.change.get("rules", {}), left)
        if found:
            raise BadPack("\n".join(told_unmet(found, shelf(), left)))
        for part in self.parts.values():
            part.pop("needs", None)

    def _listen(self) -> None:
        """Rows of parts listen to reports of other parts where the chapter has those, and else to none."""
        reports = [name for one in (self.own, *self.parts.values()) for name in table_of(one, "reports")]
        for item in self._items():
            heard = rows_of(item.body, "as_report") if item.kind == "rules" else []
            for one in [each for each in heard if list_of(each, "reports")]:
                one["reports"] = [word for word in one["reports"] if word in reports]
                if not one["reports"]:
                    item.body["as_report"].remove(one)

    def _stranger(self, said: str, key: str, found: Mapping[str, Item], left: set[str]) -> None:
        kind, _, name = key.rpartition("/")
        if key in left:
            self.wrong.append(f"{said}: {name} is left out under without")
        elif key in {item.key for item in items_of(self.own, "")}:
            self.wrong.append(f"{said}: {name} is this chapter's own; say it there")
        else:
            known = [one.rpartition("/")[2] for one in found if one.rpartition("/")[0] == kind]
            self.wrong.append(f"{said}: no part has {name}{nearest(name, known)}")

    def _own(self, found: Mapping[str, Item], left: set[str]) -> None:
        for name in self.orders.own:
            item = found.get(f"rules/{name}")
            if item is None:
                self._stranger("own", f"rules/{name}", found, left)
            else:
                item.body["basis"] = "own"

    def _cite(self, found: Mapping[str, Item], left: set[str]) -> None:
        mine = {item.key: item for item in items_of(self.own, "")}
        for key, cites in self.orders.cites():
            item = found.get(key)
            if item is None:
                kind = key.rpartition("/")[0].replace("/", ".")
                self._stranger(f"cite.{kind}" if kind else "cite", key, found, left)
                continue
            if not item.is_table:
                self.wrong.append(f"cite.{item.kind}: {item.name} is words alone and cites nothing")
                continue
            if item.key in {f"rules/{name}" for name in self.orders.own}:
                self.wrong.append(f"rule {item.name}: it is cited and said to be our own")
            item.body.pop("basis", None)
            item.body["cite"] = cites
            if key in mine and mine[key].is_table:
                # What the chapter says again of a part's item may have the citation in its text too.
                mine[key].fill("cite", shortened(cites))
        for item in (*found.values(), *mine.values()):
            if item.is_table:
                _tell_cites(item)

    def _change(self, found: Mapping[str, Item], left: set[str]) -> None:
        for kind, rows in self.orders.change.items():
            if kind not in CHANGEABLE:
                self.wrong.append(
                    f"change.{kind}: rows of {', '.join(CHANGEABLE)} are changed; say others again"
                )
                continue
            for name, changes in rows.items():
                item = found.get(f"{kind}/{name}")
                if item is None:
                    self._stranger(f"change.{kind}", f"{kind}/{name}", found, left)
                else:
                    item.body.update(copy.deepcopy(changes))

    def _cited(self) -> None:
        """Every rule of a part has its citation here, or says that it is our own."""
        chapter = table_of(self.own, "source").get("chapter", "999a")
        self.wrong += [
            f"part {item.part}, rule {item.name}: this chapter does not cite it; "
            f'write {item.name} = ["{chapter}.…"] under [cite.rules], or name it in own or in without'
            for item in self._items()
            if item.kind == "rules" and not item.body.get("cite") and item.body.get("basis") != "own"
        ]

    def _merge(self, into: Document, add: Mapping[str, Any], part: str, path: str) -> None:
        """Add a part's table: rows after those that are there; of one word the chapter's counts."""
        for name, value in add.items():
            here = f"{path}{name}"
            known: Any = into.get(name)
            if _both(list, known, value) and here in LISTS:
                into[name] = [*known, *value]
            elif _both(list, known, value) and here in SHARED_WORDS:
                into[name] = [*known, *(word for word in value if word not in known)]
            elif _both(dict, known, value):
                self._merge(known, value, part, f"{here}.")
                # What a chapter changes of a part's table stays where the part has it.
                into[name] = into.pop(name)
            elif name not in into:
                into[name] = value
                self.taken_from[here] = part
            elif known != value and (other := self._giver(here)) is not None:
                self.wrong.append(
                    f"{here}: the parts {other} and {part} say different things; say it in the chapter"
                )

    def _giver(self, path: str) -> str | None:
        """The part that gave this, or the table that it stands in; none where the chapter says it."""
        steps = path.split(".")
        places = (".".join(steps[:count]) for count in range(len(steps), 0, -1))
        return next((self.taken_from[one] for one in places if one in self.taken_from), None)

    def _name_holds(self) -> None:
        """Write out the holds that rules name: `holds = ["reshuffled"]` is the table [holds.reshuffled]."""
        known = table_of(self.own, "holds")
        for rule in rows_of(self.own, "rules"):
            holds = list_of(rule, "holds")
            self.wrong += [
                f"rule {rule.get('id')}: no hold is called {one}{nearest(one, known)}"
                for one in holds
                if isinstance(one, str) and one not in known
            ]
            if holds:
                rule["holds"] = [
                    copy.deepcopy(known.get(one)) if isinstance(one, str) else one for one in holds
                ]
        self.own.pop("holds", None)


def _unsaid(document: Document, found: Mapping[str, Item]) -> Iterator[str]:
    """Texts that wait for a citation which nothing gives; `found` are the items of parts by their keys."""
    chapter = table_of(document, "source").get("chapter", "999a")
    for item in items_of(document, ""):
        if not item.is_table or filled(item.body, _CITE, "") == item.body:
            continue
        kind, _, name = item.key.rpartition("/")
        where = f" under [cite{'.' if kind else ''}{kind.replace('/', '.')}]"
        what = item.kind if item.kind == item.name else f"{item.kind.removesuffix('s')} {item.name}"
        write = f'{name} = ["{chapter}.…"]{where}' if item.key in found else f'cite = ["{chapter}.…"] in it'
        yield f"{what}: its text says {_CITE}, and nothing says where that is; write {write}"


def _both(kind: type, one: object, other: object) -> bool:
    return isinstance(one, kind) and isinstance(other, kind)


def _tell_cites(item: Item) -> None:
    """Put an item's citations where its texts say `{cite}`; a way has them in its text alone."""
    cites = texts_of(item.body, "cite")
    if cites:
        item.fill("cite", shortened(cites))
    if item.kind == "ways" and item.body.get("cite") == cites:
        del item.body["cite"]


def shortened(cites: Sequence[str]) -> str:
    """Citations as a text has them: `659a.5(a), (c)` where the section is the same."""
    said: list[str] = []
    section = None
    for cite in cites:
        shape = _SHORT.match(cite)
        said.append(shape[2] if shape and shape[1] == section else cite)
        section = shape[1] if shape else None
    return ", ".join(said)


def _drop_unused(document: Document, mine: set[str]) -> None:
    """Leave out the directives of parts that no rule gives."""
    given = {
        name
        for kind in ("rules", "unseen")
        for row in rows_of(document, kind)
        for name in texts_of(row, "do")
    }
    for table in DIRECTIVES:
        known = table_of(document, table)
        for name in [one for one in known if one not in given and one not in mine]:
            del known[name]


def _date(document: Document) -> None:
    """Every rule is in force since its text is, unless it says otherwise."""
    since = table_of(document, "source").get("since")
    if since is not None:
        for rule in rows_of(document, "rules"):
            rule.setdefault("since", since)
