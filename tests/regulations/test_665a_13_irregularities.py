"""Double Attack Blackjack, irregularities: 58 Pa. Code § 665a.13, subsection by subsection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import round as rounds
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.hole_card_reader import ReaderBuild
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]

# A nine up for the dealer, two cards for each of two players, a six down: 665a.7(e), (f).
PLAIN = ("9D", "8H", "7S", "5C", "4H", "6S")


def _dealt(watched: Watched, kind: str = "hides-value") -> ShoeBench:
    bench = watched(
        ShoeBench("665a", reader=ReaderBuild(shutter=False), elections={"reader": kind, "bust_it": "offered"})
    )
    bench.open(*PLAIN)
    bench.deal(1, 2)
    return bench


@pytest.fixture
def dealt(watched: Watched) -> ShoeBench:
    """A round of two players after the deal; the reader hides the hole card and has no shutter."""
    return _dealt(watched)


@pytest.mark.rule("face-up-card")
def test_665a_13_a_a_face_up_card_goes_to_the_rack(dealt: ShoeBench) -> None:
    dealt.fault("shoe-1", "face-up")
    dealt.draw()
    ruling = dealt.only_ruling("face-up-card")
    assert (ruling.cite, ruling.directives) == (("665a.13(a)",), ("card-to-rack",))
    assert "double shoe" not in dealt.pack.directives["card-to-rack"]


@pytest.mark.rule("card-drawn-in-error")
def test_665a_13_b_a_card_drawn_in_error_unseen_is_the_next_card(dealt: ShoeBench) -> None:
    dealt.report("card-drawn-in-error")
    ruling = dealt.only_ruling("card-drawn-in-error")
    assert (ruling.cite, ruling.directives) == (("665a.13(b)",), ("use-as-next",))


@pytest.mark.rule("card-exposed")
def test_665a_13_c_an_exposed_card_may_be_refused_and_goes_round(dealt: ShoeBench) -> None:
    dealt.report("card-exposed")
    ruling = dealt.only_ruling("card-exposed")
    assert (ruling.cite, ruling.directives) == (("665a.13(c)",), ("offer-exposed-card",))


@pytest.mark.rule("dealer-drew-on-17")
def test_665a_13_d_a_card_that_the_dealer_drew_on_17_goes_to_the_rack(dealt: ShoeBench) -> None:
    dealt.report("dealer-drew-on-17")
    ruling = dealt.only_ruling("dealer-drew-on-17")
    assert (ruling.cite, ruling.directives) == (("665a.13(d)",), ("dealers-card-to-rack",))


def test_665a_13_has_no_subsection_for_a_dealer_who_missed_his_own_card(dealt: ShoeBench) -> None:
    said = dealt.refused(commands.Report(what="dealers-card-missed"), "dealer")
    assert said.startswith("Double Attack Blackjack has no report dealers-card-missed")


@pytest.mark.rule("shoe-too-short")
def test_665a_13_e_a_shoe_that_runs_out_is_filled_from_the_rack(watched: Watched) -> None:
    bench = watched(ShoeBench("665a", reads=False))
    bench.open()
    bench.begin(1, 2)
    # 384 cards and the cover card: one was burnt.
    bench.draw(384)
    ruling = bench.only_ruling_of("shoe-too-short")
    assert (ruling.cite, ruling.directives) == (("665a.13(e)",), ("rack-into-shoe",))
    assert bench.places() == {"table": 383, "discard": 1}


@pytest.mark.rule("players-card-missed")
def test_665a_13_f_a_hand_without_cards_is_dead_and_one_with_one_card_may_have_its_second(
    dealt: ShoeBench,
) -> None:
    dealt.report("players-card-missed", seat=2)
    ruling = dealt.only_ruling("players-card-missed")
    assert (ruling.cite, ruling.directives) == (("665a.13(f)",), ("dead-or-second-card",))


@pytest.mark.rule("asked-card-missed")
def test_665a_13_g_a_card_that_was_asked_for_comes_after_the_others_or_both_wagers_go_back(
    dealt: ShoeBench,
) -> None:
    dealt.report("asked-card-missed", seat=1)
    ruling = dealt.only_ruling("asked-card-missed")
    assert (ruling.cite, ruling.directives) == (("665a.13(g)",), ("deal-later-or-dead",))
    assert "Bet and Double Attack Wagers" in dealt.pack.directives["deal-later-or-dead"]


@pytest.mark.rule("asked-card-too-late")
def test_665a_13_g_once_the_hole_card_is_shown_the_hand_is_dead(dealt: ShoeBench) -> None:
    dealt.report("hole-card-turned")
    dealt.report("asked-card-missed", seat=1)
    ruling = dealt.only_ruling("asked-card-too-late")
    assert (ruling.cite, ruling.directives) == (("665a.13(g)",), ("hand-dead",))


@pytest.mark.rule("election/reader")
@pytest.mark.rule("reader-shows-hole-card")
@pytest.mark.parametrize("shown", ["reader", "report"])
def test_665a_13_h_1_a_reader_that_shows_the_hole_card_under_a_nine_kills_all_hands(
    watched: Watched, shown: str
) -> None:
    bench = _dealt(watched, "shows-value")
    if shown == "reader":
        bench.insert(bench.felt[5], bench.felt[0])
    else:
        bench.report("reader-in-error")
    ruling = bench.only_ruling("reader-shows-hole-card")
    assert ruling.cite == ("665a.13(h)(1)",)
    assert ruling.directives == ("call-floor", "return-wagers", "collect-cards")
    assert bench.state.round.void == "reader-shows-hole-card"
    # The shoe is shut until the floor lets the next round begin.
    bench.run(0.5)
    with pytest.raises(Refused):
        bench.draw()
    bench.command(commands.ReleaseRound())
    bench.run(0.5)
    [closed] = bench.rows_of(rounds.RoundClosed)
    assert closed.outcome == "void"
    bench.begin(1)
    bench.draw()


@pytest.mark.rule("reader-wrong-up-card")
def test_665a_13_h_2_under_a_reader_that_shows_nothing_play_goes_on_and_the_floor_is_told(
    dealt: ShoeBench,
) -> None:
    dealt.insert(dealt.felt[5], dealt.felt[0])
    ruling = dealt.only_ruling("reader-wrong-up-card")
    assert (ruling.cite, ruling.directives) == (("665a.13(h)(2)",), ("notify-and-go-on",))
    assert not dealt.state.round.void


@pytest.mark.rule("reader-malfunction")
def test_665a_13_i_no_card_is_dealt_until_the_reader_works(dealt: ShoeBench) -> None:
    dealt.fault("reader-1", "unusable=slot")
    dealt.run(0.5)
    assert dealt.only_ruling("reader-malfunction").cite == ("665a.13(i)",)
    with pytest.raises(Refused):
        dealt.draw()


@pytest.mark.rule("shuffler-jam")
def test_665a_13_j_a_shuffler_that_jams_shuffles_again(watched: Watched) -> None:
    bench = watched(ShoeBench("665a", shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open(*PLAIN)
    bench.fault("shuffler-1", "jam")
    bench.shuffle(bench.cards["blue"], until="interrupted")
    assert bench.only_ruling_of("shuffler-jam").cite == ("665a.13(j)",)


@pytest.mark.rule("device-unusable")
def test_665a_13_k_a_shuffler_that_cannot_be_used_is_covered_before_another_way_is_used(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("665a", shuffler=ShufflerBuild()))
    bench.open(*PLAIN)
    bench.report("shuffler-unusable")
    ruling = bench.only_ruling_of("device-unusable")
    assert (ruling.cite, ruling.directives) == (("665a.13(k)",), ("cover-or-sign", "call-floor"))
    assert "665a.13(k)" in bench.refused(commands.Method(shuffle="hand"))


# ---- The rest that is this chapter's own -----------------------------------------------------------


@pytest.mark.rule("third-card", "bust-it-not-settled", "election/bust_it")
def test_665a_7_m_the_third_card_settles_bust_it_before_another_one_is_drawn(dealt: ShoeBench) -> None:
    dealt.report("hole-card-turned")
    assert dealt.rulings() == []
    dealt.draw()
    assert dealt.only_ruling("third-card").cite == ("665a.7(m)(2)",)
    assert "SETTLE BUST IT BY THIRD CARD, REPORT" in dealt.shown()
    dealt.draw()
    assert dealt.rulings("bust-it-not-settled")[0].cite == ("665a.7(m)", "665a.7(n)")


@pytest.mark.rule("report/bust-it-settled", "report/hole-card-turned")
def test_665a_7_m_nothing_is_said_once_bust_it_is_settled(dealt: ShoeBench) -> None:
    dealt.report("hole-card-turned")
    dealt.draw()
    dealt.report("bust-it-settled")
    dealt.draw(2)
    assert [one.row for one in dealt.rulings()] == ["third-card"]


@pytest.mark.rule("report/hole-card-turned")
def test_665a_7_m_where_no_bust_it_is_offered_the_third_card_is_one_like_others(watched: Watched) -> None:
    bench = watched(ShoeBench("665a", elections={"bust_it": "not-offered"}))
    bench.open(*PLAIN)
    bench.deal(1, 2)
    bench.report("hole-card-turned")
    bench.draw()
    assert bench.rulings() == []
    assert "no Bust It Wager is offered" in bench.refused(commands.Report(what="bust-it-settled"), "dealer")


@pytest.mark.rule("tens-in-preshuffled-cards")
def test_665a_4_b_and_f_preshuffled_cards_must_have_no_10_either(watched: Watched) -> None:
    bench = watched(ShoeBench("665a"))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    ruling = bench.only_ruling("tens-in-preshuffled-cards")
    assert (ruling.cite, ruling.directives) == (("665a.4(b)", "665a.4(f)"), ("check-for-tens",))


@pytest.mark.rule("opening", "report/tens-removed")
def test_665a_4_b_the_table_does_not_open_before_the_10s_are_out(watched: Watched) -> None:
    bench = watched(ShoeBench("665a"))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red"))
    bench.report("deck-inspected", deck="red")
    bench.report("inspection-verified", "floor", deck="red")
    assert "report tens-removed first" in bench.refused(
        commands.Report(what="deck-spread", deck="red"), "dealer"
    )
    bench.report("tens-removed", "floor", deck="red")
    for what in ("deck-spread", "player-looked", "deck-washed"):
        bench.report(what, deck="red")
    bench.command(commands.OpenTable())
    assert bench.state.table == "open"


@pytest.mark.rule("deal/manual-shoe", "permit/deal", "report/seats-playing")
def test_665a_7_e_and_f_the_dealers_up_card_comes_first_and_his_hole_card_last(watched: Watched) -> None:
    bench = watched(ShoeBench("665a"))
    bench.open(*PLAIN)
    bench.begin(2, 5)
    bench.draw()
    assert bench.state.round.notes["up_card"] == "other"
    bench.draw(5)
    # The dealer, the boxes twice round, and the dealer.
    assert bench.whose() == [0, 2, 5, 2, 5, 0]
    assert bench.state.phase == "playing"


def test_665a_9_b_2_the_reader_may_be_asked_again_when_a_player_surrenders(watched: Watched) -> None:
    bench = watched(ShoeBench("665a"))
    bench.open("KD", "8H", "7S", "5C", "4H", "6S")
    bench.deal(1, 2)
    for _ in range(2):
        bench.insert(bench.felt[5], bench.felt[0])
        bench.take_out()
    bench.draw()
    assert bench.rulings() == []
