"""Reports: who gives them, what they are about, and when they do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table import admit
from felt_protocols import commands
from felt_protocols.events import card, device, person
from felt_protocols.events.person import Person

from .felt import DEALER, FLOOR, PACK, Felt, setup_of, told, why_not

if TYPE_CHECKING:
    from felt_protocols.events.person import Proof

TECH = Person(role="tech", name="Tom")


def new_deck(felt: Felt, *names: str) -> None:
    """Bring decks that nobody has prepared."""
    felt.tell(*(person.DeckChanged(by=FLOOR, deck=name) for name in names))


# ---- its word, who gives it, and what it is about ----------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("shoe-jamm", "Asia Poker has no report shoe-jamm; did you mean shoe-jam?"),
        ("xyzzy", f"Asia Poker has no report xyzzy; there are: {', '.join(PACK.reports)}"),
    ],
)
def test_a_word_that_the_game_does_not_have_is_refused_with_the_nearest(
    opened: Felt, word: str, said: str
) -> None:
    assert why_not(opened, word) == said


def test_a_game_without_reports_says_so() -> None:
    felt = Felt(PACK.model_copy(update={"reports": {}}))
    assert why_not(felt, "shoe-jam") == "Asia Poker has no report shoe-jam; there are: none"


def test_a_report_of_another_role_is_refused(felt: Felt) -> None:
    new_deck(felt, "red")
    assert why_not(felt, "deck-inspected", FLOOR, deck="red") == (
        "deck-inspected is reported by dealer; you are floor"
    )
    assert why_not(felt, "inspection-verified", DEALER, deck="red") == (
        "inspection-verified is reported by floor; you are dealer"
    )
    assert told(felt, "shoe-jam", TECH).by == TECH


@pytest.mark.parametrize("proof", ["pin", "signed"])
def test_nobody_verifies_an_inspection_that_is_proven_to_be_their_own(felt: Felt, proof: Proof) -> None:
    new_deck(felt, "red", "blue")
    ben: dict[str, Person] = {
        "dealer": Person(role="dealer", name="Ben Ode (ben)", proof=proof),
        "floor": Person(role="floor", name="Ben Ode (ben)", proof=proof),
    }
    felt.tell(told(felt, "deck-inspected", ben["dealer"], deck="red"))
    felt.tell(told(felt, "deck-inspected", DEALER, deck="blue"))
    assert why_not(felt, "inspection-verified", ben["floor"], deck="red") == (
        "inspection-verified: deck-inspected of red was reported by Ben Ode (ben); it takes another person"
    )
    assert told(felt, "inspection-verified", ben["floor"], deck="blue").deck == "blue"
    assert told(felt, "inspection-verified", FLOOR, deck="red").deck == "red"
    # Somebody else has inspected it after all.
    felt.tell(told(felt, "deck-inspected", DEALER, deck="red"))
    assert told(felt, "inspection-verified", ben["floor"], deck="red").deck == "red"


def test_an_account_that_several_use_may_inspect_and_verify(felt: Felt) -> None:
    new_deck(felt, "red")
    felt.tell(told(felt, "deck-inspected", Person(role="dealer", name="pit"), deck="red"))
    assert told(felt, "inspection-verified", Person(role="floor", name="pit"), deck="red").deck == "red"


def test_another_deck_under_that_name_was_inspected_by_nobody_yet(felt: Felt) -> None:
    new_deck(felt, "red")
    ben = Person(role="dealer", name="Ben Ode (ben)", proof="pin")
    felt.tell(told(felt, "deck-inspected", ben, deck="red"))
    assert felt.state.decks["red"].reported_by == {"deck-inspected": "Ben Ode (ben)"}
    new_deck(felt, "red")
    assert felt.state.decks["red"].reported_by == {}


def test_a_report_is_of_the_round_that_is_on_and_of_no_other(opened: Felt, felt: Felt) -> None:
    assert told(opened, "shoe-jam").round == 1
    assert told(opened, "shoe-jam", round=1).round == 1
    assert why_not(opened, "shoe-jam", round=2) == "round 2 is over or has not begun; round 1 is on"
    assert told(felt, "shoe-jam").round is None
    assert why_not(felt, "shoe-jam", round=1) == "round 1 is over or has not begun; no round is on"


def test_a_seat_is_one_of_the_table_and_may_be_asked_for(opened: Felt) -> None:
    asking = PACK.reports["shoe-jam"].model_copy(update={"asks": ("device", "seat")})
    felt = Felt(PACK.model_copy(update={"reports": {**PACK.reports, "shoe-jam": asking}}))
    assert why_not(felt, "shoe-jam") == "shoe-jam: say which seat"
    assert told(felt, "shoe-jam", seat=0).seat == 0
    assert why_not(opened, "shoe-jam", seat=7) == "there is no seat 7; seats are 1 to 6"
    assert told(opened, "shoe-jam", seat=6).seat == 6


def test_the_only_device_of_the_family_is_meant_where_none_is_named(opened: Felt) -> None:
    assert told(opened, "shoe-jam").device == "shoe-1"
    assert told(opened, "shuffler-jam").device == "shuffler-1"
    assert why_not(opened, "shoe-jam", device="shuffler-1") == "shoe-jam is about shoe-1, not shuffler-1"
    # What asks for no device and has no family is about none, unless somebody names one.
    assert told(opened, "card-drawn-in-error").device is None
    assert told(opened, "card-drawn-in-error", device="shoe-1").device == "shoe-1"


def test_of_two_devices_of_the_family_one_must_be_named_and_of_none_nothing_can_be_reported() -> None:
    two = Felt(setup=setup_of(devices={"shoe-1": "shoe", "shoe-2": "shoe"}))
    assert why_not(two, "shoe-jam") == "shoe-jam: say which device: shoe-1, shoe-2"
    assert told(two, "shoe-jam", device="shoe-2").device == "shoe-2"
    none = Felt(setup=setup_of(devices={"shoe-1": "shoe"}))
    assert why_not(none, "shuffler-jam") == "shuffler-jam: say which device: there is none"
    assert why_not(none, "shuffler-jam", device="shoe-1") == (
        "shuffler-jam is about no device here, not shoe-1"
    )


def test_nothing_is_reported_of_a_device_that_is_set_aside(opened: Felt) -> None:
    opened.tell(person.ServiceBegun(by=FLOOR, device="shuffler-1", why="a new belt"))
    assert why_not(opened, "shuffler-jam") == "shuffler-jam: say which device: there is none"


def test_a_report_that_does_not_fit_now_says_why(opened: Felt) -> None:
    assert why_not(opened, "play-resumes") == "play-resumes does not fit: the cards do not lie spread"
    assert why_not(opened, "cards-dealt", deck="red").startswith("cards-dealt does not fit: ")


# ---- which deck -------------------------------------------------------------------------------------------


def test_the_deck_that_wants_the_step_is_meant_where_none_is_named(felt: Felt) -> None:
    new_deck(felt, "red")
    assert told(felt, "deck-inspected").deck == "red"
    new_deck(felt, "blue")
    assert why_not(felt, "deck-inspected") == "deck-inspected: say which deck: red, blue"
    felt.report("deck-inspected", deck="red")
    # Now each of them wants another step.
    assert told(felt, "deck-inspected").deck == "blue"
    assert told(felt, "inspection-verified", FLOOR).deck == "red"


def test_the_only_deck_of_the_table_is_meant_even_where_the_report_does_not_fit_it() -> None:
    felt = Felt(setup=setup_of(decks={"red": "red"}))
    assert why_not(felt, "deck-inspected") == "no cards yet for red: report it with change-deck first"
    assert why_not(felt, "deck-inspected", deck="green") == "there is no deck green; there are: red"


def test_a_deck_in_a_device_is_not_meant_where_none_is_named(opened: Felt) -> None:
    # Red is in the shoe; blue is new and lies in the hand.
    new_deck(opened, "blue")
    assert told(opened, "deck-inspected").deck == "blue"


def test_the_deck_that_is_dealt_by_hand_is_the_one_that_was_shuffled(felt: Felt) -> None:
    felt.start()
    felt.connect()
    felt.change_deck("red", "blue")
    felt.by_hand()
    assert why_not(felt, "deck-shuffled") == "deck-shuffled: say which deck: red, blue"
    felt.report("deck-shuffled", deck="blue")
    assert felt.state.decks["blue"].shuffled
    assert told(felt, "deck-shuffled").deck == "red"
    felt.tell(person.TableOpened(by=FLOOR), person.BetsClosed(by=DEALER))
    assert told(felt, "cards-dealt").deck == "blue"


def test_the_steps_of_a_decks_preparation_come_in_their_order(felt: Felt) -> None:
    new_deck(felt, "red")
    assert why_not(felt, "deck-washed", deck="red") == "red: report deck-inspected first"
    felt.report("deck-inspected", deck="red")
    assert why_not(felt, "deck-spread", deck="red") == "red: report inspection-verified first"
    felt.report("inspection-verified", "floor", deck="red")
    felt.report("deck-spread", deck="red")
    assert felt.state.decks["red"].marks == ("inspected", "verified", "spread")
    # Once more is no other step.
    felt.report("deck-spread", deck="red")
    assert felt.state.decks["red"].marks == ("inspected", "verified", "spread")


def test_a_game_without_an_opening_has_no_order_of_steps() -> None:
    felt = Felt(PACK.model_copy(update={"opening": None}))
    new_deck(felt, "red")
    felt.report("deck-washed", deck="red")
    assert felt.state.decks["red"].marks == ("washed",)
    assert told(felt, "deck-inspected").deck == "red"
    # And its table opens without.
    new_deck(felt, "blue")
    assert admit(felt.pack, felt.state, commands.OpenTable(), FLOOR) == person.TableOpened(by=FLOOR)


def test_nobody_prepares_a_deck_that_a_sound_device_has(opened: Felt) -> None:
    assert why_not(opened, "deck-inspected", deck="red") == (
        "deck-inspected does not fit: red is in shoe-1; take it out first"
    )
    assert why_not(opened, "deck-inspected", deck="blue") == (
        "deck-inspected does not fit: blue is in shuffler-1; take it out first"
    )


@pytest.mark.parametrize(
    "fact",
    [
        device.DeviceLost(device="shoe-1", why="silent"),
        device.DeviceFaulted(device="shoe-1", code="motor"),
        card.ShoeJammed(device="shoe-1"),
        person.ServiceBegun(by=FLOOR, device="shoe-1", why="a new belt"),
    ],
)
def test_of_a_device_in_trouble_people_know_better_what_it_has(
    opened: Felt, fact: device.DeviceFact | card.ShoeJammed | person.ServiceBegun
) -> None:
    opened.tell(fact)
    opened.report("deck-inspected", deck="red")
    assert opened.state.decks["red"].places["hand"] == 53
    assert opened.state.decks["red"].places["shoe"] == 0


def test_nobody_prepares_a_deck_that_lies_dealt(opened: Felt) -> None:
    opened.by_hand()
    opened.deal(7)
    opened.tell(device.DeviceLost(device="shoe-1", why="silent"))
    assert why_not(opened, "deck-shuffled", deck="red") == (
        "deck-shuffled does not fit: red is dealt; end the round first"
    )


def test_a_spread_or_washed_deck_is_shuffled_no_more_and_came_preshuffled_no_more(felt: Felt) -> None:
    felt.tell(person.DeckChanged(by=FLOOR, deck="red", preshuffled=True))
    assert (felt.state.decks["red"].shuffled, felt.state.decks["red"].preshuffled) == (True, True)
    felt.report("deck-inspected", deck="red")
    felt.report("inspection-verified", "floor", deck="red")
    assert felt.state.decks["red"].shuffled
    felt.report("deck-spread", deck="red")
    assert (felt.state.decks["red"].shuffled, felt.state.decks["red"].preshuffled) == (False, False)


def test_a_report_of_the_deal_is_about_the_deck_in_play_although_the_next_one_lies_in_the_shoe(
    opened: Felt,
) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=4))
    opened.to_shoe()
    assert opened.state.decks["blue"].places["shoe"] == 53
    opened.report("dealers-card-exposed")
    assert opened.holds() == {("dealers-card-exposed", "red")}


def test_a_deck_that_is_loaded_before_the_round_has_ended_alternates_with_the_one_on_the_table(
    opened: Felt,
) -> None:
    for _ in range(2):
        opened.ready_to_deal()
        opened.deal()
        opened.tell(card.ShoeUnloaded(device="shoe-1", count=4))
        opened.to_shoe()
        assert "deck-not-alternated" not in opened.rulings()
        opened.finish()
        opened.shuffle()
