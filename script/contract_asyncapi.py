"""The AsyncAPI document of the contract: where to connect, the topics, who sends what, and every message.

All of it from the table's side: what it says `send` is what a table publishes. Schemas are part of the
document, so that it can be read and checked by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import felt_protocols
from felt_protocols import topics
from felt_protocols.cloudevents import CONTENT_TYPE
from felt_protocols.commands import COMMANDS
from felt_protocols.events import ID_PATTERN, KINDS
from felt_protocols.signed.claims import LARGEST_TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from felt_protocols.commands import Command

Part = dict[str, Any]

_MQTT: Final = "0.2.0"
_JSON: Final = "application/json"
_JOSE: Final = "application/jose"
_ABOUT: Final = """\
What a table tells a floor system over MQTT 5, and what it is told. Operations are the table's: what it sends,
you receive. docs/contract.md says how to read this and what may change, docs/mqtt.md how delivery works.

The `1` in the topics is the version of the contract. Each event carries its own version in `type`. Schemas
are open where the table writes: take a field that you do not know for none of yours."""

_ID_WORDS: Final = f"It matches {ID_PATTERN} and is not `floor`."
_PARAMETERS: Final[dict[str, str]] = {
    "table": "The table's id, the MQTT client id of its session.",
    "hold": "The hold's number.",
    "device": "The device's id in the configuration.",
    "meter": "The progressive meter's id.",
    "consumer": "The consumer's id in the table's configuration.",
    "client": "The id of the register's entry that signed the command.",
}
# What every event's data has, once.
_CONTEXT: Final = "context"
_DEAD_LETTER: Final = "dead-letter"
_REQUEST: Final = {"$ref": "#/components/correlationIds/request"}
_ANSWER: Final = {"$ref": "#/components/correlationIds/answer"}


def document(schemas: Mapping[str, Part]) -> Part:
    """The whole document; `schemas` are all of the contract, every version of each, by their names."""
    events = {kind: [name for name in schemas if name.startswith(f"felt.{kind}.")] for kind in sorted(KINDS)}
    channels = _channels(events)
    return {
        "asyncapi": "3.0.0",
        "id": "urn:felt:contract:1",
        "info": {
            "title": "feltd: a table and its floor",
            "version": felt_protocols.__version__,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": _JSON,
        "servers": _servers(),
        "channels": channels,
        "operations": _operations(channels),
        "components": {
            "messages": _messages(events, schemas),
            "schemas": _parts(schemas),
            "parameters": _parameters(),
            "correlationIds": {
                "request": {"description": "The token's claim `jti`.", "location": "$message.payload#/jti"},
                "answer": {
                    "description": "The `jti` of the command's token.",
                    "location": "$message.payload#/id",
                },
            },
            "securitySchemes": {
                "certificate": {"type": "X509", "description": "Its common name is the table's id."},
                "password": {"type": "userPassword", "description": "The user's name is the table's id."},
            },
        },
    }


# Where to connect.


def _servers() -> Part:
    session = {"clientId": "{table}", "cleanSession": True, "sessionExpiryInterval": 0}
    will = {"topic": f"{topics.PREFIX}/{{table}}/status", "qos": 1, "retain": True}
    lost = '{"online": false, "reason": "lost", ...}'
    mqtt = session | {"lastWill": will | {"message": lost}, "keepAlive": 5, "bindingVersion": _MQTT}
    return {
        "floor": {
            "host": "broker.example:8883",
            "protocol": "mqtts",
            "protocolVersion": "5.0",
            "description": "The floor's broker, with TLS. One session for each table.",
            "security": [
                {"$ref": f"#/components/securitySchemes/{one}"} for one in ("certificate", "password")
            ],
            "bindings": {"mqtt": mqtt},
        },
        "table": {
            "host": "127.0.0.1:1883",
            "protocol": "mqtt",
            "protocolVersion": "5.0",
            "description": "The broker that feltd brings along, for a demo or for a table without a floor.",
            "bindings": {"mqtt": mqtt},
        },
    }


# Topics.


def _channels(events: Mapping[str, list[str]]) -> dict[str, Part]:
    every = [name for names in events.values() for name in names]
    per_kind = {
        f"event-{kind}": _channel(
            f"event/{kind}",
            f"The events of kind {kind}, in the order of the journal.",
            [*names, _DEAD_LETTER],
        )
        for kind, names in events.items()
    }
    return {
        "status": _channel("status", "Whether the table is there; the will, too.", ["status"]),
        "state": _channel("state", "The table as it is now.", ["state"]),
        "hold": _channel("hold/{hold}", "One open hold; cleared when it ends.", ["hold", "cleared"]),
        "device": _channel("device/{device}", "One device and its health.", ["device", "cleared"]),
        "meter": _channel("meter/{meter}", "Reserved; nothing is sent here in this version.", []),
        **per_kind,
        "replay": _channel(
            "replay/{consumer}", "Events again, for one consumer that lacks them.", [*every, _DEAD_LETTER]
        ),
        "private": _channel("private/{consumer}", "What only this consumer may have.", ["private"]),
        "ack": _channel("ack/{consumer}", "What the consumer has stored; it writes this itself.", ["ack"]),
        "command": _channel(
            "command/{command}",
            "Signed requests, where the table takes any. Never retained.",
            [f"command-{name}" for name in COMMANDS],
        ),
        "reply": _channel("reply/{client}", "Answers to the commands of one client.", ["reply"]),
        "floor-status": {
            "address": topics.FLOOR_STATUS,
            "description": "The floor's birth: on it every table publishes its whole picture again.",
            "messages": _refs(["floor-status"]),
        },
    }


def _channel(end: str, about: str, messages: Iterable[str]) -> Part:
    parameter = end.partition("{")[2].removesuffix("}")
    named = ["table", *([parameter] if parameter else [])]
    return {
        "address": f"{topics.PREFIX}/{{table}}/{end}",
        "description": about,
        "parameters": {name: {"$ref": f"#/components/parameters/{name}"} for name in named},
        "messages": _refs(messages),
    }


def _refs(messages: Iterable[str]) -> Part:
    return {name: {"$ref": f"#/components/messages/{name}"} for name in messages}


def _parameters() -> Part:
    plain = {
        name: {"description": f"{about} {_ID_WORDS}", "x-pattern": ID_PATTERN}
        for name, about in _PARAMETERS.items()
    }
    return plain | {"command": {"description": "The command's name.", "enum": list(COMMANDS)}}


# Who sends what.


def _operations(channels: Mapping[str, Part]) -> Part:
    retained = ("status", "state", "hold", "device")
    sent = [name for name in channels if name.startswith("event-")]
    return {
        **{f"send-{name}": _operation("send", name, channels, retain=True) for name in retained},
        **{
            f"send-{name}": _operation("send", name, channels, retain=False)
            for name in (*sent, "replay", "private")
        },
        "receive-ack": _operation("receive", "ack", channels, retain=True),
        "receive-floor-status": _operation("receive", "floor-status", channels, retain=False),
        "receive-command": _operation("receive", "command", channels, retain=False)
        | {
            "reply": {
                "channel": {"$ref": "#/channels/reply"},
                "messages": [{"$ref": "#/channels/reply/messages/reply"}],
            }
        },
        "send-reply": _operation("send", "reply", channels, retain=False),
    }


def _operation(action: str, name: str, channels: Mapping[str, Part], *, retain: bool) -> Part:
    channel = channels[name]
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{name}"},
        "summary": channel["description"],
        "messages": [{"$ref": f"#/channels/{name}/messages/{message}"} for message in channel["messages"]],
        "bindings": {"mqtt": {"qos": 1, "retain": retain, "bindingVersion": _MQTT}},
    }


# Messages.


def _messages(events: Mapping[str, list[str]], schemas: Mapping[str, Part]) -> Part:
    every = (name for names in events.values() for name in names)
    return {
        "status": _message("Whether the table is there", "felt.message.status.v1"),
        "state": _message("The table as it is now", "felt.picture.state.v1"),
        "hold": _message("One open hold", "felt.picture.hold.v1"),
        "device": _message("One device and its health", "felt.picture.device.v1"),
        "cleared": {
            "title": "It is gone: the empty payload takes the retained one away",
            "contentType": _JSON,
            "payload": {"type": "string", "maxLength": 0},
        },
        **{name: _event(name, schemas[name]) for name in every},
        _DEAD_LETTER: _dead_letter(),
        "private": _message("What is withheld of one event", "felt.message.private.v1"),
        "ack": _message("What a consumer has stored", "felt.message.ack.v1"),
        **{f"command-{name}": _command(name, command) for name, command in COMMANDS.items()},
        "reply": _message("What became of a command", "felt.message.reply.v1") | {"correlationId": _ANSWER},
        "floor-status": _message("The floor is there", "felt.message.floor-status.v1"),
    }


def _message(title: str, schema: str) -> Part:
    return {
        "title": title,
        "contentType": _JSON,
        "payload": _schema(schema),
        "bindings": {"mqtt": {"contentType": _JSON, "bindingVersion": _MQTT}},
    }


def _event(name: str, schema: Part) -> Part:
    exactly = {
        "type": {"const": name},
        "dataschema": {"const": schema["$id"]},
        "data": _schema(name),
    }
    title = schema["description"].partition("\n")[0]
    return {"name": name} | _enveloped(title, {"properties": exactly})


def _dead_letter() -> Part:
    """What stands for an event that could not be sent."""
    empty = {"required": ["deadletter"], "properties": {"data": {"maxProperties": 0}}}
    return _enveloped("An event that could not be sent: its envelope, without its data", empty)


def _enveloped(title: str, exactly: Part) -> Part:
    return {
        "title": title,
        "contentType": CONTENT_TYPE,
        "payload": {"allOf": [_schema("felt.message.envelope.v1"), exactly]},
        "bindings": {"mqtt": {"contentType": CONTENT_TYPE, "bindingVersion": _MQTT}},
    }


def _command(name: str, command: type[Command]) -> Part:
    """A token is text to MQTT and to schemas; `contentSchema` is what its claims obey."""
    claims = {"cmd": {"const": name}, "args": _schema(f"felt.command.{name}.v1")}
    return {
        "name": name,
        "title": (command.__doc__ or "").partition("\n")[0],
        "description": f"May be given by: {', '.join(sorted(command.roles))}.",
        "contentType": _JOSE,
        "correlationId": _REQUEST,
        "payload": {
            "type": "string",
            "maxLength": LARGEST_TOKEN,
            "pattern": r"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$",
            "contentMediaType": _JOSE,
            "contentSchema": {"allOf": [_schema("felt.token.claims.v1"), {"properties": claims}]},
        },
    }


def _schema(name: str) -> Part:
    return {"$ref": f"#/components/schemas/{name}"}


def _parts(schemas: Mapping[str, Part]) -> Part:
    """Every schema as a part of the document, whose dialect is the document's."""
    found: Part = {}
    for name, schema in schemas.items():
        part = {key: value for key, value in schema.items() if key != "$schema"}
        context = part.get("properties", {}).get("context")
        if context is not None and found.setdefault(_CONTEXT, context) == context:
            part["properties"] = part["properties"] | {"context": _schema(_CONTEXT)}
        found[name] = part
    return found
