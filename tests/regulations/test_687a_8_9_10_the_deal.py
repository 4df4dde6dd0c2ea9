"""687a.7 to .10: the deal of DJ Wild, its progressive wagers, the replacement card and the stub."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import card, device, person, station
from felt_simulators.devices.shuffler_build import ShufflerBuild

from . import stub_trials as stubs
from .poker_trials import advised

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

COUNTS_NOTHING = ShufflerBuild(shuffle_s=6.0, counts=False)
WAYS = ("manual-shoe", "hand", "automated-shoe")
NOT_PRESSED = {
    "manual-shoe": ("start-game-not-pressed-manual-shoe", ("687a.8(c)",)),
    "hand": ("start-game-not-pressed-hand", ("687a.9(b)",)),
    "automated-shoe": ("start-game-not-pressed-automated-shoe", ("687a.7(c)", "687a.9(b)")),
}


def orders(bench: PokerBench) -> list[str]:
    """What the station was ordered so far."""
    issued = bench.rows_of(device.OrderIssued)
    return [one.order for one in issued if one.device == "station-1"]


# ---- The deal --------------------------------------------------------------------------------------------


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


# ---- Start Game and wagers on sensors --------------------------------------------------------------------


@pytest.mark.rule("note/start_game")
@pytest.mark.parametrize("deal", WAYS)
def test_687a_8_c_9_b_wagers_are_taken_when_start_game_is_pressed(poker_of: Make, deal: str) -> None:
    bench = poker_of("687a", deal)
    for seat in (1, 4):
        bench.lay_wager(seat)
    bench.no_more_bets()
    bench.plays(1, 4)
    bench.run(0.5)
    bench.start_game()
    assert bench.rows_of(station.ProgressiveBetsLocked)[-1].seats == (1, 4)
    assert bench.station.collect(bench.now) == (1, 4)
    bench.hands_out(3)
    assert bench.rulings() == []


@pytest.mark.parametrize(
    "deal",
    [
        pytest.param("manual-shoe", marks=pytest.mark.rule("start-game-not-pressed-manual-shoe")),
        pytest.param("hand", marks=pytest.mark.rule("start-game-not-pressed-hand")),
        pytest.param("automated-shoe", marks=pytest.mark.rule("start-game-not-pressed-automated-shoe")),
    ],
)
def test_687a_8_c_9_b_cards_before_start_game_are_told_and_the_station_is_locked(
    poker_of: Make, deal: str
) -> None:
    bench = poker_of("687a", deal)
    bench.lay_wager(3)
    bench.ready(1, 3)
    bench.hands_out(3)
    row, cite = NOT_PRESSED[deal]
    ruling = bench.only_ruling(row)
    assert (ruling.cite, ruling.directives) == (cite, ("press-start-game",))
    bench.run(0.5)
    # Whoever forgot the key: no wager is laid any more once cards are out.
    assert bench.station.truth["locks"][-1]["by"] == "order"
    bench.start_game()
    assert bench.state.round.notices == ()


def test_687a_8_c_the_station_is_open_for_each_round_and_closed_in_it(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.play(1, 2)
    assert orders(bench) == ["unlock", "lock", "unlock"]


def test_a_station_with_a_sign_is_given_no_orders(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.command(commands.Sign(device="station-1", sign="out-of-order"), "tech")
    bench.play(1, 2)
    assert orders(bench) == ["unlock"]


def test_687a_8_c_without_a_progressive_wager_nobody_has_to_press(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.lay_wager(3)
    bench.take_wager(3)
    bench.ready(1, 3)
    bench.deal(1)
    assert bench.rulings() == []


@pytest.mark.rule("progressive-bet-after-bets-closed", "progressive-bet-withdrawn")
def test_687a_7_c_no_progressive_wager_is_made_or_withdrawn_after_no_more_bets(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.lay_wager(2)
    bench.take_wager(1)
    assert [(one.row, one.cite) for one in bench.rulings()] == [
        ("progressive-bet-after-bets-closed", ("687a.7(c)",)),
        ("progressive-bet-withdrawn", ("687a.7(c)",)),
    ]


def test_687a_7_c_a_wager_on_an_open_sensor_while_cards_are_dealt_is_late(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.ready(1, 2)
    bench.deal(1)
    bench.take(station.ProgressiveBet(device="station-1", seat=2, present=True))
    assert bench.only_ruling("progressive-bet-after-bets-closed").cite == ("687a.7(c)",)


@pytest.mark.rule("start-game-before-bets-closed", "bet-after-early-start-game")
def test_687a_8_b_c_start_game_comes_after_no_more_bets_and_a_wager_before_it_is_not_late(
    poker_of: Make,
) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.start_game()
    bench.lay_wager(2)
    bench.run(5.0)
    assert [(one.row, one.cite) for one in bench.rulings()] == [
        ("start-game-before-bets-closed", ("687a.8(b)", "687a.8(c)", "687a.9(b)")),
        ("bet-after-early-start-game", ()),
    ]


@pytest.mark.rule("late-progressive-bet", "locked-bet-removed")
def test_687a_7_c_a_wager_that_comes_or_goes_after_start_game_is_told(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    bench.lay_wager(2)
    bench.take_wager(1)
    bench.run(5.0)
    assert [(one.row, one.cite) for one in bench.rulings()] == [
        ("late-progressive-bet", ("687a.7(c)",)),
        ("locked-bet-removed", ("687a.7(c)",)),
    ]
    assert bench.rulings()[0].directives == ("return-late-bet",)


@pytest.mark.rule("station-unusable")
def test_a_station_that_reports_a_fault_takes_no_wager(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.fault("station-1", "unusable=keypad")
    bench.run(1.0)
    ruling = bench.only_ruling("station-unusable")
    assert (ruling.basis, ruling.effect) == ("own", "advise")
    # Its fault keeps no card from being dealt.
    bench.ready(1, 2)
    assert len(bench.permits("shoe-1")) == 1
    bench.station.repair(bench.now)
    bench.run(1.0)
    assert bench.holds() == set()


@pytest.mark.rule("station-restarted-with-wagers")
def test_a_station_that_restarts_with_wagers_is_told(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    bench.station.power_cycle(bench.now)
    bench.run(10.0)
    assert bench.rulings("station-restarted-with-wagers")[0].directives == ("call-floor", "call-technician")


# ---- The stub --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "row", "cite", "right"),
    [
        pytest.param(
            "manual-shoe",
            "stub-count-due-manual-shoe",
            "687a.8(g)",
            37,
            marks=[pytest.mark.long, pytest.mark.rule("stub-count-due-manual-shoe")],
        ),
        pytest.param(
            "hand",
            "stub-count-due-hand",
            "687a.9(f)",
            37,
            marks=[pytest.mark.long, pytest.mark.rule("stub-count-due-hand")],
        ),
        pytest.param(
            "automated-shoe",
            "stub-count-due-automated-shoe",
            "687a.10(d)",
            38,
            marks=[pytest.mark.long, pytest.mark.rule("stub-count-due-automated-shoe")],
        ),
    ],
)
def test_687a_8_g_9_f_10_d_without_a_counting_shuffler_the_stub_is_counted_in_every_fifth_round(
    poker_of: Make, deal: str, row: str, cite: str, right: int
) -> None:
    bench = poker_of("687a", deal, shuffler=COUNTS_NOTHING)
    stubs.counted_in_the_fifth_round(bench, row, cite, right)


@pytest.mark.parametrize(
    ("deal", "row", "cite"),
    [
        pytest.param(
            "manual-shoe",
            "stub-not-counted-manual-shoe",
            "687a.8(g)",
            marks=[pytest.mark.long, pytest.mark.rule("stub-not-counted-manual-shoe")],
        ),
        pytest.param(
            "hand",
            "stub-not-counted-hand",
            "687a.9(f)",
            marks=pytest.mark.rule("stub-not-counted-hand"),
        ),
        pytest.param(
            "automated-shoe",
            "stub-not-counted-automated-shoe",
            "687a.10(d)",
            marks=[pytest.mark.long, pytest.mark.rule("stub-not-counted-automated-shoe")],
        ),
    ],
)
def test_687a_8_g_9_f_10_d_after_five_rounds_without_a_count_the_whole_deck_is_counted(
    poker_of: Make, deal: str, row: str, cite: str
) -> None:
    bench = poker_of("687a", deal, shuffler=COUNTS_NOTHING)
    stubs.not_counted_in_five_rounds(bench, row, cite, total=53)


@pytest.mark.parametrize(
    ("deal", "row", "cite"),
    [
        pytest.param(
            "manual-shoe",
            "stub-count-wrong-manual-shoe",
            "687a.8(i)",
            marks=pytest.mark.rule("stub-count-wrong-manual-shoe"),
        ),
        pytest.param(
            "hand",
            "stub-count-wrong-hand",
            "687a.9(h)",
            marks=pytest.mark.rule("stub-count-wrong-hand"),
        ),
        pytest.param(
            "automated-shoe",
            "stub-count-wrong-automated-shoe",
            "687a.10(f)",
            marks=pytest.mark.rule("stub-count-wrong-automated-shoe"),
        ),
    ],
)
@pytest.mark.rule("not-misdealt-deck-leaves")
def test_687a_8_i_9_h_10_f_a_wrong_stub_voids_the_round_and_takes_the_deck_away(
    poker_of: Make, deal: str, row: str, cite: str
) -> None:
    stubs.wrong_and_not_misdealt(poker_of("687a", deal), row, cite, wrong=36)


@pytest.mark.rule("misdealt-deck-stays", "stub-count-wrong-hand")
def test_687a_8_i_9_h_10_f_a_deck_that_was_misdealt_and_has_53_cards_stays(poker_of: Make) -> None:
    cites = ("687a.8(i)", "687a.9(h)", "687a.10(f)")
    stubs.wrong_and_misdealt(poker_of("687a", "hand"), "stub-count-wrong-hand", cites, wrong=36)


@pytest.mark.rule("stub-count-doubtful")
def test_a_stub_that_the_shoe_counts_wrong_waits_for_the_dealers_count(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    bench.deal(3)
    bench.fault("shoe-1", "miscount=-1")
    bench.take_stub()
    assert bench.only_ruling("stub-count-doubtful").directives == ("count-stub",)
    # The replacement card was laid from it meanwhile.
    bench.count(37)
    assert bench.holds() == set()


@pytest.mark.rule("wrong-number-and-wrong-stub-automated-shoe", "wrong-number-of-cards")
def test_a_wrong_stub_of_a_round_that_is_void_already_has_the_deck_counted(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.ready(1, 2)
    bench.fault("shoe-1", "stack-size=4")
    bench.deal(1)
    bench.take_stub()
    bench.count(48)
    assert ("wrong-number-and-wrong-stub-automated-shoe", "red") in bench.holds()
    bench.command(commands.ReleaseRound())
    bench.count(53, "deck")
    assert bench.holds() == {("wrong-number-of-cards", "red")}


@pytest.mark.parametrize("deal", ["manual-shoe", "hand"])
@pytest.mark.rule("wrong-number-and-wrong-stub", "wrong-number-after-deal")
def test_687a_8_f_and_9_e_the_replacement_card_is_dealt_and_excuses_no_card_of_a_void_round(
    poker_of: Make, deal: str
) -> None:
    bench = poker_of("687a", deal)
    bench.ready(1, 2)
    if deal == "hand":
        bench.hands_out(3)
    else:
        bench.draw(16)
        bench.take_stub()
    bench.report("wrong-number")
    # Fifteen cards and the replacement card of 53 are out.
    bench.count(37)
    assert bench.rulings("wrong-number-and-wrong-stub") == []
    bench.count(36)
    assert bench.rulings("wrong-number-and-wrong-stub")[0].directives == ("count-deck",)


def void_after_the_deal(bench: PokerBench) -> None:
    """All hands come out of the automated shoe, and one of them is found to be wrong."""
    bench.deal(3)
    bench.take_stub()
    bench.report("wrong-number")


@pytest.mark.rule("wrong-number-and-wrong-stub-automated-shoe", "wrong-number-after-deal")
def test_687a_10_c_the_replacement_card_of_a_void_round_is_laid_for_a_progressive_wager(
    poker_of: Make,
) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    void_after_the_deal(bench)
    row = "wrong-number-and-wrong-stub-automated-shoe"
    for right in (38, 37):
        bench.count(right)
    assert bench.rulings(row) == []
    bench.count(36)
    assert bench.rulings(row)[0].directives == ("count-deck",)
    other = poker_of("687a")
    other.ready(1, 2)
    void_after_the_deal(other)
    other.count(37)
    assert len(other.rulings(row)) == 1


@pytest.mark.rule("wrong-number-and-wrong-stub-automated-shoe", "wrong-number-of-cards")
def test_687a_10_c_no_replacement_card_is_laid_before_every_hand_is_out(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    bench.fault("shoe-1", "stack-size=4")
    bench.deal(1)
    bench.take_stub()
    bench.count(48)
    assert len(bench.rulings("wrong-number-and-wrong-stub-automated-shoe")) == 1


@pytest.mark.rule("wrong-number-and-wrong-stub", "wrong-number-after-deal")
def test_687a_10_c_where_no_progressive_is_offered_no_card_is_excused(poker_of: Make) -> None:
    bench = poker_of("687a", elections={"progressive_twos": "not-offered"})
    bench.ready(1, 2)
    void_after_the_deal(bench)
    bench.count(38)
    assert bench.rulings("wrong-number-and-wrong-stub") == []
    bench.count(37)
    assert len(bench.rulings("wrong-number-and-wrong-stub")) == 1
