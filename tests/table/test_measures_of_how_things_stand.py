"""What every measure of rounds, decks and devices says, at tables made for it."""

from __future__ import annotations

import pytest

from felt_daemon.rules.condition import parse
from felt_daemon.table.focus import focus_of
from felt_daemon.table.interlock import inhibits
from felt_daemon.table.lookup import lookup_for
from felt_daemon.table.measures import MEASURES, dealing
from felt_protocols.events import Event, card, deck, device, draw, person, system

from .any_game import MANUAL
from .any_game import opened as opened_game
from .felt import FLOOR, PACK, Felt, opened, setup_of
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


def beside_a_jam() -> Felt:
    """Red is in a shoe of many rounds; the shuffler jams with blue inside."""
    felt = opened_game("672a", MANUAL)
    felt.tell(JAM)
    return felt


SHAKER = draw.ShakerUncovered(device="shaker-1")
SINGLE = card.CardDrawn(device="shoe-1", face_up=False)
OUT = deck.DeckUnloaded(device="shuffler-1", batch=2, count=53)
IN_SERVICE = person.ServiceBegun(by=FLOOR, device="shaker-1", why="a new lid")
WITHDRAWN = person.CardWithdrawn(by=FLOOR, deck="red", place="hand", why="bent")
IN_ORDER = person.Inspected(by=FLOOR, device="shoe-1", result="in-order")
NOT_IN_ORDER = person.Inspected(by=FLOOR, device="shoe-1", result="not-in-order")
DRIVER = device.DeviceFaulted(device="shoe-1", code="driver")
RED_LIGHT = device.LightShown(device="shuffler-1", colour="red")
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
    ("other_deck_playable", told(opened, RED_LIGHT), SHOE, False),
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
    # A light of the shuffler is a matter of the deck inside it alone.
    ("deck_on_hold", told(opened, RED_LIGHT), SHUFFLER, True),
    ("deck_on_hold", told(opened, RED_LIGHT), SHOE, False),
    ("clock", opened(), system.TimerDue(timer="dice-age/shaker-1", overdue_s=0), "dice-age"),
    ("clock", opened(), system.TimerUnknown(timer="deck-age/red"), "deck-age"),
    ("clock", opened(), SHOE, None),
    ("deck_in_doubt", opened(), SHOE, False),
    ("deck_in_doubt", told(opened, JAM), SHOE, False),
    ("deck_in_doubt", told(opened, system.TimerUnknown(timer="deck-age/red")), SHOE, False),
    ("deck_in_doubt", closed(), system.ClockTrusted(), False),
    # Red is dealt to its cover card; blue, which lay in the jam, is kept from the table.
    ("deck_in_doubt", told(beside_a_jam), SHOE, True),
    ("deck_in_doubt", told(beside_a_jam), SHUFFLER, False),
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
    ("inspected_today", told(opened, IN_ORDER), SHOE, None),
    ("inspected_today", told(opened, TODAY), SHOE, False),
    ("inspected_today", told(opened, TODAY, IN_ORDER), SHOE, True),
    ("inspected_today", told(opened, TODAY, IN_ORDER), SHAKER, False),
    ("inspected_today", told(opened, TODAY, IN_ORDER, NOT_IN_ORDER), SHOE, False),
    ("inspected_today", told(opened, TODAY, IN_ORDER, TOMORROW), SHOE, False),
    ("inspected_today", told(opened, TODAY), system.ClockTrusted(), False),
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


def test_every_measure_that_is_not_of_the_deal_is_tried_here_and_says_what_it_is() -> None:
    own = {name: one for name, one in MEASURES.items() if one.__module__ != dealing.__name__}
    assert {name for name, _felt, _fact, _value in SAID} == set(own)
    assert all(measure.__doc__ for measure in own.values())


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
