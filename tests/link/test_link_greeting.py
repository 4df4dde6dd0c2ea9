"""How a host greets a device, and whom it does not accept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols.link import (
    Ack,
    Connected,
    Hello,
    HostHello,
    HostSession,
    Ping,
    Refused,
    RefusedDevice,
    State,
    Welcome,
)

from .bench import NEXT_BOOT, Host, framed, said, told

if TYPE_CHECKING:
    from collections.abc import Callable


def test_an_opened_port_is_greeted_at_once_and_every_second_until_it_answers() -> None:
    session = HostSession(7, "shuffler", None, None, None, 0.0)
    assert said(*session.opened(0.0)) == [HostHello(7)]
    assert session.due() == 1.0
    assert session.elapsed(0.9) == []
    assert said(*session.elapsed(1.0)) == [HostHello(7)]
    assert said(*session.elapsed(1.9)) == []
    assert said(*session.elapsed(2.0)) == [HostHello(7)]


def test_a_session_needs_a_family_that_exists() -> None:
    with pytest.raises(ValueError, match="no family 'roulette'; families are shuffler, shoe, "):
        HostSession(7, "roulette", None, None, None, 0.0)


def test_a_hello_is_answered_with_welcome_and_the_first_ping(hello: Hello) -> None:
    host = Host()
    host.session.opened(0.0)
    items = host.hears(hello, at=0.25)
    assert told(*items) == [Connected(hello, same_boot=False)]
    assert said(*items) == [Welcome(7), Ack(0), Ping(7, renew=False)]
    assert host.session.hello == hello


def test_ping_goes_out_every_half_second_with_session_and_renew(host: Host) -> None:
    assert host.session.due() == 0.5
    assert said(*host.session.elapsed(0.5)) == [Ping(7, renew=False)]
    host.session.renew = True
    assert said(*host.session.elapsed(0.99)) == []
    assert said(*host.session.elapsed(1.0)) == [Ping(7, renew=True)]


def test_no_flood_of_pings_after_a_long_sleep(host: Host) -> None:
    assert said(*host.session.elapsed(60.0)) == [Ping(7, renew=False)]
    assert said(*host.session.elapsed(60.4)) == []


def test_a_second_hello_of_the_same_boot_is_welcomed_again_without_news(host: Host, hello: Hello) -> None:
    items = host.hears(hello, at=0.1)
    assert told(*items) == []
    assert said(*items) == [Welcome(7), Ack(0), Ping(7, renew=False)]


@pytest.mark.parametrize(
    ("expected", "changed", "why"),
    [
        ({}, {"family": "shoe"}, "wrong-family"),
        ({"serial": "S-8"}, {}, "unknown-serial"),
        ({"digest": bytes(32)}, {}, "digest-changed"),
    ],
)
def test_a_device_that_is_not_the_expected_one_is_refused(
    hello_of: Callable[..., Hello],
    expected: dict[str, object],
    changed: dict[str, object],
    why: str,
) -> None:
    host = Host(**expected)  # type: ignore[arg-type]  # given by name
    host.session.opened(0.0)
    stranger = hello_of(**changed)
    items = host.hears(stranger)
    assert told(*items) == [RefusedDevice(why, stranger)]
    assert said(*items) == [Refused(why)]
    assert host.session.state is State.REFUSED


def test_a_device_that_is_the_expected_one_is_accepted(hello: Hello) -> None:
    Host(serial="S-7", digest=bytes(range(32))).accepted(hello)


def test_a_device_of_another_version_is_refused() -> None:
    host = Host()
    host.session.opened(0.0)
    # Version 2, kind HELLO, nothing in it that we could read; the CRC is right.
    frame = bytes.fromhex("00 03 02 01 07 FF FF DE AD BE EF 00")
    assert told(*host.session.receive(frame, 0.0)) == []
    assert host.session.counters.garbled == {"crc": 1}
    plain = bytes.fromhex("02 01 00 FF FF")
    assert host.session.state is State.GREETING
    items = host.session.receive(framed(plain), 0.0)
    assert told(*items) == [RefusedDevice("version", None)]
    assert said(*items) == [Refused("version")]
    assert told(*host.session.receive(framed(plain), 9.0)) == []


def test_a_hello_that_is_repeated_is_refused_once_a_second_and_told_once(
    hello_of: Callable[..., Hello],
) -> None:
    host = Host(serial="S-8")
    host.session.opened(0.0)
    items = [
        item
        for tick in range(400)
        for item in host.hears(hello_of(up_ms=tick * 10, first=tick + 1), at=tick * 0.01)
    ]
    assert len(told(*items)) == 1
    assert said(*items) == [Refused("unknown-serial")] * 4


def test_another_stranger_is_told_again(hello_of: Callable[..., Hello]) -> None:
    host = Host(serial="S-8")
    host.session.opened(0.0)
    host.hears(hello_of())
    other = hello_of(serial="S-9")
    assert told(*host.hears(other, at=0.5)) == []
    assert told(*host.hears(other, at=1.5)) == [RefusedDevice("unknown-serial", other)]


def test_a_stranger_is_told_again_after_the_port_was_opened_anew(
    hello_of: Callable[..., Hello],
) -> None:
    host = Host(serial="S-8")
    host.session.opened(0.0)
    host.hears(hello_of())
    host.session.closed(0.1)
    host.session.opened(0.2)
    assert told(*host.hears(hello_of(), at=0.3)) == [RefusedDevice("unknown-serial", hello_of())]


def test_a_refused_device_is_asked_again_every_five_seconds(
    hello_of: Callable[..., Hello],
) -> None:
    host = Host(serial="S-8")
    host.session.opened(0.0)
    host.hears(hello_of())
    assert said(*host.session.elapsed(4.9)) == []
    assert said(*host.session.elapsed(5.0)) == [HostHello(7)]
    assert said(*host.session.elapsed(9.9)) == []
    assert said(*host.session.elapsed(10.0)) == [HostHello(7)]
    host.accepted(hello_of(serial="S-8"), at=10.1)


def test_an_accepted_device_that_comes_back_with_other_firmware_is_refused(
    hello_of: Callable[..., Hello],
) -> None:
    host = Host(digest=bytes(range(32))).accepted(hello_of())
    items = host.hears(hello_of(digest=bytes(32), boot=NEXT_BOOT))
    assert told(*items) == [RefusedDevice("digest-changed", hello_of(digest=bytes(32), boot=0x99))]
    assert host.session.state is State.REFUSED


def test_a_stranger_after_one_of_another_version_is_told(hello_of: Callable[..., Hello]) -> None:
    host = Host(serial="S-8")
    host.session.opened(0.0)
    other_version = framed(bytes.fromhex("02 01 00"))
    assert told(*host.session.receive(other_version, 0.0)) == [RefusedDevice("version", None)]
    assert told(*host.hears(hello_of(), at=2.0)) == [RefusedDevice("unknown-serial", hello_of())]
    assert told(*host.session.receive(other_version, 4.0)) == [RefusedDevice("version", None)]
