"""The device's session alone: a host's messages and time in, items out."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

import pytest

from felt_protocols.link import (
    Ack,
    DeviceSession,
    Done,
    Event,
    Failed,
    Garbled,
    HostHello,
    Inhibited,
    Order,
    Ordered,
    Ping,
    Pong,
    Refused,
    RefusedByHost,
    Send,
    Welcome,
    Welcomed,
    encode,
    encode_frame,
)
from felt_protocols.link.memory import OrderMemory

from .bench import INHIBIT, LOADED, N300, PERMITTED, SELFTEST, Device, make_hello, permitted, said, told

if TYPE_CHECKING:
    from felt_protocols.link import Message


# Greeting.


def test_a_device_says_hello_when_it_powers_up() -> None:
    device = Device()
    assert said(*device.session.opened(1.5)) == [make_hello(up_ms=1500)]


def test_a_device_answers_a_host_with_its_oldest_event_and_its_uptime() -> None:
    device = Device()
    assert said(*device.hears(HostHello(7), at=2.0)) == [make_hello(first=1, up_ms=2000)]
    device.session.happen("loaded", LOADED, 2.5)
    device.hears(Welcome(7), Ack(1), at=3.0)
    device.session.happen("loaded", LOADED, 3.0)
    assert said(*device.hears(HostHello(8), at=3.0)) == [make_hello(first=2, up_ms=3000)]


def test_a_device_needs_a_family_that_exists() -> None:
    with pytest.raises(ValueError, match="no family 'roulette'; families are shuffler, "):
        DeviceSession(make_hello(family="roulette"), 64, 0.0)


def test_a_ring_keeps_at_least_64_events() -> None:
    with pytest.raises(ValueError, match="a ring of 63 events; the least is 64"):
        DeviceSession(make_hello(), 63, 0.0)


def test_welcome_is_told_once() -> None:
    device = Device()
    assert told(*device.hears(Welcome(7), Welcome(7))) == [Welcomed(7)]
    assert told(*device.hears(HostHello(7), Welcome(7))) == []
    assert told(*device.hears(HostHello(8), Welcome(8))) == [Welcomed(8)]


def test_refused_is_told_and_ends_the_welcome(device: Device) -> None:
    device.session.happen("loaded", LOADED, 0.0)
    assert device.hears(Refused("unknown-serial")) == [RefusedByHost("unknown-serial")]
    assert device.session.due() == inf
    assert device.session.elapsed(9.0) == []


def test_an_unwelcomed_device_answers_a_ping_with_hello() -> None:
    assert said(*Device().hears(Ping(7, renew=True), at=1.0)) == [make_hello(up_ms=1000)]


@pytest.mark.parametrize("message", [Ack(1), PERMITTED, INHIBIT, SELFTEST])
def test_before_welcome_nothing_is_obeyed(message: Message) -> None:
    device = Device()
    device.session.happen("loaded", LOADED, 0.0)
    assert device.hears(message) == []
    assert device.session.counters.unexpected == 1
    assert said(*device.hears(HostHello(7))) == [make_hello(first=1)]


@pytest.mark.parametrize(
    "message",
    [
        make_hello(),
        Event(1, 0, "loaded", LOADED),
        Done("inhibit"),
        Failed("inhibit", None, "x"),
        Pong("idle", inhibited=False, why=None, permit=None, n=0, up_ms=0),
    ],
)
def test_a_device_does_not_listen_to_devices(device: Device, message: Message) -> None:
    assert device.hears(message) == []
    assert device.session.counters.unexpected == 1


def test_frames_to_another_address_are_not_heard() -> None:
    device = Device(address=3)
    assert device.session.receive(encode(HostHello(7), 4), 0.0) == []
    assert device.session.counters.unexpected == 1
    assert len(device.session.receive(encode(HostHello(7), 3), 0.0)) == 1


def test_what_is_no_frame_or_no_message_is_counted(device: Device) -> None:
    assert device.session.receive(b"\0\x05\x06\0" + encode_frame(0x77, 0, b""), 0.0) == []
    assert device.session.counters.garbled == {"cobs": 1, "kind": 1}
    # HELLO and WELCOME of the host, 20 bytes each; 4 bytes of noise; a frame of 10 without a body.
    assert (device.session.counters.frames, device.session.counters.bytes) == (3, 54)
    assert device.session.counters.last_garbled == Garbled("kind", b"\x01\x77\x00")


def test_half_a_frame_does_not_outlive_its_port(device: Device) -> None:
    device.session.receive(encode(INHIBIT)[:9], 0.0)
    device.session.opened(1.0)
    assert told(*device.hears(INHIBIT, at=1.0)) == [Inhibited("jam", "now")]


# Events.


def test_an_event_leaves_at_once_and_every_250_ms_until_it_is_acknowledged(device: Device) -> None:
    event = Event(1, 10_000, "loaded", {"batch": 1})
    assert said(*device.session.happen("loaded", LOADED, 10.0)) == [event]
    assert device.session.due() == 10.25
    assert device.session.elapsed(10.2) == []
    assert said(*device.session.elapsed(10.25)) == [event]
    assert said(*device.session.elapsed(10.5)) == [event]
    device.hears(Ack(1), at=10.6)
    assert device.session.elapsed(10.75) == []
    assert device.session.due() == inf


def test_an_acknowledgement_is_cumulative(device: Device) -> None:
    for _ in range(3):
        device.session.happen("loaded", LOADED, 0.0)
    device.hears(Ack(2))
    assert said(*device.session.elapsed(0.25)) == [Event(3, 0, "loaded", {"batch": 1})]


def test_an_acknowledgement_of_what_never_happened_is_none(device: Device) -> None:
    device.session.happen("loaded", LOADED, 0.0)
    device.hears(Ack(57))
    assert len(said(*device.session.elapsed(0.25))) == 1


def test_events_before_the_welcome_are_kept_and_leave_with_it() -> None:
    device = Device()
    assert device.session.happen("loaded", LOADED, 1.0) == []
    assert device.session.elapsed(9.0) == []
    items = device.hears(Welcome(7), at=9.0)
    assert told(*items) == [Welcomed(7)]
    assert said(*items) == [Event(1, 1000, "loaded", {"batch": 1})]


def test_the_eight_oldest_events_are_sent_again_and_the_next_when_they_are_safe(
    device: Device,
) -> None:
    for _ in range(12):
        device.session.happen("loaded", LOADED, 0.0)
    again = said(*device.session.elapsed(0.25))
    assert [message.n for message in again if isinstance(message, Event)] == [*range(1, 9)]
    more = said(*device.hears(Ack(8), at=0.3))
    assert [message.n for message in more if isinstance(message, Event)] == [9, 10, 11, 12]


def test_over_three_quarters_full_nothing_new_is_started(device: Device) -> None:
    permitted(device)
    for _ in range(48):
        device.session.happen("loaded", LOADED, 0.0)
    assert (device.session.starts_nothing_new, device.session.may_start) == (False, True)
    device.session.happen("loaded", LOADED, 0.0)
    assert (device.session.starts_nothing_new, device.session.may_start) == (True, False)
    device.hears(Ack(1))
    assert (device.session.starts_nothing_new, device.session.may_start) == (False, True)


def test_what_a_full_ring_could_not_keep_is_told_as_lost(device: Device) -> None:
    for _ in range(64):
        device.session.happen("loaded", LOADED, 0.0)
    for _ in range(3):
        assert device.session.happen("started", LOADED, 1.0) == []
    assert said(*device.hears(Ping(7, renew=False), at=1.0))[0] == Pong(
        "idle", inhibited=True, why="power-up", permit=None, n=67, up_ms=1000
    )
    # While there is no room, there is none for the news either.
    assert device.hears(Ack(0), at=0.0) == []
    device.hears(Ack(63), at=2.0)
    assert said(*device.session.elapsed(2.25)) == [
        Event(64, 0, "loaded", {"batch": 1}),
        Event(68, 2000, "lost", {"first": 65, "last": 67}),
    ]
    assert said(*device.session.happen("unloaded", LOADED, 3.0)) == [
        Event(69, 3000, "unloaded", {"batch": 1})
    ]


def test_an_event_outside_the_tables_is_a_bug_unless_it_is_wanted(device: Device) -> None:
    with pytest.raises(ValueError, match="shuffler has no such event as dice: no such event"):
        device.session.happen("dice", {}, 0.0)
    (sent,) = said(*device.session.happen("dice", {"order": [1]}, 0.0, unchecked=True))
    assert sent == Event(1, 0, "dice", {"order": [1]})


def test_an_event_that_no_frame_can_carry_is_not_numbered(device: Device) -> None:
    with pytest.raises(ValueError, match="the most is 1024"):
        device.session.happen("loaded", {"x": "y" * 1024}, 0.0, unchecked=True)
    assert said(*device.session.happen("loaded", LOADED, 0.0)) == [Event(1, 0, "loaded", {"batch": 1})]


# Orders.


def test_an_inhibit_is_answered_done_by_name_as_often_as_it_comes(device: Device) -> None:
    for _ in range(3):
        items = device.hears(INHIBIT)
        assert said(*items) == [Done("inhibit")]
        assert told(*items) == [Inhibited("jam", "now")]
    assert (device.session.inhibited, device.session.why) == (True, "jam")


def test_a_device_powers_up_inhibited() -> None:
    device = Device()
    assert device.session.inhibited
    assert not device.session.may_start
    assert device.session.why == "power-up"


@pytest.mark.parametrize("family", ["progressive-station", "rng", "dealers-panel"])
def test_a_family_without_permits_is_not_inhibited(family: str) -> None:
    session = Device(family=family).session
    assert not session.inhibited
    assert session.may_start


def test_an_order_is_carried_out_once_and_answered_from_memory(device: Device) -> None:
    assert device.hears(SELFTEST) == [Ordered("selftest", {}, ("e1", 301))]
    assert device.hears(SELFTEST, SELFTEST) == []
    assert device.session.done(("e1", 301)) == encode(Done("selftest", ("e1", 301)))
    assert device.hears(SELFTEST) == [Send(encode(Done("selftest", ("e1", 301))))]
    assert device.session.counters.duplicates == 3
    assert device.session.done(("e1", 301)) == b""
    assert device.session.failed(("e1", 301), "late") == b""


def test_a_failed_order_is_answered_from_memory(device: Device) -> None:
    device.hears(SELFTEST)
    failed = encode(Failed("selftest", ("e1", 301), "broken"))
    assert device.session.failed(("e1", 301), "broken") == failed
    assert device.hears(SELFTEST) == [Send(failed)]


def test_what_was_never_ordered_has_no_answer(device: Device) -> None:
    assert device.session.done(("e1", 999)) == b""
    assert device.session.failed(("e1", 999), "x") == b""


def test_the_same_row_of_another_epoch_is_another_order(device: Device) -> None:
    device.hears(SELFTEST)
    device.session.done(("e1", 301))
    assert told(*device.hears(replace(SELFTEST, number=("e2", 301)))) == [
        Ordered("selftest", {}, ("e2", 301))
    ]


def test_an_order_that_is_forgotten_is_not_carried_out_again(device: Device) -> None:
    for row in range(301, 366):
        device.hears(replace(SELFTEST, number=("e1", row)))
        device.session.done(("e1", row))
    assert said(*device.hears(SELFTEST)) == [Failed("selftest", ("e1", 301), "forgotten")]
    assert said(*device.hears(replace(SELFTEST, number=("e1", 302)))) == [Done("selftest", ("e1", 302))]


def test_orders_that_came_out_of_order_are_forgotten_for_good(device: Device) -> None:
    for row in (302, 301, *range(303, 368)):
        device.hears(replace(SELFTEST, number=("e1", row)))
        device.session.done(("e1", row))
    for row in (301, 302):
        assert said(*device.hears(replace(SELFTEST, number=("e1", row)))) == [
            Failed("selftest", ("e1", row), "forgotten")
        ]


def test_an_order_of_an_earlier_epoch_that_is_forgotten_late_spoils_no_other(device: Device) -> None:
    device.hears(replace(SELFTEST, number=("e1", 1)))
    for row in range(301, 366):
        device.hears(replace(SELFTEST, number=("e2", row)))
        device.session.done(("e2", row))
    device.session.done(("e1", 1))
    device.hears(replace(SELFTEST, number=("e2", 366)))
    assert said(*device.hears(replace(SELFTEST, number=("e1", 1)))) == [
        Failed("selftest", ("e1", 1), "forgotten")
    ]
    assert said(*device.hears(replace(SELFTEST, number=("e2", 301)))) == [
        Failed("selftest", ("e2", 301), "forgotten")
    ]


def test_what_is_remembered_of_epochs_is_bounded() -> None:
    memory = OrderMemory(1)
    for epoch in range(100):
        assert memory.begin(replace(SELFTEST, number=(f"e{epoch}", 1)))
        memory.answer((f"e{epoch}", 1))
    assert [epoch for epoch in range(99) if memory.seen((f"e{epoch}", 1))] == [*range(91, 99)]


def test_rows_forgotten_in_one_epoch_say_nothing_of_another(device: Device) -> None:
    for epoch in ("e1", "e2"):
        for row in range(301, 366):
            device.hears(replace(SELFTEST, number=(epoch, row)))
            device.session.done((epoch, row))
    assert said(*device.hears(replace(SELFTEST, number=("e2", 301)))) == [
        Failed("selftest", ("e2", 301), "forgotten")
    ]
    assert told(*device.hears(replace(SELFTEST, number=("e3", 1)))) == [Ordered("selftest", {}, ("e3", 1))]


def test_a_device_that_cannot_remember_one_more_order_does_not_begin_it(device: Device) -> None:
    for row in range(64):
        assert told(*device.hears(replace(SELFTEST, number=("e1", row)))) != []
    one_more = replace(SELFTEST, number=("e1", 64))
    assert device.hears(one_more) == []
    device.session.done(("e1", 7))
    assert told(*device.hears(one_more)) == [Ordered("selftest", {}, ("e1", 64))]


def test_orders_of_an_older_session_are_ignored(device: Device) -> None:
    device.hears(HostHello(8), Welcome(8))
    assert device.hears(PERMITTED, INHIBIT, SELFTEST) == []
    assert device.hears(replace(SELFTEST, session=8)) == [Ordered("selftest", {}, ("e1", 301))]


def test_an_order_without_its_number_fails(device: Device) -> None:
    assert said(*device.hears(replace(SELFTEST, number=None))) == [Failed("selftest", None, "needs-number")]
    assert said(*device.hears(replace(INHIBIT, number=N300))) == [Failed("inhibit", N300, "needs-number")]
    assert device.session.why == "power-up"


@pytest.mark.parametrize("order", [Order("dance", {}, 7, N300), Order("permit", {"cycle": 1}, 7, N300)])
def test_an_order_outside_the_tables_fails(device: Device, order: Order) -> None:
    assert said(*device.hears(order)) == [Failed(order.name, N300, "no-such-order")]


@pytest.mark.parametrize(
    ("name", "fields"),
    [("lamp", {"which": "call", "pattern": "on"}), ("text", {"lines": ["Call the floor"]})],
)
def test_what_is_shown_is_answered_by_name_as_often_as_it_comes(name: str, fields: dict[str, object]) -> None:
    device = Device(family="dealers-panel").welcomed()
    for _ in range(2):
        assert device.hears(Order(name, fields, 7)) == [Ordered(name, fields, None)]
        assert device.session.done(name) == encode(Done(name))
    assert device.session.failed(name, "burnt") == encode(Failed(name, None, "burnt"))


def test_a_text_with_a_number_fails() -> None:
    device = Device(family="dealers-panel").welcomed()
    numbered = Order("text", {"lines": ["Deal"]}, 7, N300)
    assert said(*device.hears(numbered)) == [Failed("text", N300, "needs-number")]


def test_a_panel_has_nothing_that_could_be_inhibited() -> None:
    device = Device(family="dealers-panel").welcomed()
    assert device.session.why is None
    assert said(*device.hears(INHIBIT)) == [Failed("inhibit", None, "no-such-order")]
    assert not device.session.inhibited
