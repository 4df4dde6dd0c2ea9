"""What 665a, 672a, 673a and 686a have in common: batches, the shoe, the cut, burnt cards and the cover card.

Most is played with one deck of Double Back Jack in the shoe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device, system
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import ENDLESS, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]

DAY_S = 24 * 3600
EACH = pytest.mark.parametrize(
    "chapter", ["673a", *(pytest.param(one, marks=pytest.mark.long) for one in ("665a", "672a", "686a"))]
)


@pytest.fixture
def chapter() -> str:
    """Double Back Jack, where a test is not played in each of the games."""
    return "673a"


@pytest.fixture
def opened(watched: Watched, chapter: str) -> ShoeBench:
    """An open table with one batch in a shoe that reads no faces; the first card is burnt."""
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    return bench


@pytest.fixture
def two_batches(watched: Watched, chapter: str) -> ShoeBench:
    """The same with a shuffler and another batch, which is in it and shuffled."""
    bench = watched(ShoeBench(chapter, reads=False, shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open()
    bench.shuffle(bench.cards["blue"])
    return bench


def _change_over(bench: ShoeBench) -> None:
    """The shoe is emptied and filled from the shuffler, and the rack goes into the shuffler."""
    bench.empty_shoe()
    fresh = bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.load_shoe(fresh, "blue")
    used, bench.rack = [card for card in bench.rack if card.counts], []
    bench.shuffle(used)


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


def test_the_next_round_is_dealt_from_the_shuffled_shoe_after_one_card_is_burnt(opened: ShoeBench) -> None:
    opened.begin(1)
    # 13 cards lie below the cover card, and one was burnt: the cover card is the 39th that is drawn now.
    cards = opened.draw(39)
    assert not cards[-1].counts
    opened.end_round()
    opened.empty_shoe()
    assert opened.places() == {"discard": 52}
    stack = opened.stacked("red")
    opened.shuffle_by_hand()
    opened.load_shoe(stack)
    assert opened.places() == {"shoe": 52}
    opened.burn()
    opened.begin(1)
    opened.draw(4)
    assert opened.places() == {"shoe": 47, "table": 4, "discard": 1}
    assert [one.row for one in opened.rulings()] == ["cover-card-came", "burn-due"]


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
def test_a_new_dealer_burns_a_card_too(opened: ShoeBench) -> None:
    opened.command(commands.NewDealer(dealer="Kim"), "dealer")
    ruling = opened.only_ruling("burn-due")
    assert (ruling.cite, ruling.directives) == ((f"{opened.chapter}.7(c)",), ("burn-first",))
    assert "FIRST CARD INTO RACK" in opened.shown()
    opened.burn()
    assert "FIRST CARD INTO RACK" not in opened.shown()
    assert opened.places() == {"shoe": opened.setup.deck_total - 2, "discard": 2}
    assert opened.state.phase == "betting"


# ---- Shuffle and cut: 665a.5, 672a.5, 673a.5, 686a.5 -----------------------------------------------


@pytest.mark.rule("stack-not-cut")
@EACH
def test_a_stack_that_goes_uncut_into_the_shoe_is_told(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.load_shoe(bench.stacked("red"), cut=False)
    ruling = bench.only_ruling_of("stack-not-cut")
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.5(b)", f"{chapter}.5(c)"), ("offer-cut",))


@pytest.mark.rule("election/feeding", chapters=("665a", "686a"))
@pytest.mark.parametrize("chapter", ["686a", pytest.param("665a", marks=pytest.mark.long)])
def test_a_stack_that_a_shuffler_gives_to_the_shoe_by_itself_is_cut_by_nobody(
    watched: Watched, chapter: str
) -> None:
    bench = watched(
        ShoeBench(chapter, shuffler=ShufflerBuild(shuffle_s=3.0), elections={"feeding": "shuffler"})
    )
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.shuffle(bench.cards["red"])
    stack = bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.load_shoe(stack, cut=False)
    assert bench.rulings("stack-not-cut") == []


@pytest.mark.rule("stack-not-cut", chapters=("686a",))
def test_where_a_shuffler_feeds_the_shoe_a_stack_that_people_put_in_is_cut_all_the_same(
    watched: Watched,
) -> None:
    bench = watched(
        ShoeBench("686a", shuffler=ShufflerBuild(shuffle_s=3.0), elections={"feeding": "shuffler"})
    )
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.load_shoe(bench.stacked("red"), cut=False)
    assert bench.only_ruling_of("stack-not-cut").cite == ("686a.5(b)", "686a.5(c)")
    bench.empty_shoe()
    bench.shuffle(bench.cards["red"])
    stack = bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.load_shoe(stack, cut=False)
    assert len(bench.rulings("stack-not-cut")) == 1


@pytest.mark.rule("stack-not-cut", chapters=("686a",))
def test_where_the_dealer_puts_the_shufflers_stack_into_the_shoe_it_is_cut(watched: Watched) -> None:
    bench = watched(ShoeBench("686a", shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.shuffle(bench.cards["red"])
    stack = bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.load_shoe(stack, cut=False)
    assert bench.only_ruling_of("stack-not-cut").cite == ("686a.5(b)", "686a.5(c)")


def test_a_cut_is_good_for_one_shuffle(opened: ShoeBench) -> None:
    opened.empty_shoe()
    opened.shuffle_by_hand()
    opened.load_shoe(opened.stacked("red"), cut=False)
    assert [one.row for one in opened.rulings()] == ["stack-not-cut", "burn-due"]


def test_nobody_cuts_what_is_not_shuffled(opened: ShoeBench) -> None:
    opened.empty_shoe()
    said = opened.refused(commands.Report(what="stack-cut", deck="red"), "dealer")
    assert "the cards are not shuffled yet" in said


@pytest.mark.rule("recut-ordered", "recut-too-late")
@EACH
def test_a_new_cut_is_ordered_until_the_cards_are_in_the_shoe(opened: ShoeBench) -> None:
    opened.empty_shoe()
    opened.shuffle_by_hand()
    opened.command(commands.Order(what="recut"))
    assert opened.only_ruling_of("recut-ordered").directives == ("cut-again",)
    opened.load_shoe(opened.stacked("red"))
    opened.command(commands.Order(what="recut"))
    assert opened.only_ruling_of("recut-too-late").directives == ("order-reshuffle",)


@pytest.mark.rule("shuffle-ordered")
@EACH
def test_a_floorperson_may_order_a_reshuffle_after_any_round(opened: ShoeBench) -> None:
    opened.begin(1)
    opened.draw(4)
    opened.command(commands.Order(what="reshuffle"))
    assert opened.only_ruling_of("shuffle-ordered").cite == (
        f"{opened.chapter}.5(a)",
        f"{opened.chapter}.5(f)",
    )
    opened.draw()
    opened.end_round()
    with pytest.raises(Refused):
        opened.draw()
    opened.empty_shoe()
    opened.shuffle_by_hand()
    opened.load_shoe(opened.stacked("red"))
    opened.burn()
    opened.draw()


@pytest.mark.rule("dealt-unshuffled")
@EACH
def test_a_batch_that_was_not_shuffled_is_not_dealt(opened: ShoeBench) -> None:
    opened.empty_shoe()
    opened.rack = []
    opened.load_shoe(opened.stacked("red"), cut=False)
    ruling = opened.only_ruling_of("dealt-unshuffled")
    assert (ruling.cite, ruling.effect) == ((f"{opened.chapter}.5(a)",), "no-new-round")
    assert ruling.directives == ("shuffle-first",)
    with pytest.raises(Refused):
        opened.draw()


@pytest.mark.rule("dealt-unshuffled", "stack-not-cut", chapters=("673a",))
def test_a_stack_that_was_told_unshuffled_and_uncut_is_not_told_again_when_it_goes_back_in_the_round(
    opened: ShoeBench,
) -> None:
    opened.load_shoe(opened.empty_shoe(), cut=False)
    [hold] = [one.id for one in opened.state.holds.values() if one.row == "dealt-unshuffled"]
    opened.command(commands.Override(hold=hold, reason="tried here"), second="Bo")
    opened.burn()
    opened.begin(1)
    opened.draw(2)
    opened.load_shoe(opened.empty_shoe(), cut=False)
    assert len(opened.rulings("dealt-unshuffled")) == len(opened.rulings("stack-not-cut")) == 1
    assert opened.joined() == []


@pytest.mark.rule("deck-not-prepared")
@EACH
def test_a_batch_that_nobody_has_prepared_is_told_when_it_is_in_the_shoe(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red"))
    said = bench.refused(commands.OpenTable())
    tens = "tens-removed, " if chapter == "665a" else ""
    assert f"deck-inspected, inspection-verified, {tens}deck-spread, player-looked, deck-washed" in said
    bench.shuffle_by_hand()
    bench.load_shoe(bench.stacked("red"))
    assert bench.rulings("deck-not-prepared")[0].directives == ("prepare-batch",)


def test_where_nobody_plays_the_cards_lie_spread_and_are_washed_and_shuffled_again(opened: ShoeBench) -> None:
    opened.begin(1)
    opened.draw(4)
    assert "a round is being dealt" in opened.refused(commands.Report(what="cards-spread"), "dealer")
    opened.end_round()
    opened.empty_shoe()
    opened.report("cards-spread")
    assert opened.state.table == "idle"
    opened.report("player-looked", deck="red")
    opened.report("deck-washed", deck="red")
    opened.report("play-resumes")
    opened.shuffle_by_hand()
    opened.load_shoe(opened.stacked("red"))
    opened.burn()
    opened.draw()
    assert "dealt-unshuffled" not in [one.row for one in opened.rulings()]


# ---- How long cards may stay: 665a.3(c), 672a.3(c), 673a.3(c), 686a.3(c) ---------------------------


@pytest.mark.rule("deck-too-old")
@pytest.mark.parametrize("chapter", ["665a", "672a", "673a", "686a"])
def test_cards_that_are_24_hours_at_the_table_are_changed_after_the_round(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    bench.begin(1)
    bench.draw(2)
    assert bench.state.timers["deck-age/red"].after_s == DAY_S
    bench.take(system.TimerDue(timer="deck-age/red", overdue_s=0))
    ruling = bench.only_ruling_of("deck-too-old")
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.3(c)",), ("change-deck",))
    bench.draw(2)
    bench.end_round()
    with pytest.raises(Refused):
        bench.draw()


# ---- Two batches: 665a.3(b), 672a.3(b), 673a.3(b), 686a.3(b) ---------------------------------------


def test_two_batches_alternate_shoe_by_shoe_and_nothing_is_said(two_batches: ShoeBench) -> None:
    two_batches.begin(1)
    two_batches.draw(4)
    two_batches.inject("shoe-1", "cover_card")
    two_batches.end_round()
    _change_over(two_batches)
    assert two_batches.places() == {"shuffler": 52}
    assert two_batches.places("blue") == {"shoe": 52}
    two_batches.burn()
    two_batches.begin(1)
    two_batches.draw(4)
    assert [one.row for one in two_batches.rulings()] == ["cover-card-came", "burn-due"]
    assert not two_batches.holds()


@pytest.mark.rule("election/batches", "one-batch-in-shuffler", chapters=("665a", "672a", "673a", "686a"))
@EACH
def test_one_batch_alone_does_not_go_through_a_shuffler(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, shuffler=ShufflerBuild(shuffle_s=3.0), elections={"batches": 1}))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red"))
    bench.shuffle(bench.cards["red"])
    ruling = bench.only_ruling_of("one-batch-in-shuffler")
    assert (ruling.cite, ruling.effect) == ((f"{chapter}.3(b)",), "no-new-round")
    bench.command(commands.Method(shuffle="hand"))
    assert not bench.holds()


@pytest.mark.rule("deck-not-alternated")
@EACH
def test_the_batch_of_the_last_shoe_is_not_dealt_again(two_batches: ShoeBench) -> None:
    two_batches.begin(1)
    two_batches.draw(4)
    two_batches.end_round()
    rest = two_batches.empty_shoe()
    two_batches.load_shoe(rest, cut=False)
    ruling = two_batches.only_ruling_of("deck-not-alternated")
    assert (ruling.cite, ruling.directives) == ((f"{two_batches.chapter}.3(b)(4)",), ("use-other-batch",))
    two_batches.empty_shoe()
    assert ("deck-not-alternated", "red") not in two_batches.holds()


@pytest.mark.rule("other-deck-not-in-shuffler")
@EACH
def test_while_one_batch_is_dealt_the_other_is_in_the_shuffler(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, reads=False, shuffler=ShufflerBuild()))
    bench.open(burn=False)
    bench.burn()
    ruling = bench.only_ruling("other-deck-not-in-shuffler")
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.3(b)(3)",), ("other-batch-to-shuffler",))


@pytest.mark.rule("two-decks-in-rack")
@EACH
def test_cards_of_one_batch_alone_lie_in_the_rack(two_batches: ShoeBench) -> None:
    two_batches.empty_shoe()
    fresh = two_batches.shuffler.unload(two_batches.now)
    two_batches.run(0.3)
    two_batches.load_shoe(fresh, "blue")
    two_batches.burn()
    two_batches.draw(2)
    two_batches.end_round()
    ruling = two_batches.only_ruling_of("two-decks-in-rack")
    assert (ruling.cite, ruling.directives) == ((f"{two_batches.chapter}.3(b)(5)",), ("one-batch-in-rack",))


# ---- The shoe itself, for which the texts have no subsection ---------------------------------------


@pytest.mark.rule("shoe-count-wrong")
@EACH
def test_a_shoe_that_counts_as_it_is_loaded_must_count_the_whole_batch(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, shoe=ManualShoeBuild(counts_loading=True)))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.load_shoe(bench.stacked("red")[:-1])
    ruling = bench.only_ruling_of("shoe-count-wrong")
    assert (ruling.basis, ruling.directives) == ("own", ("count-deck", "search-device"))
    assert ("shoe-count-wrong", "red") in bench.holds()


@pytest.mark.rule("shoe-unusable")
@pytest.mark.parametrize("shown", ["fault", "report"])
@EACH
def test_a_shoe_that_cannot_be_used_deals_no_next_round(opened: ShoeBench, shown: str) -> None:
    if shown == "fault":
        opened.fault("shoe-1", "unusable=motor")
        opened.run(0.3)
    else:
        opened.report("shoe-unusable")
    assert opened.only_ruling("shoe-unusable").directives == ("new-shoe", "call-floor")
    assert "shoe-unusable" in opened.waits("deal")


@pytest.mark.rule("shoe-silent-in-round")
@EACH
def test_a_shoe_that_is_silent_in_a_round_tells_its_cards_afterwards(opened: ShoeBench) -> None:
    opened.begin(1)
    opened.draw(2)
    opened.unplug("shoe-1")
    opened.run(4.0)
    opened.draw(2)
    opened.run(5.0)
    assert opened.only_ruling_of("shoe-silent-in-round").effect == "no-new-round"
    assert opened.places()["table"] == 2
    opened.plug("shoe-1")
    opened.run(10.0)
    assert opened.places()["table"] == 4
    assert opened.state.phase == "playing"
    assert not opened.holds()


@pytest.mark.rule("shoe-forgot")
@EACH
def test_a_shoe_that_restarts_in_a_round_is_in_doubt_until_it_is_emptied(opened: ShoeBench) -> None:
    opened.begin(1)
    opened.draw(2)
    opened.shoe.power_cycle(opened.now)
    opened.run(8.0)
    assert opened.only_ruling_of("shoe-forgot").effect == "advise"
    # It is given its permit anew, and the round goes on.
    opened.draw(2)
    opened.end_round()
    opened.empty_shoe()
    assert not opened.holds()


@pytest.mark.rule("device-unusable", "device-not-understood")
@EACH
def test_a_shuffler_that_fails_keeps_no_shuffled_shoe_from_being_dealt(two_batches: ShoeBench) -> None:
    two_batches.report("shuffler-unusable")
    two_batches.take(device.DeviceFaulted(device="shuffler-1", code="not-understood"))
    two_batches.begin(1)
    two_batches.draw(4)
    two_batches.end_round()
    assert two_batches.waits("deal") == ""
    two_batches.draw()


@pytest.mark.rule("continuous-shuffler-unusable")
@EACH
def test_a_continuous_shuffler_that_cannot_be_used_deals_no_next_round(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, deal=ENDLESS))
    bench.open_endless()
    bench.report("continuous-shuffler-unusable")
    assert "continuous-shuffler-unusable" in bench.waits("deal")


@pytest.mark.rule("shoe-not-understood")
@EACH
def test_a_shoe_that_nobody_understands_deals_no_next_round(opened: ShoeBench) -> None:
    opened.take(device.DeviceFaulted(device="shoe-1", code="not-understood"))
    assert opened.only_ruling("shoe-not-understood").effect == "no-new-round"
    assert "shoe-not-understood" in opened.waits("deal")


@pytest.mark.rule("other-method-before-sign")
@EACH
def test_cards_shuffled_by_hand_beside_an_unsigned_shuffler_are_told(two_batches: ShoeBench) -> None:
    two_batches.command(commands.Method(shuffle="hand"))
    two_batches.fault("shuffler-1", "unusable=motor")
    two_batches.run(0.3)
    two_batches.empty_shoe()
    two_batches.shuffle_by_hand("red")
    assert two_batches.only_ruling_of("other-method-before-sign").directives == (
        "cover-or-sign",
        "call-floor",
    )


@pytest.mark.rule("signed-device-works")
@EACH
def test_a_signed_shoe_that_gives_cards_is_told(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, shoe=ManualShoeBuild(locks=False)))
    bench.open()
    bench.command(commands.Sign(device="shoe-1", sign="out-of-order"))
    bench.draw()
    assert "signed-device-works" in [one.row for one in bench.rulings()]


def test_the_reader_that_is_missing_from_a_table_of_blackjack_is_no_matter_of_over_under(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("686a"))
    bench.open()
    assert "reader" not in {gate.id for gate in bench.pack.gates}
    assert bench.waits("deal") == ""


def test_a_game_of_batches_speaks_of_batches_on_the_panel_and_in_refusals(two_batches: ShoeBench) -> None:
    two_batches.command(commands.Order(what="reshuffle", deck="red"))
    assert "HELD: batch red" in two_batches.shown()
    assert two_batches.refused(commands.ChangeDeck(deck="green")) == (
        "there is no batch green; there are: red, blue"
    )
    assert two_batches.refused(commands.Inspect(result="in-order")) == (
        "say what was inspected: a device or a batch"
    )
    assert two_batches.refused_report("deck-inspected") == "deck-inspected: say which batch: red, blue"
    assert two_batches.refused(commands.DeviceRetire(device="shoe-1", shown_empty=True)) == (
        "51 cards of red are believed to be in shoe-1: take them out, count the batch by hand"
        " and report it with count, or bring another batch with change-deck"
    )
