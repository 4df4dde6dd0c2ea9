"""`script/contract`: an addition keeps the version, a breach is told as one and is not written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import contract_schemas
import pytest

from felt_protocols import schemas
from felt_protocols.events import EVENTS, card, upcast

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMAS = Path("protocols/felt_protocols/schemas")
JAMMED = "felt.card.shoe-jammed.v1"
STATE = "felt.picture.state.v1"
ORDER = "felt.command.order.v1"
REPLY = "felt.message.reply.v1"

Schema = dict[str, Any]


class Published:
    """Some published schemas in a folder of their own, as if they had been published otherwise."""

    def __init__(self, root: Path, program: dict[str, Any], made: dict[str, Schema]) -> None:
        self.root = root
        self.made = made
        self._contract = program["Contract"]
        (root / SCHEMAS).mkdir(parents=True)
        (root / "docs").mkdir()
        assert self.write() == []

    def schema(self, name: str) -> Schema:
        """The published schema of this name."""
        found: Schema = json.loads((self.root / SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
        return found

    def otherwise(self, name: str, change: Callable[[Schema], object]) -> None:
        """Let a schema have been published otherwise."""
        schema = self.schema(name)
        change(schema)
        (self.root / SCHEMAS / f"{name}.json").write_text(json.dumps(schema), encoding="utf-8")

    def check(self) -> list[str]:
        """What is wrong."""
        found: list[str] = self._contract(self.made, self.root).wrong()
        return found

    def write(self) -> list[str]:
        """Write what may be written; what may not."""
        found: list[str] = self._contract(self.made, self.root).write()
        return found


@pytest.fixture
def contract(tmp_path: Path, program: dict[str, Any]) -> Published:
    """Give some published schemas."""
    made = {name: schema for name in (JAMMED, STATE, ORDER, REPLY) if (schema := schemas.schema_of(name))}
    return Published(tmp_path, program, made)


def test_what_is_published_is_what_the_models_say(
    program: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert program["main"](["--check"]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_wrong_is_said_and_ends_in_failure(
    program: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert program["main"](["--check"], tmp_path) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("script/contract: felt.card.card-drawn.v1: new, and has no file: run")
    assert len(told) == len(schemas.names())


def test_what_no_field_needs_and_what_nothing_says_is_told() -> None:
    words = {"every": {"n": "Its number."}, "shoe-loaded": {"colour": "Its colour."}}
    maker = contract_schemas.Schemas(words)
    with pytest.raises(
        contract_schemas.NoWords, match=r"^nothing says what device of shoe-loaded means: write"
    ):
        maker.every()
    assert contract_schemas.unused(maker, words) == ["shoe-loaded.colour"]


REMEDY = (
    "Consumers and the journal have v1: make it v2 (`v` in the class) with a function in"
    " felt_protocols/events/upcast.py from v1 to v2. If v1 was never released, delete"
    f" {SCHEMAS}/{JAMMED}.json and run script/contract"
)


@pytest.mark.parametrize(
    ("published", "said"),
    [
        (
            lambda schema: schema["properties"].update(speed={"type": "integer"}),
            "speed: the field was removed",
        ),
        (
            lambda schema: schema["properties"]["where"].update(type="integer"),
            'where: type was "integer" and is "string"',
        ),
        (
            lambda schema: schema["properties"]["where"].update(maxLength=32),
            "where: maxLength was 32 and is 64",
        ),
        (
            lambda schema: schema["properties"]["where"].update(default="exit"),
            'where: default was "exit" and is ""',
        ),
        (
            lambda schema: schema["properties"]["where"].update(enum=["exit", "lift"]),
            'where: enum was ["exit", "lift"] and is nothing',
        ),
        (
            lambda schema: schema["required"].append("where"),
            "where: the field had to be there, and need not be",
        ),
        (
            lambda schema: schema["required"].remove("device"),
            "device: the field must be there, and did not have to be",
        ),
        (
            lambda schema: schema["properties"].pop("device"),
            "device: a field was added that must be there, and older ones do not have it",
        ),
        (
            lambda schema: schema["properties"]["context"]["properties"].update(table={"type": "string"}),
            "context.table: the field was removed",
        ),
    ],
)
def test_anything_else_is_a_breach_that_says_what_to_do_and_is_not_written(
    contract: Published, published: Callable[[Schema], object], said: str
) -> None:
    contract.otherwise(JAMMED, published)
    before = contract.schema(JAMMED)
    told = [f"{JAMMED}: BREAKING: {said}. {REMEDY}"]
    assert contract.check() == told
    assert contract.write() == told
    assert contract.schema(JAMMED) == before


def test_a_value_more_is_a_breach_where_the_table_writes_and_none_where_it_reads(contract: Published) -> None:
    contract.otherwise(STATE, lambda schema: schema["properties"]["state"]["enum"].remove("idle"))
    contract.otherwise(ORDER, lambda schema: schema["properties"]["what"]["enum"].remove("burn"))
    said = contract.check()
    assert said[0].startswith(f'{STATE}: BREAKING: state: the value "idle" was added. Others')
    assert said[1:] == [
        f'{ORDER}: additive: what: the value "burn" was added. The version stays: run script/contract'
    ]


def test_what_need_not_be_said_any_more_is_a_breach_only_where_the_table_writes(contract: Published) -> None:
    contract.otherwise(ORDER, lambda schema: schema["required"].append("deck"))
    assert contract.write() == []


def test_a_value_less_is_a_breach_on_both_sides(contract: Published) -> None:
    contract.otherwise(ORDER, lambda schema: schema["properties"]["what"]["enum"].append("cut"))
    [said] = contract.check()
    assert said.startswith(f'{ORDER}: BREAKING: what: the value "cut" was removed. Others')


def test_another_form_of_a_message_is_a_breach(contract: Published) -> None:
    contract.otherwise(REPLY, lambda schema: schema["oneOf"].pop())
    [said] = contract.check()
    assert said.startswith(f"{REPLY}: BREAKING: it had 1 forms and has 2. Others")


def test_a_field_of_one_form_is_found(contract: Published) -> None:
    contract.otherwise(REPLY, lambda schema: schema["oneOf"][0]["properties"]["id"].pop("pattern"))
    [said] = contract.check()
    assert said.startswith(f'{REPLY}: BREAKING: id: pattern was nothing and is "^[!-~]{{1,64}}$". Others')


def test_a_field_of_an_item_is_found(contract: Published) -> None:
    contract.otherwise(
        STATE, lambda schema: schema["properties"]["holds"]["items"]["properties"].pop("owner")
    )
    [said] = contract.check()
    assert "BREAKING: holds[].owner: a field was added that must be there" in said


def test_other_words_are_no_change_of_the_contract(contract: Published) -> None:
    contract.otherwise(JAMMED, lambda schema: schema.update(description="The shoe is stuck."))
    assert contract.check() == [f"{JAMMED}: other words: run script/contract"]
    assert contract.write() == []


def test_an_event_without_a_file_is_new(contract: Published) -> None:
    (contract.root / SCHEMAS / f"{JAMMED}.json").unlink()
    assert contract.check() == [f"{JAMMED}: new, and has no file: run script/contract"]


def test_an_event_that_is_gone_is_a_breach(contract: Published) -> None:
    del contract.made[JAMMED]
    assert contract.check() == [f"{JAMMED}: BREAKING: nothing has this name any more. {REMEDY}"]


def test_a_file_that_somebody_wrote_by_hand_is_out_of_date(contract: Published) -> None:
    contract.otherwise(JAMMED, lambda _schema: None)
    (contract.root / "docs" / "asyncapi.json").write_text("{}", encoding="utf-8")
    assert contract.check() == [
        f"{SCHEMAS}/{JAMMED}.json is out of date: run script/contract",
        "docs/asyncapi.json is out of date: run script/contract",
    ]


class ShoeJammed(card.ShoeFact):
    """The shoe jammed, and how badly."""

    v = 2
    where: int


def test_a_second_version_stands_beside_the_first_once_there_is_a_way_from_it(
    contract: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EVENTS, "shoe-jammed", ShoeJammed)
    first, second = contract.schema(JAMMED), "felt.card.shoe-jammed.v2"
    contract.made = {second: first | {"$id": "urn:felt:schema:card:shoe-jammed:2"}}
    for name in (STATE, ORDER, REPLY):
        (contract.root / SCHEMAS / f"{name}.json").unlink()
    assert contract.check()[0] == (
        f"{JAMMED}: BREAKING: no function in felt_protocols/events/upcast.py reads version 1"
    )
    monkeypatch.setitem(upcast.UPCASTERS, ("shoe-jammed", 1), lambda body: body | {"where": 0})
    assert contract.write() == []
    assert contract.schema(JAMMED) == first
    document = json.loads((contract.root / "docs" / "asyncapi.json").read_text(encoding="utf-8"))
    assert {JAMMED, second} <= document["channels"]["event-card"]["messages"].keys()
    assert contract.check() == []
