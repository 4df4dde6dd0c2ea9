"""The schemas of commands and tokens: they take what the table takes, and refuse what it refuses."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import ValidationError

from felt_protocols.commands import COMMANDS
from felt_protocols.signed.claims import Wish
from felt_protocols.signed.making import countersign, public_of, sign
from felt_protocols.signed.public import kid_of

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
WISH = Wish(
    jti="7f9c2ba4",
    table="asia-1",
    start="0f3a9c52",
    command="override",
    args={"hold": 7, "reason": "counted by hand: 53"},
)

# Every command with all of its arguments.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "open-table": {},
    "close-table": {},
    "no-more-bets": {},
    "round-end": {},
    "new-dealer": {"dealer": "Dan"},
    "call-floor": {},
    "report": {
        "what": "cards-missing",
        "round": 18,
        "seat": 0,
        "seats": [1, 4],
        "deck": "blue",
        "device": "shoe-1",
        "note": "one on the floor",
    },
    "acknowledge": {"hold": 7},
    "override": {"hold": 7, "reason": "counted by hand: 53"},
    "release-round": {},
    "change-deck": {"deck": "blue", "preshuffled": True},
    "change-dice": {"device": "shaker-1"},
    "order": {"what": "recut", "deck": "blue"},
    "count": {"deck": "blue", "count": 53, "part": "deck"},
    "withdraw-card": {"deck": "blue", "place": "hand", "why": "bent", "card": "QD"},
    "replace-card": {"deck": "blue", "card": "JK"},
    "method": {"shuffle": "hand", "deal": "shoe", "start": "shaker"},
    "sign": {"device": "shoe-1", "sign": "covered"},
    "inspect": {"result": "in-order", "device": "shoe-1", "deck": "blue", "note": "clean"},
    "service-begin": {"device": "shoe-1", "why": "it jams"},
    "service-end": {"device": "shoe-1", "shown_empty": True},
    "device-retire": {"device": "shoe-1", "shown_empty": True, "note": "too old"},
    "device-accept": {"device": "shoe-1", "serial": "4711", "shown_empty": True},
    "jackpot-verify": {"meter": "royal", "hit": 3},
    "jackpot-paid": {"meter": "royal", "hit": 3, "by": "attendant"},
    "meter-reset": {"meter": "royal"},
    "meter-correct": {"meter": "royal", "cents": 1_000_000, "reason": "a typing error"},
    "replay": {"consumer": "pit-3", "after": 1000},
    "snapshot": {"consumer": "pit-3"},
}


def taken(name: str, args: dict[str, Any]) -> bool:
    """Whether the table's own model takes these arguments."""
    try:
        COMMANDS[name].model_validate(args)
    except ValidationError:
        return False
    return True


def parts(token: str) -> list[dict[str, Any]]:
    """Header and claims of a token, not checked."""
    return [
        json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))) for part in token.split(".")[:2]
    ]


def test_there_are_arguments_of_every_command_here_and_all_of_them() -> None:
    assert set(ARGUMENTS) == set(COMMANDS)
    assert all(ARGUMENTS[name].keys() == model.model_fields.keys() for name, model in COMMANDS.items())


def test_what_the_table_takes_the_schema_takes(obeys: Callable[[str, object], bool]) -> None:
    for name, args in ARGUMENTS.items():
        assert taken(name, args), name
        assert obeys(f"felt.command.{name}.v1", args), name


def test_what_the_table_refuses_the_schema_refuses(obeys: Callable[[str, object], bool]) -> None:
    for name, args in ARGUMENTS.items():
        wrong = [args | {"sooner": True}]
        for field in args:
            wrong += [args | {field: {"a": 1}}, args | {field: 1.5}, args | {field: "?" * 1000}]
        left = [{key: value for key, value in args.items() if key != field} for field in args]
        for one in wrong:
            assert not taken(name, one), (name, one)
            assert not obeys(f"felt.command.{name}.v1", one), (name, one)
        for one in left:
            assert taken(name, one) is obeys(f"felt.command.{name}.v1", one), (name, one)


def test_a_token_is_what_the_schemas_say(obeys: Callable[[str, object], bool]) -> None:
    second = countersign(OTHER, WISH, first=kid_of(public_of(KEY)))
    header, claims = parts(sign(KEY, WISH, role="floor", expires=1_796_066_405, second=second))
    assert obeys("felt.token.header.v1", header)
    assert obeys("felt.token.claims.v1", claims)
    assert not obeys("felt.token.second-header.v1", header)
    assert not obeys("felt.token.header.v1", header | {"jwk": {}})
    assert not obeys("felt.token.claims.v1", claims | {"iss": "pit-3"})
    assert not obeys("felt.token.claims.v1", claims | {"role": None})
    assert not obeys("felt.token.claims.v1", claims | {"exp": "tomorrow"})
    header, claims = parts(second)
    assert obeys("felt.token.second-header.v1", header)
    assert obeys("felt.token.second-claims.v1", claims)
    assert not obeys("felt.token.claims.v1", claims)


def test_the_answers_in_the_documentation_obey_their_schema(obeys: Callable[[str, object], bool]) -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").partition("## Over MQTT")[2]
    answers = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    assert [one["ok"] for one in answers] == [True, False]
    assert all(obeys("felt.message.reply.v1", one) for one in answers)


def test_the_messages_in_the_documentation_obey_their_schemas(obeys: Callable[[str, object], bool]) -> None:
    page = (ROOT / "docs" / "mqtt.md").read_text(encoding="utf-8")
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    [status] = [block for block in blocks if "online" in block]
    [event] = [block for block in blocks if "specversion" in block]
    assert obeys("felt.message.status.v1", status)
    assert obeys("felt.message.envelope.v1", event)
    assert obeys(event["type"], event["data"])
