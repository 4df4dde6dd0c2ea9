"""Inspections per gaming day: due once a day for each device in use, over when it was found in order."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules.pack import Inspection
from felt_daemon.table.picture import picture
from felt_protocols.events import device, person, system

from .felt import FLOOR, PACK, Felt, started

if TYPE_CHECKING:
    from felt_daemon.rules import Pack

WORDS = "A floorperson inspects the reader for tampering and working order."


@pytest.fixture
def pack() -> Pack:
    """A game whose shaker must be inspected every day, as another chapter wants it of a reader."""
    rule = Inspection(family="shaker", cite=("665a.2(d)",), says=WORDS)
    return PACK.model_copy(update={"inspections": (rule,)})


@pytest.fixture
def felt(pack: Pack) -> Felt:
    """An open table of that game, on 2026-03-01."""
    table = Felt(pack)
    table.tell(started().model_copy(update={"gaming_day": "2026-03-01"}))
    table.connect()
    table.change_deck("red", "blue")
    table.tell(person.TableOpened(by=FLOOR))
    return table


def due(table: Felt) -> list[dict[str, Any]]:
    """What the table shows as due."""
    shown: list[dict[str, Any]] = picture(table.pack, table.state)["state"]["due"]
    return shown


def found(result: str) -> person.Inspected:
    """Make what a floorperson found when she inspected the shaker."""
    return person.Inspected.model_validate({"by": FLOOR, "device": "shaker-1", "result": result})


def day(number: int) -> system.GamingDayBegan:
    """Make the beginning of a day of March 2026."""
    return system.GamingDayBegan(day=dt.date(2026, 3, number).isoformat())


def test_an_inspection_is_due_when_the_table_opens_and_over_when_the_device_is_in_order(felt: Felt) -> None:
    assert felt.of(device.InspectionDue) == [
        device.InspectionDue(device="shaker-1", day="2026-03-01", cite=("665a.2(d)",), says=WORDS)
    ]
    assert due(felt) == [{"device": "shaker-1", "says": WORDS, "cite": ["665a.2(d)"]}]
    felt.tell(found("in-order"))
    assert due(felt) == []


def test_a_device_that_is_not_in_order_stays_due(felt: Felt) -> None:
    felt.tell(found("not-in-order"))
    assert len(due(felt)) == 1


def test_an_inspection_is_due_again_on_the_next_gaming_day_and_told_once(felt: Felt) -> None:
    felt.tell(found("in-order"), day(2))
    assert [one.day for one in felt.of(device.InspectionDue)] == ["2026-03-01", "2026-03-02"]
    assert len(due(felt)) == 1
    felt.tell(day(2))
    assert len(felt.of(device.InspectionDue)) == 2


def test_a_device_inspected_before_the_table_opens_is_not_asked_for(felt: Felt) -> None:
    felt.tell(person.TableClosed(by=FLOOR), day(2), found("in-order"), person.TableOpened(by=FLOOR))
    assert [one.day for one in felt.of(device.InspectionDue)] == ["2026-03-01"]
    assert due(felt) == []


def test_a_device_out_of_use_is_due_when_it_comes_back(felt: Felt) -> None:
    felt.tell(person.DeviceRetired(by=FLOOR, device="shaker-1"), day(2))
    assert due(felt) == []
    felt.tell(person.DeviceAccepted(by=FLOOR, device="shaker-1", serial="s"))
    assert [one.day for one in felt.of(device.InspectionDue)] == ["2026-03-01", "2026-03-02"]
    assert len(due(felt)) == 1


def test_each_device_is_shown_due_by_the_rule_of_its_own_family() -> None:
    rules = tuple(
        Inspection(family=family, cite=("665a.2(d)",), says=f"Inspect the {family}.")
        for family in ("shaker", "shoe")
    )
    table = Felt(PACK.model_copy(update={"inspections": rules}))
    table.tell(started().model_copy(update={"gaming_day": "2026-03-01"}))
    table.change_deck("red", "blue")
    table.tell(person.TableOpened(by=FLOOR))
    assert [(one["device"], one["says"]) for one in due(table)] == [
        ("shoe-1", "Inspect the shoe."),
        ("shaker-1", "Inspect the shaker."),
    ]


def test_a_game_without_such_a_rule_asks_for_none() -> None:
    table = Felt()
    table.open()
    assert due(table) == []
    assert table.of(device.InspectionDue) == []


def test_the_day_that_an_unknown_device_is_due_changes_nothing(felt: Felt) -> None:
    before = felt.state.devices
    stray = device.InspectionDue(device="reader-9", day="2026-03-01", cite=(), says=WORDS)
    felt.table.told(felt.rows[-1].__class__("t-1", felt.state.seq + 1, stray, felt.rows[-1].at))
    assert felt.state.devices == before
