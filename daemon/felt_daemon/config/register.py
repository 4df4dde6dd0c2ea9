"""The file that `people.register` names: looked at with the configuration, so that a slip is seen at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from felt_daemon.config.model import People
from felt_daemon.config.problems import Problem
from felt_daemon.people import BrokenRegister, NoRegister, Register

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.config.document import Document

MOST_TOLD = 20


def register_problems(document: Document) -> Iterator[Problem]:
    """Why the named register counts for nobody; nothing where none is named, or its path is not valid.

    All stand on the line that names the register. Of a register's own mistakes at most `MOST_TOLD` are told.
    """
    try:
        named = People.model_validate({"register": document.value("people", "register")}).register
    except ValidationError:
        return
    if named is None:
        return
    try:
        Register.load(named)
    except NoRegister as error:
        yield _problem(document, str(error).removeprefix(f"{named}: "))
    except BrokenRegister as error:
        for mistake in error.mistakes[:MOST_TOLD]:
            yield _problem(document, f"no valid register: {mistake}")
        if more := len(error.mistakes[MOST_TOLD:]):
            yield _problem(document, f"no valid register: {more} more mistake{'s' if more > 1 else ''} in it")


def _problem(document: Document, text: str) -> Problem:
    key = ("people", "register")
    return Problem(document.file, document.line(key), "people.register", document.written(key), text)
