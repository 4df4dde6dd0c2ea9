"""A table whose journal cannot be written is online and silent: its state says so, and somebody is told."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from felt_floor import Floor, Trouble
from felt_floor.reception import Reception
from felt_protocols.topics import Place

if TYPE_CHECKING:
    from tests.floor.conftest import Hall

    from felt_daemon.publisher.broker import EmbeddedBroker

EPOCH = "271807caf0e4ea9b"
STATE = Place("asia-1", "state")
STATUS = Place("asia-1", "status")
FULL = {"kind": "full", "text": "The disk is full", "since": "2026-12-01T02:14:07.301882Z"}
TOLD = "the table cannot write its journal, and what happens there comes later: The disk is full"


def state(**more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"epoch": EPOCH, "sequence": f"{3:020}", "hash": "00" * 32, **more}


@pytest.fixture
def troubles() -> list[Trouble]:
    """Give all that was told, in order."""
    return []


@pytest.fixture
def reception(troubles: list[Trouble]) -> Reception:
    """Give a reception that has heard of a table."""
    one = Reception(
        "pit",
        positions={},
        begin="earliest",
        most=100,
        on_trouble=troubles.append,
        on_ack=lambda: None,
    )
    hears(one, STATUS, {"online": True, "epoch": EPOCH, "start": "0f3a9c52"})
    return one


def hears(reception: Reception, place: Place, said: dict[str, Any]) -> str:
    """Hand a message over; what is known of the table's journal after it."""
    reception.receive(place, json.dumps(said).encode(), 0.0)
    return reception.tables()["asia-1"].journal


def test_a_journal_that_cannot_be_written_is_told_once_and_known_until_it_is(
    reception: Reception, troubles: list[Trouble]
) -> None:
    assert hears(reception, STATE, state()) == ""
    for _ in range(3):
        assert hears(reception, STATE, state(journal=FULL)) == "The disk is full"
    assert hears(reception, STATE, state()) == ""
    assert troubles == [Trouble("journal", TOLD, "asia-1")]


def test_another_reason_and_another_time_are_told_again(
    reception: Reception, troubles: list[Trouble]
) -> None:
    hears(reception, STATE, state(journal=FULL))
    hears(reception, STATE, state(journal=FULL | {"kind": "io", "text": "The disk gives errors"}))
    hears(reception, STATE, state())
    hears(reception, STATE, state(journal=FULL))
    assert [one.text.rpartition(": ")[2] for one in troubles] == [
        "The disk is full",
        "The disk gives errors",
        "The disk is full",
    ]


@pytest.mark.parametrize("said", [{}, {"kind": "full"}, ["full"], "full", 1])
def test_what_says_nothing_readable_of_a_journal_is_no_trouble_and_changes_nothing(
    reception: Reception, troubles: list[Trouble], said: object
) -> None:
    hears(reception, STATE, state(journal=said))
    assert troubles == []
    assert reception.tables()["asia-1"].epoch == EPOCH


@pytest.mark.asyncio
async def test_an_application_that_takes_states_hears_of_a_journal(
    hall: Hall, broker: EmbeddedBroker, troubles: list[Trouble]
) -> None:
    told = asyncio.Event()

    def tell(trouble: Trouble) -> None:
        troubles.append(trouble)
        told.set()

    await hall.retain(broker.port, {"felt/1/asia-1/state": json.dumps(state(journal=FULL)).encode()})
    async with Floor("127.0.0.1", broker.port, consumer="pit", states=True, on_trouble=tell):
        await asyncio.wait_for(told.wait(), 15.0)
    assert troubles == [Trouble("journal", TOLD, "asia-1")]
