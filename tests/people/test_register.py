"""The register's file: what it may say, and every mistake with its place."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.people import BrokenRegister, Key, NoRegister, Register

if TYPE_CHECKING:
    from pathlib import Path

ANN_KEY = {
    "kid": "EH7DDX5BKSRGCYTL",
    "public": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    "since": "2026-01-01T00:00:00Z",
}
PIN = "$argon2id$v=19$m=19456,t=2,p=1$kJ1lZ1pdi9rgmHJK3pGNlw$TeRW0TQ1D8SivekqmYeLwARIUn+NFqmdVJ4T/BQf5vE"
ANN: dict[str, Any] = {"id": "ann", "name": "Ann Bell", "kind": "person", "roles": ["floor"]}
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def read(*entries: object, **more: object) -> Register:
    content = {"version": 1, "entries": list(entries), **more}
    return Register.read(json.dumps(content).encode(), "people.json")


def mistakes(*entries: object, **more: object) -> list[str]:
    with pytest.raises(BrokenRegister) as broken:
        read(*entries, **more)
    return list(broken.value.mistakes)


def test_a_whole_entry_is_read() -> None:
    ends = {**ANN_KEY, "until": "2026-03-01T12:00:00Z"}
    [ann] = read({**ANN, "pin": PIN, "keys": [ends], "off": False}).entries
    assert (ann.id, ann.name, ann.kind, ann.roles, ann.pin) == ("ann", "Ann Bell", "person", ("floor",), PIN)
    assert ann.keys[0].until == NOON
    assert not ann.off


def test_an_entry_is_found_by_its_id_and_by_its_key() -> None:
    register = read({**ANN, "keys": [ANN_KEY]}, {**ANN, "id": "ben"})
    entry = register.entry("ann")
    assert entry is not None
    assert entry.name == "Ann Bell"
    holder = register.holder("EH7DDX5BKSRGCYTL")
    assert holder is not None
    assert (holder.entry.id, holder.key.kid) == ("ann", "EH7DDX5BKSRGCYTL")
    assert register.entry("cal") is None
    assert register.holder("AAAAAAAAAAAAAAAA") is None


def test_an_entry_that_is_off_is_nobody() -> None:
    register = read({**ANN, "keys": [ANN_KEY], "off": True})
    assert register.entry("ann") is None
    assert register.holder("EH7DDX5BKSRGCYTL") is None
    assert [entry.id for entry in register.entries] == ["ann"]


@pytest.mark.parametrize(
    ("ends", "at_noon", "without_a_clock"),
    [
        ({}, "valid", "valid"),
        ({"until": "2026-03-01T12:00:01Z"}, "valid", "not"),
        ({"until": "2026-03-01T12:00:00Z"}, "not", "not"),
        ({"revoked": "2026-03-01T11:00:00Z"}, "not", "not"),
        # Revoked by somebody whose clock was years ahead: it is revoked all the same.
        ({"revoked": "2031-01-01T00:00:00Z"}, "not", "not"),
        ({"until": "2031-01-01T00:00:00Z", "revoked": "2031-01-01T00:00:00Z"}, "not", "not"),
    ],
)
def test_when_a_key_counts(ends: dict[str, str], at_noon: str, without_a_clock: str) -> None:
    [ann] = read({**ANN, "keys": [{**ANN_KEY, **ends}]}).entries
    assert ann.keys[0].valid(NOON) is (at_noon == "valid")
    assert ann.keys[0].valid(None) is (without_a_clock == "valid")


def test_every_mistake_is_named_with_its_place() -> None:
    bad_key = {**ANN_KEY, "kid": "AAAAAAAAAAAAAAAA"}
    found = mistakes(
        {**ANN, "id": "Ann"},
        {**ANN, "id": "floor", "roles": []},
        {**ANN, "id": "cal", "roles": ["boss"], "colour": "red"},
        {**ANN, "id": "dee", "name": " Dee", "keys": [bad_key]},
        {"id": "eve"},
        {**ANN, "id": "fay", "roles": ["floor", "floor"], "pin": "123456"},
        "gus",
        extra=1,
    )
    assert [one.partition(": ")[0] for one in found] == [
        "entries[0] (Ann).id",
        "entries[1] (floor).id",
        "entries[1] (floor).roles",
        "entries[2] (cal).roles[0]",
        "entries[2] (cal).colour",
        "entries[3] (dee).name",
        "entries[3] (dee).keys[0]",
        "entries[4] (eve).name",
        "entries[4] (eve).kind",
        "entries[4] (eve).roles",
        "entries[5] (fay).roles",
        "entries[5] (fay).pin",
        "entries[6]",
        "extra",
    ]
    assert found[6] == (
        "entries[3] (dee).keys[0]: kid does not belong to this public key, whose kid is EH7DDX5BKSRGCYTL"
    )
    assert found[10] == "entries[5] (fay).roles: a role is given twice"


def test_a_mistake_is_told_without_the_hash_of_a_pin() -> None:
    [found] = mistakes({**ANN, "pin": "$2b$12$abcdefghijklmnopqrstuv"})
    assert "abcdef" not in found
    assert found.startswith("entries[0] (ann).pin: String should match pattern")


@pytest.mark.parametrize(
    "pin",
    [
        "274951",
        PIN.replace("argon2id", "argon2i"),
        PIN.replace("m=19456", "m=4194304"),
        PIN.replace("t=2", "t=1000"),
        PIN + "\n",
    ],
)
def test_a_pin_that_is_no_hash_or_takes_the_box_down_is_a_mistake(pin: str) -> None:
    assert len(mistakes({**ANN, "pin": pin})) == 1


def test_a_system_has_no_pin() -> None:
    assert mistakes({**ANN, "kind": "system", "pin": PIN}) == [
        "entries[0] (ann): a system has no PIN; it signs"
    ]


def test_ids_and_keys_stand_once_also_beside_other_mistakes() -> None:
    ann, ben = {**ANN, "keys": [ANN_KEY]}, {**ANN, "id": "ben", "keys": [ANN_KEY]}
    assert mistakes(ann, {**ANN}, ben) == [
        "entries: id 'ann' is given more than once",
        "entries: public '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' is given more than once",
    ]
    more = mistakes(ann, {**ANN, "roles": []}, 7, {"id": "cal", "keys": 7})
    assert more[0] == "entries[1] (ann).roles: an entry has one role or more"
    assert more[-1] == "entries: id 'ann' is given more than once"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no valid JSON"),
        (b'{"version": 1, "entries": [', "no valid JSON"),
        (b'{"version": 1, "version": 1, "entries": []}', "a name is given twice"),
        (b"[]", "no JSON object"),
        (b"{}", "version: Field required"),
        (b'{"version": 2, "entries": []}', "version: Input should be 1"),
        (b'{"version": 1, "entries": {}}', "entries: Input should be a valid array"),
        (b"\xff\xfe", "no valid JSON"),
        (b" " * (1024 * 1024 + 1), "larger than 1048576 bytes"),
    ],
)
def test_what_is_no_register_gives_nobody_a_role(data: bytes, says: str) -> None:
    with pytest.raises(BrokenRegister, match=f"people.json: .*{says}"):
        Register.read(data, "people.json")


def test_half_a_register_is_none() -> None:
    whole = json.dumps({"version": 1, "entries": [{**ANN, "keys": [ANN_KEY]}]}).encode()
    assert Register.read(whole, "x").entries
    for length in range(len(whole)):
        with pytest.raises(BrokenRegister):
            Register.read(whole[:length], "x")


def test_a_missing_register_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoRegister, match=r"nobody.json: the register of people cannot be read: No such file"):
        Register.load(tmp_path / "nobody.json")


def test_a_key_is_made_of_its_text() -> None:
    assert Key.of(ANN_KEY["public"], NOON).kid == "EH7DDX5BKSRGCYTL"
    with pytest.raises(ValueError, match="43 characters"):
        Key.of("short", NOON)
