"""The packs that come with the product, and packs of one's own, each made of a chapter and its parts.

A chapter is a TOML file, `NNNa.toml`; its parts are files in the folder `parts/` beside it. A pack of one's
own may use the product's parts as well.
"""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import json
import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from felt_daemon.rules.compose import BadPack, Document, composed, nearest, told
from felt_daemon.rules.needs import needed_by, shown
from felt_daemon.rules.pack import Pack
from felt_daemon.rules.settle import Choice, settled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

__all__ = [
    "BadPack",
    "Choice",
    "chapters",
    "digest_of",
    "document_of",
    "document_of_file",
    "load",
    "load_file",
    "needs",
    "pack_of",
    "packs_in",
    "parse_pack",
    "parts",
    "read_document",
    "stored",
    "text_of",
    "text_of_file",
]

PARTS = "parts"
_SUFFIX = ".toml"


def _folder() -> Traversable:
    return resources.files("felt_daemon.rules") / "packs"


def _stems(entries: Iterable[Traversable]) -> tuple[str, ...]:
    return tuple(
        sorted(entry.name.removesuffix(_SUFFIX) for entry in entries if entry.name.endswith(_SUFFIX))
    )


def chapters() -> tuple[str, ...]:
    """The chapters there are packs for, in order."""
    return _stems(_folder().iterdir())


def parts() -> dict[str, str]:
    """The parts that come along, by name, each as the text of its file."""
    folder = _folder() / PARTS
    return {
        name: (folder / f"{name}{_SUFFIX}").read_text(encoding="utf-8") for name in _stems(folder.iterdir())
    }


def packs_in(folder: Path) -> dict[str, Path]:
    """The packs of a house's own folder by chapter, which is the file's name; its parts are in `parts/`."""
    return {file.stem: file for file in sorted(folder.glob(f"*{_SUFFIX}"))}


def document_of(chapter: str) -> Document:
    """The chapter with all its parts, before any election; raises `BadPack` when there is no such chapter."""
    if chapter not in chapters():
        raise BadPack(f"there is no pack for chapter {chapter}; there are: {', '.join(chapters())}")
    return composed(
        _toml((_folder() / f"{chapter}{_SUFFIX}").read_text(encoding="utf-8")), _shipped_part, _shelf
    )


def text_of(chapter: str) -> str:
    """The chapter with all its parts as one text, complete by itself; raises `BadPack`.

    It is the same at every table of the game, whatever the house elects: the journal stores it.
    """
    return stored(document_of(chapter))


def text_of_file(path: Path) -> str:
    """The same of a pack of one's own; raises `BadPack`, or `OSError` where it cannot be read."""
    return stored(document_of_file(path))


def stored(document: Mapping[str, Any]) -> str:
    """A pack's document as JSON, its keys in the order of its files and dates as ISO 8601 has them."""
    return json.dumps(document, ensure_ascii=False, indent=1, default=dt.date.isoformat) + "\n"


def digest_of(text: str) -> str:
    """SHA-256 of a pack's text, in hex: what the journal stores and rulings can be traced to."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_document(text: str) -> Document:
    """What a text of a pack holds, a TOML file or a stored one; raises `BadPack` where it is neither."""
    if not text.lstrip().startswith("{"):
        return _toml(text)
    try:
        found: Document = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadPack(f"not JSON: {error}") from None
    return found


def parse_pack(text: str, elections: Mapping[str, Choice] | None = None) -> Pack:
    """Read a pack from a TOML file's text, whose parts are the product's, or from a stored text.

    `elections` are the house's answers; the defaults hold where it has none. Raises `BadPack` listing every
    mistake with its place.
    """
    return pack_of(composed(read_document(text), _shipped_part, _shelf), elections)


def load(chapter: str, elections: Mapping[str, Choice] | None = None) -> Pack:
    """The chapter's pack as these answers of the house make it; raises `BadPack`.

    Packs cannot change, and each is read once in a process.
    """
    # As text, for 1 and true are one key of a cache and two answers.
    return _as_elected(chapter, json.dumps(elections or {}, sort_keys=True))


@functools.cache
def _as_elected(chapter: str, elections: str) -> Pack:
    return pack_of(document_of(chapter), json.loads(elections))


def load_file(path: Path, elections: Mapping[str, Choice] | None = None) -> Pack:
    """A pack of one's own; raises `BadPack`, or `OSError` where it cannot be read.

    Its parts are those in the folder `parts/` beside it, and the product's.
    """
    return pack_of(document_of_file(path), elections)


def document_of_file(path: Path) -> Document:
    """A pack of one's own with all its parts, before any election; raises `BadPack` or `OSError`."""
    beside = path.parent / PARTS
    mine = _stems(beside.iterdir()) if beside.is_dir() else ()

    def part(name: str) -> Document:
        if name in mine:
            return _part(name, (beside / f"{name}{_SUFFIX}").read_text(encoding="utf-8"))
        return _shipped_part(name, mine)

    def shelf() -> dict[str, Document]:
        return {**_shelf(), **{name: part(name) for name in mine}}

    return composed(read_document(path.read_text(encoding="utf-8")), part, shelf)


def needs(name: str) -> list[str]:
    """What a part that comes along needs, in plain words, each with the parts that have it."""
    return [shown(need, _shelf()) for need in needed_by(_parsed_part(name))]


def _shelf() -> dict[str, Document]:
    """Every part that comes along."""
    return {name: _parsed_part(name) for name in parts()}


def _shipped_part(name: str, others: tuple[str, ...] = ()) -> Document:
    folder = _folder() / PARTS
    known = _stems(folder.iterdir()) if folder.is_dir() else ()
    if name not in known:
        raise BadPack(f"no part is called {name}{nearest(name, (*known, *others))}")
    return _parsed_part(name)


@functools.cache
def _parsed_part(name: str) -> Document:
    return _part(name, (_folder() / PARTS / f"{name}{_SUFFIX}").read_text(encoding="utf-8"))


def _part(name: str, text: str) -> Document:
    try:
        return _toml(text)
    except BadPack as error:
        raise BadPack(f"part {name}: {error}") from None


def _toml(text: str) -> Document:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadPack(f"not TOML: {error}") from None


def pack_of(document: Mapping[str, Any], elections: Mapping[str, Choice] | None = None) -> Pack:
    """The pack that a whole document makes with these answers of the house; raises `BadPack`."""
    whole = settled(document, elections)
    try:
        return Pack.model_validate(whole)
    except ValidationError as error:
        raise told(error, whole) from None
