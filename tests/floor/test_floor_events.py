"""What makes an event: its envelope, its hashes, its schema."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from felt_floor import proof
from felt_floor.event import Findings, UnreadableError, event_of, read
from felt_floor.positions import Position
from felt_floor.schema import Schemas

if TYPE_CHECKING:
    from tests.floor.conftest import Journal

    from felt_floor import Event


def test_an_event_has_what_its_envelope_says(journal: Journal) -> None:
    journal.add()
    acknowledged: list[Event] = []
    event = event_of(
        "asia-1",
        read("asia-1", journal.payloads[0]),
        Findings(),
        acknowledged.append,
    )
    assert (event.table, event.epoch, event.sequence) == ("asia-1", "271807caf0e4ea9b", 1)
    assert (event.kind, event.name, event.version) == ("card", "card-drawn", 1)
    assert event.type == "felt.card.card-drawn.v1"
    assert event.time == datetime(2026, 11, 30, 19, 20, 5, 1, tzinfo=UTC)
    assert event.recorded == datetime(2026, 11, 30, 19, 20, 5, 1001, tzinfo=UTC)
    assert (event.late, event.simulated) == (False, True)
    assert event.data == {"context": {"round": 18}, "device": "shoe-1", "face_up": False}
    assert event.context == {"round": 18}
    assert event.position == Position("271807caf0e4ea9b", 1, event.envelope["hash"])
    event.acknowledge(event)
    assert acknowledged == [event]


@pytest.mark.parametrize("context", [None, 7, ["round"]])
def test_a_context_of_another_form_is_none(journal: Journal, context: object) -> None:
    envelope = journal.add()
    envelope["data"]["context"] = context
    event = event_of("asia-1", envelope, Findings(), lambda _: None)
    assert event.context == {}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"specversion": "2.0"}, "CloudEvents '2.0' from '/felt/asia-1'"),
        ({"source": "/felt/asia-2"}, "CloudEvents '1.0' from '/felt/asia-2'"),
        ({"sequence": "12"}, "a sequence has 20 digits"),
        ({"sequence": 12}, "a sequence has 20 digits"),
        ({"type": "felt.card.card-drawn"}, "no type of an event: 'felt.card.card-drawn'"),
        ({"type": "felt.card.card-drawn.v0"}, "no type of an event: 'felt.card.card-drawn.v0'"),
        ({"time": "2026-12-01T02:00:05"}, "time is of no time zone"),
        ({"epoch": 7}, "expected string or bytes-like object, got 'int'"),
        ({"epoch": "271807CAF0E4EA9B"}, "epoch is of another form"),
        ({"epoch": "271807caf0e4ea9\x00"}, "epoch is of another form"),
        ({"sequence": "09223372036854775808"}, "a sequence has 20 digits"),
        ({"hash": "abc"}, "hash is of another form"),
        ({"late": 0}, "late is of another form"),
        ({"data": []}, "data is of another form"),
        ({"recordedtime": None}, "fromisoformat: argument must be str"),
    ],
)
def test_an_envelope_of_another_form_is_not_read(journal: Journal, change: dict[str, Any], why: str) -> None:
    payload = json.dumps({**journal.add(), **change}).encode()
    with pytest.raises(UnreadableError) as caught:
        read("asia-1", payload)
    assert str(caught.value) == why


@pytest.mark.parametrize("name", ["specversion", "source", "type", "sequence", "epoch", "hash", "data"])
def test_an_envelope_that_lacks_something_is_not_read(journal: Journal, name: str) -> None:
    envelope = journal.add()
    del envelope[name]
    with pytest.raises(UnreadableError, match=f"{name} is missing"):
        read("asia-1", json.dumps(envelope).encode())


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"\xff", b"7", b"[" * 100_000])
def test_what_is_no_json_object_is_not_read(payload: bytes) -> None:
    with pytest.raises(UnreadableError, match="no JSON"):
        read("asia-1", payload)


def test_the_chain_proves_what_the_table_sent(journal: Journal) -> None:
    journal.add()
    journal.add("shuffle-completed", device="shuffler-1", deck="blue", cards=52)
    first, second = journal.envelope(1), journal.envelope(2)
    assert proof.faults(first, proof.FIRST_PREVIOUS) == ()
    assert proof.faults(second, first["hash"]) == ()
    assert proof.faults(second, None) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"time": "2026-12-01T02:00:05.000000Z"},
        {"clock": "untrusted"},
        {"late": True},
        {"simulated": False},
        {"cause": "00000000000000000001"},
        {"monotonic": "1.000000000"},
        {"monotonic": "long ago"},
        {"privatehash": "0" * 64},
        {"previous": "1" * 64},
        {"type": "felt.card.card-drawn.v2"},
        {"data": {"context": {"round": 18}, "device": "shoe-1", "face_up": True}},
        {"data": {"half": "\ud800"}},
    ],
)
def test_whatever_was_changed_is_not_proved(journal: Journal, change: dict[str, Any]) -> None:
    assert proof.faults({**journal.add(), **change}, None) == ("its hash does not follow from its content",)


def test_a_dead_letter_has_only_its_place_in_the_chain(journal: Journal) -> None:
    letter = {**journal.add(), "deadletter": True, "data": {}}
    assert proof.faults(letter, proof.FIRST_PREVIOUS) == ()
    assert proof.faults(letter, "a" * 64) == (
        "it does not follow the event before it in the chain of hashes",
    )


def test_an_event_of_another_history_is_not_in_the_chain(journal: Journal) -> None:
    journal.add()
    assert proof.faults(journal.add(), "a" * 64) == (
        "it does not follow the event before it in the chain of hashes",
    )


def test_data_that_obeys_its_schema_has_no_faults(journal: Journal) -> None:
    schemas, envelope = Schemas(), journal.add()
    assert schemas.knows("felt.card.card-drawn.v1")
    assert schemas.faults("felt.card.card-drawn.v1", envelope["data"]) == ()
    assert schemas.faults_of_envelope(envelope) == ()


def test_data_that_breaks_its_schema_is_told_with_its_place(journal: Journal) -> None:
    schemas, envelope = Schemas(), journal.add()
    (fault,) = schemas.faults("felt.card.card-drawn.v1", {**envelope["data"], "device": 7})
    assert fault.startswith("device: 7 is not of type")
    (fault,) = schemas.faults("felt.card.card-drawn.v1", {"device": "shoe-1"})
    assert fault == 'as a whole: "face_up" is a required property'


def test_a_field_that_a_newer_table_adds_is_no_fault(journal: Journal) -> None:
    data = {**journal.add()["data"], "colour": "blue"}
    assert Schemas().faults("felt.card.card-drawn.v1", data) == ()


def test_a_type_that_this_release_does_not_know_has_nothing_to_break() -> None:
    schemas = Schemas()
    assert not schemas.knows("felt.card.card-swallowed.v1")
    assert schemas.faults("felt.card.card-swallowed.v1", {"anything": 1}) == ()


def test_names_without_end_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("felt_floor.schema.TYPES_MOST", 3)
    looked_up: list[str] = []

    def schema_of(name: str) -> None:
        looked_up.append(name)

    schemas = Schemas(schema_of)
    for name in ("a", "b", "c", "a", "d", "a"):
        schemas.knows(name)
    assert looked_up == ["a", "b", "c", "d", "a"]


def test_only_the_first_faults_of_many_are_told() -> None:
    schema = {"type": "object", "required": list("abcdefgh")}
    assert len(Schemas(lambda _: schema).faults("felt.x.y.v1", {})) == 5
