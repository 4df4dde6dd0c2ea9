"""The consumer's side: only the next sequence counts, and a changed event cannot prove itself."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.journal import Reader
from felt_daemon.publisher.source import Source
from felt_protocols import cloudevents
from felt_simulators.listener import Ledger, proved

if TYPE_CHECKING:
    from tests.mqtt.conftest import Book


@pytest.fixture
def envelopes(book: Book) -> list[dict[str, Any]]:
    """Six events of a real journal, as the floor gets them."""
    book.add_cards(6)
    with Reader(book.path) as reader:
        source = Source(reader, "asia-1")
        return [json.loads(cloudevents.structured(source.told(seq), source.epoch)) for seq in range(1, 7)]


def test_events_in_order_are_taken_and_prove_their_place(envelopes: list[dict[str, Any]]) -> None:
    ledger = Ledger()
    assert [ledger.take(envelope) for envelope in envelopes] == ["new"] * 6
    assert (ledger.last, ledger.doubles, ledger.early, ledger.unproved) == (6, 0, 0, 0)


def test_a_double_is_counted_and_not_taken(envelopes: list[dict[str, Any]]) -> None:
    ledger = Ledger()
    ledger.take(envelopes[0])
    assert ledger.take(envelopes[0]) == "double"
    assert (len(ledger.events), ledger.doubles) == (1, 1)


def test_what_comes_early_is_taken_when_it_comes_again(envelopes: list[dict[str, Any]]) -> None:
    ledger = Ledger()
    one, two, three = envelopes[:3]
    assert [ledger.take(envelope) for envelope in (one, three, two, three)] == ["new", "early", "new", "new"]
    assert (ledger.last, ledger.early) == (3, 1)


def test_a_consumer_may_begin_anywhere(envelopes: list[dict[str, Any]]) -> None:
    ledger = Ledger()
    assert ledger.take(envelopes[3]) == "new"
    assert ledger.take(envelopes[4]) == "new"
    assert ledger.unproved == 0


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("time", "2026-11-30T19:20:05.999999Z"),
        ("recordedtime", "2026-11-30T19:20:05.999999Z"),
        ("monotonic", "1.000000000"),
        ("sequence", "00000000000000000009"),
        ("epoch", "another"),
        ("source", "/felt/asia-2"),
        ("type", "felt.card.shoe-jammed.v1"),
        ("type", "felt.card.card-drawn.v2"),
        ("boot", "another"),
        ("start", "another"),
        ("clock", "untrusted"),
        ("late", True),
        ("simulated", False),
        ("cause", "00000000000000000001"),
        ("previous", "00" * 32),
        ("privatehash", "00" * 32),
        ("hash", "00" * 32),
        ("data", {"device": "shoe-1", "face_up": True}),
    ],
)
def test_an_event_with_anything_changed_proves_nothing(
    envelopes: list[dict[str, Any]], attribute: str, value: object
) -> None:
    envelope = copy.deepcopy(envelopes[2])
    assert proved(envelope)
    envelope[attribute] = value
    assert not proved(envelope)


def test_an_event_that_does_not_follow_the_one_before_is_seen(envelopes: list[dict[str, Any]]) -> None:
    ledger = Ledger()
    ledger.take(envelopes[0])
    ledger.take(envelopes[1] | {"previous": "00" * 32})
    assert ledger.unproved == 1
