"""Free Bet Blackjack, irregularities: 58 Pa. Code § 672a.12, subsection by subsection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.devices.hands import CardSticks, Refused
from felt_simulators.devices.hole_card_reader import ReaderBuild
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.cards import Card

    Watched = Callable[[ShoeBench], ShoeBench]

# Two players' cards, a nine up for the dealer, a six down: 672a.7(e).
PLAIN = ("8H", "7S", "9D", "5C", "4H", "6S")


@pytest.fixture
def dealt(watched: Watched) -> ShoeBench:
    """A round of two players after the deal of two cards each."""
    bench = watched(ShoeBench())
    bench.open(*PLAIN)
    bench.deal(1, 2)
    return bench


@pytest.mark.rule("face-up-card")
def test_672a_12_a_a_face_up_card_goes_to_the_rack_and_another_one_is_dealt(watched: Watched) -> None:
    bench = watched(ShoeBench())
    bench.open(*PLAIN)
    bench.begin(1, 2)
    bench.draw(2)
    bench.fault("shoe-1", "face-up")
    bench.draw()
    ruling = bench.only_ruling("face-up-card")
    assert ruling.cite == ("672a.12(a)",)
    assert ruling.directives == ("card-to-rack",)
    # Two cards are on the layout; the burnt one and the face-up one are in the rack.
    assert bench.places() == {"shoe": 308, "table": 2, "discard": 2}
    assert bench.state.phase == "dealing"
    bench.draw(4)
    assert bench.state.phase == "playing"


def test_672a_12_a_two_face_up_cards_in_one_deal_do_not_void_the_round(watched: Watched) -> None:
    bench = watched(ShoeBench())
    bench.open(*PLAIN)
    bench.begin(1, 2)
    bench.fault("shoe-1", "face-up=2")
    bench.draw(2)
    assert [one.row for one in bench.rulings()] == ["face-up-card", "face-up-card"]
    assert not bench.state.round.void


@pytest.mark.rule("face-up-card")
def test_672a_12_a_a_shoe_that_tells_and_a_dealer_who_reports_are_one_incident(dealt: ShoeBench) -> None:
    dealt.fault("shoe-1", "face-up")
    dealt.draw()
    dealt.report("card-face-up")
    assert [one.row for one in dealt.rulings()] == ["face-up-card"]
    assert dealt.joined() == [2]


@pytest.mark.rule("card-drawn-in-error")
@pytest.mark.parametrize("way", ["panel", "command"])
def test_672a_12_b_a_card_drawn_in_error_unseen_is_the_next_card(dealt: ShoeBench, way: str) -> None:
    dealt.seen("card-drawn-in-error", way)
    ruling = dealt.only_ruling("card-drawn-in-error")
    assert ruling.cite == ("672a.12(b)",)
    assert ruling.directives == ("use-as-next",)
    assert "USE CARD AS NEXT CARD" in dealt.shown()


@pytest.mark.rule("card-exposed")
def test_672a_12_c_an_exposed_card_may_be_refused_and_goes_round(dealt: ShoeBench) -> None:
    dealt.report("card-exposed")
    ruling = dealt.only_ruling("card-exposed")
    assert ruling.cite == ("672a.12(c)",)
    assert ruling.directives == ("offer-exposed-card",)
    assert not dealt.state.round.void


@pytest.mark.rule("dealer-drew-on-17")
def test_672a_12_d_a_card_that_the_dealer_drew_on_17_goes_to_the_rack(dealt: ShoeBench) -> None:
    dealt.draw()
    dealt.report("dealer-drew-on-17")
    assert dealt.only_ruling("dealer-drew-on-17").cite == ("672a.12(d)",)
    assert "DEALER'S CARD TO RACK" in dealt.shown()


@pytest.mark.rule("dealers-card-missed")
def test_672a_12_e_a_dealer_who_missed_himself_goes_on_and_gets_his_card_last(watched: Watched) -> None:
    bench = watched(ShoeBench())
    bench.open(*PLAIN)
    bench.begin(1, 2)
    bench.draw(4)
    bench.report("dealers-card-missed")
    assert bench.only_ruling_of("dealers-card-missed").cite == ("672a.12(e)",)
    bench.draw(2)
    assert bench.state.phase == "playing"


@pytest.mark.rule("up-card-in-doubt")
@pytest.mark.parametrize("missed", ["dealers-card-missed", "players-card-missed"])
def test_672a_12_e_what_the_shoe_took_for_the_up_card_of_a_dealer_who_missed_himself_is_none(
    watched: Watched, missed: str
) -> None:
    bench = watched(ShoeBench())
    # The third card is the first player's second one: a king.
    bench.open("5H", "6S", "KD", "7C", "9D", "4H")
    bench.begin(1, 2)
    bench.draw(3)
    assert bench.state.round.notes["up_card"] == "ten"
    bench.report(missed)
    ruling = bench.only_ruling_of("up-card-in-doubt")
    assert (ruling.basis, ruling.directives) == ("own", ("tell-up-card",))
    bench.draw(3)
    assert "up_card" not in bench.state.round.notes
    assert bench.whose() == [1, 2, 0, None, None, None]
    assert "nobody has told an up card that calls for the reader" in bench.waits("reader")
    bench.report("up-card-ten")
    assert bench.waits("reader") == ""
    assert "REPORT UP CARD WHEN IT LIES" in bench.shown()
    bench.insert(bench.felt[5], bench.felt[4])
    assert "REPORT UP CARD WHEN IT LIES" not in bench.shown()


@pytest.mark.rule("up-card-in-doubt")
def test_672a_12_e_where_no_up_card_is_told_none_is_asked_for(watched: Watched) -> None:
    asked: list[bool] = []
    for up_card in ("told", "not-told"):
        bench = watched(ShoeBench(elections={"up_card": up_card}))
        bench.open("5H", "6S", "KD", "7C", "9D", "4H")
        bench.begin(1, 2)
        bench.draw(3)
        bench.report("dealers-card-missed")
        bench.report("players-card-missed")
        asked.append(bool(bench.rulings("up-card-in-doubt")))
    assert asked == [True, False]


@pytest.mark.rule("dealers-card-missed")
def test_672a_12_e_what_people_tell_of_the_up_card_stays_where_the_shoe_reads_no_cards(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench(reads=False))
    bench.open(*PLAIN)
    bench.begin(1, 2)
    bench.draw(4)
    bench.report("up-card-ten")
    bench.report("dealers-card-missed")
    assert bench.state.round.notes["up_card"] == "ten"
    assert bench.rulings("up-card-in-doubt") == []


@pytest.mark.rule("shoe-too-short")
def test_672a_12_f_a_shoe_that_runs_out_is_filled_from_the_rack_with_one_card_burnt(watched: Watched) -> None:
    bench = watched(ShoeBench(reads=False))
    bench.open()
    bench.begin(1, 2)
    # 312 cards and the cover card: one is burnt, 305 are played in a first round.
    bench.draw(306)
    bench.end_round()
    [hold] = bench.state.holds
    bench.command(commands.Override(hold=hold, reason="a test of a shoe that runs out"))
    bench.begin(1, 2)
    bench.draw(6)
    ruling = bench.only_ruling_of("shoe-too-short")
    assert ruling.cite == ("672a.12(f)",)
    assert ruling.directives == ("rack-into-shoe",)
    assert bench.places() == {"table": 6, "discard": 306}
    refill, bench.rack = [card for card in bench.rack if card.counts], []
    bench.load_shoe(refill, cut=False)
    assert bench.places() == {"shoe": 306, "table": 6}
    bench.burn()
    bench.draw(3)
    # The round goes on, and the batch is the same one.
    assert bench.places() == {"shoe": 302, "table": 9, "discard": 1}
    assert bench.state.phase == "playing"
    bench.end_round()
    assert bench.places() == {"shoe": 302, "discard": 10}


@pytest.mark.rule("players-card-missed")
def test_672a_12_g_a_hand_without_cards_is_dead_and_the_deal_has_another_end(watched: Watched) -> None:
    bench = watched(ShoeBench())
    bench.open(*PLAIN)
    bench.begin(1, 2, 3)
    bench.draw(6)
    assert bench.state.phase == "dealing"
    bench.report("players-card-missed", seat=2)
    ruling = bench.only_ruling_of("players-card-missed")
    assert ruling.cite == ("672a.12(g)",)
    assert ruling.directives == ("dead-or-second-card",)
    # Nobody waits for the cards of a dead hand.
    assert bench.state.phase == "playing"


@pytest.mark.rule("asked-card-missed")
def test_672a_12_h_a_card_that_was_asked_for_comes_after_the_others_or_the_hand_is_dead(
    dealt: ShoeBench,
) -> None:
    dealt.report("asked-card-missed", seat=1)
    ruling = dealt.only_ruling("asked-card-missed")
    assert ruling.cite == ("672a.12(h)",)
    assert ruling.directives == ("deal-later-or-dead",)
    assert "Blackjack Wager" in dealt.pack.directives["deal-later-or-dead"]


def _wrongly_read(watched: Watched) -> tuple[ShoeBench, list[Card]]:
    """A nine is up, and a reader without a shutter lets the hole card in."""
    bench = watched(ShoeBench(reader=ReaderBuild(shutter=False)))
    bench.open(*PLAIN)
    cards = bench.deal(1, 2)
    return bench, cards


@pytest.mark.rule("reader-wrong-up-card")
def test_672a_12_i_the_reader_under_a_nine_is_told_to_the_floor_and_play_goes_on(watched: Watched) -> None:
    bench, cards = _wrongly_read(watched)
    bench.insert(cards[5], cards[2])
    ruling = bench.only_ruling("reader-wrong-up-card")
    assert ruling.cite == ("672a.12(i)",)
    assert ruling.directives == ("notify-and-go-on",)
    assert not bench.state.round.void
    bench.take_out()
    bench.draw()
    bench.report("reader-in-error")
    assert [one.row for one in bench.rulings()] == ["reader-wrong-up-card"]


def test_672a_12_i_a_reader_with_a_shutter_does_not_take_the_card_under_a_nine(dealt: ShoeBench) -> None:
    with pytest.raises(Refused):
        dealt.insert(dealt.felt[5], dealt.felt[2])
    assert "nobody has told an up card that calls for the reader" in dealt.waits("reader")


@pytest.mark.rule("reader-malfunction")
@pytest.mark.parametrize("shown", ["fault", "report"])
def test_672a_12_j_no_card_is_dealt_until_the_reader_is_repaired_and_inspected(
    dealt: ShoeBench, shown: str
) -> None:
    if shown == "fault":
        dealt.fault("reader-1", "unusable=slot")
        dealt.run(0.5)
    else:
        dealt.report("reader-malfunction")
        dealt.run(0.5)
    ruling = dealt.only_ruling("reader-malfunction")
    assert ruling.cite == ("672a.12(j)",)
    assert ruling.effect == "stop"
    # The shoe is shut in the middle of the round, which is not void.
    with pytest.raises(Refused):
        dealt.draw()
    assert not dealt.state.round.void
    if shown == "fault":
        dealt.inspect("reader-1", role="tech")
        assert dealt.holds() == {("reader-malfunction", "reader-1")}
        dealt.reader.repair(dealt.now)
        dealt.run(0.5)
    dealt.inspect("reader-1")
    assert not dealt.holds()
    dealt.draw()
    assert dealt.permits("shoe-1") == [{"round": 1}, {"round": 1}]


def test_672a_12_j_a_reader_that_is_taken_away_must_be_replaced(dealt: ShoeBench) -> None:
    dealt.report("reader-malfunction")
    dealt.command(commands.DeviceRetire(device="reader-1", shown_empty=True))
    dealt.run(0.5)
    dealt.end_round()
    assert "the card reader is out of use, and none is in its place" in dealt.waits("deal")


@pytest.mark.rule("shuffler-jam")
def test_672a_12_k_a_shuffler_that_jams_shuffles_again(watched: Watched) -> None:
    bench = watched(ShoeBench(shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open(*PLAIN)
    bench.command(commands.ChangeDeck(deck="blue", preshuffled=True))
    bench.fault("shuffler-1", "jam")
    bench.shuffle(bench.cards["blue"], until="interrupted")
    ruling = bench.only_ruling_of("shuffler-jam")
    assert ruling.cite == ("672a.12(k)",)
    assert ruling.directives == ("clear-jam", "count-deck", "reshuffle")
    assert ("shuffler-jam", "blue") in bench.holds()
    # The batch in the shoe is in doubt too, and goes on being dealt.
    assert ("shuffler-jam", "red") in bench.holds()
    bench.deal(1, 2)


@pytest.mark.rule("device-unusable", "other-method-before-sign")
def test_672a_12_l_a_shuffler_that_cannot_be_used_is_signed_before_cards_are_shuffled_by_hand(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench(shuffler=ShufflerBuild()))
    bench.open(*PLAIN)
    bench.fault("shuffler-1", "unusable=motor")
    bench.run(0.5)
    assert bench.rulings("device-unusable")[0].cite == ("672a.12(l)",)
    assert "672a.12(l)" in bench.refused(commands.Method(shuffle="hand"))
    bench.command(commands.Sign(device="shuffler-1", sign="out-of-order"))
    bench.command(commands.Method(shuffle="hand"))
    bench.command(commands.Sign(device="shuffler-1", sign="removed"))
    bench.command(commands.ChangeDeck(deck="blue"))
    bench.prepare("blue")
    bench.shuffle_by_hand("blue")
    assert bench.rulings("other-method-before-sign")[0].cite == ("672a.12(l)",)


def test_672a_12_has_no_rule_for_a_shoe_that_jams_and_the_round_goes_on(watched: Watched) -> None:
    bench = watched(ShoeBench(shoe=ManualShoeBuild()))
    bench.open(*PLAIN)
    bench.begin(1, 2)
    bench.draw(2)
    bench.fault("shoe-1", "jam=1")
    with pytest.raises(CardSticks):
        bench.draw()
    bench.run(0.5)
    assert bench.only_ruling("shoe-jam").basis == "own"
    bench.felt += bench.shoe.clear_jam(bench.now)
    bench.run(0.5)
    bench.draw(3)
    assert not bench.holds()
    assert not bench.state.round.void
