"""The JSON Schemas of the contract, made of the models: of events, commands, pictures and messages."""

from __future__ import annotations

import inspect
import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from felt_protocols.cloudevents import schema as urn_of_event
from felt_protocols.commands import COMMANDS
from felt_protocols.events import EVENTS
from felt_protocols.pictures import TOLD
from felt_protocols.pictures.envelope import Context
from felt_protocols.signed.claims import ALGORITHM, COMMAND_TYPE, SECOND_TYPE, CommandBody, Header, SecondBody

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic import BaseModel

Schema = dict[str, Any]
Words = dict[str, dict[str, str]]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
WORDS = Path(__file__).with_name("contract_words.toml")
_EVERY: Final = "every"
# In which order a schema says what it says; what stands here in no place comes last.
_ORDER: Final = ("description", "type", "const", "enum", "pattern", "minimum", "maximum", "maxLength")


class NoWords(ValueError):  # noqa: N818 - it is what was met
    """A field that nothing says anything about; the text says where its words belong."""


class Schemas:
    """Makes schemas of models. `words`: what fields mean, by event, command or part, then by field."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self.used: set[tuple[str, str]] = set()

    def every(self) -> dict[str, Schema]:
        """All schemas by their names; raises `NoWords`."""
        found = dict(self._events()) | dict(self._commands()) | dict(self._told())
        return dict(sorted(found.items()))

    def _events(self) -> Iterator[tuple[str, Schema]]:
        for name, event in EVENTS.items():
            schema = self._object(event, name, without=event.private)
            context = self._object(Context, "context")
            schema["properties"]["context"] = context
            yield event.type_name(), _headed(event.type_name(), urn_of_event(name, event.v), schema)

    def _commands(self) -> Iterator[tuple[str, Schema]]:
        for name, command in COMMANDS.items():
            yield _named(f"felt.command.{name}.v1", _closed(self._object(command, name)))
        for name, model, type_ in (
            ("claims", CommandBody, COMMAND_TYPE),
            ("second-claims", SecondBody, SECOND_TYPE),
        ):
            yield _named(f"felt.token.{name}.v1", _closed(self._object(model, "claims")))
            header = self._object(Header, "claims")
            header["properties"]["alg"] |= {"const": ALGORITHM}
            header["properties"]["typ"] |= {"const": type_}
            yield _named(f"felt.token.{name.removesuffix('claims')}header.v1", _closed(header))

    def _told(self) -> Iterator[tuple[str, Schema]]:
        for name, models in TOLD.items():
            forms = [self._object(model, model.__name__) for model in models]
            yield _named(name, forms[0] if len(forms) == 1 else {"oneOf": forms})

    def _object(self, model: type[BaseModel], section: str, without: frozenset[str] = frozenset()) -> Schema:
        """The open schema of a model, with every part in its place instead of a reference."""
        whole = model.model_json_schema(by_alias=True)
        parts: dict[str, Schema] = whole.pop("$defs", {})
        return self._part(whole, section, parts, without)

    def _part(
        self, part: Schema, section: str, parts: Mapping[str, Schema], without: frozenset[str] = frozenset()
    ) -> Schema:
        """An object's schema: what is left out for null may be absent and is never null."""
        fields: dict[str, Schema] = {}
        for name, field in part["properties"].items():
            if name not in without:
                said = field.get("description") or self._say(section, name)
                fields[name] = _ordered(self._field(field, parts) | {"description": said})
        schema: Schema = {"description": _told_plainly(part["description"]), "type": "object"}
        schema["properties"] = fields
        required = [name for name in part.get("required", ()) if name not in without]
        return schema | ({"required": required} if required else {})

    def _field(self, field: Schema, parts: Mapping[str, Schema]) -> Schema:
        """A field's schema without its words; `default` null says that it is absent instead."""
        if "$ref" in field:
            name = field["$ref"].rpartition("/")[2]
            return self._part(parts[name], name, parts)
        made = {key: value for key, value in field.items() if key not in {"title", "description"}}
        if "anyOf" in made:
            forms = made.pop("anyOf")
            if "default" in made and made["default"] is None:
                del made["default"]
                forms = [form for form in forms if form != {"type": "null"}]
            kinds = [self._field(form, parts) for form in forms]
            return (kinds[0] if len(kinds) == 1 else {"anyOf": kinds}) | made
        for inner in ("items", "additionalProperties", "propertyNames"):
            if isinstance(made.get(inner), dict):
                made[inner] = self._field(made[inner], parts)
        if "patternProperties" in made:
            made["patternProperties"] = {
                pattern: self._field(inner, parts) for pattern, inner in made["patternProperties"].items()
            }
        if made.get("additionalProperties") is True:
            del made["additionalProperties"]
        return _ordered(made)

    def _say(self, section: str, field: str) -> str:
        for place in (section, _EVERY):
            said = self._words.get(place, {}).get(field)
            if said is not None:
                self.used.add((place, field))
                return said
        raise NoWords(
            f"nothing says what {field} of {section} means: write it into {WORDS.name}, [{section}]"
        )


def words_of(path: Path = WORDS) -> Words:
    """What fields mean, as the file of words says."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def unused(schemas: Schemas, words: Words) -> list[str]:
    """Words that no field has needed: `section.field`."""
    every = {(section, field) for section, fields in words.items() for field in fields}
    return sorted(f"{section}.{field}" for section, field in every - schemas.used)


def text_of(document: Mapping[str, Any]) -> str:
    """A document as its file has it."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def urn_of(name: str) -> str:
    """The `$id` of the schema of this name: `urn:felt:schema:picture:state:1`."""
    _felt, group, what, version = name.split(".")
    return f"urn:felt:schema:{group}:{what}:{version.removeprefix('v')}"


def _named(name: str, schema: Schema) -> tuple[str, Schema]:
    return name, _headed(name, urn_of(name), schema)


def _headed(name: str, urn: str, schema: Schema) -> Schema:
    return {"$schema": DIALECT, "$id": urn, "title": name, **schema}


def _closed(schema: Schema) -> Schema:
    """What the table reads is closed: it refuses a name that it does not know."""
    return schema | {"additionalProperties": False}


def _ordered(schema: Schema) -> Schema:
    known = {key: schema[key] for key in _ORDER if key in schema}
    return known | schema


def _told_plainly(docstring: str) -> str:
    """A docstring with a line for each of its paragraphs."""
    paragraphs = inspect.cleandoc(docstring).split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
