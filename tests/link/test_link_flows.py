"""Host and device back to back: every flow, over a line that cuts nothing and one that cuts all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols.link import (
    Ack,
    Answered,
    Back,
    Connected,
    Drained,
    Event,
    EventsLost,
    Happened,
    HostHello,
    Inhibited,
    InhibitFound,
    LeaksOrder,
    LeaseLapsed,
    Lost,
    NotUnderstood,
    Order,
    Ordered,
    Permitted,
    Ping,
    RefusedByHost,
    RefusedDevice,
    Restarted,
    Stale,
    State,
    Unconfirmed,
    Welcome,
    Welcomed,
)

from .bench import BOOT, LOADED, NEXT_BOOT, PERMIT, Pair, make_hello

if TYPE_CHECKING:
    from felt_protocols.link import Item


def news(pair: Pair) -> list[Item]:
    """Give what the host's owner was told since the last look."""
    items, pair.told = pair.told, []
    return items


def test_a_session_begins(pair: Pair) -> None:
    pair.open()
    assert news(pair) == [Connected(make_hello(), same_boot=False), Drained(0)]
    assert pair.seen == [Welcomed(7)]
    assert pair.from_host.messages == [HostHello(7), Welcome(7), Ack(0), Ping(7, renew=False)]


def test_a_quiet_minute_is_pings_and_pongs(connected: Pair) -> None:
    news(connected)
    connected.run(60.0)
    assert news(connected) == []
    assert connected.from_host.messages.count(Ping(7, renew=False)) == 121
    assert connected.host.counters.garbled == {}
    assert connected.host.counters.unexpected == connected.device.counters.unexpected == 0


def test_events_are_taken_committed_and_acknowledged(connected: Pair) -> None:
    for batch in (1, 2, 3):
        connected.happen("loaded", {"batch": batch})
    assert [(item.n, item.fields) for item in connected.happened] == [
        (1, {"batch": 1}),
        (2, {"batch": 2}),
        (3, {"batch": 3}),
    ]
    assert [message for message in connected.from_host.messages if isinstance(message, Ack)] == [
        Ack(0),
        Ack(1),
        Ack(2),
        Ack(3),
    ]
    connected.run(1.0)
    assert sum(isinstance(message, Event) for message in connected.from_device.messages) == 3


def test_events_of_a_host_that_cannot_commit_stay_in_the_ring_and_are_told_once(
    connected: Pair,
) -> None:
    connected.commits = False
    connected.happen("loaded", LOADED)
    connected.run(2.0)
    assert len(connected.happened) == 1
    assert sum(isinstance(message, Event) for message in connected.from_device.messages) == 9
    assert connected.host.counters.duplicates == 8
    connected.acknowledge(1)
    connected.run(2.0)
    assert connected.host.counters.duplicates == 8


def test_a_host_that_was_killed_gets_again_what_it_had_not_committed() -> None:
    pair = Pair(commits=False).open()
    pair.happen("loaded", LOADED)
    pair.acknowledge(1)
    pair.happen("started", LOADED)
    pair.run(3.0)
    # The journal of the next process ends with event 1.
    after = Pair(last=(BOOT, 1), session=8, commits=False)
    after.device, after.now = pair.device, pair.now
    after.open()
    assert after.told[0] == Connected(make_hello(first=2, up_ms=3000), same_boot=True)
    (event,) = after.happened
    assert (event.n, event.name, event.late) == (2, "started", True)
    assert event.age_s == pytest.approx(3.0)


def test_events_from_before_the_welcome_come_with_it(pair: Pair) -> None:
    pair.happen("loaded", LOADED)
    pair.run(1.0)
    pair.open()
    assert pair.happened == [Happened(1, "loaded", {"batch": 1}, 1.0, late=True, boot=BOOT)]


def test_a_device_that_is_switched_on_later_is_found(pair: Pair) -> None:
    pair.cut = True
    pair.open()
    pair.run(10.0)
    assert [type(item) for item in news(pair)] == [Stale, Lost]
    assert pair.from_host.messages == [HostHello(7)] * 11
    pair.cut = False
    pair.run(1.0)
    assert [type(item) for item in news(pair)] == [Connected, Back, Drained]


def test_a_line_that_is_cut_and_mended_loses_nothing(connected: Pair) -> None:
    news(connected)
    connected.cut = True
    connected.happen("loaded", LOADED)
    connected.happen("started", LOADED)
    connected.run(6.0)
    assert [type(item) for item in news(connected)] == [Stale, Lost]
    connected.cut = False
    connected.run(1.0)
    told = news(connected)
    assert [type(item) for item in told] == [Back, Happened, Happened]
    ages = [item.age_s for item in told if isinstance(item, Happened)]
    assert ages == [pytest.approx(6.0, abs=0.3)] * 2
    assert all(item.late for item in told if isinstance(item, Happened))


def test_a_port_that_goes_and_comes_back_goes_on(connected: Pair) -> None:
    news(connected)
    connected.close()
    connected.happen("loaded", LOADED)
    connected.run(0.3)
    connected.open()
    told = news(connected)
    assert [type(item) for item in told] == [Connected, Happened, Drained]
    assert isinstance(told[0], Connected)
    assert told[0].same_boot


def test_a_device_that_boots_in_play_is_told_by_its_hello(connected: Pair) -> None:
    connected.happen("loaded", LOADED)
    news(connected)
    connected.run(10.2)
    again = make_hello(boot=NEXT_BOOT)
    connected.replace_device(again)
    connected.to_host(connected.device.opened(connected.now))
    assert news(connected) == [
        Connected(again, same_boot=False),
        Restarted(again, previous_boot=BOOT),
        Drained(0),
    ]
    connected.happen("loaded", LOADED)
    assert connected.happened == [Happened(1, "loaded", {"batch": 1}, 0.0, late=False, boot=NEXT_BOOT)]


def test_a_boot_whose_hello_was_lost_is_told_at_the_next_ping(connected: Pair) -> None:
    news(connected)
    connected.replace_device(make_hello(boot=NEXT_BOOT))
    connected.happen("loaded", LOADED)
    connected.run(0.5)
    assert [type(item) for item in news(connected)] == [Connected, Restarted, Happened, Drained]


def test_a_ring_that_was_full_tells_what_is_lost(connected: Pair) -> None:
    connected.commits = False
    connected.cut = True
    for _ in range(70):
        connected.happen("loaded", LOADED)
    connected.cut = False
    connected.commits = True
    connected.run(5.0)
    numbers = [item.n for item in connected.told if isinstance(item, Happened | EventsLost)]
    assert numbers == [*range(1, 65), 71]
    (lost,) = [item for item in connected.told if isinstance(item, EventsLost)]
    assert lost == EventsLost(65, 70, n=71, boot=BOOT)
    connected.acknowledge(71)
    connected.happen("started", LOADED)
    assert connected.happened[-1].n == 72


def test_a_device_of_an_unknown_serial_is_refused() -> None:
    pair = Pair(serial="S-8").open()
    assert pair.told == [RefusedDevice("unknown-serial", make_hello())]
    assert pair.seen == [RefusedByHost("unknown-serial")]
    pair.happen("loaded", LOADED)
    pair.run(60.0)
    assert len(pair.from_device.messages) == 13
    assert [type(item) for item in pair.told] == [RefusedDevice, Stale, Lost]


def test_an_inhibit_is_shown_and_stays(connected: Pair) -> None:
    news(connected)
    connected.inhibit("jam")
    assert news(connected) == [Answered("inhibit", None, ok=True)]
    assert connected.seen[-1] == Inhibited("jam", "now")
    connected.run(3.0)
    assert news(connected) == []
    assert connected.device.why == "jam"


def test_an_inhibit_on_a_dead_line_is_unconfirmed_once_and_sent_when_it_lives(
    connected: Pair,
) -> None:
    news(connected)
    connected.cut = True
    connected.inhibit("jam")
    connected.run(1.4)
    (unconfirmed,) = news(connected)
    assert isinstance(unconfirmed, Unconfirmed)
    assert unconfirmed.after_s == pytest.approx(0.5)
    connected.cut = False
    connected.order("permit", PERMIT, 300)
    connected.run(1.0)
    assert connected.device.why == "power-up"
    assert Answered("permit", ("e1", 300), ok=False, why="inhibited") in news(connected)


def test_a_device_that_frees_itself_is_inhibited_again(connected: Pair) -> None:
    connected.order("permit", PERMIT, 300)
    connected.cut = True
    connected.inhibit("jam")
    connected.cut = False
    connected.run(0.6)
    assert connected.device.why == "jam"


def test_a_new_host_finds_what_the_last_one_had_inhibited(connected: Pair) -> None:
    connected.inhibit("jam")
    after = Pair(last=(BOOT, 0), session=8)
    after.device, after.now = connected.device, connected.now
    after.open()
    assert InhibitFound("jam") in after.told


def test_a_permit_is_ordered_taken_renewed_and_spent(connected: Pair) -> None:
    connected.host.renew = True
    connected.order("permit", PERMIT, 300)
    assert connected.seen[-1] == Permitted(PERMIT, ("e1", 300))
    assert connected.told[-1] == Answered("permit", ("e1", 300), ok=True)
    connected.run(60.0)
    assert connected.device.may_start
    connected.device.began_cycle()
    connected.run(60.0)
    connected.device.finished_cycle(connected.now)
    assert connected.device.why == "permit-spent"


def test_a_host_that_does_not_renew_lets_the_permit_lapse(connected: Pair) -> None:
    connected.order("permit", PERMIT, 300)
    connected.run(4.9)
    assert connected.device.may_start
    connected.run(0.2)
    assert connected.seen[-1] == LeaseLapsed()
    assert connected.device.why == "host-lost"


def test_a_host_that_dies_lets_the_permit_lapse(connected: Pair) -> None:
    connected.host.renew = True
    connected.order("permit", PERMIT, 300)
    connected.run(20.0)
    connected.cut = True
    connected.run(5.1)
    assert connected.device.why == "host-lost"


def test_an_order_whose_answer_is_lost_is_carried_out_once(connected: Pair) -> None:
    connected.carries_out = False
    connected.order("selftest", {}, 300)
    connected.cut = True
    connected.write(b"")
    connected.device.done(("e1", 300))
    connected.cut = False
    connected.run(0.6)
    assert connected.seen == [Welcomed(7), Ordered("selftest", {}, ("e1", 300))]
    assert connected.told[-1] == Answered("selftest", ("e1", 300), ok=True)


def test_an_order_is_never_sent_to_another_boot(connected: Pair) -> None:
    connected.cut = True
    connected.order("selftest", {}, 300)
    connected.replace_device(make_hello(boot=NEXT_BOOT))
    connected.cut = False
    sent = len(connected.from_host.messages)
    connected.run(5.0)
    assert Answered("selftest", ("e1", 300), ok=None, why="device-restarted") in connected.told
    assert not any(isinstance(item, Ordered) for item in connected.seen)
    welcome = connected.from_host.messages.index(Welcome(7), sent)
    assert not any(isinstance(item, Order) for item in connected.from_host.messages[welcome:])


def test_a_device_that_leaks_is_cut_off(connected: Pair) -> None:
    news(connected)
    connected.happen("completed", {"batch": 1, "order": ["AC", "2C"]}, unchecked=True)
    assert news(connected) == [LeaksOrder(), RefusedDevice("leaks-order", make_hello())]
    assert connected.host.state is State.REFUSED
    connected.happen("loaded", LOADED)
    connected.run(30.0)
    assert connected.happened == []


def test_an_event_that_is_not_understood_does_not_hold_up_the_next(connected: Pair) -> None:
    connected.happen("exploded", unchecked=True)
    connected.happen("loaded", LOADED)
    assert [type(item) for item in connected.told[2:]] == [NotUnderstood, Happened]
    connected.run(1.0)
    assert connected.host.counters.duplicates == 0


def test_a_day_passes_in_one_step(connected: Pair) -> None:
    connected.host.renew = True
    connected.order("permit", PERMIT, 300)
    news(connected)
    connected.host.leap(86_400.0)
    connected.device.leap(86_400.0)
    connected.now += 86_400.0
    connected.run(1.0)
    assert news(connected) == []
    assert connected.device.may_start
    connected.happen("loaded", LOADED)
    (event,) = connected.happened
    assert event.age_s == pytest.approx(0.0, abs=0.001)
