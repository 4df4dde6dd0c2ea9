"""What a shuffler of two decks shows where the sections on it are not to hand: rows of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device
from felt_simulators.cards import new_deck
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .coup_bench import CoupBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[CoupBench], CoupBench]

SHUFFLER = "shuffler-1"


# What is dealt makes no difference to these rows of one part: one game, and the others where there is time.
@pytest.fixture(
    params=["629a", *(pytest.param(one, marks=pytest.mark.long) for one in ("627a", "631a", "637a"))]
)
def table(watched: Watched, request: pytest.FixtureRequest) -> CoupBench:
    """An open table, the red deck in the shoe."""
    bench = watched(CoupBench(request.param, shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open()
    return bench


def _blue_back(bench: CoupBench) -> None:
    """Take the blue deck out of the shuffler, and count it."""
    bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.command(commands.CountCards(deck="blue", count=52), "dealer")


def test_the_other_deck_is_shuffled_and_nothing_is_said(table: CoupBench) -> None:
    table.shuffle(table.cards["blue"])
    assert (table.places("blue"), table.rulings()) == ({"shuffler": 52}, [])


@pytest.mark.rule("deck-not-as-it-must-be", "card-of-another-deck")
@pytest.mark.parametrize(
    "chapter", ["629a", *(pytest.param(one, marks=pytest.mark.long) for one in ("627a", "631a"))]
)
def test_a_card_that_does_not_belong_to_a_deck_is_recognised_although_the_number_is_right(
    watched: Watched, chapter: str
) -> None:
    bench = watched(CoupBench(chapter, shuffler=ShufflerBuild(shuffle_s=3.0, recognises=True)))
    bench.open()
    blue = bench.cards["blue"]
    bench.shuffle([*blue[:-1], new_deck("another", "blue", "table").stack()[0]])
    assert bench.holds() == {("deck-not-as-it-must-be", "blue")}
    bench.shuffler.unload(bench.now)
    bench.run(0.3)
    # A card of the deck in the shoe puts that one in doubt too.
    bench.shuffle([*blue[:-1], bench.cards["red"][0]])
    assert bench.holds() >= {("card-of-another-deck", "blue"), ("card-of-another-deck", "red")}


@pytest.mark.rule("shuffler-jam")
def test_a_jam_holds_both_decks_until_each_is_counted(table: CoupBench) -> None:
    table.fault(SHUFFLER, "jam=20")
    table.shuffle(table.cards["blue"], until="interrupted")
    ruling = table.only_ruling("shuffler-jam")
    assert (ruling.basis, ruling.cite, ruling.effect) == ("own", (), "stop")
    assert ruling.directives == ("clear-jam", "count-deck", "reshuffle")
    assert table.holds() == {("shuffler-jam", "blue"), ("shuffler-jam", "red")}
    cards = table.shuffler.clear_jam(table.now)
    table.run(0.5)
    table.shuffle(cards)
    # The shuffler counted all of the blue deck; the red one lies in the shoe, uncounted.
    assert table.holds() == {("shuffler-jam", "red")}
    table.empty_shoe()
    table.command(commands.CountCards(deck="red", count=52), "dealer")
    assert table.state.holds == {}


@pytest.mark.rule("shuffler-count-wrong", "hand-count-wrong")
def test_a_wrong_count_holds_the_deck_until_people_count_it(table: CoupBench) -> None:
    table.fault(SHUFFLER, "lost-card=1")
    table.shuffle(table.cards["blue"])
    assert table.only_ruling("shuffler-count-wrong").cite == ()
    assert table.holds() == {("shuffler-count-wrong", "blue")}
    table.shuffler.unload(table.now)
    table.run(0.3)
    table.command(commands.CountCards(deck="blue", count=51), "dealer")
    assert table.rulings()[-1].row == "hand-count-wrong"
    table.command(commands.CountCards(deck="blue", count=52), "dealer")
    assert table.state.holds == {}


@pytest.mark.rule("counts-contradict")
def test_people_and_shuffler_that_count_differently_hold_both_decks(table: CoupBench) -> None:
    table.shuffle(table.cards["blue"])
    table.shuffler.unload(table.now)
    table.run(0.3)
    table.command(commands.CountCards(deck="blue", count=51), "dealer")
    assert table.only_ruling("counts-contradict").directives[0] == "settle-conflict"
    assert table.holds() == {("counts-contradict", "blue"), ("counts-contradict", "red")}


@pytest.mark.rule("sorted-not-shuffled")
def test_a_deck_that_was_sorted_is_shuffled_first(table: CoupBench) -> None:
    table.shuffler.switch_mode("sort", table.now)
    table.shuffle(table.cards["blue"])
    ruling = table.only_ruling("sorted-not-shuffled")
    assert (ruling.cite, ruling.directives) == ((), ("leave-sort-mode",))
    cards = table.shuffler.unload(table.now)
    table.run(0.3)
    table.shuffler.switch_mode("shuffle", table.now)
    table.shuffle(cards)
    assert table.state.holds == {}


@pytest.mark.rule("cards-left-inside")
def test_cards_that_stay_in_the_shuffler_hold_their_deck(table: CoupBench) -> None:
    table.shuffle(table.cards["blue"])
    table.fault(SHUFFLER, "cards-left=16")
    table.shuffler.unload(table.now)
    table.run(0.3)
    assert table.only_ruling("cards-left-inside").subject_id == "blue"
    assert table.places("blue") == {"hand": 36, "shuffler": 16}


@pytest.mark.rule("service-left-cards", "cards-left-inside")
def test_cards_that_a_service_leaves_inside_hold_their_deck(table: CoupBench) -> None:
    table.shuffle(table.cards["blue"])
    table.fault(SHUFFLER, "cards-left=16")
    table.shuffler.unload(table.now)
    table.run(0.3)
    table.command(commands.ServiceBegin(device=SHUFFLER, why="cards inside"), "tech")
    table.command(commands.ServiceEnd(device=SHUFFLER, shown_empty=True), "tech")
    assert table.only_ruling_of("service-left-cards").subject_id == "blue"


@pytest.mark.rule("red-light")
def test_a_red_light_alone_holds_the_deck_inside(table: CoupBench) -> None:
    table.shuffle(table.cards["blue"])
    table.fault(SHUFFLER, "light=red")
    table.run(1.0)
    assert table.only_ruling("red-light").directives == ("call-floor", "count-deck")
    table.fault(SHUFFLER, "light=green")
    table.run(1.0)
    assert table.holds() == {("red-light", "blue")}
    _blue_back(table)
    assert table.state.holds == {}


@pytest.mark.rule("report-contradicts-shuffler", "shuffler-jam")
def test_a_jam_that_only_people_tell_waits_for_an_inspection(table: CoupBench) -> None:
    table.shuffle(table.cards["blue"])
    table.report("shuffler-jam", device=SHUFFLER)
    assert {one.row for one in table.rulings()} == {"shuffler-jam", "report-contradicts-shuffler"}
    table.inspect(SHUFFLER)
    assert ("report-contradicts-shuffler", SHUFFLER) not in table.holds()


@pytest.mark.rule("empty-shuffler-jam")
def test_a_jam_of_an_empty_shuffler_is_looked_for(table: CoupBench) -> None:
    table.report("shuffler-jam", device=SHUFFLER)
    assert ("empty-shuffler-jam", SHUFFLER) in table.holds()
    table.inspect(SHUFFLER)
    assert ("empty-shuffler-jam", SHUFFLER) not in table.holds()


@pytest.mark.rule("shuffler-faulty")
@pytest.mark.parametrize("told_by", ["shuffler", "people"])
def test_a_shuffler_that_cannot_be_used_is_told_and_locks_no_deal(table: CoupBench, told_by: str) -> None:
    if told_by == "shuffler":
        table.inject(SHUFFLER, "fault", code="motor", where="drive")
    else:
        table.report("shuffler-unusable", device=SHUFFLER)
    ruling = table.only_ruling("shuffler-faulty")
    assert (ruling.cite, ruling.effect) == ((), "advise")
    assert "hold" not in table.waits("deal")
    if told_by == "shuffler":
        table.inject(SHUFFLER, "cleared", code="motor", where="drive")
    table.inspect(SHUFFLER)
    assert table.state.holds == {}


@pytest.mark.rule("shuffler-not-understood")
def test_a_shuffler_that_nobody_understands_is_switched_off_and_on(table: CoupBench) -> None:
    table.take(device.DeviceFaulted(device=SHUFFLER, code="not-understood", where="no event called jm"))
    assert table.only_ruling("shuffler-not-understood").directives == ("look-at-device", "call-technician")
    table.shuffler.power_cycle(table.now)
    table.run(10.0)
    assert table.state.holds == {}


@pytest.mark.rule("shuffler-lost-in-shuffle")
def test_a_shuffler_lost_in_a_shuffle_holds_its_deck_until_it_is_heard(table: CoupBench) -> None:
    table.shuffler.load(table.cards["blue"], table.now)
    table.run(2.0)
    table.unplug(SHUFFLER)
    table.run(20.0)
    assert ("shuffler-lost-in-shuffle", "blue") in table.holds()
    table.plug(SHUFFLER)
    table.run(60.0)
    assert table.state.holds == {}


@pytest.mark.rule("shuffler-restarted")
def test_a_shuffler_that_restarts_with_a_deck_inside_has_counted_nothing(table: CoupBench) -> None:
    table.shuffle(table.cards["blue"])
    table.shuffler.power_cycle(table.now)
    table.run(10.0)
    assert table.holds() == {("shuffler-restarted", "blue")}
    _blue_back(table)
    assert table.state.holds == {}


@pytest.mark.rule("order-leaked")
def test_a_shuffler_that_offers_the_order_of_the_cards_is_refused(table: CoupBench) -> None:
    table.fault(SHUFFLER, "leak-order")
    table.shuffler.load(table.cards["blue"], table.now)
    table.run(15.0)
    assert table.only_ruling("order-leaked").effect == "no-new-round"
    assert table.state.devices[SHUFFLER].link == "refused"


@pytest.mark.rule("inhibit-unexplained")
def test_an_inhibit_that_no_hold_explains_is_told(table: CoupBench) -> None:
    table.fault(SHUFFLER, "jam=20")
    table.shuffle(table.cards["blue"], until="interrupted")
    table.run(2.0)
    table.lose_history()
    table.run(5.0)
    assert SHUFFLER in {one.subject_id for one in table.rulings("inhibit-unexplained")}
