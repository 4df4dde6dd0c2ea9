"""The host's session alone: a device's messages and time in, items out."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import pytest
from cobs import cobs
from fastcrc.crc32 import iscsi

from felt_protocols.link import (
    Ack,
    Answered,
    Back,
    Connected,
    Done,
    Drained,
    Event,
    EventsLost,
    Failed,
    Frame,
    FrameDecoder,
    Garbled,
    Happened,
    Hello,
    HostHello,
    HostSession,
    InhibitFound,
    LeaksOrder,
    LinkMoveError,
    Lost,
    Message,
    NotUnderstood,
    Order,
    Ping,
    Pong,
    Refused,
    RefusedDevice,
    Restarted,
    Send,
    Stale,
    State,
    Unconfirmed,
    Welcome,
    encode,
    encode_frame,
    parse,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_protocols.link import Item

BOOT = 0x1122334455667788
NEXT_BOOT = 0x99
LOADED = {"batch": 1}


def said(*items: Item) -> list[Message | Garbled]:
    """Read what the host sends."""
    data = b"".join(item.data for item in items if isinstance(item, Send))
    return [parse(frame) for frame in FrameDecoder().receive(data) if isinstance(frame, Frame)]


def told(*items: Item) -> list[Item]:
    """Give what the host's owner is told."""
    return [item for item in items if not isinstance(item, Send)]


def pong(n: int = 0, up_ms: int = 0, **shown: object) -> Pong:
    why = shown.get("why", "power-up")
    return Pong(
        "idle",
        inhibited=why is not None,
        why=why,  # type: ignore[arg-type]  # given by name
        permit=shown.get("permit"),  # type: ignore[arg-type]  # given by name
        n=n,
        up_ms=up_ms,
    )


class Host:
    """A host's session with a shuffler, and messages instead of bytes."""

    def __init__(
        self,
        *,
        serial: str | None = None,
        digest: bytes | None = None,
        last: tuple[int, int] | None = None,
        address: int = 0,
        family: str = "shuffler",
    ) -> None:
        self.session = HostSession(7, family, serial, digest, last, 0.0, address)
        self.address = address

    def hears(self, *messages: Message, at: float = 0.0) -> list[Item]:
        data = b"".join(encode(message, self.address) for message in messages)
        return self.session.receive(data, at)

    def accepted(self, hello: Hello, at: float = 0.0) -> Host:
        if self.session.state is State.CLOSED:
            self.session.opened(at)
        self.hears(hello, at=at)
        assert self.session.state is State.ACCEPTED
        return self


@pytest.fixture
def hello(hello_of: Callable[..., Hello]) -> Hello:
    return hello_of()


@pytest.fixture
def host(hello: Hello) -> Host:
    return Host().accepted(hello)


# Greeting.


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


def framed(plain: bytes) -> bytes:
    """Frame bytes whose header is not one that we write."""
    return b"\0" + cobs.encode(plain + iscsi(plain).to_bytes(4, "little")) + b"\0"


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


# What is heard in which state.

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


# Events.


def test_events_are_told_once_and_in_order(host: Host) -> None:
    items = host.hears(
        Event(1, 0, "loaded", LOADED),
        Event(1, 0, "loaded", LOADED),
        Event(3, 0, "completed", {"batch": 1, "mode": "shuffle"}),
        Event(2, 0, "started", {"batch": 1}),
        Event(3, 0, "completed", {"batch": 1, "mode": "shuffle"}),
    )
    assert items == [
        Happened(1, "loaded", {"batch": 1}, 0.0, late=False, boot=BOOT),
        Happened(2, "started", {"batch": 1}, 0.0, late=False, boot=BOOT),
        Happened(3, "completed", {"batch": 1, "mode": "shuffle"}, 0.0, late=False, boot=BOOT),
    ]
    assert (host.session.counters.duplicates, host.session.counters.gaps) == (1, 1)


def test_nothing_is_acknowledged_before_its_owner_says_so(host: Host) -> None:
    assert said(*host.hears(Event(1, 0, "loaded", LOADED))) == []
    assert host.session.acknowledge(1, BOOT) == encode(Ack(1))


def test_duplicates_are_acknowledged_again_as_far_as_they_were(host: Host) -> None:
    one, two = Event(1, 0, "loaded", LOADED), Event(2, 0, "started", LOADED)
    host.hears(one, two)
    assert said(*host.hears(one, two)) == []
    host.session.acknowledge(1, BOOT)
    assert said(*host.hears(two)) == []
    assert said(*host.hears(one, two)) == [Ack(1)]
    host.session.acknowledge(2, BOOT)
    assert said(*host.hears(one, one, two, two)) == [Ack(2)]


def test_an_acknowledgement_goes_out_once(host: Host) -> None:
    host.hears(Event(1, 0, "loaded", LOADED), Event(2, 0, "started", LOADED))
    assert host.session.acknowledge(2, BOOT) == encode(Ack(2))
    assert host.session.acknowledge(2, BOOT) == b""
    assert host.session.acknowledge(1, BOOT) == b""


def test_what_was_never_taken_cannot_be_acknowledged(host: Host) -> None:
    with pytest.raises(ValueError, match="event 1 cannot be acknowledged: 0 is the last taken"):
        host.session.acknowledge(1, BOOT)


def test_an_event_of_an_earlier_boot_acknowledges_nothing_of_this_one(
    host: Host, hello_of: Callable[..., Hello]
) -> None:
    host.hears(Event(1, 0, "loaded", LOADED))
    host.hears(hello_of(boot=NEXT_BOOT), Event(1, 0, "fault", {"code": "1", "where": "x"}))
    assert host.session.acknowledge(1, BOOT) == b""
    assert host.session.acknowledge(1, NEXT_BOOT) == encode(Ack(1))


def test_what_is_committed_while_the_port_is_closed_is_acknowledged_at_the_next_welcome(
    host: Host, hello: Hello
) -> None:
    host.hears(Event(1, 0, "loaded", LOADED))
    host.session.closed(0.1)
    assert host.session.acknowledge(1, BOOT) == b""
    host.session.opened(0.2)
    assert said(*host.hears(hello, at=0.3)) == [Welcome(7), Ack(1), Ping(7, renew=False)]


def test_a_new_session_goes_on_after_the_last_event_committed(hello: Hello) -> None:
    host = Host(last=(BOOT, 2))
    host.session.opened(0.0)
    items = host.hears(hello, Event(2, 0, "started", LOADED), Event(3, 0, "unloaded", LOADED))
    assert told(*items) == [
        Connected(hello, same_boot=True),
        Happened(3, "unloaded", LOADED, 0.0, late=False, boot=BOOT),
    ]
    assert said(*items) == [Welcome(7), Ack(2), Ping(7, renew=False), Ack(2)]


def test_a_device_never_met_begins_with_the_oldest_event_that_it_keeps(
    hello_of: Callable[..., Hello],
) -> None:
    host = Host().accepted(hello_of(first=41))
    assert [item.n for item in host.hears(Event(41, 0, "stopped", {})) if type(item) is not Send] == [41]


def test_a_boot_while_nobody_listened_is_told(hello: Hello) -> None:
    host = Host(last=(NEXT_BOOT, 2))
    host.session.opened(0.0)
    assert told(*host.hears(hello)) == [
        Connected(hello, same_boot=False),
        Restarted(hello, previous_boot=NEXT_BOOT),
    ]


def test_a_boot_in_play_is_told_and_its_events_begin_at_one(
    host: Host, hello_of: Callable[..., Hello]
) -> None:
    host.hears(Event(1, 0, "loaded", LOADED), Event(2, 0, "started", LOADED))
    again = hello_of(boot=NEXT_BOOT)
    items = host.hears(again, Event(1, 0, "loaded", LOADED), at=1.0)
    assert told(*items) == [
        Connected(again, same_boot=False),
        Restarted(again, previous_boot=BOOT),
        Happened(1, "loaded", LOADED, 0.0, late=False, boot=NEXT_BOOT),
    ]


def test_numbers_of_the_old_boot_are_not_taken_after_a_new_one(
    host: Host, hello_of: Callable[..., Hello]
) -> None:
    host.hears(Event(1, 0, "loaded", LOADED))
    items = host.hears(
        hello_of(boot=NEXT_BOOT), Event(2, 0, "started", LOADED), Event(57, 0, "started", LOADED)
    )
    assert [item for item in items if isinstance(item, Happened)] == []
    assert host.session.counters.gaps == 2


def test_the_echo_of_an_old_boots_hello_is_not_another_restart(
    host: Host, hello: Hello, hello_of: Callable[..., Hello]
) -> None:
    host.hears(hello_of(boot=NEXT_BOOT))
    assert host.hears(hello, at=0.4) == []
    assert host.session.counters.unexpected == 1
    assert host.session.hello == hello_of(boot=NEXT_BOOT)


def test_a_device_that_comes_back_after_silence_may_be_of_an_old_boot(
    host: Host, hello: Hello, hello_of: Callable[..., Hello]
) -> None:
    host.hears(hello_of(boot=NEXT_BOOT))
    host.session.elapsed(1.5)
    assert told(*host.hears(hello, at=2.0)) == [
        Connected(hello, same_boot=False),
        Restarted(hello, previous_boot=NEXT_BOOT),
        Back(),
    ]


def test_another_device_in_its_place_is_no_restart(host: Host, hello_of: Callable[..., Hello]) -> None:
    other = hello_of(serial="S-9", boot=NEXT_BOOT)
    assert told(*host.hears(other)) == [Connected(other, same_boot=False)]


def test_a_gap_is_no_fact_and_lost_is() -> None:
    host = Host(last=(BOOT, 4))
    host.session.opened(0.0)
    host.hears(Hello("shuffler", "M1", "S-7", "2.0", bytes(32), BOOT, (), 5, 0))
    assert host.hears(Event(7, 0, "loaded", LOADED)) == []
    assert host.hears(Event(8, 0, "lost", {"first": 5, "last": 7})) == [EventsLost(5, 7, n=8, boot=BOOT)]
    assert host.session.acknowledge(8, BOOT) == encode(Ack(8))
    assert len(host.hears(Event(9, 0, "loaded", LOADED))) == 1


def test_lost_before_its_turn_waits_like_any_event(host: Host) -> None:
    assert host.hears(Event(8, 0, "lost", {"first": 5, "last": 7})) == []
    assert host.session.counters.gaps == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"first": 1, "last": 9},
        {"first": 1, "last": 6},
        {"first": 2, "last": 7},
        {"first": 1},
        {"first": 1, "last": "7"},
    ],
)
def test_lost_that_does_not_reach_from_the_next_to_itself_is_not_taken(
    host: Host, fields: dict[str, object]
) -> None:
    assert host.hears(Event(8, 0, "lost", fields)) == []
    assert host.session.counters.gaps == 1


def test_lost_of_nothing_is_a_fault_of_the_device(host: Host) -> None:
    assert host.hears(Event(1, 0, "lost", {"first": 0, "last": 0})) == [
        NotUnderstood(1, "lost does not end before its own number", 0.0, late=False, boot=BOOT)
    ]


def test_what_a_device_of_a_known_boot_no_longer_keeps_is_lost(
    hello_of: Callable[..., Hello],
) -> None:
    host = Host(last=(BOOT, 5))
    host.session.opened(0.0)
    hello = hello_of(first=9)
    items = host.hears(hello, Event(9, 0, "loaded", LOADED))
    assert told(*items) == [
        Connected(hello, same_boot=True),
        EventsLost(6, 8, n=8, boot=BOOT),
        Happened(9, "loaded", LOADED, 0.0, late=False, boot=BOOT),
    ]


def test_an_event_outside_the_tables_is_counted_and_its_fields_are_dropped(host: Host) -> None:
    items = host.hears(Event(1, 0, "exploded", {"how": "loudly"}), Event(2, 0, "loaded", {"batch": "one"}))
    assert items == [
        NotUnderstood(1, "no such event", 0.0, late=False, boot=BOOT),
        NotUnderstood(2, "batch of loaded is not a whole number, 0 to 2^63-1", 0.0, late=False, boot=BOOT),
    ]
    assert host.session.acknowledge(2, BOOT) == encode(Ack(2))


# Age.


def test_a_fresh_event_is_of_now(host: Host) -> None:
    host.hears(pong(up_ms=10_000), at=10.0)
    (event,) = host.hears(Event(1, 10_500, "loaded", LOADED), at=10.5)
    assert event == Happened(1, "loaded", LOADED, 0.0, late=False, boot=BOOT)


def test_an_event_that_comes_again_is_as_old_as_it_is(host: Host) -> None:
    host.hears(pong(up_ms=10_000), at=10.0)
    (event,) = host.hears(Event(1, 9_000, "loaded", LOADED), at=10.5)
    assert event == Happened(1, "loaded", LOADED, 1.5, late=False, boot=BOOT)


@pytest.mark.parametrize(("t", "age_s", "late"), [(8_501, 1.999, False), (8_499, 2.001, True)])
def test_an_event_of_more_than_two_seconds_ago_is_late(host: Host, t: int, age_s: float, late: bool) -> None:
    host.hears(pong(up_ms=10_000), at=10.0)
    (event,) = host.hears(Event(1, t, "loaded", LOADED), at=10.5)
    assert isinstance(event, Happened)
    assert event.age_s == pytest.approx(age_s)
    assert event.late is late


def test_an_event_from_before_the_acceptance_is_late(hello_of: Callable[..., Hello]) -> None:
    host = Host()
    host.session.opened(50.0)
    items = host.hears(
        hello_of(up_ms=9_000), Event(1, 8_900, "loaded", LOADED), Event(2, 9_000, "stopped"), at=50.0
    )
    assert [(item.n, round(item.age_s, 3), item.late) for item in items if type(item) is Happened] == [
        (1, 0.1, True)
    ]
    assert [item.late for item in items if isinstance(item, NotUnderstood)] == [False]


def test_bytes_that_were_delayed_make_no_event_old(host: Host) -> None:
    # A PONG that lay in a buffer for a second, then an event without delay.
    host.hears(pong(up_ms=9_000), at=10.0)
    (event,) = host.hears(Event(1, 10_500, "loaded", LOADED), at=10.5)
    assert isinstance(event, Happened)
    assert event.age_s == 0.0


def test_a_delayed_pong_does_not_undo_what_an_earlier_one_told(host: Host) -> None:
    host.hears(pong(up_ms=10_000), at=10.0)
    host.hears(pong(up_ms=10_100), at=11.0)
    (event,) = host.hears(Event(1, 10_500, "loaded", LOADED), at=11.0)
    assert isinstance(event, Happened)
    assert event.age_s == pytest.approx(0.5, abs=0.001)


def test_the_clock_of_a_slow_device_is_followed(host: Host) -> None:
    # 150 ppm slow: after 10 000 s its uptime is 1.5 s behind.
    for second in range(0, 10_001, 10):
        host.hears(pong(up_ms=round(second * 999.85)), at=float(second))
    (event,) = host.hears(Event(1, round(10_000 * 999.85), "loaded", LOADED), at=10_000.0)
    assert isinstance(event, Happened)
    assert event.age_s == pytest.approx(0.0, abs=0.001)


# PONG.


def test_the_last_pong_is_shown(host: Host) -> None:
    assert host.session.shown is None
    host.hears(pong(up_ms=5))
    assert host.session.shown == pong(up_ms=5)


def test_drained_is_told_once_when_all_that_happened_is_acknowledged(host: Host) -> None:
    host.hears(Event(1, 0, "loaded", LOADED))
    assert host.hears(pong(1, 10)) == []
    host.session.acknowledge(1, BOOT)
    assert host.hears(pong(2, 20)) == []
    assert host.hears(pong(1, 30)) == [Drained(1)]
    assert host.hears(pong(1, 40)) == []


def test_drained_is_told_again_after_another_acceptance(host: Host, hello: Hello) -> None:
    assert host.hears(pong(0, 10)) == [Drained(0)]
    host.session.closed(0.1)
    host.accepted(hello, at=0.2)
    assert host.hears(pong(0, 20), at=0.2) == [Drained(0)]


def test_an_older_pong_is_an_echo(host: Host) -> None:
    host.hears(pong(0, 1000))
    assert host.hears(pong(0, 999, why="jam")) == []
    assert host.session.shown == pong(0, 1000)
    assert host.session.counters.unexpected == 1


def test_a_device_that_counts_backwards_within_a_boot_is_refused_until_it_boots(
    hello_of: Callable[..., Hello],
) -> None:
    host = Host(last=(BOOT, 5)).accepted(hello_of())
    items = host.hears(pong(4, 10))
    assert told(*items) == [RefusedDevice("numbers-went-back", hello_of())]
    assert said(*items) == [Refused("numbers-went-back")]
    assert told(*host.hears(hello_of(), at=5.0)) == []
    assert host.session.state is State.REFUSED
    host.accepted(hello_of(boot=NEXT_BOOT), at=6.0)


@pytest.mark.parametrize("why", ["power-up", "host-lost", "permit-spent"])
def test_an_inhibit_of_the_devices_own_is_no_news(host: Host, why: str) -> None:
    assert host.hears(pong(why=why)) == [Drained(0)]


def test_an_inhibit_that_nobody_here_wished_is_told_once(host: Host) -> None:
    assert host.hears(pong(why="jam")) == [InhibitFound("jam"), Drained(0)]
    assert host.hears(pong(why="jam")) == []
    assert host.hears(pong(why="wrong-count")) == []


def test_an_inhibit_that_was_wished_here_is_no_news(hello: Hello) -> None:
    host = Host()
    host.session.inhibit("jam", "now", 0.0)
    host.session.release()
    host.accepted(hello)
    assert host.hears(pong(why="jam")) == [Drained(0)]


# Inhibit.

JAM = Order("inhibit", {"why": "jam", "when": "now"}, 7)


def test_an_inhibit_leaves_at_once(host: Host) -> None:
    assert host.session.inhibit("jam", "now", 1.0) == encode(JAM)


def test_done_by_name_confirms_an_inhibit_once(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.0)
    assert host.hears(Done("inhibit")) == [Answered("inhibit", None, ok=True)]
    assert host.hears(Done("inhibit")) == []
    assert told(*host.session.elapsed(0.5)) == []


def test_a_pong_confirms_an_inhibit(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.0)
    assert host.hears(pong(why="jam")) == [Drained(0), Answered("inhibit", None, ok=True)]
    assert told(*host.session.elapsed(0.5)) == []


def test_an_inhibit_that_is_not_shown_within_500_ms_is_told_once(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.25)
    assert host.session.due() == 0.5
    assert told(*host.session.elapsed(0.5)) == []
    assert told(*host.session.elapsed(0.74)) == []
    assert host.session.due() == 0.75
    assert told(*host.session.elapsed(0.75)) == [Unconfirmed("inhibit", 0.5)]
    host.hears(pong(why=None), at=1.0)
    assert [item for item in told(*host.session.elapsed(9.0)) if type(item) is Unconfirmed] == []


def test_each_inhibit_is_told_unconfirmed_for_itself(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.0)
    assert told(*host.session.elapsed(0.5)) == [Unconfirmed("inhibit", 0.5)]
    host.session.inhibit("door", "now", 1.0)
    assert told(*host.session.elapsed(1.5)) == [Stale(1.5), Unconfirmed("inhibit", 0.5)]


def test_an_inhibit_is_sent_again_on_every_pong_that_disagrees(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.0)
    assert said(*host.hears(pong(why=None))) == [JAM]
    assert said(*host.hears(pong(why=None))) == [JAM]
    assert said(*host.hears(pong(why="jam"))) == []
    assert said(*host.hears(pong(why=None), at=9.0)) == [JAM]
    assert Unconfirmed("inhibit", 0.5) in told(*host.session.elapsed(9.5))


def test_a_device_inhibited_for_its_own_reason_agrees(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.0)
    assert said(*host.hears(pong(why="power-up"))) == []


def test_after_round_agrees_with_a_device_that_goes_on_with_its_permit(host: Host) -> None:
    order = Order("inhibit", {"why": "jam", "when": "after-round"}, 7)
    playing = pong(why=None, permit={"cycle": 1, "batch": 1})
    assert host.session.inhibit("jam", "after-round", 0.0) == encode(order)
    assert said(*host.hears(playing)) == [order]
    host.hears(Done("inhibit"))
    assert said(*host.hears(playing)) == []
    # The permit is spent, and yet it is not inhibited.
    assert said(*host.hears(pong(why=None))) == [order]


def test_now_does_not_agree_with_a_device_that_goes_on_with_its_permit(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.0)
    host.hears(Done("inhibit"))
    assert said(*host.hears(pong(why=None, permit={"cycle": 1, "batch": 1}))) == [JAM]


def test_a_wish_made_without_a_device_is_sent_with_the_welcome(hello: Hello) -> None:
    host = Host()
    assert host.session.inhibit("jam", "now", 0.0) == b""
    host.session.opened(0.1)
    assert said(*host.hears(hello, at=0.2)) == [Welcome(7), JAM, Ack(0), Ping(7, renew=False)]


def test_a_wish_without_a_device_is_unconfirmed() -> None:
    session = HostSession(7, "shuffler", None, None, None, 0.0)
    session.inhibit("jam", "now", 0.0)
    assert session.due() == 0.5
    assert session.elapsed(0.5) == [Unconfirmed("inhibit", 0.5)]


def test_a_released_wish_is_not_sent_again(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.0)
    host.session.release()
    assert said(*host.hears(pong(why=None))) == []
    assert told(*host.session.elapsed(0.5)) == []


def test_done_without_a_wish_is_no_news(host: Host) -> None:
    assert host.hears(Done("inhibit")) == []


def test_a_device_that_cannot_inhibit_says_so(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.0)
    assert host.hears(Failed("inhibit", None, "broken")) == [
        Answered("inhibit", None, ok=False, why="broken")
    ]
    assert told(*host.session.elapsed(0.5)) == [Unconfirmed("inhibit", 0.5)]


@pytest.mark.parametrize(("why", "when"), [("Jam!", "now"), ("jam", "later")])
def test_an_inhibit_has_a_word_for_why_and_one_of_two_for_when(host: Host, why: str, when: str) -> None:
    with pytest.raises(ValueError, match="shuffler takes no such order as inhibit: "):
        host.session.inhibit(why, when, 0.0)


def test_a_family_without_inhibits_has_none(hello_of: Callable[..., Hello]) -> None:
    host = Host(family="rng").accepted(hello_of(family="rng"))
    with pytest.raises(ValueError, match="rng takes no such order as inhibit: no such order"):
        host.session.inhibit("jam", "now", 0.0)


# Orders.

PERMIT = {"cycle": 1, "batch": 1}
PERMITTED = Order("permit", PERMIT, 7, ("e1", 300))


def test_an_order_is_repeated_until_it_is_answered(host: Host) -> None:
    assert host.session.order("permit", PERMIT, ("e1", 300), 0.0) == encode(PERMITTED)
    assert said(*host.session.elapsed(0.5)) == [Ping(7, renew=False), PERMITTED]
    assert said(*host.session.elapsed(1.0)) == [Ping(7, renew=False), PERMITTED]
    assert host.hears(Done("permit", ("e1", 300)), at=1.1) == [Answered("permit", ("e1", 300), ok=True)]
    assert said(*host.session.elapsed(1.5)) == [Ping(7, renew=False)]


def test_the_second_order_does_not_hurry_the_first(host: Host) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.1)
    host.session.order("selftest", {}, ("e1", 301), 0.3)
    host.session.elapsed(0.55)
    assert said(*host.session.elapsed(0.6)) == [
        PERMITTED,
        Order("selftest", {}, 7, ("e1", 301)),
    ]


def test_a_failed_order_says_why(host: Host) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.0)
    assert host.hears(Failed("permit", ("e1", 300), "busy")) == [
        Answered("permit", ("e1", 300), ok=False, why="busy")
    ]


def test_a_device_that_has_forgotten_an_order_does_not_know_its_result(host: Host) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.0)
    assert host.hears(Failed("permit", ("e1", 300), "forgotten")) == [
        Answered("permit", ("e1", 300), ok=None, why="forgotten")
    ]


@pytest.mark.parametrize(
    "answer", [Done("permit", ("e1", 299)), Done("permit", ("e2", 300)), Done("selftest", ("e1", 300))]
)
def test_an_answer_to_something_else_is_no_answer(host: Host, answer: Done) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.0)
    assert host.hears(answer) == []
    assert PERMITTED in said(*host.session.elapsed(0.5))


def test_an_answer_that_comes_twice_is_told_once(host: Host) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.0)
    assert len(host.hears(Done("permit", ("e1", 300)), Done("permit", ("e1", 300)))) == 1


def test_an_order_is_repeated_to_the_same_boot_when_the_port_is_back(host: Host, hello: Hello) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.0)
    host.session.closed(0.1)
    assert host.session.elapsed(1.0) == []
    host.session.opened(1.1)
    assert said(*host.hears(hello, at=1.2)) == [Welcome(7), Ack(0), PERMITTED, Ping(7, renew=False)]


def test_after_a_new_boot_the_result_of_an_order_is_unknown(
    host: Host, hello_of: Callable[..., Hello]
) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.0)
    again = hello_of(boot=NEXT_BOOT)
    items = host.hears(again)
    assert told(*items) == [
        Connected(again, same_boot=False),
        Restarted(again, previous_boot=BOOT),
        Answered("permit", ("e1", 300), ok=None, why="device-restarted"),
    ]
    assert PERMITTED not in said(*items, *host.session.elapsed(1.0))


def test_another_device_does_not_get_the_orders_of_the_first(
    host: Host, hello_of: Callable[..., Hello]
) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.0)
    assert Answered("permit", ("e1", 300), ok=None, why="device-exchanged") in host.hears(
        hello_of(serial="S-9", boot=NEXT_BOOT)
    )


def test_an_order_without_a_device_is_not_carried_out() -> None:
    session = HostSession(7, "shuffler", None, None, None, 0.0)
    assert session.order("permit", PERMIT, ("e1", 300), 0.25) == b""
    assert session.due() == 0.25
    assert session.elapsed(0.25) == [Answered("permit", ("e1", 300), ok=False, why="not-connected")]
    assert session.due() == 1.5


def test_no_permit_is_asked_while_an_inhibit_is_wished(host: Host) -> None:
    host.session.inhibit("jam", "now", 0.0)
    assert host.session.order("permit", PERMIT, ("e1", 300), 0.1) == b""
    assert told(*host.session.elapsed(0.1)) == [Answered("permit", ("e1", 300), ok=False, why="inhibited")]
    assert host.session.order("selftest", {}, ("e1", 301), 0.1) != b""
    host.session.release()
    assert host.session.order("permit", PERMIT, ("e1", 302), 0.2) != b""


def test_a_permit_that_waits_is_not_repeated_after_an_inhibit(host: Host) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.0)
    host.session.order("selftest", {}, ("e1", 301), 0.0)
    host.session.inhibit("jam", "now", 0.1)
    items = host.session.elapsed(0.5)
    assert Answered("permit", ("e1", 300), ok=None, why="inhibited") in items
    assert said(*items) == [Ping(7, renew=False), Order("selftest", {}, 7, ("e1", 301))]


def test_a_lamp_has_no_number_and_is_answered_by_name(hello_of: Callable[..., Hello]) -> None:
    host = Host(family="dealers-panel").accepted(hello_of(family="dealers-panel"))
    lamp = {"which": "red", "pattern": "on"}
    assert host.session.order("lamp", lamp, None, 0.0) == encode(Order("lamp", lamp, 7))
    assert host.hears(Done("lamp")) == [Answered("lamp", None, ok=True)]
    assert said(*host.session.elapsed(0.5)) == [Ping(7, renew=False)]


@pytest.mark.parametrize(
    ("name", "fields", "number"),
    [
        ("permit", PERMIT, None),
        ("inhibit", {"why": "jam", "when": "now"}, None),
        ("inhibit", {"why": "jam", "when": "now"}, ("e1", 1)),
    ],
)
def test_an_order_is_numbered_where_it_must_be_and_nowhere_else(
    host: Host, name: str, fields: dict[str, object], number: tuple[str, int] | None
) -> None:
    with pytest.raises(ValueError, match="wishes, lamps have none"):
        host.session.order(name, fields, number, 0.0)


def test_an_order_outside_the_tables_is_a_bug(host: Host) -> None:
    with pytest.raises(ValueError, match="shuffler takes no such order as permit: permit has no b"):
        host.session.order("permit", {"cycle": 1}, ("e1", 1), 0.0)


def test_a_number_that_waits_cannot_be_used_again(host: Host) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.0)
    with pytest.raises(ValueError, match="order permit number"):
        host.session.order("permit", PERMIT, ("e1", 300), 0.0)


# Silence.


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


# Leaks.

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


# Simulated time.


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
