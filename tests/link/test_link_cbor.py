"""Felt Link bodies: one way to say a thing, and every other is refused without a raise."""

from __future__ import annotations

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt_protocols.link.cbor import MAX_DEPTH, BodyError, decode_map, encode_map
from felt_protocols.link.frame import Frame, Garbled
from felt_protocols.link.messages import parse

READ = [
    ("A0", {}),
    ("A1 60 00", {"": 0}),
    ("A1 61 61 00", {"a": 0}),
    ("A1 61 61 17", {"a": 23}),
    ("A1 61 61 18 18", {"a": 24}),
    ("A1 61 61 19 01 00", {"a": 256}),
    ("A1 61 61 1B FF FF FF FF FF FF FF FF", {"a": 18446744073709551615}),
    ("A1 61 61 20", {"a": -1}),
    ("A1 61 61 3B FF FF FF FF FF FF FF FF", {"a": -18446744073709551616}),
    ("A1 61 61 F4", {"a": False}),
    ("A1 61 61 F5", {"a": True}),
    ("A1 61 61 62 C3 A9", {"a": "\u00e9"}),
    ("A1 61 61 42 00 FF", {"a": b"\x00\xff"}),
    ("A1 61 61 82 01 61 62", {"a": [1, "b"]}),
    ("A1 61 61 A1 61 62 80", {"a": {"b": []}}),
    ("A3 61 61 01 61 62 02 62 61 61 03", {"a": 1, "b": 2, "aa": 3}),
]


@pytest.mark.parametrize(("data", "body"), READ)
def test_a_deterministic_body_is_read_and_written_the_same(data: str, body: dict[str, object]) -> None:
    assert decode_map(bytes.fromhex(data)) == body
    assert encode_map(body) == bytes.fromhex(data)


REFUSED = [
    ("", "cbor", "an empty body"),
    ("01", "not a map", "a number"),
    ("80", "not a map", "an array"),
    ("60", "not a map", "a text"),
    ("F6", "not a map", "null"),
    ("A1", "cbor", "a map that ends before it begins"),
    ("A1 61 61", "cbor", "a key without a value"),
    ("A0 00", "not deterministic", "a byte behind the map"),
    ("A0 A0", "not deterministic", "a second map"),
    ("A1 01 02", "cbor", "a number as key"),
    ("A1 41 61 02", "key", "bytes as key"),
    ("A1 62 C3 A9 02", "key", "a key that is not ASCII"),
    ("A1 F6 02", "cbor", "null as key"),
    ("A1 80 02", "cbor", "an array as key"),
    ("A2 61 61 01 61 61 01", "cbor", "a key twice"),
    ("A2 61 62 01 61 61 02", "order of keys", "keys out of order"),
    ("A2 62 61 61 01 61 62 02", "order of keys", "the longer key first"),
    ("A1 61 61 A2 61 62 01 61 61 02", "order of keys", "keys out of order inside"),
    ("BF 61 61 01 FF", "cbor", "a map without a length"),
    ("A1 61 61 9F 01 FF", "cbor", "an array without a length"),
    ("A1 61 61 7F 61 61 FF", "cbor", "a text without a length"),
    ("A1 61 61 5F 41 61 FF", "cbor", "bytes without a length"),
    ("A1 61 61 FF", "cbor", "a break where a value should be"),
    ("B8 01 61 61 01", "not deterministic", "a long head on the map"),
    ("A1 78 01 61 01", "not deterministic", "a long head on a key"),
    ("A1 61 61 18 00", "not deterministic", "a long head on a number"),
    ("A1 61 61 1A 00 00 FF FF", "not deterministic", "a number longer than it needs"),
    ("A1 61 61 98 01 00", "not deterministic", "a long head on an array"),
    ("A1 61 61 1C", "cbor", "a reserved head"),
    ("A1 61 61 F9 3C 00", "type", "a half float"),
    ("A1 61 61 FA 3F 80 00 00", "type", "a float"),
    ("A1 61 61 FB 3F F0 00 00 00 00 00 00", "type", "a double"),
    ("A1 61 61 F9 7E 00", "type", "not a number"),
    ("A1 61 61 F9 7C 00", "type", "infinity"),
    ("A1 61 61 F6", "type", "null"),
    ("A1 61 61 F7", "type", "undefined"),
    ("A1 61 61 E0", "type", "a simple value"),
    ("A1 61 61 F8 FF", "type", "a simple value in two bytes"),
    ("A1 61 61 F8 14", "cbor", "false in two bytes"),
    ("A1 61 61 81 F6", "type", "null in an array"),
    ("A1 61 61 D8 63 00", "type", "a tag that means nothing to the library"),
    ("A1 61 61 DB FF FF FF FF FF FF FF FF 00", "type", "the highest tag"),
    ("A1 D8 63 61 61 00", "cbor", "a tag as key"),
    ("D8 63 A0", "not a map", "a tagged body"),
    ("A1 61 61 61 FF", "cbor", "text that is not UTF-8"),
    ("A1 61 61 63 ED A0 80", "cbor", "half a surrogate pair"),
    ("A1 61 61 9B 7F FF FF FF FF FF FF FF 00", "cbor", "an array of 2^63-1 items"),
    ("A1 61 61 5B 7F FF FF FF FF FF FF FF 00", "cbor", "2^63-1 bytes"),
    ("A1 61 61 7B FF FF FF FF FF FF FF FF 00", "cbor", "a text of 2^64-1 bytes"),
    ("BB 7F FF FF FF FF FF FF FF 00", "cbor", "a map of 2^63-1 pairs"),
    ("81" * 1000, "cbor", "arrays a thousand deep"),
    ("A1 61 61" * 300 + "00", "cbor", "maps three hundred deep"),
    ("A1 61 61 81 81 81 81 00", "cbor", "one container too deep"),
]


@pytest.mark.parametrize(("data", "why"), [row[:2] for row in REFUSED], ids=[row[2] for row in REFUSED])
def test_every_other_body_is_garbled(data: str, why: str) -> None:
    body = bytes.fromhex(data)
    with pytest.raises(BodyError, match=rf"^{why}$"):
        decode_map(body)
    assert parse(Frame(0x10, 0, body)) == Garbled(why, (b"\x01\x10\x00" + body)[:16])


# Each with a value that its tag could stand for.
TAGGED = [
    ("C0 74 32 30 31 33 2D 30 33 2D 32 31 54 32 30 3A 30 34 3A 30 30 5A", "a date in text"),
    ("C1 1A 51 4B 67 B0", "a date in seconds"),
    ("C2 49 01 00 00 00 00 00 00 00 00", "a big number"),
    ("C2 41 01", "a small number written as a big one"),
    ("C3 49 01 00 00 00 00 00 00 00 00", "a big negative number"),
    ("C4 82 21 19 6A B3", "a decimal fraction"),
    ("C5 82 1A 7F FF FF FF 01", "a big float of two thousand million bits"),
    ("D8 19 00", "a string reference"),
    ("D8 1C 00", "a shared value"),
    ("D8 1C 81 D8 1D 00", "an array that holds itself"),
    ("D8 1D 00", "a reference to nothing"),
    ("D8 1E 82 01 03", "a rational"),
    ("D8 23 63 28 61 29", "a regular expression"),
    ("D8 23 6A 28 28 28 28 28 28 28 28 28 28", "a broken regular expression"),
    ("D8 24 62 0A 61", "a MIME message"),
    ("D8 25 50 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F", "a UUID"),
    ("D8 34 44 C0 00 02 01", "an IPv4 address"),
    ("D8 36 50 20 01 0D B8 00 00 00 00 00 00 00 00 00 00 00 01", "an IPv6 address"),
    ("D8 64 00", "a day"),
    ("D9 01 00 81 61 61", "a string reference domain"),
    ("D9 01 02 81 01", "a set"),
    ("D9 01 04 44 C0 00 02 01", "an address"),
    ("D9 01 05 A1 44 C0 00 02 00 18 18", "a network"),
    ("D9 03 EC 6A 32 30 31 33 2D 30 33 2D 32 31", "a day in text"),
    ("D9 A7 F8 82 01 02", "a complex number"),
    ("D9 D9 F7 00", "the mark of CBOR itself"),
]


@pytest.mark.parametrize("tagged", [row[0] for row in TAGGED], ids=[row[1] for row in TAGGED])
def test_no_tag_is_taken(tagged: str) -> None:
    for data in (f"A1 61 61 {tagged}", tagged, f"A1 61 61 81 {tagged}"):
        with pytest.raises(BodyError, match=r"^cbor$"):
            decode_map(bytes.fromhex(data))


@pytest.mark.parametrize("tag", [row[0] for row in TAGGED], ids=[row[1] for row in TAGGED])
def test_a_tag_is_no_key(tag: str) -> None:
    with pytest.raises(BodyError):
        decode_map(bytes.fromhex(f"A1 {tag} 00"))


def test_four_containers_may_stand_in_each_other() -> None:
    assert MAX_DEPTH == 4
    assert decode_map(bytes.fromhex("A1 61 61 81 81 81 00")) == {"a": [[[0]]]}


# All characters that UTF-8 has. Asked for by that name, they would take Hypothesis seconds to find.
CHARACTERS = st.characters(exclude_categories=["Cs"])
VALUES = st.recursive(
    st.integers(-(2**64), 2**64 - 1)
    | st.booleans()
    | st.text(CHARACTERS, max_size=8)
    | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcxyz"), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.text(st.characters(max_codepoint=127), max_size=30)
BODIES = st.dictionaries(
    NAMES,
    st.integers(-(2**64), 2**64 - 1) | st.text(CHARACTERS, max_size=9) | st.binary(max_size=9),
    max_size=5,
)


@given(BODIES)
def test_what_is_written_is_read(body: dict[str, object]) -> None:
    assert decode_map(encode_map(body)) == body


@given(st.binary(max_size=60) | VALUES.map(cbor2.dumps) | BODIES.map(cbor2.dumps))
def test_bytes_are_read_one_way_or_refused(data: bytes) -> None:
    try:
        body = decode_map(data)
    except BodyError:
        return
    assert encode_map(body) == data


@given(BODIES.map(encode_map), st.data())
def test_a_changed_byte_is_another_body_or_none(data: bytes, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(data) - 1))
    changed = data[:at] + bytes((draw.draw(st.integers(0, 255)),)) + data[at + 1 :]
    try:
        body = decode_map(changed)
    except BodyError:
        return
    assert encode_map(body) == changed
