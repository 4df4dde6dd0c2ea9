"""659a.10 and 659a.13(f), (g), (h), (k): seven stacks of seven, and four cards left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import round as rounds
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.shoe_build import ShoeBuild

if TYPE_CHECKING:
    from collections.abc import Callable

    from .felt_bench import Bench


def release(bench: Bench) -> None:
    bench.command(commands.ReleaseRound())
    bench.rack += bench.felt
    bench.felt = []


@pytest.mark.rule("wrong-number-of-cards")
@pytest.mark.parametrize("size", [6, 8])
def test_659a_13_h_and_k_a_hand_with_a_wrong_number_of_cards_voids_the_round(
    opened: Bench, size: int
) -> None:
    opened.ready_to_deal()
    opened.deal(2)
    opened.fault("shoe-1", f"stack-size={size}")
    opened.deal(1)
    assert opened.shoe.truth["stacks"][2]["size"] == size
    ruling = opened.only_ruling("wrong-number-of-cards")
    assert ruling.cite == ("659a.13(h)", "659a.13(k)")
    assert ruling.directives == ("return-wagers", "collect-cards", "reshuffle")
    assert opened.state.round.void == "wrong-number-of-cards"
    # The shoe is stopped: it deals no further stack of a round that is void.
    with pytest.raises(Refused):
        opened.shoe.press_deal(opened.now)
    with pytest.raises(CommandRefused, match="the cause is still there: shoe-1"):
        opened.command(commands.ReleaseRound())
    opened.take_rest()
    release(opened)
    assert opened.rows_of(rounds.RoundClosed)[-1].outcome == "void"
    # The other deck is playable at once, this one after a shuffle that counts 53.
    assert opened.holds() == {("wrong-number-of-cards", "red")}
    opened.change_over()
    assert opened.holds() == set()
    opened.play_round()
    assert opened.rows_of(rounds.RoundClosed)[-1].outcome == "completed"


@pytest.mark.rule("face-up-card")
def test_659a_13_f_one_card_face_up_is_not_used_and_goes_to_the_rack(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal(2)
    opened.fault("shoe-1", "face-up=1")
    opened.deal(5)
    ruling = opened.only_ruling("face-up-card")
    assert ruling.cite == ("659a.13(f)",)
    assert ruling.directives == ("to-rack",)
    assert sum(stack["face_up"] for stack in opened.shoe.truth["stacks"]) == 1
    opened.take_rest()
    # Three come out of the shoe and one is in the rack: the four that the text asks for.
    assert opened.state.round.phase == "playing"
    assert opened.state.decks["red"].places["discard"] == 4
    assert opened.state.decks["red"].places["table"] == 49


@pytest.mark.rule("face-up-cards")
def test_659a_13_f_more_than_one_card_face_up_voids_the_round(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal(2)
    opened.fault("shoe-1", "face-up=2")
    opened.deal(1)
    assert [one.row for one in opened.rulings()] == ["face-up-card", "face-up-cards"]
    assert opened.state.round.void == "face-up-cards"
    opened.empty_shoe()
    release(opened)
    assert opened.holds() == {("face-up-cards", "red")}


@pytest.mark.rule("card-drawn-in-error")
def test_659a_13_g_a_card_out_of_turn_is_used_as_the_next_card(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal(2)
    opened.shoe.draw_card(opened.now)
    opened.run(0.5)
    ruling = opened.only_ruling("card-drawn-in-error")
    assert ruling.cite == ("659a.13(g)",)
    assert ruling.directives == ("use-as-next",)
    opened.felt += opened.shoe.take_stack(opened.now)
    opened.deal(5)
    opened.take_rest()
    assert len(opened.rulings()) == 1
    assert opened.state.round.phase == "playing"
    assert opened.state.decks["red"].places["table"] == 49


@pytest.mark.rule("not-four-left")
def test_659a_10_d_not_four_left_and_every_hand_of_seven_removes_the_deck(opened: Bench) -> None:
    # A card slips under the rail of a shuffler whose sensor counts one too many: 53 is told, 52 there.
    opened.finish_round()
    opened.change_over("lost-card=1", "miscount=1,lasting")
    opened.finish_round()
    opened.to_shoe()
    opened.shuffler.lift_fault("miscount", opened.now)
    opened.shuffle(opened.rack)
    opened.rack = []
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    ruling = opened.only_ruling("not-four-left")
    assert ruling.cite == ("659a.10(d)",)
    # Every stack had seven by the shoe's own sizes; whether the cards were misdealt the dealer finds out.
    assert ruling.directives == ("return-wagers", "count-hands", "deck-leaves")
    assert ruling.subject_id == "red"
    # Three that the dealer counts too are no second trouble.
    opened.command(commands.CountCards(deck="red", count=3, part="remaining"), "dealer")
    assert opened.only_ruling("not-four-left") == ruling
    release(opened)
    assert opened.holds() == {("not-four-left", "red")}
    # A shuffle does not bring it back; only another deck does.
    opened.change_over()
    assert opened.holds() == {("not-four-left", "red")}
    opened.command(commands.ChangeDeck(deck="red"))
    assert opened.holds() == set()


@pytest.mark.rule("misdealt-not-four-left", "wrong-number-of-cards")
def test_659a_10_d_not_four_left_and_a_hand_not_of_seven_is_a_misdeal_and_keeps_the_deck(
    opened: Bench,
) -> None:
    opened.ready_to_deal()
    opened.deal(6)
    opened.fault("shoe-1", "stack-size=6")
    opened.deal(1)
    opened.take_rest()
    assert [one.row for one in opened.rulings()] == ["wrong-number-of-cards", "misdealt-not-four-left"]
    assert opened.rulings()[-1].directives == ("return-wagers",)
    assert opened.rulings()[-1].cite == ("659a.10(d)",)
    assert "remove-deck" not in opened.rulings()[-1].directives
    release(opened)
    assert opened.holds() == {("wrong-number-of-cards", "red")}


@pytest.mark.rule("dealers-card-exposed", "void-and-not-four-left")
def test_659a_10_d_a_deck_that_has_not_its_four_leaves_a_round_that_is_void_already(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.report("dealers-card-exposed")
    opened.command(commands.CountCards(deck="red", count=4, part="remaining"), "dealer")
    assert [one.row for one in opened.rulings()] == ["dealers-card-exposed"]
    opened.command(commands.CountCards(deck="red", count=3, part="remaining"), "dealer")
    ruling = opened.rulings()[-1]
    assert (ruling.row, ruling.directives) == ("void-and-not-four-left", ("count-hands", "deck-leaves"))
    assert ruling.cite == ("659a.8(e)", "659a.9(d)", "659a.10(d)")
    # A hand that has not seven: it was a misdeal, and the cards are reshuffled.
    assert opened.holds() == {("dealers-card-exposed", "red"), ("void-and-not-four-left", "red")}
    opened.report("wrong-number")
    assert ("void-and-not-four-left", "red") not in opened.holds()


@pytest.mark.rule("dealers-card-exposed", "wrong-number-after-deal")
def test_659a_10_d_a_deck_of_a_misdeal_stays_whatever_is_left_of_it(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.report("dealers-card-exposed")
    opened.report("wrong-number")
    opened.command(commands.CountCards(deck="red", count=3, part="remaining"), "dealer")
    assert "void-and-not-four-left" not in {one.row for one in opened.rulings()}


@pytest.mark.rule("left-not-counted")
def test_659a_10_c_a_shoe_that_does_not_count_leaves_the_four_to_the_dealer(
    table_of: Callable[..., Bench],
) -> None:
    bench = table_of(shoe=ShoeBuild(counts=False))
    bench.open()
    bench.ready_to_deal()
    bench.deal()
    bench.take_rest()
    assert bench.only_ruling("left-not-counted").directives == ("count-left",)
    assert bench.state.round.phase == "dealt"
    with pytest.raises(CommandRefused, match="round-end does not fit: round 1 is in phase dealt"):
        bench.command(commands.RoundEnd(), "dealer")
    bench.command(commands.CountCards(deck="red", count=4, part="remaining"), "dealer")
    assert bench.state.round.phase == "playing"


@pytest.mark.rule("left-not-counted", "not-four-left")
def test_659a_10_d_the_dealers_own_count_of_three_removes_the_deck(table_of: Callable[..., Bench]) -> None:
    bench = table_of(shoe=ShoeBuild(counts=False))
    bench.open()
    bench.ready_to_deal()
    bench.deal()
    bench.take_rest()
    bench.command(commands.CountCards(deck="red", count=3, part="remaining"), "dealer")
    assert bench.rulings()[-1].row == "not-four-left"
    assert bench.state.round.void == "not-four-left"


@pytest.mark.rule("dealt-before-bets-closed", "dealt-before-start-position", "dealt-without-permit")
def test_659a_10_a_and_b_a_shoe_that_deals_by_itself_before_its_time_is_told(opened: Bench) -> None:
    # A shoe out of order that heeds no permit: what it does is seen all the same.
    opened.inject("shoe-1", "stack", size=7)
    rows = [one.row for one in opened.rulings()]
    assert rows == ["dealt-before-bets-closed", "dealt-before-start-position", "dealt-without-permit"]
    assert [one.cite for one in opened.rulings()] == [("659a.10(a)",), ("659a.10(b)",), ()]
    assert opened.state.round.void == ""


def test_659a_10_a_the_shoe_has_no_permit_before_no_more_bets_and_a_start_position(opened: Bench) -> None:
    opened.run(5.0)
    with pytest.raises(Refused):
        opened.shoe.press_deal(opened.now)
    opened.no_more_bets()
    with pytest.raises(Refused):
        opened.shoe.press_deal(opened.now)
    opened.shake()
    opened.uncover()
    opened.shoe.press_deal(opened.now)
    opened.run(3.0)
    assert opened.state.round.stacks == 1
    assert opened.rulings() == []


@pytest.mark.rule("not-four-counted")
def test_659a_10_d_the_dealers_count_goes_before_the_shoes_four(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    assert opened.state.phase == "playing"
    opened.command(commands.CountCards(deck="red", count=4, part="remaining"), "dealer")
    assert opened.rulings() == []
    opened.command(commands.CountCards(deck="red", count=5, part="remaining"), "dealer")
    ruling = opened.only_ruling("not-four-counted")
    assert ruling.cite == ("659a.10(d)",)
    assert ruling.directives == ("return-wagers", "count-hands", "deck-leaves")
    assert opened.state.round.void == "not-four-counted"
    release(opened)
    assert opened.holds() == {("not-four-counted", "red")}
    opened.command(commands.ChangeDeck(deck="red"))
    assert opened.holds() == set()


@pytest.mark.rule("cards-after-the-deal", "left-not-counted")
def test_an_eighth_stack_is_no_hand_and_the_dealers_count_decides(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.inject("shoe-1", "stack", size=4)
    assert opened.only_ruling("cards-after-the-deal").effect == "advise"
    opened.inject("shoe-1", "removed", count=0)
    assert opened.state.phase == "dealt"
    assert [one.row for one in opened.rulings()] == ["cards-after-the-deal", "left-not-counted"]
    opened.command(commands.CountCards(deck="red", count=4, part="remaining"), "dealer")
    assert opened.state.phase == "playing"
    assert opened.state.round.void == ""


@pytest.mark.rule("cards-after-the-deal")
def test_a_single_card_after_the_last_hand_is_one_of_the_four(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.shoe.draw_card(opened.now)
    opened.run(0.5)
    assert opened.only_ruling("cards-after-the-deal").directives == (
        "stop-by-hand",
        "count-left",
        "call-floor",
    )
    opened.take_rest()
    assert opened.state.round.removed == 3
    assert opened.state.phase == "playing"


@pytest.mark.rule("cards-after-the-deal", "face-up-card")
def test_659a_13_f_a_card_face_up_among_the_four_is_not_found_during_the_deal(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal(2)
    opened.fault("shoe-1", "face-up=1")
    opened.deal(5)
    opened.inject("shoe-1", "card", face_up=True, rank="K", suit="S")
    assert [one.row for one in opened.rulings()] == ["face-up-card", "cards-after-the-deal"]
    assert opened.state.round.void == ""


def test_a_permit_that_lapsed_before_the_first_stack_is_given_again_once_the_shoe_is_heard(
    opened: Bench,
) -> None:
    opened.ready_to_deal()
    opened.unplug("shoe-1")
    opened.run(12.0)
    assert opened.shoe._electronics._session.why == "host-lost"
    opened.plug("shoe-1")
    opened.run(10.0)
    assert opened.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}] * 2
    opened.deal()
    opened.take_rest()
    assert opened.state.round.phase == "playing"


def test_659a_13_g_a_stray_card_before_no_more_bets_does_not_keep_the_round_from_its_course(
    opened: Bench,
) -> None:
    opened.shoe.draw_card(opened.now)
    opened.run(0.5)
    assert {one.row for one in opened.rulings()} == {"card-drawn-in-error", "dealt-before-bets-closed"}
    opened.felt += opened.shoe.take_stack(opened.now)
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    assert opened.state.round.phase == "playing"
    assert opened.state.decks["red"].places["table"] == 49
