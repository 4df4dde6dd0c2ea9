"""Sending a table back: what comes again, and what does not and is therefore kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_floor.reception import Reception
from felt_protocols.topics import Place

if TYPE_CHECKING:
    from tests.floor.conftest import Hall, Journal

EPOCH = "271807caf0e4ea9b"
OTHER = "9e3b51902c86b7a4"


def reception(*journals: Journal) -> Reception:
    """What has every event of these journals of one table, and has given none."""
    one = Reception(
        "pit",
        positions={},
        begin="earliest",
        most=100,
        on_trouble=lambda _: None,
        on_ack=lambda: None,
    )
    for journal in journals:
        for payload in journal.payloads:
            one.receive(Place("asia-1", "event", "card"), payload, 100.0)
    return one


def test_nothing_that_waits_of_the_journal_before_is_dropped(journal: Journal, hall: Hall) -> None:
    """A journal that was replaced sends nothing again."""
    journal.add_cards(3)
    new = hall.Journal(epoch=OTHER)
    new.add_cards(2)
    one = reception(journal, new)
    one.rewind("asia-1", 1, 100.0)
    waiting = [(event.epoch, event.sequence) for event in one.ready]
    assert waiting == [(EPOCH, 1), (EPOCH, 2), (EPOCH, 3), (OTHER, 1)]


def test_beyond_the_first_event_there_is_nothing_to_send_back_to(journal: Journal) -> None:
    journal.add_cards(1)
    one = reception(journal)
    with pytest.raises(ValueError, match="before the first event"):
        one.rewind("asia-1", -1, 100.0)
    assert len(one.ready) == 1
