"""The envelope that the floor gets: every attribute, written out by hand."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols import cloudevents
from felt_protocols.cloudevents import Committed
from felt_protocols.errors import UnknownEvent
from felt_protocols.events import EVENTS, bodies, deck, device, draw, incident, person, round, ruling, system  # noqa: A004 - the field's own word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_protocols.events import Event

EPOCH = "5f1c9a0b7d3e4c21"
ROW = Committed(
    stream="table-1",
    seq=1234,
    name="shuffle-completed",
    v=1,
    boot="1d2e3f40-0000-4000-8000-000000000001",
    start="7b0c",
    mono_ns=93_784_000_001_250,
    utc_us=1_796_066_405_000_123,
    recorded_us=1_796_066_405_004_000,
    trusted=True,
    late=False,
    simulated=True,
    cause=None,
    public=b'{"batch":12,"context":{"deck":"blue","round":18},"count":53,"device":"shuffler-1","mode":"shuffle"}',
    hash=bytes.fromhex("aa" * 32),
    previous=bytes.fromhex("bb" * 32),
    privatehash=bytes.fromhex("cc" * 32),
)

GOLDEN = (
    b'{"specversion":"1.0"'
    b',"id":"5f1c9a0b7d3e4c21-00000000000000001234"'
    b',"source":"/felt/table-1"'
    b',"type":"felt.deck.shuffle-completed.v1"'
    b',"subject":"device/shuffler-1"'
    b',"dataschema":"urn:felt:schema:deck:shuffle-completed:1"'
    b',"time":"2026-11-30T19:20:05.000123Z"'
    b',"recordedtime":"2026-11-30T19:20:05.004000Z"'
    b',"sequence":"00000000000000001234"'
    b',"epoch":"5f1c9a0b7d3e4c21"'
    b',"boot":"1d2e3f40-0000-4000-8000-000000000001"'
    b',"start":"7b0c"'
    b',"monotonic":"93784.000001250"'
    b',"clock":"trusted"'
    b',"late":false'
    b',"simulated":true'
    b',"hash":"' + b"aa" * 32 + b'"'
    b',"previous":"' + b"bb" * 32 + b'"'
    b',"privatehash":"' + b"cc" * 32 + b'"'
    b',"data":{"batch":12,"context":{"deck":"blue","round":18},"count":53,"device":"shuffler-1","mode":"shuffle"}}'
)


def told(event: Event, context: Mapping[str, object] | None = None) -> dict[str, Any]:
    public, _private = bodies(event, context or {})
    row = replace(ROW, name=event.what(), v=event.v, public=public)
    envelope: dict[str, Any] = json.loads(cloudevents.structured(row, EPOCH))
    return envelope


def test_a_row_is_told_byte_for_byte_like_the_golden_sample() -> None:
    assert cloudevents.structured(ROW, EPOCH) == GOLDEN


def test_the_data_is_the_journals_public_body_byte_for_byte() -> None:
    payload = cloudevents.structured(ROW, EPOCH)
    data = payload[payload.index(b',"data":') + len(b',"data":') : -1]
    assert hashlib.sha256(data).digest() == hashlib.sha256(ROW.public).digest()


def test_an_untrusted_clock_a_late_row_and_a_cause_are_told() -> None:
    row = replace(ROW, trusted=False, late=True, cause=1233, mono_ns=5)
    envelope = json.loads(cloudevents.structured(row, EPOCH))
    assert envelope["clock"] == "untrusted"
    assert envelope["late"] is True
    assert envelope["cause"] == "00000000000000001233"
    assert envelope["monotonic"] == "0.000000005"


def test_text_order_of_sequences_is_number_order_up_to_the_largest() -> None:
    assert cloudevents.sequence(1) == "00000000000000000001"
    assert cloudevents.sequence(2**63 - 1) == "09223372036854775807"


def test_a_ruling_carries_its_citations_and_its_subject() -> None:
    made = ruling.RulingMade(
        row="shuffle-count",
        cite=("659a.5(b)", "659a.13(m)"),
        basis="regulation",
        effect="no-new-round",
        subject="deck",
        subject_id="blue",
        says="The deck did not count 53.",
        directives=("count-by-hand",),
        incident=3,
    )
    envelope = told(made, {"incident": 3})
    assert envelope["rule"] == "659a.5(b), 659a.13(m)"
    assert envelope["subject"] == "deck/blue"
    assert envelope["type"] == "felt.ruling.ruling-made.v1"


def test_a_ruling_of_our_own_has_no_citation_to_carry() -> None:
    made = ruling.RulingMade(
        row="silent-shuffler",
        cite=(),
        basis="own",
        effect="advise",
        subject="device",
        subject_id="shuffler-1",
        says="The shuffler is silent.",
        directives=(),
        incident=4,
    )
    assert "rule" not in told(made)


@pytest.mark.parametrize(
    ("event", "subject"),
    [
        (device.DeviceBack(device="shoe-1"), "device/shoe-1"),
        (deck.BatchMapped(device="shuffler-1", batch=2, deck="red", proved=True, how="back"), "deck/red"),
        (round.RoundOpened(round=18), "round/18"),
        (incident.IncidentClosed(incident=3, rounds=1, hands=5), "incident/3"),
        (incident.HoldCauseGone(incident=3, hold=7), "hold/7"),
        (draw.StartPositionSet(round=18, total=9, count=2, seat=6), "round/18"),
        (person.TableOpened(by=person.Person(role="floor", name="Ada")), "table/table-1"),
        (system.TimerSet(timer="dice-age", after_s=86_400), "timer/dice-age"),
        (system.Stopped(why="asked"), "table/table-1"),
    ],
)
def test_the_subject_is_the_thing_that_the_event_is_about(event: Event, subject: str) -> None:
    assert told(event)["subject"] == subject


def test_composition_of_a_deck_never_leaves_with_the_event() -> None:
    event = deck.ShuffleCompleted(
        device="shuffler-1",
        batch=12,
        mode="shuffle",
        count=53,
        composition={"red": {"queen-of-spades": 1, "joker": 1}},
    )
    public, private = bodies(event, {"round": 18})
    assert b"queen-of-spades" in private
    payload = cloudevents.structured(replace(ROW, public=public), EPOCH)
    assert b"queen-of-spades" not in payload
    assert b"composition" not in payload


def test_there_is_no_place_for_a_private_body_in_what_may_be_told() -> None:
    names = {field.name for field in fields(Committed)}
    assert not names & {"private", "salt", "entry", "event"}


def test_every_private_field_of_every_event_stays_out_of_its_public_body() -> None:
    for name, event in EVENTS.items():
        assert event.private <= set(event.model_fields), name


def test_an_event_of_another_release_is_refused_by_name() -> None:
    with pytest.raises(UnknownEvent, match="card-eaten"):
        cloudevents.structured(replace(ROW, name="card-eaten"), EPOCH)
