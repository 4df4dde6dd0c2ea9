"""A wish to inhibit, and what a device shows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols.link import (
    Ack,
    Answered,
    Done,
    Drained,
    Event,
    Failed,
    Hello,
    HostSession,
    InhibitFound,
    Order,
    Ping,
    Refused,
    RefusedDevice,
    Stale,
    State,
    Unconfirmed,
    Welcome,
    encode,
)

from .bench import BOOT, LOADED, NEXT_BOOT, Host, pong, said, told

if TYPE_CHECKING:
    from collections.abc import Callable


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
