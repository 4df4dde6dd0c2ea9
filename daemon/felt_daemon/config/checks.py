"""What no single key can tell: settings that contradict each other.

The checks look at the file as given, so that a mistake in one place does not hide another elsewhere.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from pydantic import ValidationError

from felt_daemon.config.document import Document, as_table
from felt_daemon.config.elections import election_problems
from felt_daemon.config.game import TOLD, game_problems
from felt_daemon.config.model import Escalation
from felt_daemon.config.positions import dotted
from felt_daemon.config.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.config.game import Game
    from felt_daemon.config.positions import Key

_PANEL = "dealers-panel"
# Decks, or batches of several, that can be in use where the game lets nobody choose: two alternate.
_WITHOUT_ELECTION = (1, 2)


def contradictions(document: Document, game: Game | None) -> Iterator[Problem]:
    """Every contradiction between settings of the file, and with the game that it names, if that is known."""
    yield from _shared(document, "devices", "port", "this port")
    yield from _shared(document, "devices", "serial", "this serial number")
    yield from _shared(
        document, "decks", "back", "this back colour (what alternates in and out of play differs)"
    )
    yield from _password_without_user(document)
    yield from _second_panel(document)
    yield from _commands_without_register(document)
    yield from _shift_manager_before_floor(document)
    if game is not None:
        yield from election_problems(document, game.elections)
        yield from game_problems(document, game)
        yield from _deck_count(document, game)
        yield from _inferred_beside_a_panel(document, game)


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


def _deck_count(document: Document, game: Game) -> Iterator[Problem]:
    decks = as_table(document.value("decks"))
    if decks is None or document.lost(("decks",)):
        return
    has = f"[decks] has {len(decks)} ({', '.join(decks) or 'none'})"
    each = "give one table, such as [decks.red], for each deck or batch of decks in use"
    if game.in_use is None:
        if len(decks) not in _WITHOUT_ELECTION:
            yield _problem(document, ("decks",), f"{has}, and one or two can be in use; {each}")
        return
    given = document.value("elections", game.in_use)
    wanted = game.elections[game.in_use].default if given is None else given
    if isinstance(wanted, int) and not isinstance(wanted, bool) and len(decks) != wanted:
        how = "by default" if given is None else "elected"
        yield _problem(document, ("elections", game.in_use), f"{wanted} {how} and {has}; {each}")


def _password_without_user(document: Document) -> Iterator[Problem]:
    broker = as_table(document.value("broker")) or {}
    if "password_file" in broker and "user" not in broker and not document.lost(("broker", "user")):
        yield _problem(document, ("broker", "password_file"), "needs broker.user, whose password it is")


def _panels(document: Document) -> list[str]:
    """The ids of the devices that are dealer's panels, in the order of the file."""
    devices = as_table(document.value("devices")) or {}
    return [name for name in devices if document.value("devices", name, "family") == _PANEL]


def _second_panel(document: Document) -> Iterator[Problem]:
    panels = _panels(document)
    for name in panels[1:]:
        text = f"{_device(document, panels[0])} is the dealer's panel already; a table has one"
        yield _problem(document, ("devices", name, "family"), text)


def _inferred_beside_a_panel(document: Document, game: Game) -> Iterator[Problem]:
    panel = next(iter(_panels(document)), None)
    if panel is None:
        return
    for name, words in game.panel.items():
        given = document.value("panel", name)
        if given != TOLD and given in words:
            where = _device(document, panel)
            text = f'{where} is a dealer\'s panel, which tells it; beside it only "{TOLD}" is valid'
            yield _problem(document, ("panel", name), text)


def _commands_without_register(document: Document) -> Iterator[Problem]:
    register = ("people", "register")
    if document.value("broker", "commands") is not True or document.has(register) or document.lost(register):
        return
    text = "needs people.register, which has the keys and says who may do what"
    yield _problem(document, ("broker", "commands"), text)


def _shift_manager_before_floor(document: Document) -> Iterator[Problem]:
    floor, shift = ("escalation", "floor_after_s"), ("escalation", "shift_manager_after_s")
    floor_s, shift_s = _seconds(document, floor), _seconds(document, shift)
    if floor_s is None or shift_s is None or shift_s > floor_s:
        return
    if document.has(shift):
        text = f"must be more than {_origin(document, floor, floor_s)}; the floor hears of it first"
        yield _problem(document, shift, text)
    else:
        text = f"must be less than {_origin(document, shift, shift_s)}; the floor hears of it first"
        yield _problem(document, floor, text)


def _seconds(document: Document, key: tuple[str, str]) -> int | None:
    """The seconds that hold under a key of [escalation]; None where they cannot be told."""
    section, name = key
    given = {name: document.value(section, name)} if document.has(key) else {}
    try:
        held: int = getattr(Escalation.model_validate(given), name)
    except ValidationError:
        return None
    return None if document.lost(key) else held


def _origin(document: Document, key: tuple[str, str], held: int) -> str:
    where = f"line {document.line(key)}" if document.has(key) else "its default"
    return f"{dotted(key)} = {held} ({where})"


def _device(document: Document, name: str) -> str:
    key = ("devices", name, "family")
    return f"[{dotted(key[:-1])}] (line {document.line(key)})"


def _problem(document: Document, key: Key, text: str) -> Problem:
    return Problem(document.file, document.line(key), dotted(key), document.written(key), text)
