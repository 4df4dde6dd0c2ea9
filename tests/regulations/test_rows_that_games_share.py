"""Rows of our own that nearly every pack has, and rows on shufflers, at tables of games dealt from a shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device, system
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import IN_PART, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]


# One deck is shuffled and dealt soonest: the others where there is time.
EACH = pytest.mark.parametrize(
    "chapter",
    [
        "673a",
        *(pytest.param(one, marks=pytest.mark.long) for one in ("633a", "635a", "665a", "672a", "686a")),
    ],
)
WHOLE_TEXTS = pytest.mark.parametrize(
    "chapter", ["673a", *(pytest.param(one, marks=pytest.mark.long) for one in ("665a", "672a", "686a"))]
)
WITH_A_READER = pytest.mark.parametrize(
    "chapter",
    ["673a", *(pytest.param(one, marks=pytest.mark.long) for one in ("633a", "635a", "665a", "672a"))],
)


@pytest.fixture
def opened(watched: Watched, chapter: str) -> ShoeBench:
    """An open table with a batch in the shoe and another one at hand for the shuffler."""
    bench = watched(ShoeBench(chapter, reads=False, shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open(burn=chapter not in IN_PART)
    return bench


def _count(bench: ShoeBench, count: int, deck: str = "blue") -> None:
    bench.command(commands.CountCards(deck=deck, count=count, part="deck"))


@pytest.mark.rule("deck-age-unknown")
@WHOLE_TEXTS
def test_after_a_start_without_a_trusted_clock_nobody_knows_how_old_cards_are(opened: ShoeBench) -> None:
    opened.take(system.TimerUnknown(timer="deck-age/red"))
    assert opened.only_ruling_of("deck-age-unknown").subject_id == "red"
    opened.command(commands.ChangeDeck(deck="red", preshuffled=True))
    assert ("deck-age-unknown", "red") not in opened.holds()


@pytest.mark.rule("hand-count-wrong")
@EACH
def test_a_batch_that_people_count_wrong_is_not_dealt(opened: ShoeBench) -> None:
    whole = opened.setup.deck_total
    _count(opened, whole - 1)
    assert opened.only_ruling_of("hand-count-wrong").subject_id == "blue"
    assert ("hand-count-wrong", "blue") in opened.holds()
    _count(opened, whole)
    assert not opened.holds()


@pytest.mark.rule("counts-contradict")
@EACH
def test_a_hand_count_against_the_shufflers_holds_both(opened: ShoeBench) -> None:
    opened.shuffle(opened.cards["blue"])
    opened.shuffler.unload(opened.now)
    opened.run(0.3)
    _count(opened, opened.setup.deck_total - 1)
    told = opened.only_ruling_of("counts-contradict").directives
    assert told == ("settle-conflict", "search-device", "count-deck")
    assert opened.holds() == {("counts-contradict", "blue"), ("counts-contradict", "red")}


@pytest.mark.rule("shuffler-count-wrong")
@EACH
def test_a_shuffler_that_counts_other_cards_than_were_put_in_holds_the_batch(opened: ShoeBench) -> None:
    opened.shuffle(opened.cards["blue"][:-1])
    ruling = opened.only_ruling_of("shuffler-count-wrong")
    assert (ruling.basis, ruling.cite, ruling.directives) == ("own", (), ("search-device", "count-deck"))
    assert ("shuffler-count-wrong", "blue") in opened.holds()


@pytest.mark.rule("sorted-not-shuffled")
@WHOLE_TEXTS
def test_a_sorted_batch_is_not_shuffled(opened: ShoeBench) -> None:
    opened.fault("shuffler-1", "sort-mode")
    opened.shuffle(opened.cards["blue"])
    ruling = opened.only_ruling_of("sorted-not-shuffled")
    assert (ruling.cite, ruling.directives) == ((f"{opened.chapter}.5(a)",), ("leave-sort-mode",))


@pytest.mark.rule("cards-left-inside")
@EACH
def test_cards_that_stay_in_the_shuffler_are_looked_for(opened: ShoeBench) -> None:
    opened.shuffle(opened.cards["blue"])
    opened.fault("shuffler-1", "cards-left")
    opened.shuffler.unload(opened.now)
    opened.run(0.3)
    assert opened.only_ruling_of("cards-left-inside").directives == ("search-device", "count-deck")


@pytest.mark.rule("batch-not-proved")
@WHOLE_TEXTS
def test_with_two_batches_at_hand_nobody_knows_which_one_went_into_the_shuffler(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.heard()
    for deck in ("red", "blue"):
        bench.command(commands.ChangeDeck(deck=deck))
    bench.shuffle(bench.cards["red"])
    assert bench.only_ruling_of("batch-not-proved").directives == ("count-deck",)


@pytest.mark.rule("red-light")
@EACH
def test_a_red_light_of_the_shuffler_is_not_looked_past(opened: ShoeBench) -> None:
    opened.shuffle(opened.cards["blue"])
    opened.fault("shuffler-1", "light=red")
    opened.run(0.3)
    assert opened.only_ruling_of("red-light").directives == ("call-floor", "count-deck")


@pytest.mark.rule("report-contradicts-shuffler")
@EACH
def test_a_jam_that_the_shuffler_does_not_show_is_settled_by_a_floorperson(opened: ShoeBench) -> None:
    opened.shuffle(opened.cards["blue"])
    opened.report("shuffler-jam")
    assert opened.rulings("report-contradicts-shuffler")[0].directives == (
        "settle-conflict",
        "inspect-device",
    )
    opened.inspect("shuffler-1")
    assert ("report-contradicts-shuffler", "shuffler-1") not in opened.holds()


@pytest.mark.rule("empty-shuffler-jam")
@EACH
def test_a_jam_of_an_empty_shuffler_may_mean_cards_inside(opened: ShoeBench) -> None:
    opened.report("shuffler-jam")
    assert opened.only_ruling_of("empty-shuffler-jam").directives == ("search-device", "inspect-device")


@pytest.mark.rule("device-not-in-order")
@EACH
def test_a_device_that_an_inspection_finds_not_in_order_is_out_until_another_one(opened: ShoeBench) -> None:
    opened.inspect("shoe-1", "not-in-order")
    assert opened.only_ruling_of("device-not-in-order").subject_id == "shoe-1"
    assert "device-not-in-order" in opened.waits("deal")
    opened.inspect("shoe-1")
    assert opened.waits("deal") == ""


@pytest.mark.rule("driver-fault")
@EACH
def test_a_bug_in_a_driver_is_no_fault_of_the_device(opened: ShoeBench) -> None:
    opened.take(device.DeviceFaulted(device="shoe-1", code="driver", where="ValueError"))
    assert opened.only_ruling_of("driver-fault").effect == "advise"
    opened.take(device.DeviceCleared(device="shoe-1", code="driver"))
    assert not opened.holds()


@pytest.mark.rule("interlock-unconfirmed")
@pytest.mark.parametrize(
    "chapter", ["673a", *(pytest.param(one, marks=pytest.mark.long) for one in ("665a", "672a"))]
)
def test_a_shoe_that_ignores_its_inhibit_is_stopped_by_hand(opened: ShoeBench) -> None:
    opened.begin(1)
    opened.draw(4)
    opened.fault("shoe-1", "ignore-inhibit,lasting")
    opened.report("reader-malfunction")
    opened.run(5.0)
    told = opened.only_ruling_of("interlock-unconfirmed")
    assert (told.subject_id, told.directives) == ("shoe-1", ("stop-by-hand", "call-technician"))


@pytest.mark.rule("inhibit-unexplained")
@EACH
def test_an_inhibit_that_nothing_explains_is_told(opened: ShoeBench) -> None:
    opened.take(device.InhibitFound(device="shoe-1", why="somebody"))
    assert opened.only_ruling_of("inhibit-unexplained").directives == ("call-technician",)


@pytest.mark.rule("order-leaked")
# A message has no room for the order of eight decks, as 665a plays them.
@pytest.mark.parametrize(
    "chapter",
    ["673a", *(pytest.param(one, marks=pytest.mark.long) for one in ("633a", "635a", "672a", "686a"))],
)
def test_a_shoe_that_offers_the_order_of_its_cards_is_not_accepted_any_more(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, shoe=ManualShoeBuild()))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.fault("shoe-1", "leak-order")
    bench.load_shoe(bench.stacked("red"), cut=chapter not in IN_PART)
    bench.run(3.0)
    assert bench.only_ruling_of("order-leaked").effect == "no-new-round"
    assert bench.state.devices["shoe-1"].link == "refused"
    public = " ".join(one.event.model_dump_json() for one in bench.rows)
    assert 'order":[' not in public


@pytest.mark.rule("device-refused")
@WITH_A_READER
def test_a_reader_that_is_not_the_configured_one_is_refused(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter))
    bench.expect_serial("reader-1", "rd-9999")
    bench.run(5.0)
    assert {(one.row, one.subject_id) for one in bench.rulings()} == {("device-refused", "reader-1")}


@pytest.mark.rule("order-failed")
@EACH
def test_an_order_that_a_device_does_not_carry_out_is_told(opened: ShoeBench) -> None:
    order = opened.rows_of_orders("shoe-1")[-1]
    opened.take(device.OrderAnswered(device="shoe-1", order=order, result="failed", why="stopped"))
    assert opened.only_ruling_of("order-failed").directives == ("call-technician",)


@pytest.mark.rule("device-restarted")
@pytest.mark.parametrize("chapter", ["673a", pytest.param("672a", marks=pytest.mark.long)])
def test_a_reader_that_restarts_spoils_nothing_and_is_open_again_in_its_round(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter))
    bench.open("8H", "7S", "KD", "5C", "4H", "6S")
    bench.deal(1, 2)
    bench.reader.power_cycle(bench.now)
    bench.run(8.0)
    assert [one.row for one in bench.rulings()] == ["device-restarted"]
    bench.insert(bench.felt[5], bench.felt[2])
    assert not bench.holds()


@pytest.mark.rule("shuffler-lost-in-shuffle", "shuffler-restarted")
@EACH
def test_a_shuffler_that_is_lost_or_restarts_with_a_batch_inside_has_counted_nothing(
    opened: ShoeBench,
) -> None:
    opened.shuffler.load(opened.cards["blue"], opened.now)
    opened.run(2.0)
    opened.unplug("shuffler-1")
    opened.run(20.0)
    lost = opened.only_ruling_of("shuffler-lost-in-shuffle")
    assert (lost.subject_id, lost.directives) == ("blue", ("check-cable", "reshuffle"))
    opened.plug("shuffler-1")
    opened.run(20.0)
    opened.shuffler.power_cycle(opened.now)
    opened.run(8.0)
    restarted = opened.only_ruling_of("shuffler-restarted")
    assert (restarted.subject_id, restarted.directives) == ("blue", ("reshuffle",))
    # The batch in the shoe is another one, and is dealt.
    if opened.chapter not in IN_PART:
        opened.begin(1)
    opened.draw()


@pytest.mark.rule("device-silent")
@EACH
def test_a_shoe_that_is_silent_between_rounds_is_looked_at(opened: ShoeBench) -> None:
    opened.unplug("shoe-1")
    opened.run(10.0)
    silent = opened.only_ruling_of("device-silent")
    assert (silent.subject_id, silent.basis) == ("shoe-1", "own")


@pytest.mark.rule("shoe-jam")
@EACH
def test_a_jam_of_the_shoe_between_rounds_is_told_by_the_dealer(opened: ShoeBench) -> None:
    opened.report("shoe-jam")
    assert opened.only_ruling_of("shoe-jam").reported


@pytest.mark.rule("card-withdrawn")
@EACH
def test_a_card_that_is_withdrawn_is_replaced_before_its_batch_is_dealt(opened: ShoeBench) -> None:
    opened.command(commands.WithdrawCard(deck="blue", place="hand", why="marked backs"))
    withdrawn = opened.only_ruling_of("card-withdrawn")
    assert (withdrawn.subject_id, withdrawn.directives) == ("blue", ("replace-card",))
    opened.command(commands.ReplaceCard(deck="blue"))
    assert not opened.holds()


@pytest.mark.rule("service-left-cards")
@EACH
def test_a_card_that_stayed_in_the_shuffler_is_missed_when_its_service_ends(opened: ShoeBench) -> None:
    opened.shuffle(opened.cards["blue"])
    opened.fault("shuffler-1", "cards-left")
    opened.shuffler.unload(opened.now)
    opened.run(0.3)
    opened.command(commands.ServiceBegin(device="shuffler-1", why="a roller is changed"), "tech")
    opened.command(commands.ServiceEnd(device="shuffler-1", shown_empty=True), "tech")
    opened.run(10.0)
    left = opened.only_ruling_of("service-left-cards")
    assert (left.subject_id, left.directives) == ("blue", ("search-device", "count-deck"))


@pytest.mark.rule("deck-not-in-order")
@EACH
def test_a_batch_that_an_inspection_finds_not_in_order_leaves_the_table(opened: ShoeBench) -> None:
    opened.command(commands.Inspect(deck="blue", result="not-in-order", note="two backs are marked"))
    assert opened.only_ruling_of("deck-not-in-order").directives == ("remove-deck",)
    opened.command(commands.ChangeDeck(deck="blue"))
    assert not opened.holds()
