"""Double Back Jack, irregularities: 58 Pa. Code § 673a.13, with one deck in the shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.hole_card_reader import ReaderBuild
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]

# Two players' cards, a nine up for the dealer, a six down: 673a.7(e).
PLAIN = ("8H", "7S", "9D", "5C", "4H", "6S")


@pytest.fixture
def dealt(watched: Watched) -> ShoeBench:
    """A round of two players after the deal of two cards each."""
    bench = watched(ShoeBench("673a", reader=ReaderBuild(shutter=False)))
    bench.open(*PLAIN)
    bench.deal(1, 2)
    return bench


@pytest.mark.rule("face-up-card")
def test_673a_13_a_a_face_up_card_goes_to_the_rack_or_aside_in_a_double_shoe(dealt: ShoeBench) -> None:
    dealt.fault("shoe-1", "face-up")
    dealt.draw()
    ruling = dealt.only_ruling("face-up-card")
    assert (ruling.cite, ruling.directives) == (("673a.13(a)",), ("card-to-rack",))
    assert "segregated area of a double shoe" in dealt.pack.directives["card-to-rack"]
    assert dealt.places() == {"shoe": 44, "table": 6, "discard": 2}


@pytest.mark.rule("card-drawn-in-error")
def test_673a_13_b_a_card_drawn_in_error_unseen_is_the_next_card(dealt: ShoeBench) -> None:
    dealt.report("card-drawn-in-error")
    ruling = dealt.only_ruling("card-drawn-in-error")
    assert (ruling.cite, ruling.directives) == (("673a.13(b)",), ("use-as-next",))


@pytest.mark.rule("card-exposed")
def test_673a_13_c_an_exposed_card_may_be_refused_and_goes_round(dealt: ShoeBench) -> None:
    dealt.report("card-exposed")
    ruling = dealt.only_ruling("card-exposed")
    assert (ruling.cite, ruling.directives) == (("673a.13(c)",), ("offer-exposed-card",))


@pytest.mark.rule("dealer-drew-on-17")
def test_673a_13_d_a_card_that_the_dealer_drew_on_17_goes_to_the_rack(dealt: ShoeBench) -> None:
    dealt.report("dealer-drew-on-17")
    ruling = dealt.only_ruling("dealer-drew-on-17")
    assert (ruling.cite, ruling.directives) == (("673a.13(d)",), ("dealers-card-to-rack",))


@pytest.mark.rule("dealers-card-missed")
def test_673a_13_e_a_dealer_who_missed_himself_gets_his_card_last(dealt: ShoeBench) -> None:
    dealt.report("dealers-card-missed")
    ruling = dealt.only_ruling_of("dealers-card-missed")
    assert (ruling.cite, ruling.directives) == (("673a.13(e)",), ("dealer-gets-card-last",))


@pytest.mark.rule("shoe-too-short")
def test_673a_13_f_a_shoe_that_runs_out_is_filled_from_the_rack(watched: Watched) -> None:
    bench = watched(ShoeBench("673a", reads=False))
    bench.open()
    bench.begin(1, 2)
    # All 52 cards and the cover card: one was burnt.
    bench.draw(52)
    ruling = bench.only_ruling_of("shoe-too-short")
    assert (ruling.cite, ruling.directives) == (("673a.13(f)",), ("rack-into-shoe",))
    assert bench.state.phase == "playing"


@pytest.mark.rule("shoe-too-short")
def test_673a_13_f_people_may_say_that_the_shoe_is_too_short(dealt: ShoeBench) -> None:
    dealt.report("shoe-too-short")
    assert dealt.only_ruling("shoe-too-short").reported


@pytest.mark.rule("up-card-in-doubt")
def test_673a_13_g_where_a_player_was_passed_over_people_tell_the_up_card(dealt: ShoeBench) -> None:
    assert dealt.state.round.notes["up_card"] == "other"
    dealt.report("players-card-missed", seat=2)
    ruling = dealt.only_ruling_of("up-card-in-doubt")
    assert (ruling.basis, ruling.directives) == ("own", ("tell-up-card",))
    assert "up_card" not in dealt.state.round.notes


@pytest.mark.rule("players-card-missed")
def test_673a_13_g_a_hand_without_cards_is_dead_and_one_with_one_card_may_have_its_second(
    dealt: ShoeBench,
) -> None:
    dealt.report("players-card-missed", seat=2)
    ruling = dealt.only_ruling_of("players-card-missed")
    assert (ruling.cite, ruling.directives) == (("673a.13(g)",), ("dead-or-second-card",))


@pytest.mark.rule("asked-card-missed")
def test_673a_13_h_a_card_that_was_asked_for_comes_after_the_others_or_the_hand_is_dead(
    dealt: ShoeBench,
) -> None:
    dealt.report("asked-card-missed", seat=1)
    ruling = dealt.only_ruling("asked-card-missed")
    assert (ruling.cite, ruling.directives) == (("673a.13(h)",), ("deal-later-or-dead",))


@pytest.mark.rule("reader-wrong-up-card")
def test_673a_13_i_the_reader_under_a_nine_is_told_to_the_floor_and_play_goes_on(dealt: ShoeBench) -> None:
    dealt.insert(dealt.felt[5], dealt.felt[2])
    ruling = dealt.only_ruling("reader-wrong-up-card")
    assert (ruling.cite, ruling.directives) == (("673a.13(i)",), ("notify-and-go-on",))
    assert not dealt.state.round.void


@pytest.mark.rule("reader-malfunction")
def test_673a_13_j_no_card_is_dealt_until_the_reader_works(dealt: ShoeBench) -> None:
    dealt.report("reader-malfunction")
    dealt.run(0.3)
    assert dealt.only_ruling("reader-malfunction").cite == ("673a.13(j)",)
    with pytest.raises(Refused):
        dealt.draw()
    dealt.inspect("reader-1")
    dealt.draw()


@pytest.mark.rule("shuffler-jam")
def test_673a_13_k_a_shuffler_that_jams_shuffles_again(watched: Watched) -> None:
    bench = watched(ShoeBench("673a", shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open(*PLAIN)
    bench.fault("shuffler-1", "jam")
    bench.shuffle(bench.cards["blue"], until="interrupted")
    assert bench.only_ruling_of("shuffler-jam").cite == ("673a.13(k)",)
    assert bench.holds() == {("shuffler-jam", "blue"), ("shuffler-jam", "red")}
    # The batch in the shoe is in doubt too, and goes on being dealt; the other one waits for its shuffle.
    assert bench.waits("deal") == ""


@pytest.mark.rule("device-unusable")
def test_673a_13_l_a_shuffler_that_cannot_be_used_is_covered_before_another_way_is_used(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("673a", shuffler=ShufflerBuild()))
    bench.open(*PLAIN)
    bench.report("shuffler-unusable")
    ruling = bench.only_ruling_of("device-unusable")
    assert (ruling.cite, ruling.directives) == (("673a.13(l)",), ("cover-or-sign", "call-floor"))
    assert "673a.13(l)" in bench.refused(commands.Method(shuffle="hand"))
    bench.command(commands.Sign(device="shuffler-1", sign="covered"))
    bench.command(commands.Method(shuffle="hand"))
