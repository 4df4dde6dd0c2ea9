"""The AsyncAPI document: every topic, who sends what, and every message with its schema."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt_protocols import schemas, topics
from felt_protocols.commands import COMMANDS
from felt_protocols.events import EVENTS, KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
NAMES = {
    "table": "asia-1",
    "hold": "7",
    "device": "shoe-1",
    "meter": "royal",
    "consumer": "pit-3",
    "client": "pit-3",
    "command": "override",
}


def references(part: object) -> Iterator[str]:
    """Every reference in a part of the document."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def found(document: dict[str, Any], reference: str) -> Any:  # noqa: ANN401 - any part
    """What a reference leads to; raises KeyError if nothing is there."""
    part: Any = document
    for name in reference.removeprefix("#/").split("/"):
        part = part[name]
    return part


def test_every_reference_leads_somewhere_in_the_document(asyncapi: dict[str, Any]) -> None:
    found_ones = set(references(asyncapi))
    assert {one for one in found_ones if not one.startswith("#/")} == set()
    for one in found_ones:
        assert found(asyncapi, one)


def test_every_topic_of_the_contract_is_a_channel(asyncapi: dict[str, Any]) -> None:
    addresses = {name: channel["address"].format(**NAMES) for name, channel in asyncapi["channels"].items()}
    assert addresses == {
        "status": topics.status("asia-1"),
        "state": topics.state("asia-1"),
        "hold": topics.hold("asia-1", 7),
        "device": topics.device("asia-1", "shoe-1"),
        "meter": topics.meter("asia-1", "royal"),
        **{f"event-{kind}": topics.event("asia-1", kind) for kind in KINDS},
        "replay": topics.replay("asia-1", "pit-3"),
        "private": topics.private("asia-1", "pit-3"),
        "ack": topics.ack("asia-1", "pit-3"),
        "command": topics.command("asia-1", "override"),
        "reply": topics.reply("asia-1", "pit-3"),
        "floor-status": topics.FLOOR_STATUS,
    }


def test_every_parameter_of_a_channel_is_explained_with_its_pattern(asyncapi: dict[str, Any]) -> None:
    for name, channel in asyncapi["channels"].items():
        named = re.findall(r"\{(\w+)\}", channel["address"])
        assert list(channel.get("parameters", {})) == named, name
    parameters = asyncapi["components"]["parameters"]
    assert parameters.keys() == NAMES.keys()
    assert parameters.pop("command")["enum"] == list(COMMANDS)
    for name, parameter in parameters.items():
        assert re.fullmatch(parameter["x-pattern"], NAMES[name]), name
        assert parameter["x-pattern"] in parameter["description"]


def test_every_channel_that_is_not_reserved_has_one_operation(asyncapi: dict[str, Any]) -> None:
    operations = asyncapi["operations"].values()
    used = [operation["channel"]["$ref"].rpartition("/")[2] for operation in operations]
    assert sorted([*used, "meter"]) == sorted(asyncapi["channels"])


def test_the_table_sends_and_receives_what_it_does(asyncapi: dict[str, Any]) -> None:
    received = {
        name for name, operation in asyncapi["operations"].items() if operation["action"] == "receive"
    }
    assert received == {"receive-ack", "receive-command", "receive-floor-status"}
    retained = {
        name for name, operation in asyncapi["operations"].items() if operation["bindings"]["mqtt"]["retain"]
    }
    assert retained == {"send-status", "send-state", "send-hold", "send-device", "receive-ack"}
    for operation in asyncapi["operations"].values():
        assert operation["bindings"]["mqtt"]["qos"] == 1
        assert operation["bindings"]["mqtt"]["bindingVersion"] == "0.2.0"


def test_every_event_goes_over_the_topic_of_its_kind_and_comes_again_on_replay(
    asyncapi: dict[str, Any],
) -> None:
    channels = asyncapi["channels"]
    by_kind = {kind: set(channels[f"event-{kind}"]["messages"]) for kind in KINDS}
    assert {event.type_name() for event in EVENTS.values()} <= set(channels["replay"]["messages"])
    assert set().union(*by_kind.values()) == set(channels["replay"]["messages"])
    for kind, messages in by_kind.items():
        assert {name for name in messages if not name.startswith(f"felt.{kind}.")} == {"dead-letter"}


def test_a_message_of_an_event_is_the_envelope_with_its_data(asyncapi: dict[str, Any]) -> None:
    message = asyncapi["components"]["messages"]["felt.card.shoe-jammed.v1"]
    assert message == {
        "name": "felt.card.shoe-jammed.v1",
        "title": "The shoe jammed.",
        "contentType": "application/cloudevents+json",
        "payload": {
            "allOf": [
                {"$ref": "#/components/schemas/felt.message.envelope.v1"},
                {
                    "properties": {
                        "type": {"const": "felt.card.shoe-jammed.v1"},
                        "dataschema": {"const": "urn:felt:schema:card:shoe-jammed:1"},
                        "data": {"$ref": "#/components/schemas/felt.card.shoe-jammed.v1"},
                    }
                },
            ]
        },
        "bindings": {"mqtt": {"contentType": "application/cloudevents+json", "bindingVersion": "0.2.0"}},
    }


def test_a_command_is_answered_under_its_id(asyncapi: dict[str, Any]) -> None:
    operation = asyncapi["operations"]["receive-command"]
    assert operation["reply"] == {
        "channel": {"$ref": "#/channels/reply"},
        "messages": [{"$ref": "#/channels/reply/messages/reply"}],
    }
    assert [one["$ref"].rpartition("/")[2] for one in operation["messages"]] == [
        f"command-{name}" for name in COMMANDS
    ]
    messages = asyncapi["components"]["messages"]
    asked = found(asyncapi, messages["command-override"]["correlationId"]["$ref"])
    answered = found(asyncapi, messages["reply"]["correlationId"]["$ref"])
    assert (asked["location"], answered["location"]) == ("$message.payload#/jti", "$message.payload#/id")


def test_every_published_schema_is_in_the_document(asyncapi: dict[str, Any]) -> None:
    within = asyncapi["components"]["schemas"]
    assert within.keys() - {"context"} == set(schemas.names())
    for name in schemas.names():
        published = schemas.schema_of(name)
        assert published is not None
        del published["$schema"]
        if within[name].get("properties", {}).get("context") == {"$ref": "#/components/schemas/context"}:
            within[name]["properties"]["context"] = within["context"]
        assert within[name] == published
