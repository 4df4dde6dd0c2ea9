"""665a, 672a, 673a and 686a .5(a) and (f), .7(c) and (d): the cover card, what is after it, burnt cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild

from .shoe_bench import EACH, ENDLESS, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]


# ---- The cover card: 665a.7(d), 672a.7(d), 673a.7(d), 686a.7(d) ------------------------------------


@pytest.mark.rule("cover-card-came")
@pytest.mark.parametrize("chapter", ["665a", "672a", "673a", "686a"])
def test_the_round_in_which_the_cover_card_comes_is_finished_and_then_the_cards_are_shuffled(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    bench.begin(1, 2)
    bench.draw(2)
    bench.inject("shoe-1", "cover_card")
    ruling = bench.only_ruling("cover-card-came")
    assert ruling.cite == (f"{chapter}.7(d)", f"{chapter}.5(f)")
    assert ruling.directives == ("finish-then-reshuffle", "offer-cut")
    # The round is finished: the shoe still gives its cards.
    bench.draw(4)
    bench.end_round()
    with pytest.raises(Refused):
        bench.draw()
    bench.empty_shoe()
    bench.shuffle_by_hand()
    assert not bench.holds()


def test_the_next_round_is_dealt_from_the_shuffled_shoe_after_one_card_is_burnt(watched: Watched) -> None:
    bench = watched(ShoeBench("673a", reads=False))
    bench.open()
    bench.begin(1)
    # 13 cards lie below the cover card, and one was burnt: the cover card is the 39th that is drawn now.
    cards = bench.draw(39)
    assert not cards[-1].counts
    bench.end_round()
    bench.empty_shoe()
    assert bench.places() == {"discard": 52}
    stack = bench.stacked("red")
    bench.shuffle_by_hand()
    bench.load_shoe(stack)
    assert bench.places() == {"shoe": 52}
    bench.burn()
    bench.begin(1)
    bench.draw(4)
    assert bench.places() == {"shoe": 47, "table": 4, "discard": 1}
    assert [one.row for one in bench.rulings()] == ["cover-card-came", "burn-due"]


@pytest.mark.rule("shuffle-ordered-in-box")
@pytest.mark.parametrize("chapter", ["665a", "672a", "673a", "686a"])
def test_5_a_a_shuffle_that_is_ordered_of_a_box_that_shuffles_without_end_has_all_cards_put_back(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, deal=ENDLESS, reads=False))
    bench.open_endless()
    bench.begin(1)
    bench.draw(2)
    bench.command(commands.Order(what="reshuffle"))
    ruling = bench.only_ruling_of("shuffle-ordered-in-box")
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.5(a)",), ("cards-into-box",))
    assert "AFTER ROUND ALL CARDS INTO BOX" in bench.shown()
    bench.put_back(bench.rack)
    assert "AFTER ROUND ALL CARDS INTO BOX" not in bench.shown()
    assert bench.rulings("shuffle-ordered") == []


@pytest.mark.rule("burns", chapters=("665a", "672a", "673a", "686a"))
@pytest.mark.rule("burn-due")
@pytest.mark.parametrize("chapter", ["665a", "672a", "673a", "686a"])
def test_7_c_a_full_batch_that_is_put_into_a_box_has_its_first_card_burnt(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, deal=ENDLESS, reads=False))
    bench.open_endless()
    cards = bench.shoe.remove_all(bench.now)
    bench.run(0.3)
    bench.put_back([*cards, *bench.rack])
    assert bench.only_ruling_of("burn-due").directives == ("burn-first",)
    assert bench.state.burns == 1


@pytest.mark.rule("burn-ordered")
@pytest.mark.parametrize("chapter", ["665a", "672a", "673a", "686a"])
def test_a_card_that_the_floor_wants_burnt_is_told_until_it_is_in_the_rack(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    bench.begin(1)
    bench.draw()
    bench.command(commands.Order(what="burn"))
    assert bench.only_ruling_of("burn-ordered").directives == ("burn-next",)
    assert "NEXT CARD INTO RACK" in bench.shown()
    bench.burn()
    assert (bench.state.round.cards, bench.places()["discard"]) == (1, 2)
    assert not bench.holds()
    # Without a card in the shoe there is no next one.
    bench.empty_shoe()
    bench.command(commands.Order(what="burn"))
    assert len(bench.rulings("burn-ordered")) == 1


@pytest.mark.rule("drawn-without-permit")
@EACH
def test_a_shoe_without_a_lock_that_is_dealt_past_the_cover_card_is_told(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, shoe=ManualShoeBuild(locks=False)))
    bench.open()
    bench.begin(1)
    bench.inject("shoe-1", "cover_card")
    # Over Under is dealt one card to the position and two to the dealer.
    bench.draw(3 if chapter == "686a" else 4)
    bench.end_round()
    assert bench.shoe.lamp
    bench.begin(1)
    bench.draw(3)
    # Three cards are one trouble.
    assert [one.row for one in bench.rulings()] == ["cover-card-came", "drawn-without-permit"]
    assert bench.joined() == [2, 3]
    assert "shuffled" in bench.waits("deal")


@pytest.mark.rule("rest-of-shoe-wrong")
@pytest.mark.parametrize("chapter", ["665a", "672a", "673a", "686a"])
def test_the_rest_of_the_shoe_and_the_cards_that_came_are_all_the_cards(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    bench.begin(1)
    bench.fault("shoe-1", "two-cards")
    # The second card slid out with the first, and nobody told of it.
    bench.draw(2)
    bench.end_round()
    bench.empty_shoe()
    ruling = bench.only_ruling_of("rest-of-shoe-wrong")
    # Only 665a does not say that nothing may be missing.
    assert ruling.cite == (() if chapter == "665a" else (f"{chapter}.7(d)(1)",))
    assert ruling.directives == ("search-device", "count-deck")
    bench.command(commands.CountCards(deck="red", count=bench.setup.deck_total, part="deck"))
    assert not bench.holds()


# ---- Burnt cards: 665a.7(c), 672a.7(c), 673a.7(c), 686a.7(c) ---------------------------------------


@pytest.mark.rule("burns", "burn-due", chapters=("665a", "672a", "673a", "686a"))
@EACH
def test_a_new_dealer_burns_a_card_too(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    bench.command(commands.NewDealer(dealer="Kim"), "dealer")
    ruling = bench.only_ruling("burn-due")
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.7(c)",), ("burn-first",))
    assert "FIRST CARD INTO RACK" in bench.shown()
    bench.burn()
    assert "FIRST CARD INTO RACK" not in bench.shown()
    assert bench.places() == {"shoe": bench.setup.deck_total - 2, "discard": 2}
    assert bench.state.phase == "betting"
