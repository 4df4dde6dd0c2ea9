"""687a.7(c), .8(b) and (c), .9(b): Start Game and the progressive wagers of DJ Wild."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device, station

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

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
