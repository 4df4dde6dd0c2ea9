"""What a shoe, a count or people show where the sections on irregularities are not to hand: our own rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device
from felt_simulators.devices.hands import CardSticks, Refused
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild

from .coup_bench import CoupBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[CoupBench], CoupBench]


# Two ways through a round, one of baccarat and one of Badugi; the other two with the long tests.
@pytest.fixture(
    params=["631a", "637a", *(pytest.param(one, marks=pytest.mark.long) for one in ("627a", "629a"))]
)
def chapter(request: pytest.FixtureRequest) -> str:
    """Each chapter."""
    found: str = request.param
    return found


@pytest.fixture
def table(watched: Watched, chapter: str) -> CoupBench:
    """An open table, all cards in the shoe, its permit given."""
    bench = watched(CoupBench(chapter))
    bench.open()
    _ready(bench)
    return bench


def _ready(bench: CoupBench) -> None:
    """Whatever comes before the first card."""
    if bench.pack.source.chapter == "637a":
        bench.report("seats-playing", seats=(1,))
        bench.run(0.3)
    else:
        bench.no_more_bets()


def test_four_cards_of_a_round_are_dealt_without_a_word(table: CoupBench) -> None:
    table.draw(4)
    assert (table.state.phase, table.rulings()) == ("playing", [])


@pytest.mark.rule("card-found-face-up")
def test_a_face_up_card_is_told_and_counts_for_no_hand(table: CoupBench) -> None:
    table.fault("shoe-1", "face-up")
    table.draw()
    ruling = table.only_ruling("card-found-face-up")
    assert (ruling.cite, ruling.effect, ruling.directives) == ((), "advise", ("floor-decides",))
    assert table.places() == {"shoe": 51, "discard": 1}
    table.draw(4)
    assert table.state.phase == "playing"


@pytest.mark.rule("card-found-face-up", "irregularity")
def test_people_report_what_the_shoe_does_not_see(table: CoupBench) -> None:
    table.report("card-face-up")
    table.report("irregularity")
    assert [one.row for one in table.rulings()] == ["card-found-face-up", "irregularity"]
    assert all((one.cite, one.directives) == ((), ("floor-decides",)) for one in table.rulings())
    assert table.state.holds == {}


@pytest.mark.rule("shoe-ran-empty")
def test_a_shoe_that_runs_empty_within_a_round_is_told_until_it_is_filled(table: CoupBench) -> None:
    table.empty_shoe()
    table.report("deck-shuffled", deck="red")
    table.load_shoe(table.cards["red"][:3])
    assert [one.row for one in table.rulings()] == ["shoe-count-wrong"]
    table.command(commands.Override(hold=1, reason="tried here"), second="Bo")
    table.draw(3)
    assert table.only_ruling_of("shoe-ran-empty").directives == ("floor-decides",)
    table.load_shoe(table.cards["red"][3:])
    assert table.state.round.notices == ()


@pytest.mark.rule("dealt-unshuffled")
def test_cards_that_nobody_told_shuffled_are_told_and_dealt_all_the_same(table: CoupBench) -> None:
    table.draw(4)
    table.end_round()
    table.empty_shoe()
    table.load_shoe(table.cards["red"])
    ruling = table.only_ruling("dealt-unshuffled")
    assert (ruling.cite, ruling.effect) == ((), "advise")
    _ready(table)
    table.draw(4)
    assert table.state.phase == "playing"


@pytest.mark.rule("shuffle-ordered")
def test_a_shuffle_that_the_floor_orders_is_done_after_the_round(table: CoupBench) -> None:
    table.draw()
    table.command(commands.Order(what="shuffle"))
    assert table.only_ruling("shuffle-ordered").directives == ("reshuffle",)
    table.draw(3)
    table.end_round()
    _ready(table)
    with pytest.raises(Refused):
        table.draw()
    table.empty_shoe()
    table.report("deck-shuffled", deck="red")
    table.load_shoe(table.cards["red"])
    table.draw()


@pytest.mark.rule("burn-ordered")
def test_a_card_that_the_floor_wants_burnt_is_told_until_it_comes(table: CoupBench) -> None:
    table.command(commands.Order(what="burn"))
    told = table.only_ruling_of("burn-ordered")
    assert (told.basis, told.directives) == ("own", ("burn-next",))
    table.draw()
    assert not table.holds()
    assert table.state.round.cards == 0


@pytest.mark.rule("drawn-without-permit")
def test_a_card_that_the_table_gave_no_permit_for_is_told(watched: Watched, chapter: str) -> None:
    bench = watched(CoupBench(chapter, shoe=ManualShoeBuild(locks=False)))
    bench.open()
    _ready(bench)
    bench.draw(4)
    bench.command(commands.Order(what="shuffle"))
    bench.end_round()
    _ready(bench)
    bench.draw()
    told = bench.only_ruling_of("drawn-without-permit")
    assert (told.cite, told.directives) == ((), ("stop-drawing", "call-floor"))


@pytest.mark.rule("rest-of-shoe-wrong")
def test_a_card_that_is_missing_when_the_shoe_is_emptied_holds_the_deck(table: CoupBench) -> None:
    table.fault("shoe-1", "two-cards")
    table.draw(3)
    table.end_round()
    table.empty_shoe()
    ruling = table.only_ruling_of("rest-of-shoe-wrong")
    assert (ruling.cite, ruling.effect, ruling.subject_id) == ((), "no-new-round", "red")
    table.command(commands.CountCards(deck="red", count=52), "dealer")
    assert table.state.holds == {}


@pytest.mark.rule("shoe-count-wrong")
def test_a_shoe_that_counts_another_number_holds_its_deck_until_people_count(table: CoupBench) -> None:
    table.empty_shoe()
    table.report("deck-shuffled", deck="red")
    table.load_shoe(table.cards["red"][1:])
    assert table.only_ruling_of("shoe-count-wrong").cite == ()
    # Of several decks people say batch; Badugi is dealt from one.
    deck = "deck" if table.pack.source.chapter == "637a" else "batch"
    assert table.waits("deal") == (
        f"hold 1 (shoe-count-wrong): the {deck} is counted by hand and has 52 cards, or is changed"
    )
    table.empty_shoe()
    table.command(commands.CountCards(deck="red", count=52), "dealer")
    assert table.state.holds == {}


@pytest.mark.rule("hand-count-wrong")
def test_a_hand_count_that_is_wrong_holds_the_deck_until_it_is_right(table: CoupBench) -> None:
    table.empty_shoe()
    table.command(commands.CountCards(deck="red", count=51), "dealer")
    assert table.only_ruling("hand-count-wrong").directives == ("search-device", "count-deck")
    table.command(commands.CountCards(deck="red", count=52), "dealer")
    assert table.state.holds == {}


@pytest.mark.rule("card-withdrawn")
def test_a_card_that_is_taken_out_is_replaced_before_the_next_round(table: CoupBench) -> None:
    table.draw(4)
    table.command(commands.WithdrawCard(deck="red", place="table", why="damaged"))
    assert table.holds() == {("card-withdrawn", "red")}
    table.command(commands.ReplaceCard(deck="red"))
    assert table.state.holds == {}


@pytest.mark.rule("deck-not-in-order", "device-not-in-order")
def test_what_is_inspected_and_not_in_order_is_held(table: CoupBench) -> None:
    table.inspect("shoe-1", "not-in-order")
    table.inspect("shoe-1")
    assert table.state.holds == {}
    table.empty_shoe()
    table.command(commands.Inspect(deck="red", result="not-in-order"))
    assert table.holds() == {("deck-not-in-order", "red")}
    table.command(commands.ChangeDeck(deck="red", preshuffled=True))
    assert table.state.holds == {}


# ---- The shoe itself ---------------------------------------------------------------------------------


@pytest.mark.rule("shoe-jam")
def test_a_card_that_sticks_is_taken_out_and_the_round_goes_on(table: CoupBench) -> None:
    table.fault("shoe-1", "jam=2")
    table.draw()
    with pytest.raises(CardSticks):
        table.draw()
    table.run(0.3)
    ruling = table.only_ruling("shoe-jam")
    assert (ruling.cite, ruling.directives) == ((), ("pull-card-out",))
    table.shoe.clear_jam(table.now)
    table.run(0.3)
    table.draw(2)
    assert table.state.holds == {}


@pytest.mark.rule("shoe-unusable")
@pytest.mark.parametrize("told_by", ["shoe", "people"])
def test_a_shoe_that_cannot_be_used_is_held_until_it_is_in_order(table: CoupBench, told_by: str) -> None:
    if told_by == "shoe":
        table.inject("shoe-1", "fault", code="sensor", where="mouth")
    else:
        table.report("shoe-unusable", device="shoe-1")
    assert table.only_ruling("shoe-unusable").directives == ("new-shoe", "call-floor")
    if told_by == "shoe":
        table.inject("shoe-1", "cleared", code="sensor", where="mouth")
    table.inspect("shoe-1")
    assert table.state.holds == {}


@pytest.mark.rule("shoe-not-understood")
def test_a_shoe_that_nobody_understands_is_switched_off_and_on(table: CoupBench) -> None:
    table.take(device.DeviceFaulted(device="shoe-1", code="not-understood", where="no event called jm"))
    assert table.only_ruling("shoe-not-understood").effect == "no-new-round"
    table.shoe.power_cycle(table.now)
    table.run(10.0)
    assert table.state.holds == {}


@pytest.mark.rule("shoe-silent-in-round")
def test_a_shoe_lost_in_a_round_tells_afterwards_what_it_gave(table: CoupBench) -> None:
    table.draw(2)
    table.unplug("shoe-1")
    table.run(5.0)
    assert table.holds() >= {("shoe-silent-in-round", "shoe-1")}
    table.plug("shoe-1")
    table.run(10.0)
    table.draw(2)
    assert (table.state.phase, table.state.holds) == ("playing", {})


@pytest.mark.rule("shoe-forgot")
def test_a_shoe_that_restarts_in_a_round_is_counted_when_it_is_emptied(table: CoupBench) -> None:
    table.draw(2)
    table.shoe.power_cycle(table.now)
    table.run(10.0)
    assert table.holds() == {("shoe-forgot", "shoe-1")}
    table.end_round()
    table.empty_shoe()
    assert table.state.holds == {}


@pytest.mark.rule("device-silent", "device-restarted")
def test_a_shoe_that_is_silent_or_restarts_between_rounds_is_told(watched: Watched, chapter: str) -> None:
    bench = watched(CoupBench(chapter))
    bench.open()
    bench.shoe.power_cycle(bench.now)
    bench.run(10.0)
    assert [one.row for one in bench.rulings()] == ["device-silent", "device-restarted"]
    assert bench.state.holds == {}


# ---- Any device ----------------------------------------------------------------------------------------


@pytest.mark.rule("driver-fault")
def test_a_bug_in_a_driver_is_no_fault_of_the_shoe(table: CoupBench) -> None:
    table.take(device.DeviceFaulted(device="shoe-1", code="driver", where="ValueError"))
    assert table.only_ruling("driver-fault").effect == "advise"
    table.take(device.DeviceCleared(device="shoe-1", code="driver"))
    assert table.state.holds == {}


@pytest.mark.rule("order-failed")
def test_an_order_that_the_shoe_does_not_carry_out_is_told(table: CoupBench) -> None:
    order = table.rows_of_orders("shoe-1")[-1]
    table.take(device.OrderAnswered(device="shoe-1", order=order, result="failed", why="stopped"))
    assert table.only_ruling("order-failed").directives == ("call-technician",)


@pytest.mark.rule("device-refused")
def test_a_shoe_that_is_not_the_configured_one_is_refused(table: CoupBench) -> None:
    table.expect_serial("shoe-1", "so-9999")
    table.run(5.0)
    assert {(one.row, one.subject_id) for one in table.rulings()} == {("device-refused", "shoe-1")}


@pytest.mark.rule("interlock-unconfirmed")
def test_a_shoe_that_ignores_its_inhibit_is_stopped_by_hand(table: CoupBench) -> None:
    table.fault("shoe-1", "ignore-inhibit,lasting")
    table.draw(4)
    table.command(commands.Order(what="shuffle"))
    table.end_round()
    table.run(10.0)
    told = table.only_ruling_of("interlock-unconfirmed")
    assert told.directives == ("stop-by-hand", "call-technician")
