"""When the publisher tries again, and when it suspects a second client with its id."""

from __future__ import annotations

import pytest

from felt_daemon.publisher.backoff import Backoff

TAKEN_OVER = 0x8E


def longest(_low: float, high: float) -> float:
    return high


def shortest(low: float, _high: float) -> float:
    return low


@pytest.mark.fault("merbanan/rtl_433#2629", "merbanan/rtl_433#3134")
def test_the_limit_doubles_from_a_quarter_second_to_thirty_seconds_and_stays_there() -> None:
    backoff = Backoff(longest)
    assert [backoff.failed() for _ in range(9)] == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]


def test_a_pause_may_be_nothing_at_all() -> None:
    assert Backoff(shortest).failed() == 0.0


def test_thirty_stable_seconds_end_the_series() -> None:
    backoff = Backoff(longest)
    for _ in range(6):
        backoff.failed()
    assert backoff.ended(29.9, None) == 16.0
    assert backoff.ended(30.0, None) == 0.25


def test_a_hundred_thousand_failures_are_no_overflow() -> None:
    backoff = Backoff(longest)
    assert {backoff.failed() for _ in range(100_000)} == {0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0}


def test_a_take_over_that_the_broker_names_makes_the_pause_long() -> None:
    backoff = Backoff(longest)
    assert backoff.ended(600.0, TAKEN_OVER) == 90.0
    assert backoff.taken_over


def test_another_client_that_was_seen_makes_the_pause_long() -> None:
    backoff = Backoff(longest)
    assert backoff.ended(600.0, None, rivalled=True) == 90.0
    assert backoff.taken_over


def test_a_broker_that_dies_again_and_again_is_no_other_client_however_short_connections_are() -> None:
    backoff = Backoff(longest)
    assert [backoff.ended(0.1, None) for _ in range(9)] == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    assert not backoff.taken_over


def test_the_suspicion_ends_with_the_next_end_that_shows_nothing() -> None:
    backoff = Backoff(longest)
    backoff.ended(1.0, TAKEN_OVER)
    assert backoff.ended(1.0, None) == 0.25
    assert not backoff.taken_over


def test_a_broker_that_is_not_there_has_thrown_nobody_out() -> None:
    backoff = Backoff(longest)
    backoff.ended(1.0, TAKEN_OVER)
    backoff.failed()
    assert not backoff.taken_over


def test_a_process_that_dies_is_no_client_that_was_thrown_out() -> None:
    backoff = Backoff(longest)
    assert [backoff.died(0.1) for _ in range(4)] == [0.25, 0.5, 1.0, 2.0]
    assert backoff.died(31.0) == 0.25
