"""What a run remembers of requests, and for how long."""

from __future__ import annotations

from felt_daemon.shell.commands import Outcome
from felt_daemon.shell.decided import Decided, Known
from felt_daemon.shell.wall import WallTime
from felt_protocols.events import Moment

DONE = Outcome(ok=True, sequence=7)
HOUR_US = 3600 * 1_000_000


def test_a_request_is_found_with_its_digest_and_once_it_is_decided_with_its_outcome() -> None:
    decided = Decided()
    assert decided.find("hall", "a") is None
    decided.begin("hall", "a", b"digest", None)
    assert decided.find("hall", "a") == Known(b"digest", None)
    decided.end("hall", "a", DONE)
    assert decided.find("hall", "a") == Known(b"digest", DONE)


def test_two_clients_may_use_one_id() -> None:
    decided = Decided()
    decided.begin("hall", "a", b"1", None)
    assert decided.find("cage", "a") is None


def test_a_request_with_an_end_is_forgotten_an_hour_after_it_and_one_without_never() -> None:
    decided = Decided()
    decided.begin("hall", "ends", b"1", 5 * HOUR_US)
    decided.begin("hall", "stays", b"2", None)
    decided.forget(6 * HOUR_US - 1)
    assert decided.find("hall", "ends") is not None
    decided.forget(None)
    assert decided.find("hall", "ends") is not None
    decided.forget(6 * HOUR_US)
    assert decided.find("hall", "ends") is None
    assert decided.find("hall", "stays") is not None
    # An answer that comes this late is for nobody.
    decided.end("hall", "ends", DONE)
    assert decided.find("hall", "ends") is None


def test_a_client_has_so_many_and_takes_none_of_anothers() -> None:
    decided = Decided(most_per_client=2)
    decided.begin("hall", "a", b"1", HOUR_US)
    assert not decided.full("hall")
    decided.begin("hall", "b", b"2", None)
    assert decided.full("hall")
    assert not decided.full("cage")
    decided.forget(2 * HOUR_US)
    assert not decided.full("hall")


def moment(mono_s: int, utc_s: int, *, trusted: bool) -> Moment:
    return Moment("boot", "run", mono_s * 10**9, utc_s * 10**6, trusted)


def test_there_is_no_time_before_the_clock_was_trusted_and_always_one_after() -> None:
    wall = WallTime()
    assert wall.now_us(moment(5, 1_000, trusted=False)) is None
    assert wall.now_us(moment(10, 2_000, trusted=True)) == 2_000 * 10**6
    # Trust is lost and the wall clock jumps: the kernel's clock goes on from where both were right.
    assert wall.now_us(moment(13, 7, trusted=False)) == 2_003 * 10**6
    assert wall.now_us(moment(20, 2_011, trusted=True)) == 2_011 * 10**6


def test_a_request_that_came_again_with_a_later_end_is_remembered_after_that() -> None:
    decided = Decided(most_per_client=2)
    decided.begin("hall", "a", b"1", 5 * HOUR_US)
    decided.again("hall", "a", 8 * HOUR_US)
    decided.again("hall", "a", 7 * HOUR_US)
    decided.begin("hall", "b", b"2", 5 * HOUR_US)
    decided.again("hall", "b", None)
    decided.end("hall", "a", DONE)
    decided.forget(9 * HOUR_US - 1)
    assert decided.find("hall", "a") is not None
    assert decided.full("hall")
    decided.forget(9 * HOUR_US)
    assert decided.find("hall", "a") is None
    # One that has no end either time stays.
    decided.again("hall", "b", 5 * HOUR_US)
    decided.forget(100 * HOUR_US)
    assert decided.find("hall", "b") is not None
    assert not decided.full("hall")


def test_what_may_have_been_forgotten_is_gone_although_the_clock_was_set_back() -> None:
    decided = Decided()
    assert not decided.gone(0)
    decided.forget(6 * HOUR_US)
    decided.forget(2 * HOUR_US)
    decided.forget(None)
    assert decided.gone(5 * HOUR_US)
    assert not decided.gone(5 * HOUR_US + 1)
    assert not decided.gone(None)
