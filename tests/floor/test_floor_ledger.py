"""What a consumer has, what came too early, and what is missing; and the hashes that prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_floor import ledger as ledgers
from felt_floor.ledger import Ledger
from felt_floor.positions import Position

if TYPE_CHECKING:
    from tests.floor.conftest import Journal

EPOCH = "271807caf0e4ea9b"
ROOM = 10_000


def sequences(envelopes: list[dict[str, Any]]) -> list[int]:
    return [int(one["sequence"]) for one in envelopes]


@pytest.fixture
def ledger() -> Ledger:
    """A table of which nothing has come."""
    return Ledger(Position(EPOCH, 0))


def test_events_in_order_come_out_as_they_come(ledger: Ledger, journal: Journal) -> None:
    assert [sequences(ledger.take(journal.add(), 0.0, ROOM)) for _ in range(3)] == [[1], [2], [3]]
    assert (ledger.journal.taken, ledger.journal.missing, ledger.due()) == (3, 0, None)


@pytest.mark.fault("eclipse-mosquitto/mosquitto#398", "fusesource/mqtt-client#121")
def test_an_event_that_comes_twice_comes_out_once(ledger: Ledger, journal: Journal) -> None:
    envelope = journal.add()
    assert sequences(ledger.take(envelope, 0.0, ROOM)) == [1]
    assert ledger.take(envelope, 0.0, ROOM) == []
    assert ledger.counts.doubled == 1


def test_what_comes_early_waits_for_what_is_missing(ledger: Ledger, journal: Journal) -> None:
    first, second, third, fourth = (journal.add() for _ in range(4))
    assert ledger.take(fourth, 0.0, ROOM) == []
    assert ledger.take(second, 0.0, ROOM) == []
    assert ledger.take(fourth, 0.0, ROOM) == []
    assert (ledger.counts.doubled, ledger.journal.missing) == (1, 2)
    assert sequences(ledger.take(first, 0.0, ROOM)) == [1, 2]
    assert sequences(ledger.take(third, 0.0, ROOM)) == [3, 4]
    assert ledger.journal.missing == 0


def test_a_gap_is_asked_for_after_two_seconds_and_then_ever_more_rarely(
    ledger: Ledger, journal: Journal
) -> None:
    journal.add()
    ledger.take(journal.add(), 100.0, ROOM)
    asked: list[float] = []
    for _ in range(7):
        due = ledger.due()
        assert due is not None
        asked.append(due)
        ledger.ask(due)
    assert asked == [102.0, 106.0, 114.0, 130.0, 162.0, 222.0, 282.0]


def test_progress_begins_the_wait_for_the_rest_anew(ledger: Ledger, journal: Journal) -> None:
    first, _, third = (journal.add() for _ in range(3))
    ledger.take(third, 100.0, ROOM)
    ledger.ask(102.0)
    ledger.take(first, 105.0, ROOM)
    assert ledger.due() == 107.0
    ledger.take(journal.envelope(2), 106.0, ROOM)
    assert ledger.due() is None


def test_without_room_the_question_is_put_off_and_not_counted(ledger: Ledger, journal: Journal) -> None:
    journal.add()
    ledger.take(journal.add(), 100.0, ROOM)
    ledger.put_off(102.0)
    assert (ledger.due(), ledger.counts.asked) == (104.0, 0)


def test_without_room_what_is_wanted_later_gives_way(
    ledger: Ledger, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledgers, "EARLY_MOST", 2)
    first, second, third, fourth, fifth = (journal.add() for _ in range(5))
    for envelope in (fourth, fifth, third, fifth):
        ledger.take(envelope, 0.0, ROOM)
    assert sorted(ledger.journal.early) == [3, 4]
    assert (ledger.counts.dropped, ledger.journal.missing) == (2, 3)
    ledger.take(second, 0.0, 0)
    assert sorted(ledger.journal.early) == [2, 3]
    assert sequences(ledger.take(first, 0.0, 0)) == [1, 2, 3]
    assert ledger.journal.missing == 2


def test_what_there_was_no_room_for_is_missing(ledger: Ledger) -> None:
    ledger.pass_by(1, 100.0)
    assert (ledger.journal.missing, ledger.counts.dropped, ledger.due()) == (1, 1, 102.0)


def test_a_new_journal_begins_at_its_first_event(ledger: Ledger, journal: Journal) -> None:
    ledger.take(journal.add(), 0.0, ROOM)
    assert not ledger.turn(EPOCH)
    assert ledger.turn("9e3b51902c86b7a4")
    assert ledger.journal.position == Position("9e3b51902c86b7a4", 0)
    assert ledger.due() is None


def test_an_old_journal_that_comes_back_goes_on_where_it_was(ledger: Ledger, journal: Journal) -> None:
    for _ in range(3):
        ledger.take(journal.add(), 0.0, ROOM)
    journal.add()
    ledger.take(journal.add(), 0.0, ROOM)
    ledger.turn("9e3b51902c86b7a4")
    assert not ledger.turn(EPOCH)
    assert (ledger.journal.taken, ledger.journal.early, ledger.journal.missing) == (3, {}, 2)


def test_only_so_many_journals_are_remembered(ledger: Ledger, journal: Journal) -> None:
    ledger.take(journal.add(), 0.0, ROOM)
    for n in range(ledgers.EPOCHS_MOST):
        ledger.turn(f"{n:016x}")
    assert ledger.turn(EPOCH)
    assert not ledger.turn(f"{2:016x}")


def test_acknowledgements_only_go_up_and_are_told_of_the_journal_in_use(
    ledger: Ledger, journal: Journal
) -> None:
    for _ in range(3):
        ledger.take(journal.add(), 0.0, ROOM)
    assert ledger.ack(Position(EPOCH, 2))
    assert not ledger.ack(Position(EPOCH, 2))
    assert not ledger.ack(Position(EPOCH, 1))
    assert not ledger.ack(Position("0000000000000000", 3))
    assert ledger.journal.position == Position(EPOCH, 2)
    ledger.turn("9e3b51902c86b7a4")
    assert not ledger.ack(Position(EPOCH, 3))
    ledger.turn(EPOCH)
    assert ledger.journal.position == Position(EPOCH, 3)


def test_another_event_under_the_same_number_is_noticed(ledger: Ledger, journal: Journal) -> None:
    first, second, third = (journal.add() for _ in range(3))
    ledger.take(first, 0.0, ROOM)
    ledger.take(third, 0.0, ROOM)
    other = "f" * 64
    assert not ledger.differs(first)
    assert not ledger.differs(third)
    assert ledger.differs({**first, "hash": other})
    assert ledger.differs({**third, "hash": other})
    ledger.take(second, 0.0, ROOM)
    assert not ledger.differs({**first, "hash": other}), "only the last hash is kept"
