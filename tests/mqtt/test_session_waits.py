"""What a session does while it waits, while much waits for it, and when its broker takes nothing more."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.journal import JournalCorrupt, JournalUnavailable, Kind
from felt_daemon.publisher.lane import POISON_WITHIN_S
from felt_daemon.publisher.session import Session
from felt_mqtt.client import UNACKED_S
from felt_simulators.scripted_broker import puback

if TYPE_CHECKING:
    from tests.mqtt.conftest import Book, Broker, Hall

    from felt_simulators.listener import Listener
    from felt_simulators.scripted_broker import Published, ScriptedBroker

STATUS = "felt/1/asia-1/status"

pytestmark = pytest.mark.asyncio


def watched(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """For how long each session waits from here on, each time, if nothing happens; None: for ever."""
    dues: list[float | None] = []
    due_of = Session._due

    def noting(session: Session) -> float | None:
        due = due_of(session)
        dues.append(None if due is None else due - session._desk.now())
        return due

    monkeypatch.setattr(Session, "_due", noting)
    return dues


async def idle(dues: list[float | None]) -> None:
    """Wait until a session waits for nothing but news."""
    async with asyncio.timeout(15.0):
        while not dues or dues[-1] is not None:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.01)


async def test_a_journal_that_cannot_be_read_is_asked_twice_a_second_and_told_once(
    any_broker: Broker,
    book: Book,
    hall: Hall,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    dues = watched(monkeypatch)
    reads = 0

    def unreadable(*_: int) -> Any:  # noqa: ANN401 - it gives nothing
        nonlocal reads
        reads += 1
        raise JournalUnavailable(Kind.IO, "on purpose")

    async with (
        hall.listening(any_broker.port) as listener,
        hall.publishing_inside(book, any_broker.port) as inside,
    ):
        await listener.until(lambda: STATUS in listener.retained, 15.0)
        await idle(dues)
        monkeypatch.setattr(inside.desk.source, "told", unreadable)
        monkeypatch.setattr(inside.desk.source, "rows", unreadable)
        dues.clear()
        seq = book.add_cards(1)
        inside.committed(seq)
        async with asyncio.timeout(5.0):
            while len(dues) < 3:  # noqa: ASYNC110 - this is what is waited for
                await asyncio.sleep(0.05)
        turns = len(dues)
        # Once for the commit, and once for each turn of the session, which then waits for half a second.
        assert reads <= turns + 1
        assert [one.message for one in caplog.records] == ["asia-1: the journal cannot be read: on purpose"]
        assert all(due is not None and due > 0.3 for due in dues[:turns])
        monkeypatch.undo()
        await listener.until(lambda: listener.sequences == [seq], 15.0)


@pytest.mark.long
async def test_a_backlog_that_is_folded_lets_others_run_between_its_parts(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with (
        hall.listening(any_broker.port) as listener,
        hall.publishing_inside(book, any_broker.port) as inside,
    ):
        await listener.until(lambda: STATUS in listener.retained, 15.0)
        head = book.add_cards(1000)
        inside.committed(head)
        folded = [0]
        async with asyncio.timeout(15.0):
            while folded[-1] < head:
                await asyncio.sleep(0)
                folded.append(inside.desk._fold.seq)
        assert max(after - before for before, after in itertools.pairwise(folded)) <= 200
        await inside.until(lambda: inside.delivered == head)


async def test_a_publisher_to_whom_nothing_happens_waits_for_nothing_but_news(
    any_broker: Broker, book: Book, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    dues = watched(monkeypatch)
    book.add_cards(2)
    async with (
        hall.listening(any_broker.port),
        hall.publishing_inside(book, any_broker.port) as inside,
    ):
        inside.committed(book.add_cards(100))
        await inside.until(lambda: inside.delivered == 102)
        await idle(dues)


async def test_a_broker_that_answers_pings_and_takes_no_event_is_left_and_tried_again(
    scripted: ScriptedBroker, book: Book, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert UNACKED_S > POISON_WITHIN_S
    monkeypatch.setattr("felt_daemon.publisher.lane.POISON_WITHIN_S", 0.05)
    monkeypatch.setattr("felt_mqtt.client.UNACKED_S", 0.1)

    def answer(message: Published) -> bytes:
        stands_still = "/event/" in message.topic and scripted.connections < 5
        return b"\xd0\x00" if stands_still else puback(message.mid)

    scripted.answer = answer
    last = book.add_cards(3)
    async with hall.publishing_inside(book, scripted.port) as inside:
        await inside.until(lambda: inside.delivered == last)
        whys = [line["why"] for line in inside.reports if line.get("broker") == "down"]
        assert whys == ["connection lost: no PUBACK for 0.1 s"] * 4
        # The event is to blame for nothing, though the connection broke with it alone on its way.
        assert inside.said("dead_letter") == []


async def test_whatever_goes_wrong_on_the_short_way_is_met_by_the_session_at_once(
    any_broker: Broker, book: Book, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    dues = watched(monkeypatch)

    async def break_down(listener: Listener) -> None:
        async with hall.publishing_inside(book, any_broker.port) as inside:
            inside.committed(book.add_cards(1))
            await inside.until(lambda: inside.delivered == 1)
            await idle(dues)

            def corrupt(_seq: int, _reader: str = "") -> Any:  # noqa: ANN401 - it gives nothing
                raise JournalCorrupt(book.path, "on purpose")

            monkeypatch.setattr(inside.desk.source, "told", corrupt)
            with pytest.raises(JournalCorrupt):
                inside.committed(book.add_cards(1))
            await listener.until(lambda: listener.retained[STATUS]["reason"] == "failed", 15.0)

    async with hall.listening(any_broker.port) as listener:
        with pytest.raises(JournalCorrupt):
            await break_down(listener)
