"""Ways out of trouble: what sensible people do at a table, step by step, until nothing is held and it is closed.

Nobody overrides anything here. A device that is lost for good is never heard again: it gets a sign, the house
goes other ways, and it is retired.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from felt_protocols import commands
from felt_protocols.errors import CommandRefused

from .hands import Hands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from felt_daemon.rules import Pack
    from felt_daemon.table import State

    from .hands import Letter

# How often everything that may help is tried.
ROUNDS = 8
# What brings a deck is the last thing that is tried.
LAST = (" comes preshuffled", " comes and is prepared")


def held_for_ever(state: State) -> list[str]:
    """The holds that still close a gate, each in words."""
    return [f"{hold.row} on {hold.subject_id}" for hold in state.holds.values() if hold.gates or hold.stops]


def put_right(pack: Pack, state: State, letters: Sequence[Letter], *, lost: str = "") -> Hands:
    """Do what may help, as far as it is for something that is held or unsound, until nothing is held."""
    hands = Hands(pack, state)
    if lost:
        do_without(hands, lost)
    useful = list(_remedies(letters, lost))
    for _ in range(ROUNDS):
        before = hands.state.seq
        for letter in useful:
            if letter.fits(hands.state) and letter.cost(hands.state) == 0:
                with contextlib.suppress(CommandRefused):
                    letter.act(hands)
        if not held_for_ever(hands.state) or hands.state.seq == before:
            break
        finish_round(hands, letters, lost)
    return hands


def _remedies(letters: Sequence[Letter], lost: str) -> Iterator[Letter]:
    """Every remedy that does not take the lost device, decks last."""
    found = [one for one in letters if one.kind == "remedy" and (one.device != lost or not lost)]
    yield from (one for one in found if not one.name.endswith(LAST))
    yield from (one for one in found if one.name.endswith(LAST))


def do_without(hands: Hands, lost: str) -> None:
    """A device that is lost for good: covered, another way where there is one, its cards fetched, retired."""
    with contextlib.suppress(CommandRefused):
        hands.give(commands.Sign(device=lost, sign="out-of-order"))
    finish_by_hand(hands)
    methods, family = hands.pack.methods, hands.state.devices[lost].family
    ways = (
        ()
        if methods is None
        else (("shuffle", methods.shuffle), ("deal", methods.deal), ("start", methods.start))
    )
    for name, words in ways:
        now = words.get(hands.state.method.get(name, ""))
        if now is None or now.family != family:
            continue
        for word, way in words.items():
            if way.family != family:
                with contextlib.suppress(CommandRefused):
                    hands.give(commands.Method.model_validate({name: word}))
                    break
    for name, one in list(hands.state.decks.items()):
        # Whoever takes a deck out of a device counts it.
        with contextlib.suppress(CommandRefused):
            hands.give(commands.CountCards(deck=name, count=one.total - one.places["withdrawn"]), "dealer")
    with contextlib.suppress(CommandRefused):
        hands.give(commands.DeviceRetire(device=lost, shown_empty=True), "tech")


def finish_by_hand(hands: Hands) -> None:
    """End a round by people's word alone, whatever it is; a void one is released."""
    for _ in range(3):
        now = hands.state.round
        if now is None:
            return
        left = hands.state.setup.deck_total - now.cards
        for command, role in (
            (commands.ReleaseRound(), "floor"),
            (commands.CountCards(deck=now.deck or "red", count=max(0, left), part="remaining"), "dealer"),
            (commands.RoundEnd(), "dealer"),
        ):
            with contextlib.suppress(CommandRefused):
                hands.give(command, role)


def finish_round(hands: Hands, letters: Sequence[Letter], lost: str = "") -> None:
    """Play the round to its end, as far as that goes: what is natural, no new round."""
    play = [one for one in letters if one.kind == "play" and (one.device != lost or not lost)]
    number = hands.state.rounds
    for _ in range(ROUNDS):
        before = hands.state.seq
        for letter in play:
            now = hands.state.round
            if now is None or now.number != number or not (now.cards or now.void):
                break
            if letter.fits(hands.state) and letter.cost(hands.state) == 0:
                with contextlib.suppress(CommandRefused):
                    letter.act(hands)
        finish_by_hand(hands)
        if hands.state.seq == before:
            return


def close(pack: Pack, state: State, letters: Sequence[Letter], *, lost: str = "") -> State:
    """Close the table, and finish the round that is on."""
    hands = Hands(pack, state)
    if lost:
        do_without(hands, lost)
    with contextlib.suppress(CommandRefused):
        hands.give(commands.CloseTable())
    if hands.state.table != "closed":
        finish_round(hands, letters, lost)
    return hands.state
