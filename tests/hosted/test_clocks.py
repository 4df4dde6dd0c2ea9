"""The daemon's clocks by themselves, and the lines on which simulated time travels."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from felt_daemon.clock import HostedClock, RealClock, run
from felt_daemon.clock.kernel import boot_id, synchronized
from felt_protocols.hosting import Greeting, Idle, Messages, NoHosting, Reading, Turn, encode

if TYPE_CHECKING:
    from felt_daemon.clock import Clock

GREETING = Greeting(
    boot="11111111-2222-3333-4444-555555555555",
    start="run-1",
    clock=Reading(now_ns=1_000_000_000_000, leapt_ns=0, utc_us=1_767_636_000_000_000, trusted=False),
    ports={"shoe-1": "/tmp/shoe"},  # noqa: S108 - a name, nothing is opened
)
AFTER_A_LEAP = Reading(
    now_ns=87_402_500_000_000, leapt_ns=86_400_000_000_000, utc_us=1_767_722_402_500_000, trusted=True
)


def test_a_hosted_moment_is_the_hosts_and_never_the_boxs() -> None:
    moment = HostedClock(GREETING).moment()
    assert moment.boot == "11111111-2222-3333-4444-555555555555"
    assert moment.start == "run-1"
    assert moment.mono_ns == 1_000_000_000_000
    assert moment.utc_us == 1_767_636_000_000_000
    assert not moment.trusted
    assert HostedClock(GREETING).simulated


def test_what_happened_earlier_is_timed_earlier_and_marked_late() -> None:
    moment = HostedClock(GREETING).moment(late=True, age_s=2.5)
    assert moment.mono_ns == 997_500_000_000
    assert moment.utc_us == 1_767_635_997_500_000
    assert moment.late


def test_link_time_stands_still_in_a_leap_and_loop_time_finds_it_again() -> None:
    clock = HostedClock(GREETING)
    assert clock.link_now() == 1_000.0
    clock.reading = AFTER_A_LEAP
    assert clock.link_now() == 1_002.5
    assert clock.loop_time(1_003.0) == 87_403.0


def test_a_real_moment_is_boot_time_and_wall_time() -> None:
    clock = RealClock()
    before = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    moment = clock.moment()
    assert before <= moment.mono_ns <= time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    assert abs(moment.utc_us - time.time_ns() // 1000) < 5_000_000
    assert moment.boot == boot_id()
    assert len(moment.boot) == 36
    assert not clock.simulated
    assert clock.trusted is synchronized()


@pytest.mark.fault("eclipse-sparkplug/sparkplug#422")
def test_each_start_of_the_process_has_a_name_of_its_own() -> None:
    assert RealClock().moment().start != RealClock().moment().start


def test_without_a_host_the_daemon_lives_in_real_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FELT_HOST", raising=False)
    seen: list[bool] = []

    async def main(clock: Clock) -> int:
        seen.append(clock.simulated)
        return 7

    assert run(main) == 7
    assert seen == [False]


def test_a_daemon_whose_host_is_not_there_says_so_and_ends() -> None:
    program = "import sys; from felt_daemon.clock import run; sys.exit(run(lambda clock: None))"
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", program],
        env={"FELT_HOST": "/nowhere/time"},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 69
    assert done.stderr == "felt: no time host at /nowhere/time: No such file or directory\n"


def test_messages_come_out_however_the_bytes_are_cut() -> None:
    messages: list[Greeting | Turn | Idle] = [
        GREETING,
        Turn(3, AFTER_A_LEAP),
        Idle(3, None),
        Idle(4, 5, {"shoe-1": (10, 20)}),
    ]
    stream = b"".join(encode(message) for message in messages)
    for size in (1, 7, len(stream)):
        codec = Messages()
        pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
        assert [message for piece in pieces for message in codec.receive(piece)] == messages


@pytest.mark.parametrize(
    "line",
    [
        b"hello\n",
        b"[]\n",
        b'{"hosting":1,"kind":"idle"}\n',
        b'{"hosting":1,"kind":"turn","number":1,"clock":{"now_ns":1}}\n',
        b'{"hosting":1,"kind":"nap","number":1,"clock":{"now_ns":1,"leapt_ns":0,"utc_us":0,"trusted":true}}\n',
        b'{"hosting":2,"kind":"idle","turn":1,"due_ns":null,"links":{}}\n',
    ],
)
def test_what_is_no_message_of_a_time_host_is_refused(line: bytes) -> None:
    with pytest.raises(NoHosting):
        list(Messages().receive(line))
