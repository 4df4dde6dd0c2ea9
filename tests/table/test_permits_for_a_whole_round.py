"""Permits that open a shoe or a reader for a whole round: given, taken back, and given again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules import load
from felt_daemon.table import inhibits, set_up
from felt_protocols import commands
from felt_protocols.events import card, deck, device, person, reader

from .felt import DEALER, FLOOR, Felt, refused

if TYPE_CHECKING:
    from felt_protocols.events import Fact

PACK = load("673a", {"decks": 1, "batches": 2})
FAMILIES = {"shoe-1": "shoe", "reader-1": "hole-card-reader", "shuffler-1": "shuffler"}
DRAWN = card.CardDrawn(device="shoe-1", face_up=False)


@pytest.fixture
def felt() -> Felt:
    """One deck of Double Back Jack in the shoe, shuffled, its first card burnt; another one at hand."""
    setup = set_up(PACK, table="t-1", devices=FAMILIES, decks={"red": "red", "blue": "blue"})
    felt = Felt(PACK, setup)
    felt.start()
    felt.connect()
    for name in ("red", "blue"):
        felt.tell(person.DeckChanged(by=FLOOR, deck=name, preshuffled=True))
    felt.tell(card.ShoeLoaded(device="shoe-1"), person.TableOpened(by=FLOOR), DRAWN)
    return felt


def _dealt(felt: Felt) -> None:
    felt.report("seats-playing", seats=(1,))
    felt.tell(DRAWN, DRAWN, DRAWN, DRAWN)


def _permits(felt: Felt) -> list[object]:
    return [one["round"] for one in felt.permits("shoe-1")]


def test_between_two_rounds_one_permit_takes_the_place_of_the_other(felt: Felt) -> None:
    assert inhibits(felt.state) == {"reader-1": "round-over"}
    _dealt(felt)
    felt.tell(person.RoundEnded(by=DEALER))
    assert _permits(felt) == [1, 2]
    assert inhibits(felt.state) == {"reader-1": "round-over"}


def test_a_shoe_that_is_emptied_before_its_round_waits_for_cards_and_another_permit(felt: Felt) -> None:
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=51))
    assert inhibits(felt.state)["shoe-1"] == "round-over"
    felt.tell(person.DeckChanged(by=FLOOR, deck="red", preshuffled=True), card.ShoeLoaded(device="shoe-1"))
    assert _permits(felt) == [1, 1]
    assert "shoe-1" not in inhibits(felt.state)


def test_a_shoe_that_is_found_empty_before_its_round_waits_for_cards_that_are_shuffled(felt: Felt) -> None:
    felt.tell(card.ShoeEmptied(device="shoe-1"))
    assert inhibits(felt.state)["shoe-1"] == "round-over"
    red = felt.state.decks["red"]
    assert (red.places["shoe"], red.places["discard"], red.shuffled) == (0, 52, False)


def test_what_keeps_the_next_round_takes_back_the_permit_of_one_that_is_not_begun(felt: Felt) -> None:
    felt.tell(person.FloorOrdered(by=FLOOR, what_ordered="reshuffle"))
    assert inhibits(felt.state)["shoe-1"] == "round-over"
    # What concerns another batch takes nothing back.
    felt.tell(person.HoldOverridden(by=FLOOR, hold=max(felt.state.holds), reason="let it go"))
    assert _permits(felt) == [1, 1]
    felt.tell(person.FloorOrdered(by=FLOOR, what_ordered="reshuffle", deck="blue"))
    assert "shoe-1" not in inhibits(felt.state)


@pytest.mark.parametrize(
    "needed_again",
    [
        person.SignMoved(by=FLOOR, device="shuffler-1", sign="removed"),
        person.MethodChosen(by=FLOOR, shuffle="device", deal="manual-shoe", start="left"),
    ],
)
def test_a_permit_that_did_without_a_device_is_taken_back_when_the_device_is_needed_again(
    felt: Felt, needed_again: Fact
) -> None:
    felt.tell(person.Inspected(by=FLOOR, device="shuffler-1", result="not-in-order"))
    assert inhibits(felt.state)["shoe-1"] == "round-over"
    felt.tell(
        person.SignMoved(by=FLOOR, device="shuffler-1", sign="out-of-order"),
        person.MethodChosen(by=FLOOR, shuffle="hand", deal="manual-shoe", start="left"),
    )
    assert _permits(felt) == [1, 1]
    felt.tell(needed_again)
    assert inhibits(felt.state)["shoe-1"] == "permit-withdrawn"
    felt.tell(person.Inspected(by=FLOOR, device="shuffler-1", result="in-order"))
    assert _permits(felt) == [1, 1, 1]


def test_a_round_that_is_on_is_finished_whatever_keeps_the_next_one(felt: Felt) -> None:
    _dealt(felt)
    felt.tell(person.FloorOrdered(by=FLOOR, what_ordered="reshuffle"))
    assert "shoe-1" not in inhibits(felt.state)
    # The shoe lost its permit and gets another one for the rest of the round.
    felt.tell(device.LeaseLapsed(device="shoe-1"))
    assert _permits(felt) == [1, 1]
    felt.tell(person.RoundEnded(by=DEALER))
    assert inhibits(felt.state)["shoe-1"] == "round-over"


def test_a_round_that_was_begun_without_a_permit_is_given_none(felt: Felt) -> None:
    felt.tell(person.FloorOrdered(by=FLOOR, what_ordered="reshuffle"), DRAWN)
    assert _permits(felt) == [1]
    assert "drawn-without-permit" in felt.rulings()


def test_after_a_stop_in_a_round_the_shoe_is_given_its_permit_anew(felt: Felt) -> None:
    _dealt(felt)
    felt.report("reader-malfunction")
    assert inhibits(felt.state)["shoe-1"] == "reader-malfunction"
    felt.tell(person.Inspected(by=FLOOR, device="reader-1", result="in-order"))
    assert _permits(felt) == [1, 1]
    assert "shoe-1" not in inhibits(felt.state)


def test_a_device_in_service_is_no_matter_of_any_round(felt: Felt) -> None:
    felt.tell(person.ServiceBegun(by=FLOOR, device="reader-1", why="cleaning"))
    assert inhibits(felt.state) == {}


def test_a_reader_is_open_from_its_up_card_to_the_end_of_the_round(felt: Felt) -> None:
    _dealt(felt)
    felt.report("up-card-ten")
    assert inhibits(felt.state) == {}
    felt.tell(reader.HoleCardInserted(device="reader-1"), person.RoundEnded(by=DEALER))
    assert inhibits(felt.state) == {"reader-1": "round-over"}


def test_a_shoe_that_runs_out_in_a_round_is_filled_from_its_own_rack(felt: Felt) -> None:
    felt.tell(deck.DeckLoaded(device="shuffler-1", batch=1))
    _dealt(felt)
    felt.tell(person.RoundEnded(by=DEALER))
    felt.report("seats-playing", seats=(1,))
    felt.tell(*[DRAWN] * 47, card.ShoeEmptied(device="shoe-1"))
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=1), card.ShoeLoaded(device="shoe-1"))
    # Five cards in the rack are red's, and nobody deals blue's in this round.
    assert felt.state.decks["red"].places["shoe"] == 5
    assert felt.state.decks["blue"].places["hand"] == 52


def test_the_rack_of_a_round_whose_shoe_ran_out_may_go_through_the_shuffler(felt: Felt) -> None:
    _dealt(felt)
    felt.tell(person.RoundEnded(by=DEALER))
    felt.report("seats-playing", seats=(1,))
    felt.tell(*[DRAWN] * 47, card.ShoeEmptied(device="shoe-1"))
    # Blue is shuffled already: what goes in is red's rack.
    felt.tell(deck.DeckLoaded(device="shuffler-1", batch=1))
    assert felt.state.devices["shuffler-1"].deck == "red"
    assert felt.state.decks["red"].places["shuffler"] == 5


def test_a_shoe_may_run_out_twice_in_one_round(felt: Felt) -> None:
    felt.tell(person.DeckChanged(by=FLOOR, deck="blue", preshuffled=True))
    _dealt(felt)
    felt.tell(person.RoundEnded(by=DEALER))
    felt.report("seats-playing", seats=(1,))
    felt.tell(*[DRAWN] * 47, card.ShoeEmptied(device="shoe-1"))
    felt.tell(card.ShoeLoaded(device="shoe-1"))
    felt.tell(DRAWN, *[DRAWN] * 4, card.ShoeEmptied(device="shoe-1"))
    assert felt.state.decks["red"].places["table"] == 51
    assert felt.state.decks["red"].places["discard"] == 1


def test_what_lies_in_the_rack_goes_back_into_the_shoe_of_the_same_round(felt: Felt) -> None:
    felt.report("seats-playing", seats=(1,))
    felt.tell(DRAWN, DRAWN, DRAWN, DRAWN, person.RoundEnded(by=DEALER))
    felt.report("seats-playing", seats=(1,))
    felt.tell(*[DRAWN] * 47, card.ShoeEmptied(device="shoe-1"))
    assert felt.state.decks["red"].places["table"] == 47
    felt.tell(card.ShoeLoaded(device="shoe-1"))
    assert felt.state.decks["red"].places["shoe"] == 5
    assert felt.state.burns == 1


def test_what_is_left_goes_from_one_shoe_into_another_within_a_round(felt: Felt) -> None:
    _dealt(felt)
    felt.tell(person.RoundEnded(by=DEALER))
    _dealt(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=43), card.ShoeLoaded(device="shoe-1"))
    # Nothing is burnt, nothing wants a shuffle, and what lay in the rack lies there.
    assert felt.state.burns == 0
    assert felt.state.decks["red"].places["shoe"] == 43
    assert felt.state.decks["red"].places["discard"] == 5
    felt.tell(DRAWN, person.RoundEnded(by=DEALER))
    assert felt.state.decks["red"].shuffled
    assert not felt.holds()


def test_what_was_taken_out_of_the_shoe_in_a_round_and_stays_out_wants_its_shuffle(felt: Felt) -> None:
    _dealt(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=47))
    assert felt.state.decks["red"].shuffled
    felt.tell(person.RoundEnded(by=DEALER))
    assert not felt.state.decks["red"].shuffled


def test_a_shoe_that_runs_out_after_it_was_changed_is_filled_with_the_rack(felt: Felt) -> None:
    _dealt(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=47), card.ShoeLoaded(device="shoe-1"))
    felt.tell(*[DRAWN] * 47, card.ShoeEmptied(device="shoe-1"), card.ShoeLoaded(device="shoe-1"))
    assert felt.state.decks["red"].places["shoe"] == 1
    assert felt.state.burns == 1


def test_a_face_up_card_that_people_report_is_none_of_the_deal(felt: Felt) -> None:
    felt.report("seats-playing", seats=(1,))
    felt.tell(DRAWN, DRAWN)
    felt.report("card-face-up")
    assert felt.round.cards == 1
    assert felt.state.decks["red"].places["table"] == 1
    # The shoe reads no faces: it told the card as any other.
    felt.tell(DRAWN, DRAWN, DRAWN)
    assert felt.state.phase == "playing"
    # A second one went to the rack as well.
    felt.report("card-face-up")
    assert (felt.round.cards, felt.round.face_up) == (3, 2)
    assert felt.state.decks["red"].places["table"] == 3


def test_a_deck_that_is_over_for_one_gate_is_open_by_the_other(felt: Felt) -> None:
    _dealt(felt)
    felt.report("up-card-ten")
    felt.tell(person.RoundEnded(by=DEALER))
    _dealt(felt)
    felt.report("up-card-ace")
    assert inhibits(felt.state) == {"reader-1": "round-over"}
    felt.report("insurance-closed")
    assert inhibits(felt.state) == {}


def test_a_preinspected_deck_that_was_spread_is_looked_at_and_washed_and_not_inspected_again(
    felt: Felt,
) -> None:
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=51))
    felt.report("cards-spread")
    assert "preinspected" in felt.state.decks["red"].marks
    said = refused(felt, commands.Report(what="deck-washed", deck="red"), DEALER)
    assert said == "red: report player-looked first"
    felt.report("player-looked", deck="red")
    felt.report("deck-washed", deck="red")
    felt.report("play-resumes")
    assert felt.state.table == "open"


def test_a_report_of_a_cut_that_names_no_deck_is_about_the_shuffled_one(felt: Felt) -> None:
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=51))
    # Red came out of the shoe; blue came preshuffled.
    felt.report("stack-cut")
    assert "cut" in felt.state.decks["blue"].marks
