"""The shape of a state: what the rules can tell apart, numbers of rounds, rows and moments left out.

Two states of one shape are one place of the walk. What is left out: how many rounds, incidents, holds and
orders there were, moments, boots, who owns what and who was asked, notices, the button's place, the exact
number of cards beyond none, one, some, all but one, all and more, and which deck has which name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table import deal
from felt_daemon.table.gates import gates_of, granted, key_of
from felt_daemon.table.whereabouts import deck_in_shoe

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from felt_daemon.rules import Pack
    from felt_daemon.table import State
    from felt_daemon.table.state import Deck, Device, Round

# Cards are counted at least once in so many rounds (663a, 671a and 687a).
COUNTED_EVERY = 5


def shape_of(pack: Pack, state: State) -> Hashable:
    """What the walk knows a state by."""
    names = _names(state)
    return (
        state.table,
        state.closing,
        min(state.burns, 2),
        state.drawn if deal.single_cards(state) else "",
        min(max(state.rounds_uncounted, COUNTED_EVERY - 1), COUNTED_EVERY),
        names.get(state.last_deck, ""),
        tuple(state.method.values()),
        None if state.round is None else _round(state, state.round, names),
        tuple(_device(pack, state, one, names) for one in state.devices.values()),
        frozenset((names[one.id], _deck(one)) for one in state.decks.values()),
        frozenset(_holds(state, names)),
        frozenset(_incidents(state, names)),
        frozenset(_timer(name, names) for name in state.timers),
    )


def outline_of(state: State) -> Hashable:
    """What a state with trouble is known by: the phase, what is held, and how devices stand.

    Where cards lie, and how they came there, is left out.
    """
    names = _names(state)
    now = state.round
    return (
        state.table,
        state.closing,
        None if now is None else (now.phase, bool(now.void), now.cards > 0, now.start_seat is None),
        tuple(state.method.values()),
        frozenset(_holds(state, names)),
        tuple(
            (
                one.link,
                bool(one.jam),
                frozenset(one.faults),
                one.working,
                one.service,
                one.retired,
                bool(one.sign),
            )
            for one in state.devices.values()
        ),
        frozenset(one.places["withdrawn"] > 0 for one in state.decks.values()),
    )


def _names(state: State) -> dict[str, str]:
    """The decks called by what they are for: the one in play first."""
    machines = [one.deck for one in state.devices.values()]
    order = dict.fromkeys([deck_in_shoe(state), *machines, state.last_deck, *state.decks])
    found = [name for name in order if name in state.decks]
    return {name: f"deck {number}" for number, name in enumerate(found)}


def _amount(count: int, whole: int) -> str:
    """How many, against what would be all."""
    for words, number in (("none", 0), ("one", 1), ("all", whole), ("all but one", whole - 1)):
        if count == number:
            return words
    return "some" if count < whole else "more"


def _held_against(count: int | None, right: int) -> str:
    return "unknown" if count is None else "right" if count == right else "less" if count < right else "more"


def _round(state: State, now: Round, names: Mapping[str, str]) -> Hashable:
    hands = deal.hands_due(state)
    due = deal.cards_due(state)
    left = state.setup.deck_total - now.cards
    return (
        now.phase,
        bool(now.void),
        now.bets_closed,
        min(now.shakes, 3),
        now.total is None,
        now.start_seat is None,
        names.get(now.deck, ""),
        _amount(now.stacks, hands if hands is not None else state.setup.positions + 1),
        "" if due is None or not deal.single_cards(state) else _amount(now.cards, due),
        bool(now.cards),
        min(now.wrong_hands, 1),
        now.last_wrong,
        min(now.single, 1),
        min(now.singles_before, 1),
        min(now.face_up, 2),
        _held_against(now.removed, left),
        _held_against(now.counted, left),
        now.shaken_after_deal,
        now.seats is None,
        tuple(sorted(now.notes.items())),
    )


def _device(pack: Pack, state: State, one: Device, names: Mapping[str, str]) -> Hashable:
    permits = tuple(
        (key := key_of(state, gate, about)) is not None and granted(state, gate, about, key)
        for gate, about in gates_of(pack, state)
        if about.id == one.id
    )
    return (
        one.link,
        bool(one.jam),
        frozenset(one.faults),
        one.batch is not None,
        names.get(one.deck, ""),
        one.working,
        one.done,
        _held_against(one.counted, state.setup.deck_total),
        len(one.wagers) > 0,
        one.service,
        one.retired,
        bool(one.sign),
        any(inspection.family == one.family for inspection in pack.inspections)
        and one.inspected == state.gaming_day,
        permits,
    )


def _deck(one: Deck) -> Hashable:
    places = tuple(_place(count, one.total) for count in one.places.values())
    return (
        one.present,
        one.shuffled,
        one.count,
        one.composition,
        one.proved,
        "washed" in one.marks or one.preshuffled,
        places,
    )


def _place(count: int, whole: int) -> str:
    return "none" if count == 0 else "all" if count == whole else "some"


def _holds(state: State, names: Mapping[str, str]) -> Iterator[Hashable]:
    for hold in state.holds.values():
        subject = names.get(hold.subject_id, hold.subject_id)
        yield hold.row, hold.index, subject, hold.cause, hold.stops


def _incidents(state: State, names: Mapping[str, str]) -> Iterator[Hashable]:
    now = state.round.number if state.round else 0
    for one in state.incidents.values():
        subject = "" if one.subject == "round" else names.get(one.subject_id, one.subject_id)
        yield one.row, subject, one.round == now


def _timer(name: str, names: Mapping[str, str]) -> str:
    clock, _, about = name.partition("/")
    return f"{clock}/{names.get(about, about)}"
