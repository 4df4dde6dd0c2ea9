"""The rule packs that a configuration may name: those that come along, and the house's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from felt_daemon.config.fields import ID_WORDS, RESERVED_ID
from felt_daemon.config.model import Rules
from felt_daemon.config.problems import Problem
from felt_daemon.rules import chapters, load
from felt_daemon.rules.check import check
from felt_daemon.rules.library import BadPack, load_file, packs_in, text_of, text_of_file
from felt_protocols.events.core import ID_PATTERN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from felt_daemon.config.document import Document
    from felt_daemon.config.elections import Choice
    from felt_daemon.rules import Pack

KEY = ("rules", "packs")


@dataclass(frozen=True, slots=True)
class Packs:
    """The packs that come along, and those of the house's own, by name."""

    own: Mapping[str, Path]

    @property
    def names(self) -> tuple[str, ...]:
        """What a table may deal: the chapters in their order, then the house's own."""
        return (*chapters(), *self.own)

    def load(self, name: str, elections: Mapping[str, Choice] | None = None) -> Pack:
        """The pack as these answers of the house make it.

        One of the house's own is held to all that a pack must keep; those that come along were, before they
        came. Raises `BadPack` with every mistake, or `OSError` where the file cannot be read.
        """
        if name not in self.own:
            return load(name, elections)
        pack = load_file(self.own[name], elections)
        if breaches := check(pack):
            raise BadPack("\n".join(breaches))
        return pack

    def text(self, name: str) -> str:
        """The pack as one text, complete by itself, for the journal; raises as `load` does."""
        return text_of_file(self.own[name]) if name in self.own else text_of(name)

    def where(self, name: str) -> str:
        """The file of a pack of the house's own; of one that comes along, its name."""
        return str(self.own.get(name, name))


def packs_of(folder: Path | None) -> Packs:
    """The packs that there are beside this folder's; a file whose name cannot be a pack's is none."""
    own = {} if folder is None else packs_in(folder)
    return Packs({name: file for name, file in own.items() if _unfit(name) is None})


def folder_of(document: Document) -> Path | None:
    """The folder that a file names; None where it names none, or no valid path."""
    try:
        return Rules.model_validate({"packs": document.value(*KEY)}).packs
    except ValidationError:
        return None


def folder_problems(document: Document) -> Iterator[Problem]:
    """Why the named folder, or a file in it, gives no packs; all on the line that names the folder."""
    folder = folder_of(document)
    if folder is None:
        return
    try:
        next(folder.iterdir(), None)
    except OSError as error:
        yield _problem(document, f"cannot be read: {error.strerror}")
        return
    for name, file in packs_in(folder).items():
        if (why := _unfit(name)) is not None:
            yield _problem(document, f"{file.name}: {why}")


def _unfit(name: str) -> str | None:
    """Why a file's name cannot be the name of a pack of the house's own."""
    if name in chapters():
        return "a pack of this name comes along; give yours another"
    if re.fullmatch(ID_PATTERN, name) is None or name == RESERVED_ID:
        return f"the file's name before .toml must be {ID_WORDS}"
    return None


def _problem(document: Document, text: str) -> Problem:
    return Problem(document.file, document.line(KEY), ".".join(KEY), document.written(KEY), text)
