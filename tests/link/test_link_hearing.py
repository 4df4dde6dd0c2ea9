"""What a host hears in which state, and what it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols.link import (
    Ack,
    Done,
    Event,
    Failed,
    Frame,
    FrameDecoder,
    Garbled,
    Hello,
    HostHello,
    HostSession,
    LinkMoveError,
    Message,
    Order,
    Ping,
    Pong,
    Refused,
    Send,
    State,
    Welcome,
    encode,
    encode_frame,
)

from .bench import LOADED, Host

if TYPE_CHECKING:
    from collections.abc import Callable

DEVICE_MESSAGES: list[Message] = [
    Event(1, 0, "loaded", LOADED),
    Done("inhibit"),
    Failed("inhibit", None, "broken"),
    Pong("idle", inhibited=False, why=None, permit=None, n=0, up_ms=0),
]
HOST_MESSAGES: list[Message] = [
    HostHello(7),
    Welcome(7),
    Refused("version"),
    Ack(1),
    Order("selftest", {}, 7, ("e1", 1)),
    Ping(7, renew=True),
]


@pytest.mark.parametrize("message", [*DEVICE_MESSAGES, *HOST_MESSAGES])
def test_before_a_hello_nothing_else_is_heard(message: Message) -> None:
    host = Host()
    host.session.opened(0.0)
    assert host.hears(message) == []
    assert host.session.counters.unexpected == 1
    assert host.session.state is State.GREETING


@pytest.mark.parametrize("message", [*DEVICE_MESSAGES, *HOST_MESSAGES])
def test_of_a_refused_device_nothing_is_heard(message: Message, hello_of: Callable[..., Hello]) -> None:
    host = Host(serial="S-8")
    host.session.opened(0.0)
    host.hears(hello_of())
    assert host.hears(message) == []
    assert host.session.counters.unexpected == 1
    assert host.session.state is State.REFUSED


@pytest.mark.parametrize("message", DEVICE_MESSAGES)
def test_of_an_accepted_device_everything_is_heard(message: Message, host: Host) -> None:
    host.hears(message)
    assert host.session.counters.unexpected == 0


@pytest.mark.parametrize("message", HOST_MESSAGES)
def test_a_host_does_not_listen_to_hosts(message: Message, host: Host) -> None:
    assert host.hears(message) == []
    assert host.session.counters.unexpected == 1
    assert host.session.state is State.ACCEPTED


def test_bytes_at_a_closed_port_are_a_bug() -> None:
    session = HostSession(7, "shuffler", None, None, None, 0.0)
    with pytest.raises(LinkMoveError, match="the link is closed and has no move for: bytes"):
        session.receive(b"\0", 0.0)


def test_opening_what_is_open_is_a_bug(host: Host) -> None:
    with pytest.raises(LinkMoveError, match="the link is accepted and has no move for: port open"):
        host.session.opened(1.0)
    assert host.session.state is State.ACCEPTED


def test_closing_what_is_closed_is_a_bug(host: Host) -> None:
    host.session.closed(1.0)
    with pytest.raises(LinkMoveError, match="the link is closed and has no move for: port closed"):
        host.session.closed(1.0)


def test_frames_to_another_address_are_not_heard(hello: Hello) -> None:
    host = Host(address=3)
    host.session.opened(0.0)
    assert host.session.receive(encode(hello, 4), 0.0) == []
    assert host.session.counters.unexpected == 1
    (sent,) = [item for item in host.session.receive(encode(hello, 3), 0.0) if type(item) is Send]
    assert {frame.address for frame in FrameDecoder().receive(sent.data) if type(frame) is Frame} == {3}


def test_half_a_frame_does_not_outlive_its_port(host: Host, hello: Hello) -> None:
    event = encode(Event(1, 0, "loaded", LOADED))
    host.session.receive(event[:9], 0.0)
    host.session.closed(0.1)
    host.session.opened(0.2)
    host.session.receive(event[9:], 0.2)
    assert host.session.counters.garbled == {"cobs": 1}
    host.accepted(hello, at=0.3)


def test_what_is_met_is_counted(host: Host) -> None:
    before = host.session.counters.bytes
    host.hears(Event(1, 0, "loaded", LOADED))
    host.hears(Event(1, 0, "loaded", LOADED))
    host.hears(Event(9, 0, "loaded", LOADED))
    host.session.receive(b"\0\x05\x06\0" + encode_frame(0x77, 0, b""), 0.0)
    counters = host.session.counters
    assert counters.bytes > before
    assert (counters.frames, counters.duplicates, counters.gaps) == (5, 1, 1)
    assert counters.garbled == {"cobs": 1, "kind": 1}
    assert counters.last_garbled == Garbled("kind", b"\x01\x77\x00")
