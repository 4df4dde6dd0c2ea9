"""What no single key can tell: settings that contradict each other.

The checks look at the file as given, so that a mistake in one place does not hide another elsewhere.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from felt_daemon.config.document import Document, as_table
from felt_daemon.config.positions import dotted
from felt_daemon.config.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.config.positions import Key


def contradictions(document: Document, decks_elected: object) -> Iterator[Problem]:
    """Every contradiction between settings of the file; `decks_elected` is the answer that holds, if any."""
    yield from _shared(document, "devices", "port", "this port")
    yield from _shared(document, "devices", "serial", "this serial number")
    yield from _shared(document, "decks", "back", "this back colour (decks in use differ, 659a.3(b)(1))")
    yield from _deck_count(document, decks_elected)
    yield from _password_without_user(document)


def _shared(document: Document, section: str, name: str, what: str) -> Iterator[Problem]:
    """A value that two tables of a section may not share."""
    seen: dict[str, Key] = {}
    for entry in as_table(document.value(section)) or {}:
        key: Key = (section, entry, name)
        value = document.value(section, entry, name)
        if not isinstance(value, str):
            continue
        first = seen.setdefault(posixpath.normpath(value) if name == "port" else value, key)
        if first != key:
            other = f"[{dotted(first[:-1])}] (line {document.line(first)})"
            yield _problem(document, key, f"{other} has {what} already")


def _deck_count(document: Document, wanted: object) -> Iterator[Problem]:
    decks = as_table(document.value("decks"))
    if decks is None or document.lost(("decks",)):
        return
    if not isinstance(wanted, int) or isinstance(wanted, bool) or len(decks) == wanted:
        return
    yield _problem(
        document,
        ("elections", "decks"),
        f"{wanted} {'deck is' if wanted == 1 else 'decks are'} elected and [decks] has {len(decks)}"
        f" ({', '.join(decks) or 'none'}); give one table, such as [decks.red], for each deck in use",
    )


def _password_without_user(document: Document) -> Iterator[Problem]:
    broker = as_table(document.value("broker")) or {}
    if "password_file" in broker and "user" not in broker and not document.lost(("broker", "user")):
        yield _problem(document, ("broker", "password_file"), "needs broker.user, whose password it is")


def _problem(document: Document, key: Key, text: str) -> Problem:
    return Problem(document.file, document.line(key), dotted(key), document.written(key), text)
