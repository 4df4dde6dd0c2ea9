"""The published schemas: one of everything, readable by themselves, open where the table writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

from felt_protocols import cloudevents, schemas
from felt_protocols.commands import COMMANDS
from felt_protocols.events import EVENTS
from felt_protocols.pictures import TOLD

if TYPE_CHECKING:
    from collections.abc import Iterator

WRITTEN_BY_OTHERS = ("felt.command.", "felt.token.")


def every() -> dict[str, dict[str, Any]]:
    """Every schema by its name."""
    return {name: schema for name in schemas.names() if (schema := schemas.schema_of(name))}


def objects(part: object) -> Iterator[dict[str, Any]]:
    """Every schema of an object with fields, in a schema."""
    if isinstance(part, dict):
        if "properties" in part:
            yield part
        for inner in part.values():
            yield from objects(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from objects(inner)


def test_there_is_one_of_every_event_command_picture_and_message() -> None:
    wanted = {event.type_name() for event in EVENTS.values()}
    wanted |= {f"felt.command.{name}.v1" for name in COMMANDS} | set(TOLD)
    wanted |= {f"felt.token.{part}.v1" for part in ("header", "claims", "second-header", "second-claims")}
    assert wanted <= set(schemas.names())
    assert list(schemas.names()) == sorted(every())


@pytest.mark.parametrize(
    "name",
    [
        "",
        "felt.deck.shuffle-completed",
        "felt.deck.shuffle-completed.v2",
        "felt.deck.shuffle-completed.v1.json",
        "felt.deck.shuffle-completed.v1\n",
        "felt.deck.../../pyproject.v1",
        "../schemas/felt.deck.shuffle-completed.v1",
    ],
)
def test_a_name_that_is_none_has_no_schema(name: str) -> None:
    assert schemas.schema_of(name) is None


def test_a_schema_is_the_callers_own() -> None:
    mine = schemas.envelope_schema()
    mine["properties"].clear()
    assert "sequence" in schemas.envelope_schema()["properties"]


def test_every_schema_is_one_by_its_dialect() -> None:
    for name, schema in every().items():
        jsonschema_rs.meta.validate(schema)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema", name
        assert schema["title"] == name


def test_the_id_of_an_events_schema_is_the_urn_that_events_carry() -> None:
    for what, event in EVENTS.items():
        schema = schemas.schema_of(event.type_name())
        assert schema is not None
        assert schema["$id"] == cloudevents.schema(what, event.v)


def test_no_two_schemas_have_one_id() -> None:
    ids = [schema["$id"] for schema in every().values()]
    assert len(set(ids)) == len(ids)
    assert all(one.startswith("urn:felt:schema:") for one in ids)


def test_no_schema_refers_to_another() -> None:
    assert [name for name, schema in every().items() if "$ref" in json.dumps(schema)] == []


def test_every_field_says_what_it_is() -> None:
    silent = [
        (name, field)
        for name, schema in every().items()
        for part in objects(schema)
        for field, one in part["properties"].items()
        if not one.get("description", "").strip().endswith((".", "}", "...")) or "title" in one
    ]
    assert silent == []


def test_what_the_table_writes_is_open_and_what_it_reads_is_closed() -> None:
    for name, schema in every().items():
        if name.startswith(WRITTEN_BY_OTHERS):
            assert schema["additionalProperties"] is False, name
        else:
            assert [one for one in objects(schema) if one.get("additionalProperties") is False] == [], name


def test_what_may_be_left_out_is_never_null() -> None:
    """What is none is left out of events and commands, so no consumer need tell the two apart."""
    null = [
        (name, field)
        for name, schema in every().items()
        if name not in TOLD
        for part in objects(schema)
        for field, one in part["properties"].items()
        if {"type": "null"} in one.get("anyOf", ())
    ]
    assert null == []


def test_a_schema_as_it_is_read() -> None:
    schema = schemas.schema_of("felt.deck.shuffle-interrupted.v1")
    assert schema is not None
    context = schema["properties"].pop("context")
    assert list(context["properties"]) == ["round", "deck", "seat", "hand", "incident", "test"]
    assert schema == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:felt:schema:deck:shuffle-interrupted:1",
        "title": "felt.deck.shuffle-interrupted.v1",
        "description": "The shuffler jammed, stopped in a shuffle, or did not complete its cycle.",
        "type": "object",
        "properties": {
            "n": {
                "description": "The device's own number of this event since its boot, from 1; absent"
                " where it has none.",
                "type": "integer",
                "minimum": 1,
            },
            "device": {
                "description": "The device, by its id in the configuration.",
                "type": "string",
                "pattern": "^[a-z0-9][a-z0-9-]{0,31}$",
            },
            "batch": {
                "description": "The shuffler's own number of the batch.",
                "type": "integer",
                "minimum": 0,
                "maximum": 9007199254740992,
            },
            "why": {
                "description": "It jammed, it stopped, or it did not complete its cycle.",
                "type": "string",
                "enum": ["jam", "stopped", "incomplete"],
            },
            "where": {
                "description": "Where in the device, in its own word; empty where it does not say.",
                "type": "string",
                "maxLength": 64,
                "default": "",
            },
        },
        "required": ["device", "batch", "why"],
    }
