"""Blackjack and Spanish 21, of which a part alone is to hand: 58 Pa. Code §§ 633a.7(g) to (t), 635a.8."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device
from felt_simulators.cards import new_deck
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.hole_card_reader import ReaderBuild
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]

BOTH = pytest.mark.parametrize("chapter", ["633a", "635a"])
# A player's cards, a king up and an ace down; in which order they come is not in the text.
BLACKJACK = ("8H", "KD", "7S", "AS")


def _dealt(watched: Watched, chapter: str, *cards: str, reader: ReaderBuild | None = None) -> ShoeBench:
    bench = watched(ShoeBench(chapter, reader=reader))
    bench.open(*cards, burn=False)
    # What would be burnt elsewhere is the first card here.
    bench.draw(5)
    return bench


@pytest.mark.rule("deck-not-as-it-must-be", "card-of-another-deck", chapters=("633a",))
def test_a_card_that_does_not_belong_to_a_batch_is_recognised_although_the_number_is_right(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("633a", shuffler=ShufflerBuild(shuffle_s=3.0, recognises=True)))
    bench.open(burn=False)
    blue = bench.cards["blue"]
    bench.shuffle([*blue[:-1], new_deck("another", "blue", "table").stack()[0]])
    assert bench.only_ruling_of("deck-not-as-it-must-be").effect == "no-new-round"
    bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.shuffle([*blue[:-1], bench.cards["red"][0]])
    assert bench.only_ruling_of("card-of-another-deck").effect == "no-new-round"
    assert bench.holds() >= {("card-of-another-deck", "blue"), ("card-of-another-deck", "red")}


@pytest.mark.rule("dealt-unshuffled")
@BOTH
def test_cards_that_nobody_told_shuffled_are_told(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter))
    bench.open(burn=False)
    bench.empty_shoe()
    bench.load_shoe(bench.stacked("red"), cut=False)
    assert bench.only_ruling_of("dealt-unshuffled").basis == "own"


@pytest.mark.rule("drawn-without-permit")
@BOTH
def test_a_card_that_the_table_gave_no_permit_for_is_told(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, shoe=ManualShoeBuild(locks=False)))
    bench.open(burn=False)
    bench.command(commands.Order(what="shuffle"))
    bench.draw()
    assert bench.only_ruling_of("drawn-without-permit").directives == ("stop-drawing", "call-floor")


@pytest.mark.rule("dealer-blackjack")
def test_633a_7_h_after_a_blackjack_no_further_card_is_dealt(watched: Watched) -> None:
    bench = _dealt(watched, "633a", *BLACKJACK)
    bench.report("optional-wagers-settled")
    bench.report("up-card-ten")
    bench.run(0.3)
    bench.insert(bench.felt[4], bench.felt[2])
    assert bench.only_ruling("dealer-blackjack").cite == ("633a.7(h)",)
    with pytest.raises(Refused):
        bench.draw()
    bench.end_round()
    bench.draw()


@pytest.mark.rule("card-after-blackjack")
def test_633a_7_h_a_card_that_comes_all_the_same_is_told(watched: Watched) -> None:
    bench = _dealt(watched, "633a", *BLACKJACK)
    bench.report("optional-wagers-settled")
    bench.report("up-card-ten")
    bench.run(0.3)
    bench.fault("shoe-1", "ignore-inhibit,lasting")
    bench.insert(bench.felt[4], bench.felt[2])
    bench.draw()
    assert bench.only_ruling_of("card-after-blackjack").cite == ("633a.7(h)",)


@pytest.mark.rule("round-without-reader")
def test_633a_7_h_a_round_under_a_king_that_ends_without_the_reader_is_told(watched: Watched) -> None:
    bench = _dealt(watched, "633a", *BLACKJACK)
    bench.report("up-card-ten")
    bench.end_round()
    assert bench.only_ruling("round-without-reader").cite == ("633a.7(h)",)


@pytest.mark.rule("permit/reader", "report/insurance-closed")
@pytest.mark.rule("reader-before-insurance", "report/up-card-ace")
@pytest.mark.parametrize(("chapter", "cite"), [("633a", "633a.7(h)"), ("635a", "635a.8(b)")])
def test_insurance_is_placed_before_the_hole_card_goes_into_the_reader(
    watched: Watched, chapter: str, cite: str
) -> None:
    bench = _dealt(watched, chapter, "8H", "AD", "7S", "6S", reader=ReaderBuild(shutter=False))
    bench.report("up-card-ace")
    bench.run(0.3)
    assert "insurance is not closed" in bench.waits("reader")
    bench.insert(bench.felt[4], bench.felt[2])
    assert bench.only_ruling_of("reader-before-insurance").cite == (cite,)
    bench.take_out()
    bench.report("insurance-closed")
    assert bench.waits("reader") == ""


@pytest.mark.rule(
    "election/optional_wagers", "report/optional-wagers-settled", "report/up-card-ten", chapters=("633a",)
)
@pytest.mark.rule("reader-before-optional-wagers")
def test_633a_7_g_optional_wagers_are_settled_before_the_reader_and_house_money_after_it(
    watched: Watched,
) -> None:
    bench = _dealt(watched, "633a", "8H", "KD", "7S", "6S")
    bench.report("up-card-ten")
    bench.run(0.3)
    bench.insert(bench.felt[4], bench.felt[2])
    ruling = bench.only_ruling("reader-before-optional-wagers")
    assert (ruling.cite, ruling.directives) == (("633a.7(g)", "633a.7(h)"), ("settle-optional-first",))
    bench.report("optional-wagers-settled")
    assert "SETTLE OPTIONAL WAGERS" not in bench.shown()


@pytest.mark.rule("report/meter-payout-won", "report/payout-documented", "report/progressive-won")
@pytest.mark.rule("progressive-won", "meter-payout-won")
def test_633a_7_o_the_floor_verifies_and_cards_stay_until_the_paperwork_is_done(watched: Watched) -> None:
    bench = _dealt(watched, "633a", "8H", "9D", "7S", "6S")
    bench.report("progressive-won")
    assert bench.only_ruling("progressive-won").directives == ("call-floor", "floor-verifies")
    bench.report("meter-payout-won")
    told = bench.only_ruling_of("meter-payout-won")
    assert told.cite == ("633a.7(o)(2)(ii)", "633a.7(o)(3)(ii)")
    assert told.directives == ("call-floor", "floor-verifies", "cards-stay")
    bench.report("payout-documented", "floor")
    assert not bench.holds()
    bench.end_round()
    assert bench.rulings("payout-cards-gone") == []


@pytest.mark.rule("burn-ordered")
@BOTH
def test_a_card_that_the_floor_wants_burnt_is_told_until_it_comes(watched: Watched, chapter: str) -> None:
    bench = _dealt(watched, chapter, "8H", "9D", "7S", "6S")
    bench.command(commands.Order(what="burn"))
    assert bench.only_ruling_of("burn-ordered").directives == ("burn-next",)
    bench.draw()
    assert not bench.holds()


@pytest.mark.rule("payout-cards-gone")
def test_633a_7_o_cards_that_are_gone_before_the_paperwork_is_done_are_told(watched: Watched) -> None:
    bench = _dealt(watched, "633a", "8H", "9D", "7S", "6S")
    bench.report("meter-payout-won")
    bench.end_round()
    told = bench.only_ruling_of("payout-cards-gone")
    assert told.cite == ("633a.7(o)(2)(ii)", "633a.7(o)(3)(ii)")
    assert told.directives == ("call-floor", "rebuild-hand")
    assert "REBUILD WINNING HAND FROM RACK" in bench.shown()
    # The payout waits for its paperwork all the same, and once only.
    assert bench.holds() == {("meter-payout-won", "t-1")}
    bench.draw()
    bench.end_round()
    assert len(bench.rulings("payout-cards-gone")) == 1
    bench.report("payout-documented", "floor")
    assert not bench.holds()


# ---- What no section of these texts speaks of is our own, and locks little -------------------------------


@pytest.mark.rule("reader-wrong-up-card")
@BOTH
def test_the_reader_under_a_nine_is_for_a_floorperson(watched: Watched, chapter: str) -> None:
    bench = _dealt(watched, chapter, "8H", "9D", "7S", "6S")
    bench.report("reader-in-error")
    ruling = bench.only_ruling("reader-wrong-up-card")
    assert (ruling.basis, ruling.cite, ruling.directives) == ("own", (), ("floor-decides",))


@pytest.mark.rule("reader-malfunction")
@BOTH
def test_a_reader_that_fails_is_told_and_keeps_nobody_from_dealing(watched: Watched, chapter: str) -> None:
    bench = _dealt(watched, chapter, "8H", "9D", "7S", "6S")
    bench.fault("reader-1", "unusable=slot")
    bench.run(0.3)
    ruling = bench.only_ruling("reader-malfunction")
    assert (ruling.basis, ruling.effect) == ("own", "advise")
    bench.draw()
    bench.inspect("reader-1")
    assert not bench.holds()


@pytest.mark.rule("cover-card-seen", "card-found-face-up", "irregularity")
@BOTH
def test_a_cover_card_and_a_face_up_card_are_told_and_lock_nothing(watched: Watched, chapter: str) -> None:
    bench = _dealt(watched, chapter, "8H", "9D", "7S", "6S")
    bench.inject("shoe-1", "cover_card")
    bench.fault("shoe-1", "face-up")
    bench.draw()
    bench.report("irregularity")
    assert [(one.row, one.cite) for one in bench.rulings()] == [
        ("cover-card-seen", ()),
        ("card-found-face-up", ()),
        ("irregularity", ()),
    ]
    bench.end_round()
    assert bench.waits("deal") == ""


@pytest.mark.rule("shoe-ran-empty")
@BOTH
def test_a_shoe_that_runs_out_in_a_round_is_for_a_floorperson(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter))
    bench.open(burn=False)
    # 52 cards and the cover card.
    bench.draw(53)
    assert bench.only_ruling_of("shoe-ran-empty").directives == ("floor-decides",)


@pytest.mark.rule("shoe-not-understood", "shuffler-not-understood", "shuffler-faulty")
@BOTH
def test_devices_that_fail_are_told_without_a_citation(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, shuffler=ShufflerBuild()))
    bench.open(burn=False)
    bench.take(device.DeviceFaulted(device="shoe-1", code="not-understood"))
    bench.take(device.DeviceFaulted(device="shuffler-1", code="not-understood"))
    bench.report("shuffler-unusable")
    assert {(one.row, one.basis) for one in bench.rulings()} == {
        ("shoe-not-understood", "own"),
        ("shuffler-not-understood", "own"),
        ("shuffler-faulty", "own"),
    }


@BOTH
def test_a_table_opens_without_reports_of_a_preparation_that_the_text_does_not_give(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red"))
    bench.command(commands.OpenTable())
    assert bench.state.table == "open"


# ---- Rows of our own, as other games dealt from a shoe have them --------------------------------------


@pytest.fixture
def opened(watched: Watched, chapter: str) -> ShoeBench:
    """An open table with a batch in the shoe and another one at hand for the shuffler."""
    bench = watched(ShoeBench(chapter, shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open(burn=False)
    return bench


@pytest.mark.rule("reader-not-heard")
@BOTH
def test_a_round_whose_reader_nobody_hears_is_told_when_it_ends(opened: ShoeBench) -> None:
    opened.draw(5)
    opened.report("up-card-ten")
    opened.unplug("reader-1")
    opened.run(10.0)
    opened.end_round()
    assert opened.only_ruling_of("reader-not-heard").basis == "own"


@pytest.mark.rule("reader-not-understood", "reader-opened")
@BOTH
def test_a_reader_that_is_not_understood_or_opened_is_looked_at(opened: ShoeBench) -> None:
    opened.take(device.DeviceFaulted(device="reader-1", code="not-understood"))
    assert opened.only_ruling_of("reader-not-understood").effect == "advise"
    opened.inspect("reader-1")
    opened.reader.open_case(opened.now)
    opened.run(0.3)
    assert opened.only_ruling_of("reader-opened").effect == "no-new-round"


@pytest.mark.rule("rest-of-shoe-wrong")
@BOTH
def test_a_card_that_slid_out_unseen_is_missed_when_the_shoe_is_emptied(opened: ShoeBench) -> None:
    opened.fault("shoe-1", "two-cards")
    opened.draw(2)
    opened.end_round()
    opened.empty_shoe()
    assert opened.only_ruling_of("rest-of-shoe-wrong").directives == ("search-device", "count-deck")


@pytest.mark.rule("shoe-unusable")
@BOTH
def test_a_shoe_that_cannot_be_used_deals_no_next_round(opened: ShoeBench) -> None:
    opened.report("shoe-unusable")
    assert "shoe-unusable" in opened.waits("deal")


@pytest.mark.rule("shoe-silent-in-round")
@BOTH
def test_a_shoe_that_is_silent_in_a_round_is_told(opened: ShoeBench) -> None:
    opened.draw(2)
    opened.unplug("shoe-1")
    opened.run(10.0)
    assert opened.only_ruling_of("shoe-silent-in-round").effect == "no-new-round"


@pytest.mark.rule("shoe-forgot")
@BOTH
def test_a_shoe_that_restarts_in_a_round_is_in_doubt(opened: ShoeBench) -> None:
    opened.draw(2)
    opened.shoe.power_cycle(opened.now)
    opened.run(8.0)
    assert opened.only_ruling_of("shoe-forgot").effect == "advise"


@pytest.mark.rule("device-restarted")
@BOTH
def test_a_reader_that_restarts_spoils_nothing(opened: ShoeBench) -> None:
    opened.reader.power_cycle(opened.now)
    opened.run(8.0)
    assert [(one.row, one.subject_id) for one in opened.rulings()] == [("device-restarted", "reader-1")]


@pytest.mark.rule("shuffle-ordered")
@BOTH
def test_a_shuffle_that_the_floor_orders_is_done_before_the_next_round(opened: ShoeBench) -> None:
    opened.command(commands.Order(what="shuffle", deck="red"))
    assert opened.only_ruling_of("shuffle-ordered").subject_id == "red"


@pytest.mark.rule("shuffler-jam", "sorted-not-shuffled")
@BOTH
def test_a_batch_that_was_sorted_is_shuffled_and_one_that_jammed_is_counted(opened: ShoeBench) -> None:
    opened.fault("shuffler-1", "sort-mode")
    opened.shuffle(opened.cards["blue"])
    assert opened.only_ruling_of("sorted-not-shuffled").directives == ("leave-sort-mode",)
    cards = opened.shuffler.unload(opened.now)
    opened.run(0.3)
    opened.fault("shuffler-1", "jam=20")
    opened.shuffle(cards, until="interrupted")
    assert "count-deck" in opened.only_ruling_of("shuffler-jam").directives


@pytest.mark.rule("shoe-count-wrong")
@BOTH
def test_a_shoe_that_counts_as_it_is_loaded_must_count_the_whole_batch(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, shoe=ManualShoeBuild(counts_loading=True)))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.load_shoe(bench.stacked("red")[:-1], cut=False)
    assert bench.only_ruling_of("shoe-count-wrong").directives == ("count-deck", "search-device")


@pytest.mark.rule("reader-cannot-tell")
@BOTH
def test_a_card_that_cannot_be_read_is_put_in_once_more(watched: Watched, chapter: str) -> None:
    bench = _dealt(watched, chapter, *BLACKJACK, reader=ReaderBuild(shutter=False))
    bench.fault("reader-1", "unreadable")
    bench.insert(bench.felt[4], bench.felt[2])
    assert bench.only_ruling_of("reader-cannot-tell").directives == ("read-again",)
