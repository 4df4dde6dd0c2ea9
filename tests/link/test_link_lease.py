"""Permits at the device: leases that the host renews, spent by one cycle or round."""

from __future__ import annotations

from dataclasses import replace

import pytest

from felt_protocols.link import (
    Done,
    Failed,
    HostHello,
    Inhibited,
    LeaseLapsed,
    Permitted,
    Ping,
    Pong,
    Welcome,
)

from .bench import AFTER_ROUND, INHIBIT, LOADED, N300, PERMIT, PERMITTED, Device, permitted, said, told


def test_a_permit_is_held_from_done_on(device: Device) -> None:
    assert device.hears(PERMITTED) == [Permitted(PERMIT, N300)]
    assert device.session.why == "power-up"
    permitted(device)
    assert not device.session.inhibited
    assert device.session.may_start
    assert device.session.permit == PERMIT
    assert said(*device.hears(Ping(7, renew=False), at=1.0)) == [
        Pong("idle", inhibited=False, why=None, permit={"cycle": 1, "batch": 1}, n=0, up_ms=1000)
    ]


def test_a_permit_that_does_not_fit_is_failed(device: Device) -> None:
    device.hears(PERMITTED)
    device.session.failed(N300, "other-batch")
    assert device.session.why == "power-up"


def test_a_permit_is_spent_by_its_cycle(device: Device) -> None:
    permitted(device)
    device.session.began_cycle()
    assert not device.session.may_start
    device.session.finished_cycle(2.0)
    assert (device.session.why, device.session.permit) == ("permit-spent", None)


def test_a_repeated_permit_does_not_permit_again(device: Device) -> None:
    permitted(device)
    device.session.began_cycle()
    device.session.finished_cycle(1.0)
    assert said(*device.hears(PERMITTED, at=1.0)) == [Done("permit", N300)]
    assert device.session.why == "permit-spent"


def test_a_lease_lapses_5_s_after_the_last_renewal(device: Device) -> None:
    permitted(device)
    device.hears(Ping(7, renew=True), at=2.0)
    device.hears(Ping(7, renew=False), at=4.0)
    assert device.session.due() == 7.0
    assert device.session.elapsed(6.9) == []
    assert device.session.elapsed(7.0) == [LeaseLapsed()]
    assert (device.session.why, device.session.permit) == ("host-lost", None)
    assert device.session.elapsed(20.0) == []


def test_an_order_of_a_permit_begins_its_lease(device: Device) -> None:
    permitted(device, at=3.0)
    assert device.session.due() == 8.0


def test_a_ping_of_another_session_renews_nothing(device: Device) -> None:
    permitted(device)
    assert device.hears(Ping(6, renew=True), at=4.0) == []
    assert device.session.counters.unexpected == 1
    assert device.session.due() == 5.0


def test_a_new_session_leaves_the_lease_as_it_is(device: Device) -> None:
    permitted(device)
    device.hears(HostHello(8), Welcome(8), at=1.0)
    assert device.session.permit == PERMIT
    assert device.session.due() == 5.0
    device.hears(Ping(8, renew=True), at=4.0)
    assert device.session.due() == 9.0


def test_a_cycle_that_has_begun_is_finished_when_the_lease_lapses(device: Device) -> None:
    permitted(device)
    device.session.began_cycle()
    assert device.session.elapsed(5.0) == [LeaseLapsed()]
    assert device.session.lapsed
    assert not device.session.inhibited
    # Too late: this permit is over with its cycle.
    device.hears(Ping(7, renew=True), at=6.0)
    assert device.session.lapsed
    device.session.finished_cycle(7.0)
    assert (device.session.why, device.session.permit) == ("host-lost", None)
    assert not device.session.lapsed


def test_a_cycle_that_ends_as_its_lease_does_is_host_lost(device: Device) -> None:
    permitted(device)
    device.session.began_cycle()
    device.session.finished_cycle(5.0)
    assert device.session.why == "host-lost"


def test_after_host_lost_a_new_permit_has_a_lease_of_its_own(device: Device) -> None:
    permitted(device)
    device.session.elapsed(5.0)
    device.hears(replace(PERMITTED, number=("e1", 302)), at=9.0)
    device.session.done(("e1", 302))
    assert device.session.may_start
    assert device.session.due() == 14.0


def test_a_device_that_cannot_know_the_end_lights_a_lamp_instead() -> None:
    device = permitted(Device(knows_end=False).welcomed())
    device.session.began_cycle()
    assert device.session.elapsed(5.0) == [LeaseLapsed()]
    assert (device.session.lapsed, device.session.inhibited) == (True, False)
    device.hears(Ping(7, renew=True), at=6.0)
    assert (device.session.lapsed, device.session.inhibited) == (False, False)
    assert device.session.due() == 11.0


def test_a_device_that_cannot_know_the_end_takes_the_next_permit_in_its_place() -> None:
    device = permitted(Device(knows_end=False).welcomed())
    device.session.began_cycle()
    device.hears(replace(PERMITTED, fields={"cycle": 2, "batch": 1}, number=("e1", 302)))
    device.session.done(("e1", 302))
    assert device.session.permit == {"cycle": 2, "batch": 1}
    assert device.session.may_start


def test_within_a_cycle_no_other_permit_is_taken(device: Device) -> None:
    permitted(device)
    device.session.began_cycle()
    other = replace(PERMITTED, number=("e1", 302))
    assert said(*device.hears(other)) == [Failed("permit", ("e1", 302), "busy")]
    device.session.finished_cycle(1.0)
    assert said(*device.hears(other, at=1.0)) == [Failed("permit", ("e1", 302), "busy")]


def test_inhibit_now_takes_the_permit_away(device: Device) -> None:
    permitted(device)
    device.session.began_cycle()
    device.hears(INHIBIT)
    assert (device.session.why, device.session.permit) == ("jam", None)
    device.session.finished_cycle(1.0)
    assert device.session.why == "jam"


def test_inhibit_after_round_waits_for_its_end(device: Device) -> None:
    permitted(device)
    device.session.began_cycle()
    items = device.hears(AFTER_ROUND)
    assert said(*items) == [Done("inhibit")]
    assert told(*items) == [Inhibited("jam", "after-round")]
    assert not device.session.inhibited
    device.session.finished_cycle(1.0)
    assert device.session.why == "jam"


def test_inhibit_after_round_is_now_when_no_round_is_on(device: Device) -> None:
    permitted(device)
    device.hears(AFTER_ROUND)
    assert (device.session.why, device.session.permit) == ("jam", None)


def test_a_permit_that_is_offered_when_an_inhibit_comes_is_failed(device: Device) -> None:
    device.hears(PERMITTED)
    assert said(*device.hears(INHIBIT)) == [Done("inhibit"), Failed("permit", N300, "inhibited")]
    assert device.session.done(N300) == b""
    assert device.session.why == "jam"


def test_a_cycle_without_a_permit_spends_nothing() -> None:
    device = Device(family="rng")
    device.session.began_cycle()
    device.session.finished_cycle(1.0)
    assert not device.session.inhibited


def test_a_leap_moves_lease_and_resends_along(device: Device) -> None:
    permitted(device)
    device.session.happen("loaded", LOADED, 0.1)
    device.session.leap(86_400.0)
    assert device.session.due() == pytest.approx(86_400.35)
    assert device.session.elapsed(86_404.9)[1:] == []
    assert LeaseLapsed() in device.session.elapsed(86_405.0)


def test_the_state_is_the_devices_own_word(device: Device) -> None:
    device.session.state = "shuffling"
    assert said(*device.hears(Ping(7, renew=False))) == [
        Pong("shuffling", inhibited=True, why="power-up", permit=None, n=0, up_ms=0)
    ]
