"""659a.13(a) and (b), 659a.5(g), 659a.2(c)(1): the shaker and its dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table.starts import seat_of
from felt_protocols import commands
from felt_protocols.events import draw, incident, system
from felt_protocols.events.person import Person

if TYPE_CHECKING:
    from .felt_bench import Bench

DAY_S = 24 * 3600


@pytest.mark.rule("dice-not-flat")
def test_659a_13_a_a_die_that_does_not_lie_flat_is_no_roll_and_the_dice_are_shaken_again(
    opened: Bench,
) -> None:
    opened.no_more_bets()
    opened.fault("shaker-1", "not-flat")
    opened.shake()
    opened.uncover()
    ruling = opened.only_ruling("dice-not-flat")
    assert ruling.cite == ("659a.13(a)",)
    assert ruling.directives == ("no-roll", "reshake")
    assert opened.state.round.start_seat is None
    assert opened.permits("shoe-1") == []
    opened.shake()
    opened.uncover()
    assert opened.state.round.start_seat is not None
    assert opened.state.round.notices == ()
    assert opened.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}]


@pytest.mark.rule("die-outside")
def test_659a_13_b_a_die_that_falls_out_is_no_roll_and_the_dice_are_shaken_again(opened: Bench) -> None:
    opened.no_more_bets()
    opened.fault("shaker-1", "die-outside")
    opened.shake()
    opened.uncover()
    ruling = opened.only_ruling("die-outside")
    assert ruling.cite == ("659a.13(b)",)
    assert ruling.directives == ("no-roll", "reshake")
    assert opened.permits("shoe-1") == []
    opened.shaker.gather(opened.now)
    opened.shake()
    opened.uncover()
    assert opened.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}]


@pytest.mark.rule("dice-not-flat")
def test_two_bad_rolls_are_two_incidents_and_both_are_over(opened: Bench) -> None:
    opened.no_more_bets()
    for _ in range(2):
        opened.fault("shaker-1", "not-flat")
        opened.shake()
        opened.uncover()
    assert [one.row for one in opened.incidents()] == ["dice-not-flat", "dice-not-flat"]
    assert len(opened.rows_of(incident.IncidentClosed)) == 2
    assert opened.state.incidents == {}


@pytest.mark.rule("too-few-shakes")
def test_659a_5_g_1_i_fewer_than_three_shakes_determine_nothing(opened: Bench) -> None:
    opened.no_more_bets()
    opened.shake(2)
    opened.uncover()
    assert opened.only_ruling("too-few-shakes").cite == ("659a.5(g)(1)(i)",)
    assert opened.state.round.start_seat is None
    opened.shake(3)
    opened.uncover()
    assert opened.state.round.start_seat is not None


def test_659a_5_g_1_i_shakes_before_a_covered_shaker_was_uncovered_do_not_count_for_the_next_roll(
    opened: Bench,
) -> None:
    opened.no_more_bets()
    opened.shake(2)
    opened.uncover()
    opened.shake(2)
    opened.uncover()
    assert [one.row for one in opened.rulings()] == ["too-few-shakes", "too-few-shakes"]
    assert opened.state.round.start_seat is None


# Dealer is 1, counting counter-clockwise; seats are numbered clockwise from the dealer's left.
@pytest.mark.parametrize(
    ("total", "seat"),
    list(zip(range(3, 19), [5, 4, 3, 2, 1, 0, 6, 5, 4, 3, 2, 1, 0, 6, 5, 4], strict=True)),
)
def test_659a_5_g_1_iii_the_count_begins_with_the_dealer_and_runs_counter_clockwise(
    total: int, seat: int
) -> None:
    assert seat_of(total, 7)[1] == seat


@pytest.mark.rule("dice-not-read")
def test_a_die_that_the_shaker_cannot_read_determines_nothing(opened: Bench) -> None:
    opened.no_more_bets()
    opened.shake()
    opened.inject("shaker-1", "dice", faces=[3, 0, 5], flat=True, inside=True)
    assert opened.only_ruling("dice-not-read").directives == ("reshake",)
    assert opened.state.round.start_seat is None


@pytest.mark.rule("start-before-bets-closed")
def test_a_start_position_before_no_more_bets_is_told_and_stands(opened: Bench) -> None:
    opened.shake()
    opened.uncover()
    ruling = opened.only_ruling("start-before-bets-closed")
    assert ruling.basis == "own"
    assert ruling.cite == ()
    assert opened.permits("shoe-1") == []
    opened.no_more_bets()
    assert opened.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}]


@pytest.mark.rule("second-reading")
def test_a_second_look_at_the_dice_changes_nothing_and_is_told(opened: Bench) -> None:
    opened.ready_to_deal()
    first = opened.state.round.start_seat
    opened.shake()
    opened.uncover()
    assert opened.only_ruling("second-reading").basis == "own"
    assert opened.state.round.start_seat == first
    assert len(opened.rows_of(draw.StartPositionSet)) == 1


@pytest.mark.rule("second-reading")
@pytest.mark.parametrize("fault", ["not-flat", "die-outside"])
def test_659a_13_a_b_dice_that_determined_the_position_are_no_bad_roll_at_a_second_look(
    opened: Bench, fault: str
) -> None:
    opened.ready_to_deal()
    first = opened.state.round.start_seat
    opened.fault("shaker-1", fault)
    opened.shake()
    opened.uncover()
    assert opened.only_ruling("second-reading").basis == "own"
    assert opened.state.round.start_seat == first


@pytest.mark.rule("dice-too-old")
def test_659a_2_c_1_i_dice_of_24_hours_hold_the_next_deal_until_they_are_changed(opened: Bench) -> None:
    timer = opened.state.timers["dice-age/shaker-1"]
    assert timer.after_s == DAY_S
    opened.ready_to_deal()
    opened.take(system.TimerDue(timer="dice-age/shaker-1", overdue_s=0))
    ruling = opened.only_ruling("dice-too-old")
    assert ruling.cite == ("659a.2(c)(1)(i)",)
    assert ruling.directives == ("change-dice",)
    # The permit was given before: this round is finished.
    opened.deal()
    opened.take_rest()
    opened.cover_and_shake_once()
    opened.end_round()
    opened.change_over()
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1
    opened.command(commands.ChangeDice(device="shaker-1"))
    assert opened.holds() == set()
    assert len(opened.permits("shoe-1")) == 2
    ended = opened.rows_of(incident.HoldEnded)[0]
    assert (ended.how, ended.by) == ("reported", Person(role="floor", name="Ann"))


@pytest.mark.rule("dice-age-unknown")
def test_dice_whose_age_nobody_can_tell_are_advised_on_and_hold_nothing(opened: Bench) -> None:
    opened.take(system.TimerUnknown(timer="dice-age/shaker-1"))
    assert opened.only_ruling("dice-age-unknown").effect == "advise"
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1
    opened.take(system.TimerDue(timer="dice-age/shaker-1", overdue_s=3600))
    assert [one.row for one in opened.rulings()] == ["dice-age-unknown", "dice-too-old"]
    assert opened.holds() == {("dice-too-old", "shaker-1")}


@pytest.mark.rule("dice-never-reported")
def test_dice_that_nobody_reported_are_asked_for_once(bench: Bench) -> None:
    bench.until(lambda: all(one.link == "ready" for one in bench.state.devices.values()))
    for deck in ("red", "blue"):
        bench.bring(deck)
    bench.command(commands.OpenTable())
    for _ in range(2):
        bench.shake()
        bench.uncover()
    asked = bench.rulings("dice-never-reported")
    assert [(one.effect, one.basis) for one in asked] == [("advise", "own")]
    bench.command(commands.ChangeDice(device="shaker-1"))
    assert bench.holds() == set()


@pytest.mark.rule("shaker-unattended")
def test_659a_2_c_1_a_shaker_that_nobody_is_with_is_told(opened: Bench) -> None:
    opened.shaker.walk_away(opened.now)
    opened.run(30.0)
    ruling = opened.only_ruling("shaker-unattended")
    assert ruling.cite == ("659a.2(c)(1)",)
    assert [one.row for one in opened.state.round.notices] == ["shaker-unattended"]
    opened.shaker.come_back(opened.now)
    opened.shake(1)
    assert opened.state.round.notices == ()


@pytest.mark.rule("not-shaken-after-deal")
def test_659a_5_g_1_iv_a_shaker_not_shaken_once_after_the_deal_is_told(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    opened.end_round()
    ruling = opened.only_ruling("not-shaken-after-deal")
    assert ruling.cite == ("659a.5(g)(1)(iv)",)
    assert ruling.directives == ("shake-once",)


@pytest.mark.rule("shaker-unusable")
def test_a_shaker_that_reports_a_fault_locks_nothing(opened: Bench) -> None:
    opened.fault("shaker-1", "unusable")
    opened.run(1.0)
    assert opened.only_ruling("shaker-unusable").effect == "advise"
    opened.shaker.repair(opened.now)
    opened.run(1.0)
    assert opened.holds() == set()
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1


@pytest.mark.parametrize("trouble", ["lost", "unusable"])
def test_a_shaker_that_is_gone_does_not_lock_the_deal(opened: Bench, trouble: str) -> None:
    if trouble == "lost":
        opened.unplug("shaker-1")
        opened.run(20.0)
    else:
        opened.fault("shaker-1", "unusable")
        opened.run(1.0)
    before = [one.row for one in opened.rulings()]
    opened.no_more_bets()
    assert opened.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}]
    opened.deal(1)
    # The house finds the position in another way, which nobody here can see.
    assert [one.row for one in opened.rulings()] == before


@pytest.mark.rule("dice-not-read")
def test_dice_that_nobody_could_read_are_no_start_position_before_bets_are_closed(opened: Bench) -> None:
    opened.shake()
    opened.inject("shaker-1", "dice", faces=[3, 0, 5], flat=True, inside=True)
    opened.only_ruling("dice-not-read")


@pytest.mark.rule("not-shaken-after-deal")
def test_659a_5_g_1_iv_a_shake_in_the_middle_of_the_deal_is_not_the_one_after_it(dealing: Bench) -> None:
    dealing.cover_and_shake_once()
    dealing.deal(4)
    dealing.take_rest()
    dealing.end_round()
    dealing.only_ruling("not-shaken-after-deal")
