"""Every event exactly as it is published: bytes that never change, and what consumers may rely on."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from felt_protocols import schemas
from felt_protocols.events import EVENTS, KINDS, Event, bodies, canonical, card, core, presented, upcast
from felt_simulators.listener import proved

from .samples import SALT, SAMPLES, private_of, published

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

Told = dict[str, dict[str, Any]]

WRONG: dict[str, object] = {
    "string": 7,
    "integer": "7",
    "boolean": 0,
    "array": {},
    "object": [],
}


def parts_of(envelope: dict[str, Any]) -> tuple[str, int, dict[str, Any]]:
    """The event's name and version, and its data without the context."""
    _felt, _kind, what, version = envelope["type"].split(".")
    data = {name: value for name, value in envelope["data"].items() if name != "context"}
    return what, int(version.removeprefix("v")), data


def test_every_event_has_a_sample_and_every_sample_a_golden_payload(golden: dict[str, bytes]) -> None:
    present = {event.type_name() for event in EVENTS.values()}
    assert set(SAMPLES) == present, "write a sample into tests/contract/samples_of_*.py"
    assert present - set(golden) == set(), "run python tests/contract/write_golden.py"


def test_every_schema_of_an_event_has_a_golden_payload(golden: dict[str, bytes]) -> None:
    assert set(golden) == {name for name in schemas.names() if name.split(".")[1] in KINDS}


def test_a_sample_has_every_field_of_its_event() -> None:
    # Who tells of people's words has no number, and most come in no signed request.
    empty = {
        name: left
        for name, (event, _context) in SAMPLES.items()
        if (left := type(event).model_fields.keys() - event.model_fields_set - {"n", "request"})
    }
    assert empty == {}


def test_events_are_published_byte_for_byte_like_their_golden_payloads(golden: dict[str, bytes]) -> None:
    changed = {
        name: payload.decode()
        for name, (event, context) in SAMPLES.items()
        if (payload := published(event, context)) != golden[name]
    }
    assert changed == {}


def test_golden_payloads_obey_the_envelope_and_the_schema_of_their_data(
    told: Told, faults: Callable[[str, object], list[str]]
) -> None:
    found = {
        name: faults(schemas.ENVELOPE, envelope) + faults(name, envelope["data"])
        for name, envelope in told.items()
    }
    assert {name: what for name, what in found.items() if what} == {}


def test_golden_payloads_name_their_schema(told: Told) -> None:
    for name, envelope in told.items():
        schema = schemas.schema_of(name)
        assert schema is not None
        assert (envelope["type"], envelope["dataschema"]) == (name, schema["$id"])


def test_golden_payloads_prove_their_place_in_the_chain(told: Told) -> None:
    assert [name for name, envelope in told.items() if not proved(envelope)] == []


def test_golden_payloads_of_every_version_are_read_as_the_present_one(told: Told) -> None:
    for envelope in told.values():
        what, v, data = parts_of(envelope)
        body = presented(what, v, data)
        if what != "undecided":  # the fact that it is about is private, and it is nothing without it
            EVENTS[what].model_validate_json(canonical(body))


def test_a_golden_payload_of_an_older_version_stays_readable(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    class ShoeJammed(card.ShoeFact):
        """The shoe jammed, and says how badly."""

        v = 2
        where: str
        cards: int

    monkeypatch.setitem(EVENTS, "shoe-jammed", ShoeJammed)
    monkeypatch.setitem(core._NAMES, ShoeJammed, "shoe-jammed")
    monkeypatch.setitem(upcast.UPCASTERS, ("shoe-jammed", 1), lambda body: body | {"cards": 1})
    what, v, data = parts_of(told["felt.card.shoe-jammed.v1"])
    assert presented(what, v, data) == {"n": 45, "device": "shoe-1", "where": "exit", "cards": 1}
    ShoeJammed.model_validate_json(canonical(presented(what, v, data)))


def test_a_foreign_field_is_no_breach(told: Told, obeys: Callable[[str, object], bool]) -> None:
    for name, envelope in told.items():
        context = envelope["data"].get("context", {}) | {"of-a-later-release": 1}
        assert obeys(name, envelope["data"] | {"of-a-later-release": {"a": [1]}, "context": context}), name
        assert obeys(schemas.ENVELOPE, envelope | {"oflaterrelease": True}), name


def test_a_field_of_another_type_is_a_breach(told: Told, obeys: Callable[[str, object], bool]) -> None:
    taken = []
    for name, envelope in told.items():
        schema = schemas.schema_of(name)
        assert schema is not None
        for field, one in schema["properties"].items():
            wrong = WRONG[one["type"]]
            if field in envelope["data"] and obeys(name, envelope["data"] | {field: wrong}):
                taken.append((name, field))
    assert taken == []


def test_a_field_that_must_be_there_and_is_not_is_a_breach(
    told: Told, obeys: Callable[[str, object], bool]
) -> None:
    for name, envelope in told.items():
        schema = schemas.schema_of(name)
        assert schema is not None
        for field in schema.get("required", ()):
            left = {key: value for key, value in envelope["data"].items() if key != field}
            assert not obeys(name, left), (name, field)


def test_what_is_withheld_is_in_no_payload_and_bound_by_its_hash(told: Told) -> None:
    withheld = []
    for name, (event, _context) in SAMPLES.items():
        envelope = told[name]
        assert envelope["data"].keys().isdisjoint(event.private), name
        assert envelope["privatehash"] == hashlib.sha256(SALT + private_of(event)).hexdigest(), name
        if private_of(event) != b"{}":
            withheld.append(name)
    assert withheld == [
        "felt.deck.shuffle-completed.v1",
        "felt.system.undecided.v1",
        "felt.person.card-withdrawn.v1",
        "felt.person.card-replaced.v1",
    ]
    assert "QD" not in json.dumps(told)


def test_every_event_withholds_what_its_class_says_and_its_schema_has_no_word_of_it() -> None:
    for event in EVENTS.values():
        schema = schemas.schema_of(event.type_name())
        assert schema is not None
        assert schema["properties"].keys() == event.model_fields.keys() - event.private | {"context"}


def test_a_dead_letter_is_an_envelope_without_data_that_says_so(
    told: Told, obeys: Callable[[str, object], bool]
) -> None:
    letter = told["felt.card.shoe-jammed.v1"] | {"deadletter": True, "data": {}}
    assert obeys(schemas.ENVELOPE, letter)
    assert not obeys(schemas.ENVELOPE, letter | {"deadletter": False})


def test_a_sample_without_context_is_published_without_it() -> None:
    event: Event = card.ShoeJammed(device="shoe-1")
    public, _private = bodies(event, {})
    assert json.loads(public) == {"device": "shoe-1", "where": ""}
    assert "context" not in json.loads(published(event, {}))["data"]
