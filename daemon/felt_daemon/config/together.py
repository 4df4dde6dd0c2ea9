"""What the files of several tables in one process may not have in common, and what they must.

The checks look at the files as given, so that a mistake in one does not hide another elsewhere.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from felt_daemon.config.document import as_table
from felt_daemon.config.model import Journal
from felt_daemon.config.positions import dotted
from felt_daemon.config.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from felt_daemon.config.document import Document
    from felt_daemon.config.positions import Key

    Found = Iterator[tuple[Key, object]]

_DIRECTORY = ("journal", "directory")


def together(documents: Sequence[Document]) -> list[list[Problem]]:
    """For each file, what contradicts the files before it."""
    found: list[list[Problem]] = [[] for _ in documents]
    for values, words in (
        (_ids, "is this table already; its id is its name in the journal and its client id at the broker"),
        (_ports, "has this port already"),
        (_serials, "has this serial number already"),
        (_brokers, "has a broker on this port already"),
    ):
        _twice(documents, values, words, found)
    _one_journal(documents, found)
    return found


def _twice(
    documents: Sequence[Document],
    values: Callable[[Document], Found],
    words: str,
    found: list[list[Problem]],
) -> None:
    """What two files have, each for itself, and may not both have."""
    first: dict[object, tuple[Document, Key]] = {}
    for document, problems in zip(documents, found, strict=True):
        here = list(values(document))
        for key, value in here:
            if value in first:
                other, where = first[value]
                problems.append(_problem(document, key, f"{_place(other, where)} {words}"))
        # A value that one file has twice is that file's own mistake.
        for key, value in here:
            first.setdefault(value, (document, key))


def _ids(document: Document) -> Found:
    if isinstance(value := document.value("table", "id"), str):
        yield ("table", "id"), value


def _ports(document: Document) -> Found:
    for key, value in _of_devices(document, "port"):
        yield key, posixpath.normpath(value)


def _serials(document: Document) -> Found:
    yield from _of_devices(document, "serial")


def _of_devices(document: Document, name: str) -> Iterator[tuple[Key, str]]:
    for device in as_table(document.value("devices")) or {}:
        if isinstance(value := document.value("devices", device, name), str):
            yield ("devices", device, name), value


def _brokers(document: Document) -> Found:
    port = document.value("broker", "port")
    # 0 takes a free one.
    if document.value("broker", "mode") == "embedded" and isinstance(port, int) and port != 0:
        yield ("broker", "port"), port


def _one_journal(documents: Sequence[Document], found: list[list[Problem]]) -> None:
    """A process has one journal."""
    default = str(Journal().directory)
    folders = [document.value(*_DIRECTORY) for document in documents]
    held = [posixpath.normpath(one) if isinstance(one, str) else default for one in folders]
    for document, folder, problems in zip(documents, held, found, strict=True):
        if folder != held[0]:
            text = f"{_place(documents[0], _DIRECTORY)} has {held[0]}; tables of one process have one journal"
            problems.append(_problem(document, _DIRECTORY, text))


def _place(document: Document, key: Key) -> str:
    return f"{document.file}:{document.line(key)}"


def _problem(document: Document, key: Key, text: str) -> Problem:
    return Problem(document.file, document.line(key), dotted(key), document.written(key), text)
