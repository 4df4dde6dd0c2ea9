"""Every event of the vocabulary in a plain sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.journal.instant import utc_text
from felt_daemon.shell.rows import entry_of
from felt_daemon.story.record import Said
from felt_daemon.story.words import WORDS, held, proof, sentence
from felt_protocols.events import EVENTS, Event, Moment, Row, person, system

from .said import ANN, REPORTS, SAID

if TYPE_CHECKING:
    from felt_daemon.journal.entry import Entry


def _said(entry: Entry) -> Said:
    return Said(
        stream=entry.stream,
        seq=entry.seq,
        type=entry.type,
        v=entry.v,
        boot=entry.boot,
        start=entry.start,
        mono_ns=entry.mono_ns,
        utc=utc_text(entry.utc_us),
        clock=entry.clock,
        recorded_utc=utc_text(entry.utc_us),
        late=int(entry.late),
        simulated=int(entry.simulated),
        cause=entry.cause,
        public=entry.public.decode(),
    )


def _row(event: Event) -> Said:
    return _said(entry_of(Row("t-1", 1, event, Moment("b", "s", 0, 0, trusted=True))))


@pytest.mark.parametrize(("event", "words"), SAID, ids=[event.what() for event, _words in SAID])
def test_an_event_is_a_plain_sentence(event: Event, words: str) -> None:
    assert sentence(_row(event), REPORTS) == words


def test_every_event_of_the_vocabulary_has_its_sentence() -> None:
    assert WORDS.keys() == EVENTS.keys()
    assert {event.what() for event, _words in SAID} == EVENTS.keys()


def test_private_fields_are_in_no_sentence() -> None:
    """The sentence is made of the public body, which does not have them."""
    with_card = person.CardReplaced(by=ANN, deck="red", card="QD")
    without = person.CardReplaced(by=ANN, deck="red")
    assert sentence(_row(with_card), {}) == sentence(_row(without), {})


def test_a_row_of_a_later_release_is_told_by_its_name_and_body() -> None:
    event = system.Stopped(why="x")
    entry = entry_of(Row("t-1", 1, event, Moment("b", "s", 0, 0, trusted=True)))
    said = _said(entry)
    other = Said(**{**vars(said), "type": "chip-counted", "public": '{"b":2,"a":"é","context":{"round":1}}'})
    assert sentence(other, {}) == 'chip-counted {"a": "é", "b": 2}'
    changed = Said(**{**vars(said), "public": '{"whence":1}'})
    assert sentence(changed, {}) == 'stopped {"whence": 1}'
    broken = Said(**{**vars(said), "public": "no JSON", "utc": "long ago"})
    assert sentence(broken, {}) == "stopped {}"
    assert broken.utc_us is None
    assert dict(broken.context) == {}


@pytest.mark.parametrize(
    ("kind", "key", "words"),
    [
        ("account", None, "account of the box"),
        ("pin", None, "PIN"),
        ("signed", "k-7", "signature by key k-7"),
        ("panel", None, "at the dealer's panel, nobody named"),
        ("stated", None, "said in a simulated run"),
        ("inferred", None, "inferred, nobody said it"),
        ("of-a-later-release", None, "of-a-later-release"),
    ],
)
def test_how_a_person_is_known_is_said_in_words(kind: str, key: str | None, words: str) -> None:
    assert proof(kind, key) == words


def test_what_a_hold_keeps_is_said_in_words() -> None:
    assert held(("deal",), "shoe-1") == "shoe-1 is inhibited; keeps deal closed"
    assert held((), "") == "advises only"
