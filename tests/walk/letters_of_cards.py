"""What devices that handle cards may tell, each family as far as its works allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table import deal
from felt_protocols.events import card, deck, device

from .hands import Letter
from .letters_of_small_devices import SMALL_LETTERS
from .telling import letters_told_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from felt_daemon.rules import Pack
    from felt_daemon.table import State
    from felt_daemon.table.state import Device
    from felt_protocols.events import Fact

    from .hands import Hands

    Fits = Callable[[State], bool]

# The values of a face-up card that games look at, and one that they do not.
RANKS = ("A", "10", "6")


def _at_hand(state: State) -> bool:
    """Whether somebody can put cards into a machine."""
    return any(one.present and (one.places["hand"] or one.places["discard"]) for one in state.decks.values())


def _wants_shuffle(state: State) -> bool:
    """Whether people have a deck that wants its shuffle."""
    return any(
        one.present and not one.shuffled and one.places["hand"] + one.places["discard"] == one.total
        for one in state.decks.values()
    )


def _shuffled_at_hand(state: State) -> bool:
    return any(one.shuffled and one.places["hand"] == one.total for one in state.decks.values())


def _dealt(state: State) -> bool:
    """Whether cards of the round are out."""
    return state.round is not None and state.round.cards > 0


def _shuffler(_pack: Pack, name: str) -> Iterator[Letter]:
    letter = letters_told_by(name)

    def whole(state: State, less: int = 0) -> int:
        return state.setup.deck_total - less

    def empty(one: Device, state: State) -> bool:
        return one.batch is None and not one.jam and _at_hand(state)

    def idle(one: Device, _state: State) -> bool:
        return one.batch is not None and not one.working and not one.done and not one.jam

    def working(one: Device, _state: State) -> bool:
        return one.batch is not None and one.working

    def batch(one: Device) -> int:
        assert one.batch is not None
        return one.batch

    def completed(mode: str, count: Callable[[State], int | None]) -> Callable[[Device, State], Fact]:
        return lambda one, state: deck.ShuffleCompleted.model_validate(
            {"device": name, "batch": batch(one), "mode": mode, "count": count(state)}
        )

    for says, count in (("", whole), (", uncounted", lambda _state: None)):
        yield letter(
            f"a deck is put in{says}",
            lambda _one, state, count=count: deck.DeckLoaded(
                device=name, batch=state.seq + 1, count=count(state)
            ),
            empty,
            "play" if not says else "strange",
            _wants_shuffle,
        )
    yield letter(
        "the shuffle begins", lambda one, _state: deck.ShuffleStarted(device=name, batch=batch(one)), idle
    )
    yield letter("the shuffle is done, all there", completed("shuffle", whole), working)
    yield letter(
        "the shuffle is done, uncounted", completed("shuffle", lambda _state: None), working, "trouble"
    )
    yield letter(
        "the shuffle is done, one short",
        completed("shuffle", lambda state: whole(state, 1)),
        working,
        "trouble",
    )
    yield letter("the deck is sorted", completed("sort", whole), working, "trouble")
    for why in ("jam", "stopped", "incomplete"):
        yield letter(
            f"it breaks off, {why}",
            lambda one, _state, why=why: deck.ShuffleInterrupted.model_validate(
                {"device": name, "batch": batch(one), "why": why}
            ),
            working,
            "trouble" if why != "incomplete" else "strange",
        )
    yield letter("its jam is cleared", _cleared(name), lambda one, _state: bool(one.jam), "remedy")
    for says, out in (("all", 0), ("some", 2)):
        yield letter(
            f"{says} of its cards are taken out",
            lambda one, state, out=out: deck.DeckUnloaded(
                device=name, batch=one.batch or 0, count=whole(state, out)
            ),
            lambda one, _state: one.batch is not None and not one.working,
            "play" if not out else "trouble",
            lambda state: state.devices[name].done,
        )
    yield letter(
        "it counts what is inside",
        lambda _one, state: deck.InsideCounted(device=name, count=whole(state)),
        lambda one, _state: one.batch is not None,
        "strange",
    )


def _cleared(name: str) -> Callable[[Device, State], Fact]:
    return lambda _one, _state: device.DeviceCleared(device=name)


def _in_shoe(_one: Device, state: State) -> bool:
    return any(one.places["shoe"] for one in state.decks.values())


def _gives(one: Device, state: State) -> bool:
    """Whether cards come out of the shoe."""
    return _in_shoe(one, state) and not one.jam


def _shoe(pack: Pack, name: str) -> Iterator[Letter]:
    letter = letters_told_by(name)

    def empty(one: Device, state: State) -> bool:
        return not _in_shoe(one, state) and not one.jam and _at_hand(state)

    for says, less in (("", 0), (", one short", 1), (", uncounted", None)):
        yield letter(
            f"a deck is put in{says}",
            lambda _one, state, less=less: card.ShoeLoaded(
                device=name, count=None if less is None else state.setup.deck_total - less
            ),
            empty,
            "play" if less == 0 else "trouble" if less else "strange",
            lambda state: _shuffled_at_hand(state) and not _dealt(state),
        )
    yield from _dispensed(pack, name)
    yield from _drawn(pack, name, _gives)
    yield from _shoe_troubles(name, _in_shoe)
    for says, less in (("all", 0), ("all but one", 1), ("all, uncounted,", None)):
        yield letter(
            f"{says} of what is left is taken out",
            lambda _one, state, less=less: card.ShoeUnloaded(device=name, count=_left_in_shoe(state, less)),
            # Where the books have the cards elsewhere, a shoe that is held still says that they are out.
            lambda one, state: (
                _in_shoe(one, state) or any(hold.subject_id == one.id for hold in state.holds.values())
            ),
            "play" if less == 0 else "trouble" if less else "strange",
            lambda state: _is_over(pack, state),
        )


def _is_over(pack: Pack, state: State) -> bool:
    """Whether nothing more comes out of the shoe in this round, as far as anybody knows how many play."""
    return (
        state.phase == "void"
        or not any(one.places["shoe"] for one in state.decks.values())
        or (_dealt(state) and (state.phase not in pack.deals_in or deal.hands_due(state) is None))
    )


def _left_in_shoe(state: State, less: int | None) -> int | None:
    inside = sum(one.places["shoe"] for one in state.decks.values())
    return None if less is None else max(0, inside - less)


def _shoe_troubles(name: str, there: Callable[[Device, State], bool]) -> Iterator[Letter]:
    letter = letters_told_by(name)
    yield letter("it jams", lambda _one, _state: card.ShoeJammed(device=name), there, "trouble")
    yield letter("it stops", lambda _one, _state: card.ShoeStopped(device=name), there, "trouble")
    yield letter("its jam is cleared", _cleared(name), lambda one, _state: bool(one.jam), "remedy")
    yield letter("it is empty", lambda _one, _state: card.ShoeEmptied(device=name), there, "strange")
    yield letter(
        "the cover card comes", lambda _one, _state: card.CoverCardDrawn(device=name), there, "trouble"
    )


def _dispensed(pack: Pack, name: str) -> Iterator[Letter]:
    if not any("stack-dispensed" in move.on for move in pack.moves):
        return
    letter = letters_told_by(name)

    def due(state: State) -> int:
        share = deal.next_share(state)
        return share.cards if share else state.setup.hand_cards

    for says, more in (("right", 0), ("short", -1), ("long", 1)):
        yield letter(
            f"a {says} stack comes",
            lambda _one, state, more=more: card.StackDispensed(device=name, size=due(state) + more),
            _gives,
            "play" if not more else "trouble" if more < 0 else "strange",
            lambda state: deal.next_share(state) is not None or deal.pattern_of(state) is None,
        )

    def go_on(hands: Hands) -> None:
        hands_due = deal.hands_due(hands.state) or hands.state.setup.positions + 1
        for _ in range(hands_due):
            now = hands.state.round
            if now is None or now.void or now.stacks >= hands_due - 1:
                break
            hands.tell(card.StackDispensed(device=name, size=due(hands.state)))

    yield Letter(
        f"{name}: all stacks but the last come",
        "play",
        go_on,
        lambda state: (
            state.devices[name].link == "ready"
            and _gives(state.devices[name], state)
            and state.round is not None
        ),
        name,
    )


def _drawn(pack: Pack, name: str, there: Callable[[Device, State], bool]) -> Iterator[Letter]:
    letter = letters_told_by(name)
    singles = any(pattern.unit == "card" for pattern in pack.patterns)
    yield letter(
        "a card lies face up in it",
        lambda _one, _state: card.CardDrawn(device=name, face_up=True, rank="A", suit="spades"),
        there,
        "trouble",
    )
    yield letter(
        "a card comes face down",
        lambda _one, _state: card.CardDrawn(device=name, face_up=False),
        there,
        "play" if singles else "trouble",
    )
    if not singles:
        return
    for rank in RANKS:
        yield letter(
            f"a {rank} comes and is shown",
            lambda _one, _state, rank=rank: card.CardDrawn.model_validate(
                {"device": name, "face_up": False, "shown": True, "rank": rank, "suit": "spades"}
            ),
            there,
        )

    def go_on(hands: Hands) -> None:
        due = deal.cards_due(hands.state) or 0
        for _ in range(due + hands.state.burns):
            now = hands.state.round
            if now is None or now.void or now.cards >= due - 1:
                break
            hands.tell(card.CardDrawn(device=name, face_up=False))

    yield Letter(
        f"{name}: all cards of the deal but the last come",
        "play",
        go_on,
        lambda state: (
            state.devices[name].link == "ready"
            and there(state.devices[name], state)
            and state.round is not None
            and state.round.cards < (deal.cards_due(state) or 0) - 1
        ),
        name,
    )


def _endless(pack: Pack, name: str) -> Iterator[Letter]:
    letter = letters_told_by(name)

    def inside(_one: Device, state: State) -> bool:
        return any(one.places["shuffler"] for one in state.decks.values())

    def gives(one: Device, state: State) -> bool:
        return inside(one, state) and not one.jam

    def outside(state: State) -> int:
        return sum(
            one.places[place]
            for one in state.decks.values()
            if one.present
            for place in ("hand", "table", "discard")
        )

    for says, count in (("", outside), (", uncounted", lambda _state: None)):
        yield letter(
            f"cards are put in{says}",
            lambda _one, state, count=count: card.CardsReturned(device=name, count=count(state)),
            lambda one, state: not one.jam and outside(state) > 0,
            "play" if not says else "trouble",
        )
    yield from _drawn(pack, name, gives)
    yield from _shoe_troubles(name, inside)
    for says, less in (("right", 0), ("one short", 1)):
        yield letter(
            f"it counts what is inside, {says}",
            lambda _one, state, less=less: deck.InsideCounted(
                device=name, count=max(0, sum(one.places["shuffler"] for one in state.decks.values()) - less)
            ),
            lambda _one, _state: True,
            "play" if not less else "trouble",
        )
    for why in ("jam", "stopped", "incomplete"):
        yield letter(
            f"it breaks off, {why}",
            lambda _one, _state, why=why: deck.ShuffleInterrupted.model_validate(
                {"device": name, "batch": 0, "why": why}
            ),
            inside,
            "trouble" if why == "jam" else "strange",
        )
    yield letter(
        "all its cards are taken out",
        lambda _one, state: card.ShoeUnloaded(
            device=name, count=sum(one.places["shuffler"] for one in state.decks.values())
        ),
        inside,
        "trouble",
    )


CARD_LETTERS: Mapping[str, Callable[[Pack, str], Iterator[Letter]]] = {
    "shuffler": _shuffler,
    "shoe": _shoe,
    "continuous-shuffler": _endless,
    **SMALL_LETTERS,
}
