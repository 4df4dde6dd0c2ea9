"""Silence, leaks, and leaps of simulated time at the host."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from felt_protocols.link import (
    Back,
    Connected,
    Event,
    Happened,
    Hello,
    HostSession,
    LeaksOrder,
    Lost,
    Ping,
    Refused,
    RefusedDevice,
    Stale,
    State,
)

from .bench import BOOT, LOADED, NEXT_BOOT, PERMIT, PERMITTED, Host, pong, said, told

if TYPE_CHECKING:
    from collections.abc import Callable


def test_silence_is_stale_after_1500_ms_lost_after_5_s_and_then_back(host: Host) -> None:
    host.hears(pong(0, 1), at=1.0)
    assert told(*host.session.elapsed(2.49)) == []
    assert told(*host.session.elapsed(2.5)) == [Stale(1.5)]
    assert told(*host.session.elapsed(5.99)) == []
    assert told(*host.session.elapsed(6.0)) == [Lost(5.0)]
    assert told(*host.session.elapsed(60.0)) == []
    assert told(*host.hears(pong(0, 2), at=61.0)) == [Back()]
    assert told(*host.hears(pong(0, 3), at=61.1)) == []


def test_back_comes_before_what_brought_it(host: Host) -> None:
    host.session.elapsed(1.5)
    items = host.hears(Event(1, 0, "loaded", LOADED), at=2.0)
    assert [type(item) for item in items] == [Back, Happened]


def test_back_comes_with_a_hello_of_the_same_boot(host: Host, hello: Hello) -> None:
    host.session.elapsed(1.5)
    assert told(*host.hears(hello, at=2.0)) == [Back()]


def test_after_a_long_absence_both_are_told(host: Host) -> None:
    assert told(*host.session.elapsed(30.0)) == [Stale(30.0), Lost(30.0)]


def test_a_port_that_never_opens_is_a_lost_device() -> None:
    session = HostSession(7, "shuffler", None, None, None, 10.0)
    assert session.due() == 11.5
    assert session.elapsed(11.5) == [Stale(1.5)]
    assert session.due() == 15.0
    assert session.elapsed(15.0) == [Lost(5.0)]
    assert session.due() == inf


def test_silence_goes_on_while_the_port_is_closed(host: Host, hello: Hello) -> None:
    assert host.session.closed(1.0) == []
    assert host.session.elapsed(1.5) == [Stale(1.5)]
    host.session.opened(2.0)
    assert told(*host.hears(hello, at=2.1)) == [Connected(hello, same_boot=True), Back()]


def test_noise_and_strangers_do_not_break_the_silence(host: Host, hello_of: Callable[..., Hello]) -> None:
    host.session.receive(b"\0\x07\x08\x09\0" * 50, 1.4)
    host.hears(Ping(7, renew=True), at=1.4)
    assert told(*host.session.elapsed(1.5)) == [Stale(1.5)]
    stranger = Host(serial="S-8")
    stranger.session.opened(0.0)
    stranger.hears(hello_of(), at=1.4)
    assert told(*stranger.session.elapsed(1.5)) == [Stale(1.5)]


LEAK = Event(1, 0, "completed", {"batch": 1, "mode": "shuffle", "order": ["AC", "2C", "3C"]})


def test_a_device_that_offers_the_order_of_undealt_cards_is_barred(
    host: Host, hello_of: Callable[..., Hello]
) -> None:
    items = host.hears(LEAK, Event(1, 0, "loaded", LOADED), Event(2, 0, "loaded", LOADED))
    assert told(*items) == [LeaksOrder(), RefusedDevice("leaks-order", hello_of())]
    assert said(*items) == [Refused("leaks-order")]
    assert host.session.state is State.REFUSED
    for boot, at in ((BOOT, 5.0), (NEXT_BOOT, 10.0)):
        again = host.hears(hello_of(boot=boot), at=at)
        assert said(*again) == [Refused("leaks-order")]
        assert Connected not in [type(item) for item in again]


def test_a_barred_device_stays_barred_when_the_port_is_opened_anew(host: Host, hello: Hello) -> None:
    host.hears(LEAK)
    host.session.closed(1.0)
    host.session.opened(1.1)
    assert said(*host.hears(hello, at=1.2)) == [Refused("leaks-order")]


def test_another_device_may_take_its_place(host: Host, hello_of: Callable[..., Hello]) -> None:
    host.hears(LEAK)
    host.accepted(hello_of(serial="S-9"), at=2.0)


def test_no_byte_of_an_order_is_kept(host: Host) -> None:
    items = host.hears(LEAK)
    state = repr([getattr(host.session, name) for name in vars(host.session)])
    assert "2C" not in repr(items) + state + repr(host.session.counters)


def test_a_line_of_leaking_devices_is_closed_to_all(hello_of: Callable[..., Hello]) -> None:
    host = Host()
    host.session.opened(0.0)
    for i in range(16):
        host.accepted(hello_of(serial=f"S-{i}"), at=float(2 * i))
        host.hears(LEAK, at=float(2 * i))
    assert said(*host.hears(hello_of(serial="S-99"), at=99.0)) == [Refused("leaks-order")]


def test_a_leap_moves_every_timer_along(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.25)
    host.session.release()
    host.session.order("permit", PERMIT, ("e1", 300), 0.25)
    day = 86_400.0
    host.session.leap(day)
    assert host.session.due() == day + 0.5
    assert host.session.elapsed(day + 0.4) == []
    assert said(*host.session.elapsed(day + 0.5)) == [Ping(7, renew=False)]
    assert said(*host.session.elapsed(day + 0.75)) == [PERMITTED]
    assert told(*host.session.elapsed(day + 1.5)) == [Stale(1.5)]


def test_a_leap_is_no_age(host: Host) -> None:
    host.hears(pong(0, 1000), at=1.0)
    host.session.leap(86_400.0)
    (event,) = host.hears(Event(1, 86_401_000, "loaded", LOADED), at=86_401.0)
    assert isinstance(event, Happened)
    assert event.age_s == 0.0


def test_a_leap_moves_a_wish_and_a_refusal_along(hello_of: Callable[..., Hello]) -> None:
    host = Host(serial="S-8")
    host.session.inhibit("jam", "now", 0.0)
    host.session.opened(0.0)
    host.hears(hello_of())
    host.session.leap(1000.0)
    assert told(*host.session.elapsed(1000.4)) == []
    assert host.hears(hello_of(), at=1000.9) == []
    assert said(*host.hears(hello_of(), at=1001.0)) == [Refused("unknown-serial")]


def test_a_leap_moves_what_waits_to_be_told_along() -> None:
    session = HostSession(7, "shuffler", None, None, None, 0.0)
    session.order("permit", PERMIT, ("e1", 300), 0.25)
    session.leap(1000.0)
    assert session.due() == 1000.25
