"""Ways out of trouble: what sensible people do, step by step, until nothing is held and the table is closed.

Nobody overrides anything here. A device that is lost for good is never heard again: it gets a sign, the house
goes other ways, and it is retired.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import card

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
# What takes the cards out of a shoe that is held for them.
EMPTY = ": all of what is left is taken out"
# What settles a starting position that is in dispute.
SHAKEN = ": it is shaken three times and read"


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
            if letter.fits(hands.state) and letter.cost(hands.state) == 0 and _helps(hands.state, letter):
                with contextlib.suppress(CommandRefused):
                    letter.act(hands)
        if not held_for_ever(hands.state):
            break
        finish_round(hands, letters, lost)
        if hands.state.seq == before:
            break
    return hands


def _helps(state: State, letter: Letter) -> bool:
    """Whether a step is for something: a remedy is, and what the game has is where its device is held.

    Dice are shaken again where the whole table waits and no starting position is known.
    """
    if letter.name.endswith(SHAKEN):
        waits = any(hold.subject == "table" and hold.gates for hold in state.holds.values())
        return waits and state.round is not None and state.round.start_seat is None
    return letter.kind == "remedy" or any(hold.subject_id == letter.device for hold in state.holds.values())


def _remedies(letters: Sequence[Letter], lost: str) -> Iterator[Letter]:
    """Every remedy that does not take the lost device, decks last."""
    found = [one for one in letters if one.kind == "remedy" and (one.device != lost or not lost)]
    yield from (one for one in letters if one.name.endswith((EMPTY, SHAKEN)) and one.device != lost)
    yield from (one for one in found if not one.name.endswith(LAST))
    yield from (one for one in found if one.name.endswith(LAST))


def do_without(hands: Hands, lost: str) -> None:
    """A device that is lost for good: covered, another way where there is one, its cards fetched, retired."""
    with contextlib.suppress(CommandRefused):
        hands.give(commands.Sign(device=lost, sign="out-of-order"))
    methods, family = hands.pack.methods, hands.state.devices[lost].family
    for word, kind in hands.pack.reports.items():
        # Whoever sees that it does nothing any more reports that.
        if kind.family == family and "device" in kind.asks:
            with contextlib.suppress(CommandRefused):
                hands.give(commands.Report(what=word, device=lost), kind.by[0])
    finish_by_hand(hands)
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
    for _ in range(2):
        now = hands.state.round
        if now is None or not (now.cards or now.void):
            return
        if hands.state.phase == "dealt":
            left = max(0, hands.state.setup.deck_total - now.cards)
            with contextlib.suppress(CommandRefused):
                hands.give(commands.CountCards(deck=now.deck, count=left, part="remaining"), "dealer")
        with contextlib.suppress(CommandRefused):
            if now.void:
                hands.give(commands.ReleaseRound())
            else:
                hands.give(commands.RoundEnd(), "dealer")


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
        run_dry(hands)
        finish_by_hand(hands)
        if hands.state.seq == before:
            return


def run_dry(hands: Hands) -> None:
    """A shoe that gave its last card in the middle of a deal says that it is empty."""
    inside = any(one.places["shoe"] for one in hands.state.decks.values())
    if hands.state.phase != "dealing" or inside:
        return
    for name, one in hands.state.devices.items():
        if one.family == "shoe" and one.link == "ready":
            hands.tell(card.ShoeEmptied(device=name))


def close(pack: Pack, state: State, letters: Sequence[Letter], *, lost: str = "") -> State:
    """Put everything right, close the table, and finish the round that is on."""
    hands = put_right(pack, state, letters, lost=lost)
    with contextlib.suppress(CommandRefused):
        hands.give(commands.CloseTable())
    if hands.state.table != "closed":
        finish_round(hands, letters, lost)
    return hands.state
