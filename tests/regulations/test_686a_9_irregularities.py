"""Over/Under, irregularities: 58 Pa. Code § 686a.9, and what the game has of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table import inhibits
from felt_protocols import commands
from felt_protocols.events import card, deck, device
from felt_protocols.events.ruling import RulingMade
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import ENDLESS, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]


@pytest.fixture
def opened(watched: Watched) -> ShoeBench:
    """An open table, dealt from a shoe."""
    bench = watched(ShoeBench("686a"))
    bench.open()
    return bench


@pytest.fixture
def endless(watched: Watched) -> ShoeBench:
    """An open table, dealt from a continuous shuffler."""
    bench = watched(ShoeBench("686a", deal=ENDLESS))
    bench.open_endless()
    return bench


@pytest.mark.rule("face-up-card")
def test_686a_9_a_a_face_up_card_goes_to_the_rack(opened: ShoeBench) -> None:
    opened.begin(1, 2)
    opened.fault("shoe-1", "face-up")
    opened.draw()
    ruling = opened.only_ruling("face-up-card")
    assert (ruling.cite, ruling.directives) == (("686a.9(a)",), ("card-to-rack",))
    assert opened.places() == {"shoe": 310, "discard": 2}


@pytest.mark.rule("face-up-card")
def test_686a_9_a_a_face_up_card_out_of_a_continuous_shuffler_too(endless: ShoeBench) -> None:
    endless.begin(1, 2)
    endless.fault("shoe-1", "face-up")
    endless.draw()
    assert endless.only_ruling("face-up-card").cite == ("686a.9(a)",)
    assert endless.places() == {"shuffler": 310, "discard": 2}


@pytest.mark.rule("card-drawn-in-error")
def test_686a_9_has_no_subsection_for_a_card_drawn_in_error_and_a_floorperson_decides(
    opened: ShoeBench,
) -> None:
    opened.begin(1)
    opened.report("card-drawn-in-error")
    ruling = opened.only_ruling("card-drawn-in-error")
    assert (ruling.basis, ruling.cite, ruling.directives) == ("own", (), ("call-floor",))


@pytest.mark.rule("shoe-too-short")
def test_686a_9_b_a_shoe_that_runs_out_is_filled_from_the_rack(watched: Watched) -> None:
    bench = watched(ShoeBench("686a", reads=False))
    bench.open()
    bench.begin(1, 2)
    # 312 cards and the cover card: one was burnt.
    bench.draw(312)
    ruling = bench.only_ruling_of("shoe-too-short")
    assert (ruling.cite, ruling.directives) == (("686a.9(b)",), ("rack-into-shoe",))


@pytest.mark.rule("burn-due")
def test_686a_9_b_the_few_cards_left_may_be_taken_out_and_go_in_with_the_rack(watched: Watched) -> None:
    bench = watched(ShoeBench("686a", reads=False))
    bench.open()
    bench.begin(1, 2)
    bench.draw(306)
    bench.end_round()
    [hold] = bench.state.holds
    bench.command(commands.Override(hold=hold, reason="a test of a shoe that has too few cards"))
    bench.begin(1, 2)
    bench.draw(4)
    bench.report("shoe-too-short")
    bench.empty_shoe()
    refill, bench.rack = [card for card in bench.rack if card.counts], []
    bench.load_shoe(refill, cut=False)
    assert bench.only_ruling_of("burn-due").cite == ("686a.7(c)",)
    assert bench.places() == {"shoe": 308, "table": 4}
    bench.burn()
    bench.draw(2)
    # The deal of six is over with this, and the burnt card is none of it.
    assert (bench.state.round.cards, bench.places()) == (6, {"shoe": 305, "table": 6, "discard": 1})
    assert bench.rulings("drawn-without-permit") == []


@pytest.mark.rule("asked-card-missed")
def test_686a_9_c_a_hand_without_its_two_further_cards_gets_them_last_or_is_dead(opened: ShoeBench) -> None:
    opened.begin(1, 2, 3)
    opened.draw(3)
    assert opened.state.phase == "playing"
    opened.report("asked-card-missed", seat=1)
    ruling = opened.only_ruling("asked-card-missed")
    assert (ruling.cite, ruling.directives) == (("686a.9(c)",), ("further-cards",))
    opened.draw(6)
    opened.end_round()
    assert len(opened.rulings()) == 1


@pytest.mark.rule("fewer-than-three-cards")
def test_686a_7_i_fewer_cards_than_three_for_each_hand_are_told_when_the_round_is_over(
    opened: ShoeBench,
) -> None:
    opened.begin(1, 2, 3)
    # Two of the three players get their two further cards.
    opened.draw(7)
    opened.end_round()
    ruling = opened.only_ruling("fewer-than-three-cards")
    assert (ruling.basis, ruling.directives) == ("own", ("call-floor",))


@pytest.mark.rule("deal/manual-shoe", "permit/deal", "report/seats-playing")
def test_686a_7_i_three_cards_for_each_hand_are_a_sound_round(opened: ShoeBench) -> None:
    opened.begin(1, 4)
    opened.draw(6)
    opened.end_round()
    assert opened.rulings() == []
    # One up to each box, then two to each, player by player: 686a.7(e), (i), (j).
    assert opened.whose() == [1, 4, 1, 1, 4, 4]


@pytest.mark.rule("more-than-three-cards")
def test_686a_7_i_a_card_more_than_three_for_each_hand_is_told(opened: ShoeBench) -> None:
    opened.begin(1)
    opened.draw(4)
    assert opened.only_ruling("more-than-three-cards").directives == ("count-hands", "call-floor")


def test_686a_7_where_nobody_says_who_plays_no_number_of_cards_is_wrong(opened: ShoeBench) -> None:
    opened.draw(5)
    opened.end_round()
    assert opened.rulings() == []


@pytest.mark.rule("shuffler-jam")
def test_686a_9_d_a_shuffler_that_jams_shuffles_again(watched: Watched) -> None:
    bench = watched(ShoeBench("686a", shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open()
    bench.fault("shuffler-1", "jam")
    bench.shuffle(bench.cards["blue"], until="interrupted")
    assert bench.only_ruling_of("shuffler-jam").cite == ("686a.9(d)",)


@pytest.mark.rule("continuous-shuffler-jam")
def test_686a_9_d_a_continuous_shuffler_that_jams_shuffles_again_before_the_next_round(
    endless: ShoeBench,
) -> None:
    endless.begin(1)
    cards = endless.draw(3)
    endless.fault("shoe-1", "jam=1")
    endless.felt = []
    endless.put_back(cards)
    assert endless.shoe.state.value == "interrupted"
    ruling = endless.only_ruling("continuous-shuffler-jam")
    assert (ruling.cite, ruling.directives) == (("686a.9(d)",), ("clear-continuous",))
    endless.end_round()
    assert "continuous-shuffler-jam" in endless.waits("deal")
    stuck = endless.shoe.clear_jam(endless.now)
    endless.run(0.3)
    endless.put_back(stuck)
    assert endless.waits("deal") == ""


@pytest.mark.rule("continuous-shuffler-unusable")
def test_686a_9_e_a_continuous_shuffler_that_cannot_be_used_is_signed_before_a_shoe_is_used(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("686a", deal=ENDLESS))
    bench.open_endless()
    bench.fault("shoe-1", "unusable=wheel")
    bench.run(0.5)
    ruling = bench.only_ruling_of("continuous-shuffler-unusable")
    assert (ruling.cite, ruling.directives) == (("686a.9(e)",), ("cover-or-sign", "call-floor"))
    assert "continuous-shuffler-unusable" in bench.waits("deal")


@pytest.mark.rule("preshuffled-not-spread")
def test_686a_4_e_spares_preshuffled_cards_all_but_the_spread_which_is_advice(watched: Watched) -> None:
    bench = watched(ShoeBench("686a"))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    ruling = bench.only_ruling("preshuffled-not-spread")
    assert (ruling.cite, ruling.effect) == (("686a.4(b)", "686a.4(e)"), "advise")
    bench.command(commands.OpenTable())


# ---- 686a.7(c): a full batch in the continuous shuffler -------------------------------------------


def test_686a_7_c_the_first_card_of_a_batch_in_a_continuous_shuffler_goes_to_the_rack(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("686a", deal=ENDLESS))
    bench.open_endless(burn=False)
    [ruling] = [one for one in bench.rows_of(RulingMade) if one.row == "burn-due"]
    assert (ruling.cite, ruling.directives) == (("686a.7(c)",), ("burn-first",))
    bench.burn()
    assert bench.places() == {"shuffler": 311, "discard": 1}
    assert (bench.state.phase, bench.holds()) == ("betting", set())


def test_686a_7_c_played_cards_that_go_back_are_no_batch(endless: ShoeBench) -> None:
    endless.begin(1)
    cards = endless.draw(3)
    endless.felt = []
    endless.end_round()
    endless.put_back(cards)
    assert endless.state.burns == 0


@pytest.mark.rule("burn-due")
def test_686a_7_c_a_box_that_was_emptied_takes_a_full_batch_again(endless: ShoeBench) -> None:
    cards = endless.shoe.remove_all(endless.now)
    endless.run(0.3)
    endless.put_back([*cards, *endless.rack])
    assert endless.only_ruling("burn-due").subject == "table"
    assert endless.state.burns == 1


def test_686a_9_d_works_that_stop_with_an_empty_feeder_have_no_cards_that_go_in_again(
    endless: ShoeBench,
) -> None:
    endless.begin(1)
    endless.draw(3)
    endless.take(deck.InsideCounted(device="shoe-1", count=308))
    endless.take(deck.ShuffleInterrupted(device="shoe-1", batch=0, why="jam", where="wheel"))
    endless.take(device.DeviceCleared(device="shoe-1", where="wheel"))
    endless.take(card.CardsReturned(device="shoe-1", count=3))
    assert endless.places() == {"shuffler": 311, "table": 1}


# ---- The continuous shuffler: inside, on the table and in the rack are always 312 ------------------


def test_686a_5_h_rounds_from_a_continuous_shuffler_count_right(endless: ShoeBench) -> None:
    for _ in range(3):
        endless.begin(1, 2)
        cards = endless.draw(6)
        assert endless.places() == {"shuffler": 305, "table": 6, "discard": 1}
        endless.felt = []
        endless.end_round()
        endless.put_back(cards)
        assert endless.places() == {"shuffler": 311, "discard": 1}
    assert endless.rulings() == []


@pytest.mark.rule("continuous-count-wrong")
def test_686a_5_h_a_wrong_count_stays_in_doubt_until_somebody_has_looked_inside(endless: ShoeBench) -> None:
    endless.fault("shoe-1", "miscount=-1")
    endless.shoe.press_count(endless.now)
    endless.run(0.3)
    assert endless.only_ruling("continuous-count-wrong").basis == "own"
    endless.shoe.lift_fault("miscount", endless.now)
    # Right again, and nobody knows why.
    endless.shoe.press_count(endless.now)
    endless.run(0.3)
    assert endless.holds() == {("continuous-count-wrong", "shoe-1")}
    endless.shoe.open_door(endless.now)
    endless.shoe.close_door(endless.now)
    endless.run(0.3)
    endless.shoe.press_count(endless.now)
    endless.run(0.3)
    assert endless.holds() == set()


@pytest.mark.rule("continuous-shuffler-restarted")
def test_686a_5_h_a_continuous_shuffler_that_restarts_counts_before_the_next_round(
    endless: ShoeBench,
) -> None:
    endless.shoe.power_cycle(endless.now)
    endless.run(8.0)
    assert endless.only_ruling_of("continuous-shuffler-restarted").directives == ("look-inside",)
    endless.shoe.press_count(endless.now)
    endless.run(0.3)
    assert not endless.rulings("continuous-count-wrong")
    assert endless.waits("deal") == ""
    endless.begin(1)
    endless.draw()


@pytest.mark.rule("deck-not-in-order")
def test_a_shoe_that_was_open_for_other_cards_is_shut_when_a_held_batch_goes_into_it(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("686a", shuffler=ShufflerBuild(), reads=False))
    bench.open()
    assert bench.waits("deal") == ""
    bench.command(commands.ChangeDeck(deck="red"))
    bench.command(commands.Inspect(deck="blue", result="not-in-order"))
    # The shoe was not heard to be emptied in between.
    bench.take(card.ShoeLoaded(device="shoe-1", count=312))
    assert inhibits(bench.state) == {"shoe-1": "permit-withdrawn"}
    assert "(deck-not-in-order)" in bench.waits("deal")
