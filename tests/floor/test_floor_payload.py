"""JSON from the broker: what any other program takes is read, and what would break its readers is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_floor.payload import value_of
from felt_floor.positions import acknowledged
from felt_floor.reception import Reception
from felt_protocols.topics import Place

if TYPE_CHECKING:
    from felt_floor.trouble import Trouble

NESTED = b'{"epoch":' + b"[" * 100_000

# Half a pair, in an escape and as bytes; numbers that are none; more levels than there is a reason for.
BREAKING = [
    b'"\\ud800"',
    b'{"\\uDFFF": 1}',
    b'"\xed\xa0\x80"',
    b"[NaN]",
    b"[-Infinity]",
    b"[1e400]",
    b"[" * 51 + b"]" * 51,
    b'{"a":' * 51 + b"0" + b"}" * 51,
    b"[" * 100_000,
    "[1]".encode("utf-16"),
]


@pytest.mark.parametrize(
    ("payload", "value"),
    [
        (b'{"a": [1, 2.5, null, true]}', {"a": [1, 2.5, None, True]}),
        (b'"\\ud83c\\udca1"', "\U0001f0a1"),
        ('"\U0001f0a1"'.encode(), "\U0001f0a1"),
        (b'"\\\\ud800"', "\\ud800"),
        (b"[1e300]", [1e300]),
        (b"[" + b"[0]," * 60 + b"0]", [[0]] * 60 + [0]),
    ],
)
def test_what_any_program_takes_is_read(payload: bytes, value: object) -> None:
    assert value_of(payload) == value


def test_fifty_levels_are_read() -> None:
    value = value_of(b"[" * 50 + b"]" * 50)
    for _ in range(49):
        [value] = value
    assert value == []


@pytest.mark.parametrize("payload", BREAKING)
def test_what_would_break_its_readers_is_not_read(payload: bytes) -> None:
    with pytest.raises(ValueError, match=r"codec|number|levels"):
        value_of(payload)


@pytest.mark.parametrize("what", ["status", "state", "event", "private", "replay"])
def test_no_payload_ends_the_client_that_takes_it(what: str) -> None:
    """Whoever may write on one table's topics must not end what the floor has of all the others."""
    troubles: list[Trouble] = []
    reception = Reception(
        "pit",
        positions={},
        begin="now",
        most=100,
        on_trouble=troubles.append,
        on_ack=lambda: None,
    )
    item = {"event": "card", "private": "pit", "replay": "pit"}.get(what, "")
    reception.receive(Place("asia-1", what, item), NESTED, 0.0)
    assert [one.kind for one in troubles] == ([] if what in {"status", "state"} else ["unreadable"])
    assert reception.tables() == {}


def test_of_a_private_message_that_cannot_be_read_nothing_is_told() -> None:
    """Troubles go to a log, and whoever reads that need not know what a deck is made of."""
    troubles: list[Trouble] = []
    reception = Reception(
        "pit",
        positions={},
        begin="earliest",
        most=100,
        on_trouble=troubles.append,
        on_ack=lambda: None,
    )
    reception.receive(Place("asia-1", "private", "pit"), b'{"queen-of-spades": 2}', 0.0)
    assert [one.text for one in troubles] == ["a private message says nothing"]


def test_an_acknowledgement_without_end_says_nothing() -> None:
    assert acknowledged(NESTED) is None
