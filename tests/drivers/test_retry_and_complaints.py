"""How long to wait between attempts, and how few lines to say about them."""

from __future__ import annotations

from felt_drivers.diagnosis import Noise
from felt_drivers.retry import Backoff, Complaints
from felt_drivers.standing import Standing


def test_delays_double_from_a_quarter_of_a_second_to_thirty() -> None:
    backoff = Backoff(lambda: 0.0)
    assert [backoff.failed() for _ in range(9)] == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]


def test_chance_shortens_a_delay_by_a_quarter_at_most_and_never_below_the_first() -> None:
    backoff = Backoff(lambda: 1.0)
    assert [backoff.failed() for _ in range(9)] == [0.25, 0.375, 0.75, 1.5, 3.0, 6.0, 12.0, 22.5, 22.5]


def test_an_attempt_that_worked_makes_the_next_failure_the_first() -> None:
    backoff = Backoff(lambda: 0.0)
    for _ in range(5):
        backoff.failed()
    backoff.worked()
    assert backoff.failed() == 0.25


def test_a_device_that_has_been_gone_for_a_month_is_still_tried_every_thirty_seconds() -> None:
    backoff = Backoff(lambda: 0.0)
    for _ in range(100_000):
        backoff.failed()
    assert backoff.failed() == 30.0


def test_the_same_trouble_is_said_once_and_summed_up_every_five_minutes() -> None:
    complaints = Complaints()
    assert complaints.note("port absent", 100.0) == ["port absent"]
    assert [complaints.note("port absent", 100.0 + t) for t in range(1, 300)] == [[]] * 299
    assert complaints.note("port absent", 400.0) == ["still: port absent (301 times in 300 s)"]
    assert complaints.note("port absent", 401.0) == []
    assert complaints.over(410.0) == ["over: port absent (302 times in 310 s)"]
    assert complaints.over(411.0) == []


def test_another_trouble_sums_up_the_one_before() -> None:
    complaints = Complaints()
    complaints.note("hung up", 1.0)
    assert complaints.note("port absent", 2.0) == ["port absent"]
    complaints.note("port absent", 3.0)
    assert complaints.note("hung up", 5.0) == ["over: port absent (2 times in 3 s)", "hung up"]


def test_a_trouble_that_came_once_ends_without_a_word() -> None:
    complaints = Complaints()
    complaints.note("hung up", 1.0)
    assert complaints.over(2.0) == []


def test_noise_is_diagnosed_once_with_what_its_bytes_tell() -> None:
    noise = Noise(0.0)
    noise.heard(b"\xff" * 50 + b"\x80" * 25 + b"AB" * 10 + b"\x01" * 5)
    assert noise.news(9.9) == ""
    assert noise.news(10.0) == (
        "no valid frame for 10 s: check speed/parity (100 bytes, 75 % above 7f, 20 % text;"
        " most often ff 50 %, 80 25 %, 41 10 %, 42 10 %)"
    )
    assert noise.news(20.0) == ""
    assert noise.diagnosis(20.0).startswith("no valid frame for 20 s")


def test_little_noise_is_none() -> None:
    noise = Noise(0.0)
    noise.heard(bytes(63))
    assert noise.diagnosis(1000.0) == ""
    noise.heard(bytes(1))
    assert noise.diagnosis(1000.0) != ""


def test_a_valid_frame_ends_the_diagnosis_and_later_noise_is_news_again() -> None:
    noise = Noise(0.0)
    noise.heard(bytes(100))
    assert noise.news(10.0)
    noise.cleared(11.0)
    assert noise.diagnosis(30.0) == ""
    noise.heard(bytes(100))
    assert noise.news(30.0)


def test_a_device_that_was_never_there_is_lost_once_and_not_stale_before() -> None:
    standing = Standing()
    assert not standing.silent()
    assert standing.hung_up() is None
    assert standing.gone() == "never-seen"
    assert standing.gone() is None
    assert standing.heard()
    assert standing.silent()
    assert not standing.silent()
    assert standing.gone() == "silent"


def test_a_hang_up_loses_a_device_once_however_silent_it_is_afterwards() -> None:
    standing = Standing()
    assert not standing.heard()
    assert standing.hung_up() == "link"
    assert standing.hung_up() is None
    assert not standing.silent()
    assert standing.gone() is None
    assert standing.heard()
    assert not standing.heard()
