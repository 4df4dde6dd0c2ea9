"""What every measure of the deal, of counts and of cards recognised says, at tables made for it.

More of it is in `test_the_deal.py`, `test_notes_and_compositions.py` and `test_permits_for_a_whole_round.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from felt_daemon.table.lookup import lookup_for
from felt_daemon.table.measures import MEASURES, dealing
from felt_protocols.events import Event, card, deck, device, person, station, system

from .felt import DEALER, FLOOR, PACK, Felt, opened, setup_of
from .played_tables import (
    BY_HAND,
    COVERED,
    FACE_UP,
    FOUR,
    GONE,
    JAM,
    NEW,
    NO_SHUFFLER,
    SHOE,
    SHUFFLER,
    STACK,
    THREE,
    WRONG,
    closed,
    dealt,
    second,
    told,
)
from .small_games import SINGLES, STACKS, open_small


def plays(*seats: int) -> Felt:
    """A game of stacks for those who play, before its first one."""
    felt = open_small(STACKS, shoe_1="shoe")
    felt.report("seats-playing", seats=seats)
    return felt


def stacks_of_two() -> Felt:
    """The same game before anybody has said who plays."""
    return open_small(STACKS, shoe_1="shoe")


def stacked() -> Felt:
    """The same for one position, whose stack and the dealer's are out."""
    felt = plays(1)
    felt.deal(2, 2)
    return felt


def of_players() -> Felt:
    """The same, and only the position's is."""
    felt = plays(1)
    felt.deal(2)
    return felt


def passed_over() -> Felt:
    """The same, and the dealer tells that somebody got no stack in his turn."""
    felt = of_players()
    felt.tell(person.Reported(by=DEALER, report="players-card-missed"))
    return felt


def uncounted() -> Felt:
    """The second round of one deck whose shuffler does not count."""
    felt = closed()
    felt.change_deck("red")
    felt.shuffle(None)
    felt.to_shoe()
    felt.tell(person.TableOpened(by=FLOOR))
    felt.ready_to_deal()
    felt.deal()
    felt.finish()
    return felt


def singles() -> Felt:
    """A game of single cards from a shoe, before its first one."""
    return open_small(SINGLES, shoe_1="shoe")


def bet(seat: int, *, present: bool = True) -> station.ProgressiveBet:
    """A wager is laid on a sensor, or taken away."""
    return station.ProgressiveBet(device="station-1", seat=seat, present=present)


def wagers(*facts: Any) -> Felt:  # noqa: ANN401 - facts of any class
    """A closed table with a progressive station that told this."""
    felt = Felt(setup=setup_of(devices={"shoe-1": "shoe", "station-1": "progressive-station"}))
    felt.tell(*facts)
    return felt


def stacked_with_wagers(count: int) -> Felt:
    """The hands of two positions and the dealer are all out; so many positions have a progressive wager."""
    text = STACKS.replace(', { to = "extra" }', "")
    felt = open_small(text, shoe_1="shoe", station_1="progressive-station")
    felt.report("seats-playing", seats=(1, 2))
    felt.tell(*(bet(seat) for seat in range(1, count + 1)))
    felt.deal(2, 2, 2)
    return felt


RED_COUNTED = person.DeckCounted(by=DEALER, deck="red", count=53, part="deck")
BLUE_COUNTED = person.DeckCounted(by=DEALER, deck="blue", count=53, part="deck")
BLUE_BY_HAND = person.Reported(by=DEALER, report="deck-shuffled", deck="blue")
SIGNED = person.SignMoved(by=FLOOR, device="shuffler-1", sign="covered")
LOST_EVENTS = device.EventsLost(device="shoe-1", first=2, last=3)
# Blue goes out of the shuffler into the shoe; and nobody uses the shuffler any more.
FED = (
    card.ShoeUnloaded(device="shoe-1", count=53),
    deck.DeckUnloaded(device="shuffler-1", batch=2, count=53),
    card.ShoeLoaded(device="shoe-1"),
)
SHUFFLED_BY_HAND = person.MethodChosen(by=FLOOR, shuffle="hand", deal="manual-shoe", start="shaker")
SHUFFLER_LOST_EVENTS = device.EventsLost(device="shuffler-1", first=2, last=3)
STRANGER_LOST_EVENTS = device.EventsLost(device="shoe-9", first=2, last=3)
RESTARTED = device.DeviceRestarted(device="shoe-1", device_boot="9", previous_boot="1")
REFUSED = device.DeviceRefused(device="shoe-1", why="serial")
STALE = device.DeviceStale(device="shoe-1", silent_ms=1500)
UNUSABLE = person.Reported(by=DEALER, report="shoe-unusable", device="shoe-1")
MOTOR = device.DeviceFaulted(device="shoe-1", code="motor")
NO_SHOE_ANY_MORE = person.DeviceRetired(by=FLOOR, device="shoe-1")
LOCKED = station.ProgressiveBetsLocked(device="station-1", seats=(2, 3, 5))

SAID: list[tuple[str, Felt, Event, object]] = [
    ("cards_may_be_out", closed(), SHOE, False),
    ("cards_may_be_out", opened(), SHOE, False),
    ("cards_may_be_out", plays(2, 3), SHOE, False),
    ("cards_may_be_out", of_players(), SHOE, True),
    # Nobody can tell of a shoe that is not heard, unless it is out of use.
    ("cards_may_be_out", told(opened, STALE), SHOE, True),
    ("cards_may_be_out", told(opened, STALE, NO_SHOE_ANY_MORE), SHOE, False),
    ("unsigned_shoe", opened(), SHOE, False),
    ("unsigned_shoe", told(opened, NO_SHUFFLER), SHOE, False),
    ("unsigned_shoe", told(opened, REFUSED), SHOE, True),
    ("unsigned_shoe", told(opened, REFUSED, COVERED), SHOE, False),
    ("unsigned_shoe", told(opened, GONE), SHOE, False),
    (
        "unsigned_shoe",
        told(opened, device.DeviceFaulted(device="shoe-1", code="driver")),
        SHOE,
        False,
    ),
    ("unsigned_shoe", told(opened, MOTOR), SHOE, True),
    ("unsigned_shoe", told(opened, UNUSABLE), SHOE, True),
    ("unsigned_shoe", told(opened, STALE), SHOE, False),
    ("seats_playing", opened(), SHOE, None),
    ("seats_playing", closed(), SHOE, None),
    ("seats_playing", plays(2, 3), SHOE, 2),
    ("cards_due", opened(), SHOE, None),
    ("cards_due", plays(2, 3), SHOE, 7),
    ("hands_due", opened(), SHOE, 7),
    ("hands_due", plays(2, 3), SHOE, 4),
    ("hands_due", told(stacks_of_two, person.TableClosed(by=FLOOR)), SHOE, None),
    ("cards_dealt", dealt(), SHOE, 49),
    ("cards_dealt", closed(), SHOE, None),
    ("players_dealt", opened(), SHOE, None),
    ("players_dealt", stacks_of_two(), SHOE, None),
    ("players_dealt", plays(2, 3), SHOE, False),
    ("players_dealt", of_players(), SHOE, True),
    ("players_dealt", passed_over(), SHOE, None),
    ("players_dealt", told(of_players, RESTARTED), SHOE, None),
    ("players_dealt", closed(), SHOE, None),
    ("next_to", plays(2, 3), SHOE, "seats"),
    ("next_to", opened(), SHOE, None),
    ("last_to", stacked(), SHOE, "dealer"),
    ("last_to", opened(), SHOE, None),
    ("last_face", stacked(), SHOE, "down"),
    ("last_face", opened(), SHOE, None),
    ("card_is", opened(), SHOE, None),
    ("card_is", told(opened, card.CardDrawn(device="shoe-1", face_up=False)), SHOE, "out-of-turn"),
    ("last_hand_wrong", told(opened, card.StackDispensed(device="shoe-1", size=6)), SHOE, True),
    ("last_hand_wrong", dealt(), SHOE, False),
    ("last_hand_wrong", closed(), SHOE, False),
    ("may_deal", opened(), SHOE, False),
    ("may_deal", dealt(), SHOE, True),
    ("may_deal", told(dealt, JAM), SHUFFLER, False),
    ("may_deal", opened(), system.ClockTrusted(), False),
    ("device_in_use", opened(), SHOE, True),
    ("device_in_use", opened(), system.ClockTrusted(), False),
    ("shoe_due", opened(), SHOE, None),
    ("shoe_due", told(dealt, card.ShoeUnloaded(device="shoe-1", count=4)), SHOE, 4),
    ("deck_cut", opened(), SHOE, False),
    ("deck_cut", closed(), SHOE, None),
    ("stack_from", opened(), SHOE, "people"),
    ("stack_from", closed(), SHOE, None),
    ("stack_from", told(opened, *FED), SHOE, "shuffler"),
    ("stack_from", told(opened, *FED, SHUFFLED_BY_HAND), SHOE, "people"),
    ("unsigned_shuffler", opened(), SHOE, False),
    ("unsigned_shuffler", told(opened, NO_SHUFFLER), SHOE, True),
    ("unsigned_shuffler", told(opened, MOTOR), SHOE, False),
    ("reader_heard", opened(), SHOE, False),
    ("reader_missing", opened(), SHOE, False),
    ("reader_there", opened(), SHOE, False),
    ("deck_looked_at", opened(), SHOE, True),
    ("deck_looked_at", closed(), SHOE, None),
    ("burns_due", opened(), SHOE, 0),
    ("round_void", dealt(), SHOE, False),
    ("round_void", told(dealt, card.ShoeJammed(device="shoe-1")), SHOE, False),
    ("round_void", told(opened, card.StackDispensed(device="shoe-1", size=6)), SHOE, True),
    ("left_due", dealt(), SHOE, 4),
    ("left_due", opened(), SHOE, None),
    ("left_due", closed(), SHOE, None),
    ("stacks_due", plays(2, 3), SHOE, 4),
    ("stacks_due", opened(), SHOE, 7),
    ("stacks_due", singles(), SHOE, None),
    ("stack_size", opened(), SHOE, 7),
    ("stack_size", singles(), SHOE, None),
    ("stub_due", opened(), SHOE, None),
    ("stub_due", dealt(), SHOE, 4),
    ("stub_due", stacked(), SHOE, 7),
    ("left_least", opened(), SHOE, None),
    ("left_least", told(opened, STACK), SHOE, 53 - 4),
    ("left_least", dealt(), SHOE, 53 - 49 - 1),
    ("left_least", stacked(), SHOE, 8),
    ("left_least", stacked_with_wagers(0), SHOE, 12 - 6),
    ("left_least", stacked_with_wagers(1), SHOE, 12 - 6 - 1),
    ("left_least", stacked_with_wagers(2), SHOE, 12 - 6 - 1),
    ("stub_due_less_one", opened(), SHOE, None),
    ("stub_due_less_one", stacked(), SHOE, 6),
    ("shoe_fitted", opened(), SHOE, True),
    ("shoe_fitted", told(opened, NO_SHOE_ANY_MORE), SHOE, False),
    ("progressive_bets", opened(), SHOE, None),
    ("progressive_bets", wagers(), SHOE, 0),
    ("progressive_bets", wagers(bet(1), bet(4), bet(1)), SHOE, 2),
    ("progressive_bets", wagers(bet(1), bet(4), bet(1, present=False)), SHOE, 1),
    ("progressive_bets", wagers(bet(1), LOCKED), SHOE, 3),
    ("progressive_bets", wagers(LOCKED, person.TableOpened(by=FLOOR)), SHOE, 0),
    ("rounds_since_count", opened(), SHOE, 0),
    ("rounds_since_count", second(), SHOE, 0),
    ("rounds_since_count", uncounted(), SHOE, 1),
    ("rounds_since_count", told(dealt, FOUR, THREE), SHOE, 0),
    ("rounds_since_deck_count", opened(), SHOE, 0),
    ("rounds_since_deck_count", second(), SHOE, 0),
    ("rounds_since_deck_count", uncounted(), SHOE, 1),
    ("rounds_since_deck_count", told(uncounted, RED_COUNTED), SHOE, 0),
    ("shuffler_counts", opened(), SHOE, True),
    ("shuffler_counts", told(opened, NO_SHUFFLER), SHOE, True),
    # What it did once counts for the deck that it shuffled.
    ("shuffler_counts", told(opened, BY_HAND), SHOE, True),
    ("shuffler_counts", told(opened, BLUE_BY_HAND), BLUE_COUNTED, False),
    ("shuffler_counts", told(opened, NEW), RED_COUNTED, True),
    ("shuffler_counts", told(opened, BY_HAND, NEW), RED_COUNTED, False),
    ("shuffler_counts", told(opened, SIGNED, NEW), RED_COUNTED, False),
    ("shuffler_counts", closed(), SHOE, False),
    ("cards_unseen", closed(), SHOE, False),
    ("cards_unseen", opened(), SHOE, False),
    ("cards_unseen", told(opened, LOST_EVENTS), SHOE, True),
    ("cards_unseen", told(opened, RESTARTED), SHOE, True),
    ("cards_unseen", told(opened, SHUFFLER_LOST_EVENTS), SHOE, False),
    ("cards_unseen", told(opened, STRANGER_LOST_EVENTS), SHOE, False),
    ("deck_of_last_round", closed(), SHOE, False),
    ("deck_of_last_round", dealt(), SHOE, False),
    ("deck_of_last_round", second(), RED_COUNTED, True),
    ("left_to_draw", opened(), SHOE, None),
    ("left_to_draw", stacked(), SHOE, 8),
    ("left_to_draw", told(stacked, FACE_UP), SHOE, 7),
    ("inside_due", opened(), SHOE, 53),
    ("inside_due", closed(), SHOE, None),
    ("deck_composition", opened(), SHOE, "not verified"),
    ("deck_composition", closed(), SHOE, None),
    ("deck_foreign", opened(), SHOE, 0),
    ("deck_foreign", closed(), SHOE, None),
    ("deck_missing", told(opened, WRONG), SHUFFLER, 1),
    ("deck_missing", opened(), SHOE, None),
    ("deck_missing", closed(), SHOE, None),
]


@pytest.mark.parametrize(
    ("name", "felt", "fact", "value"), SAID, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_measure_of_the_deal_says(name: str, felt: Felt, fact: Event, value: object) -> None:
    said = lookup_for(PACK, felt.state, fact)(name)
    assert (said, type(said)) == (value, type(value))


def test_every_measure_of_the_deal_is_tried_here_and_says_what_it_is() -> None:
    own = {name: one for name, one in MEASURES.items() if one.__module__ == dealing.__name__}
    assert {name for name, _felt, _fact, _value in SAID} == set(own)
    assert all(measure.__doc__ for measure in own.values())
