"""What a device shows people: the last wish, written once, and again until it is answered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.link import (
    Ack,
    Answered,
    Done,
    Event,
    Failed,
    Hello,
    HostHello,
    Order,
    Ping,
    Refused,
    Welcome,
    encode,
)

from .bench import NEXT_BOOT, Host, said

if TYPE_CHECKING:
    from collections.abc import Callable

PING = Ping(7, renew=False)
CALL = Order("text", {"lines": ["Call the floor"]}, 7)
DEAL = Order("text", {"lines": ["Deal"]}, 7)
HOLD_FAST = Order("lamp", {"which": "hold", "pattern": "fast"}, 7)
HOLD_OFF = Order("lamp", {"which": "hold", "pattern": "off"}, 7)


def wishes(*orders: Order) -> list[tuple[str, Any]]:
    """Give the wish that these orders carry out."""
    return [(order.name, order.fields) for order in orders]


def written(*orders: Order) -> bytes:
    """Give the frames of these orders."""
    return b"".join(map(encode, orders))


@pytest.fixture
def panel_hello(hello_of: Callable[..., Hello]) -> Hello:
    """Give the HELLO of a panel."""
    return hello_of(family="dealers-panel")


@pytest.fixture
def panel(panel_hello: Hello) -> Host:
    """Give a host that has accepted a panel."""
    return Host(family="dealers-panel").accepted(panel_hello)


def test_a_wish_is_written_once_and_not_when_nothing_has_changed(panel: Host) -> None:
    assert panel.session.show(wishes(CALL, HOLD_FAST), 0.0) == written(CALL, HOLD_FAST)
    assert panel.session.show(wishes(CALL, HOLD_FAST), 0.1) == b""
    assert panel.hears(Done("text"), Done("lamp"), at=0.2) == [
        Answered("text", None, ok=True),
        Answered("lamp", None, ok=True),
    ]
    for now in (0.5, 1.0, 1.4):
        assert set(said(*panel.session.elapsed(now))) <= {PING}
    assert panel.session.show(wishes(CALL, HOLD_FAST), 1.4) == b""


def test_only_what_differs_is_written(panel: Host) -> None:
    panel.session.show(wishes(CALL, HOLD_FAST), 0.0)
    panel.hears(Done("text"), Done("lamp"))
    assert panel.session.show(wishes(CALL, HOLD_OFF), 0.1) == written(HOLD_OFF)
    assert panel.session.show(wishes(DEAL, HOLD_OFF), 0.2) == written(DEAL)


def test_a_wish_whose_answer_is_missing_is_written_again_in_full(panel: Host) -> None:
    panel.session.show(wishes(CALL, HOLD_FAST), 0.1)
    panel.hears(Done("lamp"), at=0.2)
    assert said(*panel.session.elapsed(0.5)) == [PING]
    assert panel.session.due() == 0.6
    assert said(*panel.session.elapsed(0.6)) == [CALL, HOLD_FAST]
    panel.hears(Done("text"), Done("lamp"), at=0.7)
    assert said(*panel.session.elapsed(1.2)) == [PING]


def test_an_answer_to_an_earlier_wish_does_not_stand_for_the_last_one(panel: Host) -> None:
    panel.session.show(wishes(CALL), 0.0)
    panel.session.show(wishes(DEAL), 0.1)
    panel.hears(Done("text"), at=0.2)
    assert said(*panel.session.elapsed(0.6)) == [PING, DEAL]


def test_what_could_not_be_shown_is_tried_again_every_five_seconds(panel: Host) -> None:
    panel.session.show(wishes(CALL, HOLD_FAST), 0.0)
    assert panel.hears(Failed("text", None, "display"), Done("lamp"), at=0.1) == [
        Answered("text", None, ok=False, why="display"),
        Answered("lamp", None, ok=True),
    ]
    for now in (0.6, 1.1, 1.6, 2.1, 2.6, 3.1, 3.6, 4.1, 4.6, 5.1):
        found = said(*panel.session.elapsed(now))
        assert found[0] == PING
        assert (CALL in found) is (now == 5.1)
    panel.hears(Done("text"), Done("lamp"), at=5.2)
    assert CALL not in said(*panel.session.elapsed(10.2))


def test_a_device_whose_fault_is_over_is_told_at_once_what_to_show(panel: Host) -> None:
    cleared = Event(1, 0, "cleared", {"code": "display"})
    panel.hears(cleared, at=0.0)
    assert said(*panel.session.elapsed(0.0)) == []
    panel.session.show(wishes(CALL, HOLD_FAST), 0.0)
    panel.hears(Done("text"), Done("lamp"), at=0.1)
    panel.hears(replace(cleared, n=2), at=0.2)
    assert panel.session.due() == 0.2
    assert said(*panel.session.elapsed(0.2)) == [CALL, HOLD_FAST]
    panel.hears(Done("text"), Done("lamp"), at=0.3)
    assert said(*panel.session.elapsed(0.9)) == [PING]


def test_answers_that_nobody_waits_for_change_nothing(panel: Host) -> None:
    assert panel.hears(Done("text")) == [Answered("text", None, ok=True)]
    panel.session.show(wishes(CALL), 0.0)
    panel.hears(Done("lamp"), Done("inhibit"), at=0.1)
    assert said(*panel.session.elapsed(0.5)) == [PING, CALL]


def test_nothing_is_queued_while_the_port_is_closed_and_the_last_wish_counts(panel_hello: Hello) -> None:
    host = Host(family="dealers-panel")
    session = host.session
    assert session.show(wishes(CALL, HOLD_FAST), 0.1) == b""
    assert session.show(wishes(DEAL, HOLD_OFF), 0.2) == b""
    assert session.due() == 1.5
    assert said(*session.opened(0.3)) == [HostHello(7)]
    assert said(*host.hears(panel_hello, at=0.4)) == [Welcome(7), Ack(0), DEAL, HOLD_OFF, PING]


def test_a_hello_is_answered_with_all_that_is_wished(
    panel: Host, panel_hello: Hello, hello_of: Callable[..., Hello]
) -> None:
    panel.session.show(wishes(CALL, HOLD_FAST), 0.0)
    panel.hears(Done("text"), Done("lamp"))
    same = said(*panel.hears(panel_hello, at=0.1))
    assert same == [Welcome(7), Ack(0), CALL, HOLD_FAST, PING]
    again = said(*panel.hears(hello_of(family="dealers-panel", boot=NEXT_BOOT), at=0.2))
    assert again == [Welcome(7), Ack(0), CALL, HOLD_FAST, PING]


def test_a_device_that_is_refused_is_shown_nothing(panel: Host, hello_of: Callable[..., Hello]) -> None:
    panel.session.show(wishes(CALL), 0.0)
    assert said(*panel.hears(hello_of(), at=0.1)) == [Refused("wrong-family")]
    assert panel.session.show(wishes(DEAL), 0.2) == b""
    assert said(*panel.session.elapsed(1.0)) == []


def test_a_wish_for_nothing_ends_the_repeats(panel: Host) -> None:
    panel.session.show(wishes(CALL), 0.0)
    assert panel.session.show([], 0.1) == b""
    assert said(*panel.session.elapsed(0.5)) == [PING]
    assert said(*panel.session.elapsed(0.9)) == []


def test_a_clock_that_leaps_takes_the_repeat_along(panel: Host) -> None:
    panel.session.show(wishes(CALL), 0.1)
    panel.session.leap(100.0)
    assert said(*panel.session.elapsed(100.5)) == [PING]
    assert said(*panel.session.elapsed(100.6)) == [CALL]


@pytest.mark.parametrize(
    ("name", "fields", "why"),
    [
        ("lamp", {"which": "red", "pattern": "on"}, "which of lamp is not call or hold or deal"),
        ("lamp", {"which": "call", "pattern": "dim"}, "pattern of lamp is not off or on or slow or fast"),
        ("text", {"lines": [""]}, "lines of text is not an array of 0 to 8"),
        ("text", {"lines": ["a"] * 9}, "lines of text is not an array of 0 to 8"),
        ("text", {"lines": ["\U0001f0a1" * 40] * 8}, "the most is 1024"),
    ],
)
def test_what_no_panel_can_show_is_refused_at_once(
    panel: Host, name: str, fields: dict[str, object], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        panel.session.show([(name, fields)], 0.0)
    assert said(*panel.session.elapsed(0.5)) == [PING]


@pytest.mark.parametrize(("name", "fields"), [("inhibit", {"why": "jam", "when": "now"}), ("selftest", {})])
def test_an_order_with_an_effect_cannot_be_shown(host: Host, name: str, fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=f"{name} is nothing that can be shown"):
        host.session.show([(name, fields)], 0.0)
