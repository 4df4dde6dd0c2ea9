"""687a.8 to .10: the deal of DJ Wild, and the replacement card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import card, person

from . import stub_trials as stubs
from .poker_trials import advised

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]


@pytest.mark.rule("deal/manual-shoe", "election/progressive_twos", "report/seats-playing")
def test_687a_8_d_to_f_five_in_a_row_to_each_and_one_card_on_a_place_of_its_own(poker_of: Make) -> None:
    bench = poker_of("687a", "manual-shoe")
    bench.ready(2, 5)
    bench.draw(15)
    assert bench.state.phase == "dealing"
    bench.draw(1)
    assert (bench.state.phase, bench.state.round.cards) == ("dealt", 16)
    seats = [row.context.get("seat") for row in bench.rows if isinstance(row.event, card.CardDrawn)]
    # The card that replaces a joker is nobody's.
    assert seats == [2] * 5 + [5] * 5 + [0] * 5 + [None]
    bench.take_stub()
    bench.count(37)
    assert (bench.state.phase, bench.rulings()) == ("playing", [])


@pytest.mark.rule("deal/manual-shoe")
def test_687a_8_f_where_no_progressive_is_offered_no_card_is_laid(poker_of: Make) -> None:
    bench = poker_of("687a", "manual-shoe", elections={"progressive_twos": "not-offered"})
    bench.ready(1, 2, 3, 4, 5, 6)
    bench.draw(35)
    assert bench.state.phase == "dealt"
    bench.take_stub()
    bench.count(18)
    assert bench.rulings() == []


@pytest.mark.rule("deal/manual-shoe", "report/cards-dealt", "report/seats-playing")
def test_687a_9_c_to_e_six_players_by_hand_leave_seventeen(poker_of: Make) -> None:
    bench = poker_of("687a", "hand")
    bench.ready(1, 2, 3, 4, 5, 6)
    bench.hands_out(7)
    assert bench.state.round.cards == 36
    bench.count(17)
    bench.end_round()
    assert bench.rulings() == []


@pytest.mark.parametrize(("seats", "left"), [((1,), 37), ((), 38)])
def test_687a_10_c_from_an_automated_shoe_a_card_is_laid_where_a_progressive_wager_is_on(
    poker_of: Make, seats: tuple[int, ...], left: int
) -> None:
    bench = poker_of("687a")
    for seat in seats:
        bench.lay_wager(seat)
    bench.ready(1, 2)
    if seats:
        bench.start_game()
    bench.deal(3)
    bench.take_stub()
    bench.count(left)
    bench.end_round()
    assert (bench.rulings(), bench.state.rounds) == ([], 2)


def test_687a_10_c_where_the_shoe_tells_no_rest_the_dealers_count_without_the_replacement_card_ends_the_deal(
    poker_of: Make,
) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    bench.deal(3)
    bench.inject("shoe-1", "fault", code="motor", where="drive")
    bench.command(commands.Sign(device="shoe-1", sign="covered"))
    bench.count(37)
    assert bench.state.phase == "playing"
    bench.end_round()
    assert bench.state.rounds == 2


@pytest.mark.rule("replacement-card-not-laid")
def test_687a_10_c_a_replacement_card_that_is_not_missing_from_the_stub_is_looked_for(
    poker_of: Make,
) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    bench.deal(3)
    bench.take_stub()
    bench.count(38)
    advised(bench, "replacement-card-not-laid", "687a.10(c)", "lay-replacement")


def one_short(bench: PokerBench, fault: str = "") -> None:
    """The stub has a card less than all hands leave; `fault` is the shoe's as it counts it."""
    bench.ready(1, 2)
    bench.deal(3)
    if fault:
        bench.fault("shoe-1", fault)
    bench.take_stub()
    bench.count(37)


@pytest.mark.rule("replacement-card-not-asked-for", "replacement-card-seen")
def test_687a_10_c_a_stub_with_a_card_less_and_no_progressive_wager_holds_the_deck_until_it_is_found(
    poker_of: Make,
) -> None:
    bench = poker_of("687a")
    one_short(bench)
    ruling = bench.only_ruling("replacement-card-not-asked-for")
    assert (ruling.basis, ruling.directives) == ("own", ("lay-replacement", "count-deck", "call-floor"))
    assert bench.holds() == {("replacement-card-not-asked-for", "red")}
    assert bench.refused_report("replacement-card-there").startswith("replacement-card-there is reported by")
    bench.report("replacement-card-there", "floor")
    assert bench.holds() == set()


@pytest.mark.rule("stub-count-doubtful", "replacement-card-not-asked-for")
def test_687a_10_f_a_card_that_shoe_and_dealer_both_miss_is_not_forgotten(poker_of: Make) -> None:
    bench = poker_of("687a")
    one_short(bench, "miscount=-1")
    assert bench.holds() == {("stub-count-doubtful", "red"), ("replacement-card-not-asked-for", "red")}
    bench.end_round()
    bench.count(53, "deck")
    assert bench.holds() == set()


@pytest.mark.rule("replacement-card-or-missing")
def test_687a_10_c_without_a_station_a_card_less_is_told(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.take(person.DeviceRetired(by=person.Person(role="tech", name="Ann"), device="station-1"))
    one_short(bench)
    assert bench.only_ruling("replacement-card-or-missing").directives == ("lay-replacement", "call-floor")


@pytest.mark.rule("stub-one-short-automated-shoe")
def test_687a_10_f_where_no_progressive_is_offered_a_card_less_is_a_wrong_stub(poker_of: Make) -> None:
    bench = poker_of("687a", elections={"progressive_twos": "not-offered"})
    stubs.wrong_and_not_misdealt(bench, "stub-one-short-automated-shoe", "687a.10(f)", wrong=37)
