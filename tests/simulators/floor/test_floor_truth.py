"""What simulated tables make up, and how what arrived is held against it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols import topics
from felt_protocols.events import restored
from felt_simulators.chance import seeded
from felt_simulators.floor.book import Book, fingerprint
from felt_simulators.floor.evening import CARDS, Evening
from felt_simulators.floor.store import Stored, last_of_each, stored
from felt_simulators.floor.usage import Usage, children
from felt_simulators.floor.verdict import judge, percentiles, summed
from felt_simulators.listener import Ledger, proved

if TYPE_CHECKING:
    from pathlib import Path

SALT = bytes(16)
MS = 1_000_000


def book_of(rows: int, seed: int = 7) -> Book:
    book = Book("sim-001", "e1", "boot", "start")
    evening = Evening(seeded(seed), "e1").told()
    for number in range(1, rows + 1):
        book.add(next(evening), number * MS, 1_796_066_405_000_000, SALT)
    return book


def envelopes(book: Book) -> list[dict[str, Any]]:
    return [json.loads(book.row(seq)[1]) for seq in range(1, book.head + 1)]


def test_every_row_proves_its_place_to_who_reads_only_the_documentation() -> None:
    ledger = Ledger()
    for envelope in envelopes(book_of(200)):
        assert proved(envelope)
        assert ledger.take(envelope) == "new"
    assert (len(ledger.events), ledger.unproved) == (200, 0)


def test_a_row_goes_to_the_topic_of_its_kind() -> None:
    book = book_of(60)
    for seq, envelope in enumerate(envelopes(book), 1):
        assert book.row(seq)[0] == topics.event("sim-001", envelope["type"].split(".")[1])


def test_what_follows_from_a_fact_says_so() -> None:
    whole = envelopes(book_of(40))
    caused = {envelope["type"].split(".")[2]: envelope for envelope in whole if "cause" in envelope}
    moved = caused["cards-moved"]
    cause = whole[int(moved["cause"]) - 1]
    assert cause["type"].split(".")[2] in {
        "deck-loaded",
        "deck-unloaded",
        "shoe-loaded",
        "shoe-unloaded",
        "stack-dispensed",
    }


def test_an_evening_has_every_kind_but_meters_and_every_row_is_an_event_of_this_release() -> None:
    whole = envelopes(book_of(1_200))
    for envelope in whole[::7]:
        _felt, _kind, name, version = envelope["type"].split(".")
        data = {key: value for key, value in envelope["data"].items() if key != "context"}
        restored(name, int(version[1:]), json.dumps(data).encode(), b"{}")
    assert {envelope["type"].split(".")[1] for envelope in whole} == {
        "device",
        "card",
        "deck",
        "round",
        "ruling",
        "incident",
        "draw",
        "person",
        "system",
    }


def test_cards_that_move_come_from_where_they_are() -> None:
    places: dict[tuple[str, str], int] = {}
    for envelope in envelopes(book_of(1_200)):
        if envelope["type"] == "felt.deck.cards-moved.v1":
            data = envelope["data"]
            for place, by in ((data["source"], -1), (data["target"], 1)):
                key = (data["deck"], place)
                places[key] = places.get(key, 0) + by * data["count"]
    # A deck begins in the rack, or in the hand: it lacks there what it has elsewhere.
    assert set(places.values()) <= set(range(-CARDS, CARDS + 1))
    for deck in ("red", "blue"):
        assert sum(count for (name, _), count in places.items() if name == deck) == 0


def test_the_same_dice_give_the_same_evening_and_others_another() -> None:
    assert book_of(300).fingerprints == book_of(300).fingerprints
    assert book_of(300).fingerprints != book_of(300, seed=8).fingerprints


def truth(sent: int, acked_ns: list[int] | None = None) -> dict[str, Any]:
    return {
        "table": "sim-001",
        "epoch": "e1",
        "fingerprints": [fingerprint("t", b"%d" % seq) for seq in range(1, sent + 1)],
        "happened_ns": [seq * MS for seq in range(1, sent + 1)],
        "acked_ns": acked_ns or [],
    }


def came(*sequences: int, table: str = "sim-001", epoch: str = "e1") -> list[Stored]:
    """Events that came 5 ms after they happened, with what they say."""
    return [
        Stored(table, epoch, seq, "00ff", fingerprint("t", b"%d" % seq), (seq + 5) * MS) for seq in sequences
    ]


def sums(sent: int, taken: list[Stored]) -> dict[str, Any]:
    found = summed(judge([truth(sent)], taken))
    return {name: found[name] for name in ("received", "missing", "doubled", "out_of_order", "wrong")}


@pytest.mark.parametrize(
    ("taken", "amiss"),
    [
        (came(1, 2, 3), {}),
        (came(1, 3), {"received": 2, "missing": 1}),
        (came(), {"received": 0, "missing": 3}),
        (came(1, 2, 2, 3), {"doubled": 1}),
        (came(1, 3, 2), {"out_of_order": 1}),
        (came(1, 2, 3, 4), {"wrong": 1}),
        (came(1, 2, 3) + came(0), {"wrong": 1}),
        (came(1, 2, 3) + came(1, epoch="e2"), {"wrong": 1}),
        (came(1, 2, 3) + came(1, table="sim-002"), {"wrong": 1}),
        (
            [*came(1, 2), came(3)[0]._replace(fingerprint="another")],
            {"received": 2, "missing": 1, "wrong": 1},
        ),
    ],
)
def test_what_is_amiss_is_counted(taken: list[Stored], amiss: dict[str, int]) -> None:
    sound = {"received": 3, "missing": 0, "doubled": 0, "out_of_order": 0, "wrong": 0}
    assert sums(3, taken) == sound | amiss


def test_tables_that_fared_worst_are_named_and_times_are_from_what_happened() -> None:
    other = truth(2, acked_ns=[11 * MS, 22 * MS]) | {"table": "sim-002"}
    found = summed(judge([truth(3), other], [*came(1), *came(1, 2, table="sim-002")]))
    assert found["worst"] == [
        {
            "table": "sim-001",
            "sent": 3,
            "received": 1,
            "missing": 2,
            "doubled": 0,
            "out_of_order": 0,
            "wrong": 0,
        }
    ]
    assert found["handed_over_ms"] == {"p50": 5.0, "p95": 5.0, "p99": 5.0, "max": 5.0}
    assert found["acknowledged_ms"] == {"p50": 20.0, "p95": 20.0, "p99": 20.0, "max": 20.0}


def test_percentiles_of_a_hundred_values() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert percentiles(values) == {"p50": 51.0, "p95": 96.0, "p99": 100.0, "max": 100.0}
    assert percentiles([]) is None


def test_a_line_that_was_never_finished_is_not_stored(tmp_path: Path) -> None:
    path = tmp_path / "store"
    assert list(stored(path)) == []
    one, two = came(1, 2)
    path.write_bytes(one.line() + two.line() + b"sim-001 e1 3 00ff")
    assert list(stored(path)) == [one, two]
    assert last_of_each(path) == {"sim-001": two}


def test_the_use_of_processes_that_follow_each_other_adds_up() -> None:
    usage = Usage()
    usage.look(1)
    first_s = usage.cpu_s
    usage.look(1)
    assert usage.cpu_s >= first_s > 0.0
    assert usage.peak_mb > 0.0
    usage.look(2**22 + 1)  # no process has this number
    assert usage.document()["peak_mb"] > 0.0
    assert children(2**22 + 1) == []
