"""Orders of the host: once, to the same boot, and with an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols.link import (
    Ack,
    Answered,
    Connected,
    Done,
    Failed,
    Hello,
    HostSession,
    Order,
    Ping,
    Restarted,
    Welcome,
    encode,
)

from .bench import BOOT, NEXT_BOOT, PERMIT, PERMITTED, Host, said, told

if TYPE_CHECKING:
    from collections.abc import Callable


def test_an_order_is_repeated_until_it_is_answered(host: Host) -> None:
    assert host.session.order("permit", PERMIT, ("e1", 300), 0.0) == encode(PERMITTED)
    assert said(*host.session.elapsed(0.5)) == [Ping(7, renew=False), PERMITTED]
    assert host.session.due() == 1.0
    assert host.session.elapsed(0.9) == []
    assert said(*host.session.elapsed(1.0)) == [Ping(7, renew=False), PERMITTED]
    assert host.hears(Done("permit", ("e1", 300)), at=1.1) == [Answered("permit", ("e1", 300), ok=True)]
    assert said(*host.session.elapsed(1.5)) == [Ping(7, renew=False)]


def test_the_second_order_does_not_hurry_the_first(host: Host) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.1)
    host.session.order("selftest", {}, ("e1", 301), 0.3)
    host.session.elapsed(0.55)
    assert host.session.due() == 0.6
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
    assert host.session.due() == 1.5
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
    lamp = {"which": "call", "pattern": "on"}
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
    with pytest.raises(ValueError, match="wishes, lamps and texts have none"):
        host.session.order(name, fields, number, 0.0)


def test_an_order_outside_the_tables_is_a_bug(host: Host) -> None:
    with pytest.raises(ValueError, match="shuffler takes no such order as permit: permit has no b"):
        host.session.order("permit", {"cycle": 1}, ("e1", 1), 0.0)


def test_a_number_that_waits_cannot_be_used_again(host: Host) -> None:
    host.session.order("permit", PERMIT, ("e1", 300), 0.0)
    with pytest.raises(ValueError, match="order permit number"):
        host.session.order("permit", PERMIT, ("e1", 300), 0.0)
