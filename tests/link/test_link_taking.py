"""A device's events at the host: each once, in order, and as old as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols.link import (
    Ack,
    Back,
    Connected,
    Event,
    EventsLost,
    Happened,
    Hello,
    NotUnderstood,
    Ping,
    Restarted,
    Welcome,
    encode,
)

from .bench import BOOT, LOADED, NEXT_BOOT, Host, pong, said, told

if TYPE_CHECKING:
    from collections.abc import Callable


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
    assert [type(item) for item in host.hears(Event(41, 0, "loaded", LOADED))] == [Happened]


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


def test_a_single_event_that_is_no_longer_kept_is_lost(hello_of: Callable[..., Hello]) -> None:
    host = Host(last=(BOOT, 5))
    host.session.opened(0.0)
    assert EventsLost(6, 6, n=6, boot=BOOT) in host.hears(hello_of(first=7))


def test_an_event_outside_the_tables_is_counted_and_its_fields_are_dropped(host: Host) -> None:
    items = host.hears(Event(1, 0, "exploded", {"how": "loudly"}), Event(2, 0, "loaded", {"batch": "one"}))
    assert items == [
        NotUnderstood(1, "no such event", 0.0, late=False, boot=BOOT),
        NotUnderstood(2, "batch of loaded is not a whole number, 0 to 2^63-1", 0.0, late=False, boot=BOOT),
    ]
    assert host.session.acknowledge(2, BOOT) == encode(Ack(2))


def test_a_fresh_event_is_of_now(host: Host) -> None:
    host.hears(pong(up_ms=10_000), at=10.0)
    (event,) = host.hears(Event(1, 10_500, "loaded", LOADED), at=10.5)
    assert event == Happened(1, "loaded", LOADED, 0.0, late=False, boot=BOOT)


def test_an_event_that_comes_again_is_as_old_as_it_is(host: Host) -> None:
    host.hears(pong(up_ms=10_000), at=10.0)
    (event,) = host.hears(Event(1, 9_000, "loaded", LOADED), at=10.5)
    assert event == Happened(1, "loaded", LOADED, 1.5, late=False, boot=BOOT)


@pytest.mark.parametrize(
    ("t", "age_s", "late"), [(8_501, 1.999, False), (8_500, 2.0, False), (8_499, 2.001, True)]
)
def test_an_event_of_more_than_two_seconds_ago_is_late(
    host: Host, t: int, age_s: float, *, late: bool
) -> None:
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
