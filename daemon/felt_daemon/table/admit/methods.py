"""Other ways to shuffle, to deal, or to find the starting position, and the signs that come first."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from felt_daemon.table.changes import changed
from felt_daemon.table.deal import begun
from felt_daemon.table.lookup import lookup_for
from felt_daemon.table.measures import unusable
from felt_daemon.table.state import HAND_DEAL
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Methods, Way
    from felt_daemon.table.admit.asked import Admission, Asked
    from felt_daemon.table.state import Round, State
    from felt_protocols.events import Fact


def _method(asked: Asked, command: commands.Method) -> Fact:
    methods = asked.pack.methods
    if methods is None:
        raise CommandRefused(f"{asked.pack.source.game} has one way to shuffle and deal")
    state = asked.state
    if state.round is not None and _being_dealt(state, state.round) and not state.round.void:
        raise CommandRefused(f"round {state.round.number} is being dealt; change the way after it")
    given = {"shuffle": command.shuffle, "deal": command.deal, "start": command.start}
    chosen = {**state.method, **{name: word for name, word in given.items() if word is not None}}
    if chosen == state.method:
        shown = ", ".join(f"{name} {word}" for name, word in chosen.items())
        raise CommandRefused(f"that is the way already: {shown}")
    fact = person.MethodChosen(
        by=asked.by, shuffle=chosen["shuffle"], deal=chosen["deal"], start=chosen["start"]
    )
    proposed = changed(state, method=chosen)
    lookup = lookup_for(asked.pack, proposed, fact)
    for name, way in _ways(methods, chosen):
        for need in way.needs:
            if not need.when.holds(lookup):
                raise CommandRefused(need.says)
        if chosen[name] != state.method.get(name):
            _there(asked, way)
    _signed(asked, methods, chosen)
    return fact


def _being_dealt(state: State, now: Round) -> bool:
    """Whether cards of the round are out: of those that people deal nothing is told before all are out.

    But one that was found face up is told.
    """
    return begun(state) or (now.phase == HAND_DEAL and now.face_up_told > 0)


def _ways(methods: Methods, chosen: dict[str, str]) -> Iterator[tuple[str, Way]]:
    known = {"shuffle": methods.shuffle, "deal": methods.deal, "start": methods.start}
    for name, word in chosen.items():
        way = known[name].get(word)
        if way is None:
            near = difflib.get_close_matches(word, known[name])
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known[name])}"
            raise CommandRefused(f"{name}: no way is called {word}; {hint}")
        yield name, way


def _there(asked: Asked, way: Way) -> None:
    if way.family is None:
        return
    devices = [one for one in asked.state.devices.values() if one.family == way.family]
    if not any(not one.aside and not unusable(asked.state, one) for one in devices):
        raise CommandRefused(f"no {way.family} of this table can be used now ({way.says})")


def _signed(asked: Asked, methods: Methods, chosen: dict[str, str]) -> None:
    """A device that cannot be used must be covered or signed before another way than it is used."""
    if methods.sign is None:
        return
    left = {
        way.family
        for name, ways in (("shuffle", methods.shuffle), ("deal", methods.deal))
        for word, way in ways.items()
        if word == asked.state.method.get(name) and word != chosen[name]
    }
    for one in asked.state.devices.values():
        if one.family in left and not one.sign and unusable(asked.state, one):
            raise CommandRefused(
                f"{one.id} cannot be used: cover it or put an out-of-order sign on it,"
                f" and report that with sign, before another way is used ({methods.sign})"
            )


def _sign(asked: Asked, command: commands.Sign) -> Fact:
    about = asked.device(command.device)
    if command.sign == "removed" and not about.sign:
        raise CommandRefused(f"no cover or sign was reported on {about.id}")
    return person.SignMoved(by=asked.by, device=about.id, sign=command.sign)


ADMISSIONS: dict[type[Any], Admission] = {commands.Method: _method, commands.Sign: _sign}
