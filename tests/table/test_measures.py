"""What every measure says that a pack may ask for, in states made for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules.condition import parse
from felt_daemon.table.focus import focus_of
from felt_daemon.table.interlock import inhibits
from felt_daemon.table.lookup import lookup_for
from felt_daemon.table.measures import MEASURES
from felt_protocols.events import Event, card, deck, device, draw, person, station, system

from .felt import DEALER, FLOOR, PACK, Felt, opened, setup_of
from .small_games import SINGLES, STACKS, open_small

if TYPE_CHECKING:
    from collections.abc import Callable

SHOE = card.ShoeEmptied(device="shoe-1")
SHUFFLER = deck.ShuffleStarted(device="shuffler-1", batch=9)
SHAKER = draw.ShakerUncovered(device="shaker-1")


def closed() -> Felt:
    """Devices are heard, nothing else was told."""
    felt = Felt()
    felt.start()
    felt.connect()
    return felt


def dealt() -> Felt:
    """Seven stacks of red are out."""
    felt = opened()
    felt.ready_to_deal()
    felt.deal()
    return felt


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


def second() -> Felt:
    """The second round, red in the shuffler and blue in the shoe."""
    felt = opened()
    felt.play_round()
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


def one_deck() -> Felt:
    """Red is dealt; blue was never brought."""
    felt = closed()
    felt.change_deck("red")
    felt.shuffle()
    felt.to_shoe()
    felt.tell(person.TableOpened(by=FLOOR), card.StackDispensed(device="shoe-1", size=7))
    return felt


def second_dealt() -> Felt:
    """Blue is dealt while red lies in the rack."""
    felt = dealt()
    felt.finish()
    felt.to_shoe()
    felt.deal(7)
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


def told(make: Callable[[], Felt], *facts: Any) -> Felt:  # noqa: ANN401 - facts of any class
    """A table to which more was told."""
    felt = make()
    felt.tell(*facts)
    return felt


FOUR = card.ShoeUnloaded(device="shoe-1", count=4)
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
THREE = person.DeckCounted(by=DEALER, deck="red", count=3, part="remaining")
FACE_UP = card.CardDrawn(device="shoe-1", face_up=True)
SINGLE = card.CardDrawn(device="shoe-1", face_up=False)
STACK = card.StackDispensed(device="shoe-1", size=4)
GONE = device.DeviceLost(device="shaker-1", why="silent")
NO_SHUFFLER = device.DeviceLost(device="shuffler-1", why="silent")
OUT = deck.DeckUnloaded(device="shuffler-1", batch=2, count=53)
JAM = deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum")
WRONG = deck.ShuffleCompleted(device="shuffler-1", batch=2, mode="shuffle", count=52)

BY_HAND = person.MethodChosen(by=FLOOR, shuffle="hand", deal="manual-shoe", start="button")
IN_SERVICE = person.ServiceBegun(by=FLOOR, device="shaker-1", why="a new lid")
NEW = person.DeckChanged(by=FLOOR, deck="red")
WITHDRAWN = person.CardWithdrawn(by=FLOOR, deck="red", place="hand", why="bent")
COVERED = person.SignMoved(by=FLOOR, device="shoe-1", sign="covered")
REFUSED = device.DeviceRefused(device="shoe-1", why="serial")
STALE = device.DeviceStale(device="shoe-1", silent_ms=1500)
IN_ORDER = person.Inspected(by=FLOOR, device="shoe-1", result="in-order")
NOT_IN_ORDER = person.Inspected(by=FLOOR, device="shoe-1", result="not-in-order")
UNUSABLE = person.Reported(by=DEALER, report="shoe-unusable", device="shoe-1")
DRIVER = device.DeviceFaulted(device="shoe-1", code="driver")
MOTOR = device.DeviceFaulted(device="shoe-1", code="motor")
NO_SHOE_ANY_MORE = person.DeviceRetired(by=FLOOR, device="shoe-1")
LOCKED = station.ProgressiveBetsLocked(device="station-1", seats=(2, 3, 5))
TODAY = system.GamingDayBegan(day="2030-05-01")
TOMORROW = system.GamingDayBegan(day="2030-05-02")

SAID: list[tuple[str, Felt, Event, object]] = [
    ("bets_closed", closed(), SHOE, None),
    ("bets_closed", opened(), SHOE, False),
    ("bets_closed", dealt(), SHOE, True),
    ("shakes", dealt(), SHOE, 3),
    ("stacks", dealt(), SHOE, 7),
    ("hand", dealt(), SHOE, 7),
    ("wrong_hands", dealt(), SHOE, 0),
    ("wrong_hands", told(opened, STACK, STACK), SHOE, 2),
    ("wrong_hands", told(dealt, STACK), SHOE, 0),
    ("face_up_cards", told(opened, FACE_UP), SHOE, 1),
    ("dice_total", dealt(), SHOE, 6),
    ("shaken_after_deal", dealt(), SHOE, False),
    ("phase", closed(), SHOE, "none"),
    ("phase", dealt(), SHOE, "dealt"),
    ("table", closed(), SHOE, "closed"),
    ("table", dealt(), SHOE, "open"),
    ("left", closed(), SHOE, None),
    ("left", dealt(), SHOE, None),
    ("left", told(dealt, FOUR), SHOE, 4),
    ("left", told(dealt, FOUR, THREE), SHOE, 3),
    ("left", told(dealt, SINGLE, FOUR), SHOE, 5),
    ("left", told(dealt, STACK, FOUR), SHOE, None),
    ("left", told(dealt, STACK, FOUR, THREE), SHOE, 3),
    ("left", told(dealt, FACE_UP, FOUR), SHOE, 5),
    ("start_known", closed(), SHOE, False),
    ("start_known", opened(), SHOE, False),
    ("start_known", dealt(), SHOE, True),
    ("start_awaited", opened(), SHOE, True),
    ("start_awaited", dealt(), SHOE, False),
    ("start_awaited", told(opened, GONE), SHOE, False),
    ("start_awaited", told(opened, device.DeviceFaulted(device="shaker-1", code="lid")), SHOE, False),
    ("start_awaited", Felt(setup=setup_of(devices={"shoe-1": "shoe"})), SHOE, False),
    ("deck", dealt(), SHOE, "red"),
    ("deck", dealt(), SHUFFLER, "blue"),
    ("deck", dealt(), SHAKER, "red"),
    ("deck", closed(), SHOE, None),
    ("deck", closed(), system.ClockTrusted(), None),
    ("deck_shuffled", opened(), SHOE, True),
    ("deck_shuffled", dealt(), SHOE, True),
    ("deck_shuffled", closed(), SHOE, None),
    ("deck_proved", opened(), SHOE, True),
    ("deck_proved", closed(), SHOE, None),
    ("aged_decks", opened(), SHOE, 0),
    ("aged_decks", told(opened, system.TimerUnknown(timer="deck-age/red")), SHOE, 0),
    ("aged_decks", told(opened, system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0)), SHOE, 1),
    ("deck_dealt", second(), SHOE, False),
    ("deck_dealt", dealt(), SHOE, True),
    ("deck_dealt", dealt(), SHUFFLER, False),
    ("deck_dealt", dealt(), system.ClockTrusted(), True),
    ("deck_dealt", closed(), system.ClockTrusted(), False),
    ("deck_dealt_last", second(), SHOE, False),
    ("deck_dealt_last", second(), SHUFFLER, True),
    ("deck_dealt_last", closed(), SHOE, False),
    ("deck_in_shuffler", opened(), SHUFFLER, 53),
    ("deck_in_shuffler", closed(), SHUFFLER, None),
    ("deck_left_in_shoe", opened(), SHOE, 53),
    ("deck_left_in_shoe", dealt(), SHOE, 4),
    ("deck_left_in_shoe", closed(), SHOE, None),
    ("deck_quarter", opened(), SHOE, 14),
    ("deck_quarter", closed(), SHOE, None),
    ("cards_may_be_out", closed(), SHOE, False),
    ("cards_may_be_out", opened(), SHOE, False),
    ("cards_may_be_out", plays(2, 3), SHOE, False),
    ("cards_may_be_out", of_players(), SHOE, True),
    ("deck_counted_inside", opened(), SHUFFLER, 53),
    ("deck_counted_inside", told(opened, OUT, deck.DeckLoaded(device="shuffler-1", batch=3)), SHUFFLER, 53),
    (
        "deck_counted_inside",
        told(opened, deck.DeckLoaded(device="shuffler-1", batch=3, count=52)),
        SHUFFLER,
        52,
    ),
    ("deck_counted_inside", told(opened, WRONG), SHUFFLER, 52),
    ("deck_counted_inside", closed(), SHUFFLER, None),
    ("deck_counted_inside", opened(), system.ClockTrusted(), None),
    ("other_deck_playable", opened(), SHOE, True),
    ("other_deck_playable", told(opened, device.LightShown(device="shuffler-1", colour="red")), SHOE, False),
    ("other_deck_playable", closed(), SHOE, False),
    ("other_deck_in_rack", closed(), SHOE, None),
    ("other_deck_in_rack", opened(), SHOE, 0),
    ("other_deck_in_rack", told(dealt, OUT, card.ShoeUnloaded(device="shoe-1")), SHOE, 0),
    # Before the round's first card the deck in the shoe is its own.
    ("other_deck_astray", told(opened, OUT), SHOE, 53),
    ("other_deck_astray", opened(), SHOE, 0),
    ("other_deck_astray", closed(), SHOE, 0),
    ("other_deck_astray", dealt(), SHOE, 0),
    ("other_deck_astray", told(dealt, OUT), SHOE, 53),
    ("other_deck_astray", told(one_deck), SHOE, 0),
    ("other_deck_astray", told(dealt, OUT, JAM), SHOE, 0),
    ("other_deck_astray", told(dealt, OUT, device.DeviceFaulted(device="shuffler-1", code="x")), SHOE, 0),
    ("other_deck_in_rack", told(second_dealt), SHOE, 53),
    ("other_deck_astray", told(dealt, OUT, NO_SHUFFLER), SHOE, 0),
    ("other_deck_astray", told(dealt, OUT, device.OrderLeaked(device="shuffler-1")), SHOE, 0),
    ("family", opened(), SHOE, "shoe"),
    ("family", opened(), system.ClockTrusted(), None),
    ("device_working", told(opened, SHUFFLER), SHUFFLER, True),
    ("device_working", opened(), SHUFFLER, False),
    ("device_working", opened(), system.ClockTrusted(), False),
    ("device_has_deck", opened(), SHUFFLER, True),
    ("device_has_deck", told(opened, OUT), SHUFFLER, False),
    ("device_has_deck", opened(), system.ClockTrusted(), False),
    ("shoe_deck", opened(), SHOE, "red"),
    ("shoe_deck", closed(), SHOE, None),
    ("shoe_deck", told(dealt, FOUR), SHOE, None),
    ("shoe_deck_shuffled", opened(), SHOE, True),
    ("shoe_deck_shuffled", closed(), SHOE, None),
    ("permitted", opened(), SHOE, False),
    ("permitted", dealt(), SHOE, True),
    ("permitted", dealt(), SHAKER, False),
    ("permitted", dealt(), system.ClockTrusted(), False),
    ("clock_running", opened(), SHAKER, True),
    ("clock_running", opened(), SHOE, False),
    ("clock_running", closed(), SHAKER, False),
    ("clock_running", opened(), system.ClockTrusted(), False),
    ("device_in_trouble", opened(), SHOE, False),
    ("device_in_trouble", told(opened, card.ShoeJammed(device="shoe-1")), SHOE, True),
    ("device_in_trouble", told(opened, device.DeviceFaulted(device="shoe-1", code="driver")), SHOE, True),
    ("device_in_trouble", opened(), system.ClockTrusted(), False),
    ("device_faulty", told(opened, card.ShoeJammed(device="shoe-1")), SHOE, False),
    ("device_faulty", told(opened, DRIVER), SHOE, False),
    ("device_faulty", told(opened, device.DeviceFaulted(device="shoe-1", code="motor")), SHOE, True),
    ("device_faulty", opened(), system.ClockTrusted(), False),
    ("device_refused", opened(), SHOE, False),
    ("device_refused", told(opened, device.OrderLeaked(device="shoe-1")), SHOE, True),
    ("device_refused", opened(), system.ClockTrusted(), False),
    ("shuffle_method", opened(), SHOE, "device"),
    ("shuffle_method", told(opened, BY_HAND), SHOE, "hand"),
    ("shuffle_method", Felt(setup=setup_of(method={})), SHOE, None),
    ("deal_method", told(opened, BY_HAND), SHOE, "manual-shoe"),
    ("deal_before", opened(), SHOE, None),
    ("deal_before", told(opened, BY_HAND), SHOE, "automated-shoe"),
    ("deal_before", told(opened, BY_HAND, BY_HAND), SHOE, "manual-shoe"),
    ("start_method", told(opened, BY_HAND), SHOE, "button"),
    ("start_awaited", told(opened, BY_HAND), SHOE, False),
    ("start_awaited", told(opened, IN_SERVICE), SHOE, False),
    ("bets_told", opened(), SHOE, "told"),
    ("bets_told", Felt(setup=setup_of(told={"no-more-bets": "advice"})), SHOE, "advice"),
    ("deck_prepared", opened(), SHOE, True),
    ("deck_prepared", told(closed, NEW), WITHDRAWN, False),
    ("deck_prepared", told(closed, NEW.model_copy(update={"preshuffled": True})), WITHDRAWN, True),
    ("deck_prepared", closed(), SHOE, None),
    ("deck_withdrawn", told(closed, NEW), WITHDRAWN, 0),
    ("deck_withdrawn", told(closed, NEW, WITHDRAWN, WITHDRAWN), WITHDRAWN, 2),
    ("deck_withdrawn", closed(), SHOE, None),
    ("deck_on_hold", opened(), SHOE, False),
    ("deck_on_hold", told(opened, JAM), SHOE, True),
    ("deck_on_hold", told(opened, system.TimerUnknown(timer="deck-age/red")), SHOE, False),
    ("deck_on_hold", closed(), SHOE, False),
    ("clock", opened(), system.TimerDue(timer="dice-age/shaker-1", overdue_s=0), "dice-age"),
    ("clock", opened(), system.TimerUnknown(timer="deck-age/red"), "deck-age"),
    ("clock", opened(), SHOE, None),
    ("deck_in_doubt", opened(), SHOE, False),
    ("deck_in_doubt", told(opened, JAM), SHOE, False),
    ("deck_in_doubt", told(opened, system.TimerUnknown(timer="deck-age/red")), SHOE, False),
    ("deck_in_doubt", closed(), system.ClockTrusted(), False),
    ("deck_clocks", opened(), SHOE, 2),
    ("deck_clocks", told(opened, system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0)), SHOE, 1),
    ("deck_clocks", closed(), SHOE, None),
    ("deck_verified", opened(), SHOE, True),
    ("deck_verified", told(opened, WRONG), SHUFFLER, False),
    ("deck_verified", told(opened, JAM), SHUFFLER, False),
    ("deck_verified", closed(), SHOE, None),
    ("device_contradicts", opened(), SHUFFLER, True),
    ("device_contradicts", opened(), SHOE, True),
    ("device_contradicts", dealt(), SHOE, False),
    ("device_contradicts", told(opened, WRONG), SHUFFLER, False),
    ("device_contradicts", closed(), SHOE, False),
    ("device_sound", opened(), SHOE, True),
    ("device_sound", told(opened, card.ShoeJammed(device="shoe-1")), SHOE, False),
    ("device_sound", told(opened, device.DeviceStale(device="shoe-1", silent_ms=1500)), SHOE, False),
    ("device_sound", opened(), system.ClockTrusted(), False),
    ("device_signed", opened(), SHOE, False),
    ("device_signed", told(opened, COVERED), SHOE, True),
    ("device_signed", opened(), system.ClockTrusted(), False),
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
    ("inspected_today", told(opened, IN_ORDER), SHOE, None),
    ("inspected_today", told(opened, TODAY), SHOE, False),
    ("inspected_today", told(opened, TODAY, IN_ORDER), SHOE, True),
    ("inspected_today", told(opened, TODAY, IN_ORDER), SHAKER, False),
    ("inspected_today", told(opened, TODAY, IN_ORDER, NOT_IN_ORDER), SHOE, False),
    ("inspected_today", told(opened, TODAY, IN_ORDER, TOMORROW), SHOE, False),
    ("inspected_today", told(opened, TODAY), system.ClockTrusted(), False),
    # The deal: more of it is in test_the_deal.py and test_notes_and_compositions.py.
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
    # What games dealt from a shoe ask: more of it is in test_permits_for_a_whole_round.py.
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
    ("device_cards_believed", opened(), SHOE, 53),
    ("device_cards_believed", told(dealt, FOUR), SHOE, 0),
    ("device_cards_believed", opened(), SHUFFLER, 53),
    ("device_cards_believed", opened(), SHAKER, 0),
    ("device_cards_believed", opened(), system.ClockTrusted(), None),
]


@pytest.mark.parametrize(
    ("name", "felt", "fact", "value"), SAID, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_measure_says(name: str, felt: Felt, fact: Event, value: object) -> None:
    said = lookup_for(PACK, felt.state, fact)(name)
    assert (said, type(said)) == (value, type(value))


def test_every_measure_is_tried_here_and_says_what_it_is() -> None:
    assert {name for name, _felt, _fact, _value in SAID} == set(MEASURES)
    assert all(measure.__doc__ for measure in MEASURES.values())


def test_a_name_is_a_measure_then_a_constant_then_a_field_of_the_fact() -> None:
    lookup = lookup_for(PACK, opened().state, card.StackDispensed(device="shoe-1", size=6))
    assert (lookup("hand_cards"), lookup("size"), lookup("hand")) == (7, 6, 0)
    assert parse("size != hand_cards").holds(lookup)
    with pytest.raises(AttributeError):
        lookup("nobody_knows")


@pytest.mark.parametrize(
    ("fact", "name", "about"),
    [
        (person.DeckChanged(by=FLOOR, deck="blue"), None, "blue"),
        (person.DeckCounted(by=FLOOR, deck="green", count=53, part="deck"), None, None),
        (person.FloorOrdered(by=FLOOR, what_ordered="shuffle", deck="blue"), None, "blue"),
        (person.FloorOrdered(by=FLOOR, what_ordered="shuffle"), None, "red"),
        (person.DiceChanged(by=FLOOR, device="shaker-1"), "shaker-1", "red"),
        (system.TimerDue(timer="dice-age/shaker-1", overdue_s=0), "shaker-1", "red"),
        (system.TimerUnknown(timer="dice-age/shaker-1"), "shaker-1", "red"),
        (system.TimerDue(timer="of-nothing", overdue_s=0), None, None),
        (system.TimerDue(timer="deck-age/blue", overdue_s=0), None, "blue"),
        (deck.InsideCounted(device="shuffler-1", count=40), "shuffler-1", "blue"),
        (device.DeviceBack(device="ghost-9"), None, None),
    ],
)
def test_a_fact_is_about_a_device_and_a_deck(fact: Event, name: str | None, about: str | None) -> None:
    focus = focus_of(opened().state, fact)
    assert (focus.device.id if focus.device else None, focus.deck.id if focus.deck else None) == (name, about)


def test_two_stops_of_one_device_are_one_wish() -> None:
    felt = dealt()
    felt.tell(card.ShoeJammed(device="shoe-1"), card.ShoeStopped(device="shoe-1"))
    assert inhibits(felt.state) == {"shoe-1": "shoe-jam-outside-a-deal"}
