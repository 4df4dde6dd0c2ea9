"""What is retained and said besides events is what its model and its published schema say."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from felt_daemon.journal import Kind
from felt_daemon.publisher.picture import Picture
from felt_daemon.table import picture
from felt_drivers.catalogue import driver
from felt_drivers.contract import Device
from felt_drivers.pulse import Pulse
from felt_drivers.supervise import Supervisor
from felt_protocols import topics
from felt_protocols.events import bodies
from felt_protocols.link.items import Counters
from felt_protocols.pictures import TOLD, DevicePicture, HoldPicture, TablePicture, Told
from felt_protocols.pictures.table import JournalPicture

from .moments import moments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..table.felt import Felt  # noqa: TID252 - tests are no package that could be named

MODELS: dict[str, type[Told]] = {"state": TablePicture, "hold": HoldPicture, "device": DevicePicture}
EPOCH = "5f1c9a0b7d3e4c21"


class StillClock:
    """Link time that stands still."""

    def link_now(self) -> float:
        """Seconds of link time."""
        return 12.5

    def loop_time(self, link_t: float) -> float:
        """The loop's time at that link time."""
        return link_t


def retained(felt: Felt) -> Iterator[tuple[str, bytes]]:
    """Every retained payload of the table now, with what it is of."""
    shown = picture(felt.pack, felt.state)
    table = felt.setup.table
    publisher = Picture(table, EPOCH, [topics.pictured(table, key) for key in shown])
    publisher.show(shown, felt.state.seq, bytes(32))
    while (message := publisher.take()) is not None:
        place = topics.parse(message.topic)
        assert place is not None
        yield place.what, message.payload


def test_every_row_of_a_table_obeys_the_schema_of_its_event(
    faults: Callable[[str, object], list[str]],
) -> None:
    names = set()
    for felt in moments():
        for row in felt.rows:
            public, _private = bodies(row.event, row.context)
            assert faults(row.event.type_name(), json.loads(public)) == []
            names |= row.context.keys()
    assert names == {"round", "deck", "seat", "incident", "test"}


@pytest.fixture(scope="module")
def payloads() -> list[tuple[str, bytes]]:
    """Give what is retained at those moments."""
    return [one for felt in moments() for one in retained(felt)]


@pytest.fixture
def health() -> dict[str, Any]:
    """Give the health of a device that was never heard, as its driver tells it."""
    about = Device(id="shoe-1", family="shoe", path="/dev/none")
    one = driver(about, clock=StillClock(), take=lambda *_args, **_about: None, session=1)
    return dict(Supervisor([one], StillClock(), lambda: 0.5).health()["shoe-1"])


def test_every_retained_payload_is_what_its_model_says(payloads: list[tuple[str, bytes]]) -> None:
    assert {what for what, _payload in payloads} == set(MODELS)
    for what, payload in payloads:
        read = MODELS[what].model_validate_json(payload)
        again = read.model_dump(mode="json", by_alias=True, exclude_unset=True)
        assert again == json.loads(payload), what


def test_every_retained_payload_obeys_its_published_schema(
    payloads: list[tuple[str, bytes]], faults: Callable[[str, object], list[str]]
) -> None:
    for what, payload in payloads:
        assert faults(f"felt.picture.{what}.v1", json.loads(payload)) == []


def test_every_field_of_a_picture_was_shown_with_something_in_it(payloads: list[tuple[str, bytes]]) -> None:
    """Else a field's model could say anything, and the tests above would not notice."""
    shown: set[tuple[str, str]] = set()
    for what, payload in payloads:
        _note(MODELS[what].model_validate_json(payload), shown)
    # How a device is heard, and the journal, are measured; they have tests of their own.
    never = {("DevicePicture", "health"), ("TablePicture", "journal")}
    parts = {part for part, _field in shown}
    wanted = {
        (model.__name__, field)
        for model in _models(Told)
        if model.__name__ in parts
        for field in model.model_fields
    }
    assert wanted - shown == never


def _note(part: Told, shown: set[tuple[str, str]]) -> None:
    for field in type(part).model_fields:
        value = getattr(part, field)
        if value not in (None, (), {}):
            shown.add((type(part).__name__, field))
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
        for one in inner:
            if isinstance(one, Told):
                _note(one, shown)


def _models(model: type[Told]) -> Iterator[type[Told]]:
    yield model
    for one in model.__subclasses__():
        yield from _models(one)


def test_a_picture_with_another_field_or_without_one_is_not_what_its_model_says(
    payloads: list[tuple[str, bytes]],
) -> None:
    for what, payload in payloads:
        said = json.loads(payload)
        for wrong in (said | {"more": 1}, {key: said[key] for key in said if key != "sequence"}):
            with pytest.raises(ValidationError):
                MODELS[what].model_validate(wrong)


def test_health_is_what_its_model_says(
    payloads: list[tuple[str, bytes]],
    health: dict[str, Any],
    faults: Callable[[str, object], list[str]],
) -> None:
    pulse = Pulse()
    pulse.bytes_s, pulse.frame_s, pulse.fact_s = 10.0, 10.5, 11.0
    heard = pulse.health(12.5, Counters(garbled={"checksum": 2}), (300, 40))
    failed = {"what": "link", "why": "no such port", "at_s": 12.5}
    shown = json.loads(next(payload for what, payload in payloads if what == "device"))
    for one in (health, health | heard | {"last_failure": failed, "inhibited": True}):
        said = shown | {"health": one}
        DevicePicture.model_validate_json(json.dumps(said))
        assert faults("felt.picture.device.v1", said) == []


@pytest.mark.parametrize("kind", list(Kind))
def test_every_reason_why_the_journal_cannot_be_written_is_what_the_model_says(
    kind: Kind, payloads: list[tuple[str, bytes]], faults: Callable[[str, object], list[str]]
) -> None:
    shown = json.loads(next(payload for what, payload in payloads if what == "state"))
    trouble = {"kind": kind.value, "text": "The disk is full", "since": "2026-12-01T02:14:07.301882Z"}
    said = shown | {"journal": trouble}
    assert TablePicture.model_validate_json(json.dumps(said)).journal is not None
    assert faults("felt.picture.state.v1", said) == []
    assert re.search(rf"\b{kind.value}\b", JournalPicture.model_fields["kind"].description or "")
    for left in trouble:
        lacking = shown | {"journal": {key: trouble[key] for key in trouble if key != left}}
        assert faults("felt.picture.state.v1", lacking) != []


def test_a_driver_may_tell_more_of_health_than_the_models_know(
    payloads: list[tuple[str, bytes]], health: dict[str, Any]
) -> None:
    shown = json.loads(next(payload for what, payload in payloads if what == "device"))
    said = shown | {"health": health | {"temperature_c": 41}}
    read = DevicePicture.model_validate_json(json.dumps(said))
    assert read.model_dump(mode="json", exclude_unset=True) == said


# What is no picture is held where it is made; these are its forms by hand.
STATUS = {
    "online": True,
    "start": "0f3a9c52",
    "epoch": EPOCH,
    "version": "0.1.0",
    "since": "2026-12-01T01:12:44.120398Z",
    "reason": None,
    "simulated": False,
}
ZEROS = "0" * 20


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("status", STATUS),
        ("status", STATUS | {"online": False, "reason": "lost"}),
        ("floor-status", {"online": True}),
        ("ack", {"epoch": EPOCH, "sequence": ZEROS}),
        ("reply", {"id": "7f9c2ba4", "ok": True, "sequence": 1042}),
        (
            "reply",
            {"id": "7f9c2ba4", "ok": False, "code": "late", "why": "expired: it was to be carried out"},
        ),
        ("private", {"epoch": EPOCH, "sequence": ZEROS, "salt": "00" * 16, "private": {"card": "QD"}}),
    ],
)
def test_a_message_is_what_its_schema_says(
    name: str, said: dict[str, Any], obeys: Callable[[str, object], bool]
) -> None:
    schema = f"felt.message.{name}.v1"
    assert obeys(schema, said)
    assert any(_is(model, said) for model in TOLD[schema])
    for field in said:
        left = {key: value for key, value in said.items() if key != field}
        assert not obeys(schema, left)
        assert not any(_is(model, left) for model in TOLD[schema])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("status", STATUS | {"reason": "bored"}),
        ("status", STATUS | {"since": "2026-12-01 01:12:44"}),
        ("ack", {"epoch": EPOCH, "sequence": 7}),
        ("ack", {"epoch": EPOCH, "sequence": "7"}),
        ("ack", {"epoch": "1", "sequence": ZEROS}),
        ("reply", {"id": "7f9c2ba4", "ok": False, "sequence": 1042}),
        ("reply", {"id": "7f9 c2ba4", "ok": True, "sequence": 1042}),
        ("private", {"epoch": EPOCH, "sequence": ZEROS, "salt": "00", "private": {}}),
    ],
)
def test_a_message_that_is_wrong_obeys_nothing(
    name: str, said: dict[str, Any], obeys: Callable[[str, object], bool]
) -> None:
    schema = f"felt.message.{name}.v1"
    assert not obeys(schema, said)
    assert not any(_is(model, said) for model in TOLD[schema])


def _is(model: type[Told], said: dict[str, Any]) -> bool:
    try:
        model.model_validate_json(json.dumps(said))
    except ValidationError:
        return False
    return True
