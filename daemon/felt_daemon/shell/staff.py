"""The register of people as a running table has it: never a reason to end, and never guessed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from felt_daemon.people import Book, Register, RegisterError

if TYPE_CHECKING:
    from pathlib import Path

    from felt_daemon.people import Entry

LOG = logging.getLogger(__name__)

_LONGEST_NAME = 64


class Staff:
    """Who is in the register now. Until it could be read once, nobody is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._book: Book | None = None
        self._complaint: str | None = None
        self.look()

    @property
    def complaint(self) -> str | None:
        """What is wrong with the file, for a person to put right; None while all is well."""
        return self._complaint

    def look(self) -> Register:
        """The register that counts; what is wrong with its file is logged once."""
        register, complaint = self._read()
        if complaint != self._complaint:
            self._complaint = complaint
            LOG.error("%s", complaint or f"{self.path}: the register of people is read again")
        return register

    def _read(self) -> tuple[Register, str | None]:
        try:
            if self._book is None:
                self._book = Book(self.path)
        except RegisterError as error:
            return Register(version=1, entries=()), str(error)
        return self._book.look(), self._book.complaint


def shown(entry: Entry) -> str:
    """An entry as the journal names it: its name, and its id, which is never given to somebody else."""
    return entry.name if entry.name == entry.id else named(entry.name, entry.id)


def named(name: str, surely: str) -> str:
    """A name with what is sure about it behind it, in the 64 characters that there are."""
    return f"{name[: _LONGEST_NAME - len(surely) - 3]} ({surely})"
