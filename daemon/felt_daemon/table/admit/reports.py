"""What people report, against the reports that the game's pack knows."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from felt_daemon.table.admit.asked import steps
from felt_daemon.table.deal import begun
from felt_daemon.table.lookup import lookup_for
from felt_daemon.table.state import CUT, HAND_DEAL
from felt_daemon.table.whereabouts import surely_in
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person

if TYPE_CHECKING:
    from felt_daemon.rules.pack import ReportKind
    from felt_daemon.table.admit.asked import Admission, Asked
    from felt_daemon.table.state import Deck
    from felt_protocols.events import Fact


def _report(asked: Asked, command: commands.Report) -> Fact:
    kind = _kind(asked, command.what)
    if asked.by.role not in kind.by:
        raise CommandRefused(f"{command.what} is reported by {', '.join(kind.by)}; you are {asked.by.role}")
    fact = person.Reported(
        by=asked.by,
        report=command.what,
        round=_round(asked, command.round),
        seat=_seat(asked, kind, command),
        seats=_seats(asked, kind, command),
        deck=_deck(asked, kind, command),
        device=_device(asked, kind, command),
        note=command.note,
    )
    _in_order(asked, kind, fact)
    _by_another(asked, kind, fact)
    _at_hand(asked, kind, fact)
    now = asked.state.round
    if kind.table is not None and now is not None and now.void:
        raise CommandRefused(f"{command.what}: round {now.number} is void ({now.void}); release it first")
    lookup = lookup_for(asked.pack, asked.state, fact)
    for need in kind.needs:
        if not need.when.holds(lookup):
            raise CommandRefused(f"{command.what} does not fit: {need.says}")
    return fact


def _kind(asked: Asked, word: str) -> ReportKind:
    kind = asked.pack.reports.get(word)
    if kind is None:
        known = asked.pack.reports
        near = difflib.get_close_matches(word, known)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known) or 'none'}"
        raise CommandRefused(f"{asked.pack.source.game} has no report {word}; {hint}")
    return kind


def _in_order(asked: Asked, kind: ReportKind, fact: person.Reported) -> None:
    """A step of a deck's preparation comes after the steps before it."""
    opening = asked.pack.opening
    if opening is None or fact.deck is None or kind.marks not in opening.marks:
        return
    about = asked.state.decks[fact.deck]
    if not about.present:
        raise CommandRefused(f"no cards yet for {about.id}: report it with change-deck first")
    wanted = steps(opening, about)
    before = wanted[: wanted.index(kind.marks)] if kind.marks in wanted else ()
    for word, other in asked.pack.reports.items():
        if other.marks in before and other.marks not in about.marks:
            raise CommandRefused(f"{about.id}: report {word} first")


def _by_another(asked: Asked, kind: ReportKind, fact: person.Reported) -> None:
    """Nobody vouches for what they are proven to have done themselves."""
    if kind.checks is None or fact.deck is None:
        return
    name = asked.state.decks[fact.deck].reported_by.get(kind.checks)
    if name == asked.by.name:
        what = f"{kind.checks} of {fact.deck} was reported by {name}"
        raise CommandRefused(f"{fact.report}: {what}; it takes another person")


def _at_hand(asked: Asked, kind: ReportKind, fact: person.Reported) -> None:
    """Nobody prepares, shuffles or deals by hand what a sound device has, or prepares what lies dealt."""
    if fact.deck is None or not (kind.marks or kind.deals):
        return
    holder = surely_in(asked.state, fact.deck)
    if holder:
        raise CommandRefused(f"{fact.report} does not fit: {fact.deck} is in {holder}; take it out first")
    if kind.marks and asked.state.decks[fact.deck].places["table"]:
        raise CommandRefused(f"{fact.report} does not fit: {fact.deck} is dealt; end the round first")


def _round(asked: Asked, named: int | None) -> int | None:
    now = asked.state.round
    if named is not None and (now is None or now.number != named):
        there = f"round {now.number} is on" if now else "no round is on"
        raise CommandRefused(f"round {named} is over or has not begun; {there}")
    return now.number if now else None


def _seat(asked: Asked, kind: ReportKind, command: commands.Report) -> int | None:
    if "seat" in kind.asks and command.seat is None:
        raise CommandRefused(f"{command.what}: say which seat")
    if command.seat is not None and command.seat > asked.state.setup.positions:
        raise CommandRefused(f"there is no seat {command.seat}; seats are 1 to {asked.state.setup.positions}")
    return command.seat


def _seats(asked: Asked, kind: ReportKind, command: commands.Report) -> tuple[int, ...] | None:
    if "seats" not in kind.asks:
        if command.seats is not None:
            raise CommandRefused(f"{command.what} says nothing of the positions that play")
        return None
    if command.seats is None:
        raise CommandRefused(f"{command.what}: say which positions play")
    most = asked.state.setup.positions
    strangers = [seat for seat in command.seats if not 1 <= seat <= most]
    if strangers:
        raise CommandRefused(f"there is no position {strangers[0]}; positions are 1 to {most}")
    # What a shoe gave that is not dealt from is nobody's hand: people have not told of their deal so far.
    if begun(asked.state) and asked.state.phase != HAND_DEAL:
        raise CommandRefused("cards of this round are dealt already")
    return tuple(sorted({*command.seats}))


def _deck(asked: Asked, kind: ReportKind, command: commands.Report) -> str | None:
    if command.deck is not None:
        return asked.deck(command.deck).id
    if "deck" not in kind.asks:
        return None
    decks = asked.state.decks
    fitting = [one.id for one in decks.values() if _may_be(asked, kind, one)] or list(decks)
    if len(fitting) > 1:
        raise CommandRefused(f"{command.what}: say which {asked.pack.word('deck')}: {', '.join(fitting)}")
    return fitting[0]


def _may_be(asked: Asked, kind: ReportKind, one: Deck) -> bool:
    """Whether a report that names no deck may be about this one: people have it, and it wants that step."""
    if not one.present or surely_in(asked.state, one.id):
        return False
    opening = asked.pack.opening
    if opening is None or kind.marks not in opening.marks:
        # What was shuffled is dealt or cut, and what was dealt is shuffled.
        return one.shuffled is (kind.deals or kind.marks == CUT)
    wanted = steps(opening, one)
    before = wanted[: wanted.index(kind.marks)] if kind.marks in wanted else ()
    return kind.marks not in one.marks and all(mark in one.marks for mark in before)


def _device(asked: Asked, kind: ReportKind, command: commands.Report) -> str | None:
    devices = asked.state.devices.values()
    fitting = [
        one.id for one in devices if not one.aside and (kind.family is None or one.family == kind.family)
    ]
    if command.device is not None:
        if command.device not in fitting:
            raise CommandRefused(
                f"{command.what} is about {', '.join(fitting) or 'no device here'}, not {command.device}"
            )
        return command.device
    if len(fitting) == 1 and (kind.family is not None or "device" in kind.asks):
        return fitting[0]
    if "device" in kind.asks:
        raise CommandRefused(f"{command.what}: say which device: {', '.join(fitting) or 'there is none'}")
    return None


ADMISSIONS: dict[type[Any], Admission] = {commands.Report: _report}
