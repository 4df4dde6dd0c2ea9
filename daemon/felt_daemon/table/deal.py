"""Who gets which card when: the pattern of the deal, laid out for the positions that play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from felt_daemon.rules.dealing import Pattern, Step, Target
    from felt_daemon.table.state import Round, State

DEALER = 0
EXTRA = "extra"
STACK = "stack"
# Cards that are no part of any hand.
NOBODYS = frozenset({"burn", "face-up", "stray"})
CARD = "card"


@dataclass(frozen=True, slots=True)
class Share:
    """What comes out in one go: to whom, at which position (0 is the dealer), and how many cards.

    `seat` is none for what is nobody's hand, and where it is not known, or never told, where dealing starts.
    """

    to: Target
    seat: int | None
    cards: int
    face: str


def pattern_of(state: State) -> Pattern | None:
    """The pattern of the way in which cards are dealt here; none where the pack has none."""
    way = state.method.get("deal", "")
    return next((one for one in state.setup.patterns if way in one.deal), None)


def single_cards(state: State) -> bool:
    """Whether the device that is dealt from tells of single cards in their turn."""
    pattern = pattern_of(state)
    return pattern is not None and pattern.unit == CARD


def dealt_from_shoe(state: State) -> bool:
    """Whether the table's shoe is what is dealt from: not in a way that it is not made for."""
    return state.setup.shoe_kind in {"", state.method.get("deal")}


def begun(state: State) -> bool:
    """Whether the cards of the round are being dealt or are out; a card out of turn is no deal."""
    now = state.round
    return now is not None and bool(now.stacks or (now.cards and single_cards(state)))


def shares(state: State) -> tuple[Share, ...] | None:
    """The whole deal of this round in order; none where nobody has said who plays, or there is no pattern."""
    pattern, now = pattern_of(state), state.round
    if pattern is None or now is None:
        return None
    return _laid_out(pattern, now.seats, now.start_seat, state.setup.positions)


def _laid_out(
    pattern: Pattern, seats: tuple[int, ...] | None, start: int | None, positions: int
) -> tuple[Share, ...] | None:
    if seats is None and any(step.to == "seats" for step in pattern.steps):
        return None
    turn: list[Share] = []
    for step in (one for one in pattern.steps if one.cards):
        turn += _turn(pattern, step, seats or (), start, positions)
    return tuple(turn) * pattern.times


def _turn(
    pattern: Pattern, step: Step, seats: tuple[int, ...], start: int | None, positions: int
) -> list[Share]:
    found: list[int | None]
    if step.to == "positions":
        ring = [*range(1, positions + 1), DEALER]
        found = [*_from(pattern, ring, start)]
    elif step.to == "seats":
        found = [*_from(pattern, list(seats), start)]
    else:
        found = [DEALER if step.to == "dealer" else None]
    if pattern.unit == CARD:
        # Whoever gets several in one go gets them one after the other all the same.
        return [Share(step.to, seat, 1, step.face) for seat in found for _ in range(step.cards)]
    return [Share(step.to, seat, step.cards, step.face) for seat in found]


def _from(pattern: Pattern, ring: list[int], start: int | None) -> list[int] | list[None]:
    """The ring clockwise from where dealing starts; whose each is stays open until that is known."""
    if pattern.start == "left":
        return ring
    if start is None:
        return [None] * len(ring)
    first = next((index for index, seat in enumerate(ring) if seat == start), 0)
    return [*ring[first:], *ring[:first]]


def cards_due(state: State) -> int | None:
    """Cards that the whole deal of this round takes; none where that is not known."""
    deal = shares(state)
    return None if deal is None else sum(share.cards for share in deal)


def hands_due(state: State) -> int | None:
    """Stacks, or where cards come one by one hands, of this round; none where that is not known."""
    pattern, now = pattern_of(state), state.round
    if pattern is None:
        return state.setup.positions + 1
    if now is None:
        return None
    # How many they are does not depend on where dealing starts.
    start = DEALER if now.start_seat is None else now.start_seat
    deal = _laid_out(pattern, now.seats, start, state.setup.positions)
    if deal is None:
        return None
    if pattern.unit == STACK:
        return len(deal)
    return len({(share.to, share.seat) for share in deal if share.to != EXTRA})


def next_share(state: State) -> Share | None:
    """Who gets what comes out next; none past the end of the deal, and where that is not known."""
    deal, now = shares(state), state.round
    if deal is None or now is None or now.passed_over:
        return None
    done = now.cards if single_cards(state) else now.stacks
    return deal[done] if done < len(deal) else None


def players_dealt(state: State) -> bool | None:
    """Whether every position that gets cards has all those of the deal, whatever the dealer has.

    None where nobody has said who plays, and once somebody was passed over.
    """
    deal, now = shares(state), state.round
    if deal is None or now is None or now.passed_over:
        return None
    done = now.cards if single_cards(state) else now.stacks
    return not any(share.to in {"seats", "positions"} and share.seat != DEALER for share in deal[done:])


def last_share(state: State) -> Share | None:
    """Whose the card or the stack was that came out last.

    None where it was nobody's, and where that is not known.
    """
    deal, now = shares(state), state.round
    if deal is None or now is None or now.passed_over or state.drawn in NOBODYS:
        return None
    done = now.cards if single_cards(state) else now.stacks
    return deal[done - 1] if 0 < done <= len(deal) else None


def wrong_stack(state: State, now: Round, size: int) -> bool:
    """Whether the stack that comes after `now` is a hand with a wrong number of cards.

    What comes after the last hand is none.
    """
    pattern = pattern_of(state)
    if pattern is None:
        return now.stacks <= state.setup.positions and size != state.setup.hand_cards
    share = next_share(state)
    if share is not None:
        return size != share.cards
    # Nobody has said how many play: any size that some hand has may be right.
    return shares(state) is None and size not in {step.cards for step in pattern.steps}


def all_dealt(state: State) -> bool:
    """Whether every hand of the round is out, as far as that is known."""
    now, hands = state.round, hands_due(state)
    if now is None or hands is None:
        return False
    return _cards_out(state, now) if single_cards(state) else now.stacks >= hands


def _cards_out(state: State, now: Round) -> bool:
    due = cards_due(state)
    return due is not None and now.cards >= due


def players(state: State) -> int:
    """Hands of players in the round: the positions that play, or an upper bound where nobody has said so."""
    now = state.round
    return state.setup.positions if now is None or now.seats is None else len(now.seats)
