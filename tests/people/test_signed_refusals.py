"""What is no signed command, and the word that says why."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt_protocols.signed.claims import TokenRefused, Wanted, Wish
from felt_protocols.signed.making import countersign, public_of, sign
from felt_protocols.signed.public import kid_of
from felt_protocols.signed.reading import read, verifying_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

    Keys = Mapping[str, Ed25519PublicKey]
    Forge = Callable[..., str]

ANN, BEN = "EH7DDX5BKSRGCYTL", "HH3RHUFGIQST6BCS"
ANN_PUBLIC = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
HEADER = {"alg": "EdDSA", "kid": ANN, "typ": "felt-command+jwt"}
CLAIMS: dict[str, Any] = {
    "jti": "7f9c2ba4",
    "aud": "asia-1",
    "start": "0f3a9c52",
    "cmd": "acknowledge",
    "args": {"hold": 7},
}


def refused(token: str | bytes, keys: Keys, wanted: Wanted) -> TokenRefused:
    """Give the refusal of a token that must not be taken."""
    with pytest.raises(TokenRefused) as found:
        read(token, keys, wanted)
    return found.value


def test_the_forge_makes_what_is_taken(forge: Forge, keys: Keys, wanted: Wanted) -> None:
    assert read(forge(HEADER, CLAIMS), keys, wanted).args == {"hold": 7}


# The bytes of a token.


@pytest.mark.parametrize(
    "token",
    [
        "",
        ".",
        "..",
        "a.b",
        "é.é.é",
        b"\xff\xfe",
        "a" * 300,
        f"a.b.{'A' * 86}.d",
        '{"payload":"","signatures":[]}',
    ],
)
def test_what_is_not_three_parts_is_malformed(token: str | bytes, keys: Keys, wanted: Wanted) -> None:
    why = refused(token, keys, wanted)
    assert (why.reason, why.kid, why.jti) == ("malformed", None, None)


@pytest.mark.parametrize("make", [str.encode, str], ids=["bytes", "text"])
def test_more_than_16_kib_are_not_looked_at(make: Callable[[str], str], keys: Keys, wanted: Wanted) -> None:
    assert refused(make("x" * 16_384), keys, wanted).reason == "malformed"
    assert refused(make("x" * 16_385), keys, wanted).reason == "too-large"


@pytest.mark.parametrize("around", ["{} ", " {}", "{}\n", "{}=", "{}.", ".{}"])
def test_nothing_stands_before_or_after(around: str, forge: Forge, keys: Keys, wanted: Wanted) -> None:
    assert refused(around.format(forge(HEADER, CLAIMS)), keys, wanted).reason == "malformed"


def test_a_part_has_one_spelling_only(forge: Forge, keys: Keys, wanted: Wanted) -> None:
    token = forge(HEADER, CLAIMS)
    # 64 bytes leave four bits of the last character unused.
    assert token[-1] in "AQgw"
    other = chr(ord(token[-1]) + 1)
    assert refused(token[:-1] + other, keys, wanted).reason == "malformed"


@given(at=st.integers(0, 10_000), to=st.sampled_from("AQgwBz09-_.="))
def test_no_character_can_be_changed(at: int, to: str, taken: tuple[str, Keys, Wanted]) -> None:
    token, keys, wanted = taken
    at %= len(token)
    if token[at] != to:
        assert refused(token[:at] + to + token[at + 1 :], keys, wanted).reason in {
            "malformed",
            "unknown-key",
            "algorithm",
            "forged",
        }


def test_no_bit_of_the_signature_can_be_changed(taken: tuple[str, Keys, Wanted]) -> None:
    token, keys, wanted = taken
    head, _, tail = token.rpartition(".")
    signature = base64.urlsafe_b64decode(tail + "==")
    for bit in range(512):
        changed = bytearray(signature)
        changed[bit // 8] ^= 1 << bit % 8
        text = base64.urlsafe_b64encode(bytes(changed)).decode().rstrip("=")
        assert refused(f"{head}.{text}", keys, wanted).reason == "forged"


def test_a_signature_has_one_value_only(taken: tuple[str, Keys, Wanted]) -> None:
    token, keys, wanted = taken
    head, _, tail = token.rpartition(".")
    signature = base64.urlsafe_b64decode(tail + "==")
    # "S" plus the group's order verifies in careless libraries. Source: RFC 8032, 8.4.
    order = 2**252 + 27742317777372353535851937790883648493
    larger = (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
    text = base64.urlsafe_b64encode(signature[:32] + larger).decode().rstrip("=")
    assert refused(f"{head}.{text}", keys, wanted).reason == "forged"


@pytest.fixture(scope="module")
def taken() -> tuple[str, Keys, Wanted]:
    """A good token, the key it is read with, and what it is for."""
    golden = (
        "eyJhbGciOiJFZERTQSIsImtpZCI6IkVIN0REWDVCS1NSR0NZVEwiLCJ0eXAiOiJmZWx0LWNvbW1hbmQrand0In0."
        "eyJqdGkiOiI3ZjljMmJhNCIsImF1ZCI6ImFzaWEtMSIsInN0YXJ0IjoiMGYzYTljNTIiLCJjbWQiOiJhY2tub3dsZWRnZSIs"
        "ImFyZ3MiOnsiaG9sZCI6N30sInJvbGUiOiJmbG9vciIsImV4cCI6MTc2NDU0NzIwMH0."
        "uEHkJIKZ6Gd2dHFTeRCC-VrOBEodsPVi_2rBxsqCOToT8akTQYcY1PF7BCgn_aLARm0qqvMIMr94xgSyVPZvAQ"
    )
    wanted = Wanted(table="asia-1", start="0f3a9c52", command="acknowledge", now_s=None)
    return golden, {ANN: verifying_key(ANN_PUBLIC)}, wanted


# The header.


@pytest.mark.parametrize("alg", ["none", "None", "", "HS256", "HS512", "ES256", "RS256", "Ed25519", "eddsa"])
def test_another_algorithm_is_refused_by_its_name(alg: str, forge: Forge, keys: Keys, wanted: Wanted) -> None:
    why = refused(forge({**HEADER, "alg": alg}, CLAIMS), keys, wanted)
    assert (why.reason, why.kid, why.jti) == ("algorithm", ANN, None)


def test_the_public_key_is_no_password(ann: Ed25519PrivateKey, keys: Keys, wanted: Wanted) -> None:
    # Algorithm confusion: the key that everybody knows, taken for the secret of an HMAC.
    secret = ann.public_key().public_bytes_raw()
    headers = {"kid": ANN, "typ": "felt-command+jwt"}
    for algorithm in ("HS256", "HS384", "HS512"):
        token = jwt.PyJWS(options={"enforce_minimum_key_length": False}).encode(
            json.dumps(CLAIMS).encode(), secret.ljust(64, b"\0"), algorithm, headers
        )
        assert refused(token, keys, wanted).reason in {"malformed", "algorithm"}


def test_a_token_without_a_signature_is_malformed(keys: Keys, wanted: Wanted) -> None:
    headers = {"kid": ANN, "typ": "felt-command+jwt"}
    token = jwt.PyJWS().encode(json.dumps(CLAIMS).encode(), "", "none", headers)
    assert refused(token, keys, wanted).reason == "malformed"


@pytest.mark.parametrize(
    "more",
    [
        {"jwk": {"kty": "OKP", "crv": "Ed25519", "x": ANN_PUBLIC}},
        {"jku": "https://floor.example/keys"},
        {"x5c": ["MIIB"]},
        {"x5u": "https://floor.example/cert"},
        {"crit": ["exp"], "exp": 1},
        {"crit": ["b64"], "b64": False},
        {"b64": True},
        {"cty": "JWT"},
        {"zip": "DEF"},
    ],
)
def test_a_header_says_three_things_and_no_more(
    more: dict[str, Any], forge: Forge, keys: Keys, wanted: Wanted
) -> None:
    why = refused(forge({**HEADER, **more}, CLAIMS), keys, wanted)
    assert why.reason == "malformed"
    assert "header" in str(why)


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "EdDSA", "typ": "felt-command+jwt"},
        {"kid": ANN, "typ": "felt-command+jwt"},
        {"alg": "EdDSA", "kid": ANN},
        {**HEADER, "kid": 7},
        {**HEADER, "kid": "../etc/passwd"},
        {**HEADER, "kid": ANN.lower()},
        {**HEADER, "kid": None},
        {**HEADER, "alg": ["EdDSA"]},
        {**HEADER, "typ": "JWT"},
        {**HEADER, "typ": "felt-second+jwt"},
        ["EdDSA", ANN],
        b"",
        b"{",
        b"\xff",
        b'{"alg":"none","alg":"EdDSA","kid":"EH7DDX5BKSRGCYTL","typ":"felt-command+jwt"}',
    ],
)
def test_a_header_of_another_form_is_malformed(
    header: object, forge: Forge, keys: Keys, wanted: Wanted
) -> None:
    assert refused(forge(header, CLAIMS), keys, wanted).reason == "malformed"


def test_a_header_of_an_impossible_length_is_malformed(keys: Keys, wanted: Wanted) -> None:
    assert refused(f"abcde.e30.{'A' * 86}", keys, wanted).reason == "malformed"


# The key.


def test_a_key_that_nobody_registered_is_unknown(forge: Forge, wanted: Wanted, keys: Keys) -> None:
    why = refused(forge(HEADER, CLAIMS), {BEN: keys[BEN]}, wanted)
    assert (why.reason, why.kid, why.jti) == ("unknown-key", ANN, None)
    assert str(why) == "no key EH7DDX5BKSRGCYTL is registered"


def test_nobody_signs_with_the_name_of_another_ones_key(
    forge: Forge, ben: Ed25519PrivateKey, keys: Keys, wanted: Wanted
) -> None:
    why = refused(forge(HEADER, CLAIMS, ben), keys, wanted)
    assert (why.reason, why.kid, why.jti) == ("forged", ANN, None)


# The claims.


@pytest.mark.parametrize("name", ["jti", "aud", "start", "cmd", "args"])
def test_every_claim_of_the_five_must_be_there(name: str, forge: Forge, keys: Keys, wanted: Wanted) -> None:
    why = refused(forge(HEADER, {key: value for key, value in CLAIMS.items() if key != name}), keys, wanted)
    assert (why.reason, why.kid, why.jti) == ("bad-claims", ANN, None)
    assert str(why) == f"claims: '{name}': Field required"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("jti", ""),
        ("jti", "a" * 65),
        ("jti", "a b"),
        ("jti", "a\n"),
        ("jti", "é"),
        ("jti", 7),
        ("aud", ["asia-1"]),
        ("aud", "asia/1"),
        ("aud", "asia-1\n"),
        ("start", 7),
        ("start", ""),
        ("cmd", "a/b"),
        ("cmd", None),
        ("args", []),
        ("args", "{}"),
        ("args", None),
        ("role", "boss"),
        ("role", None),
        ("exp", "1764547200"),
        ("exp", -1),
        ("exp", True),
        ("second", 7),
        ("iat", 1764547200),
        ("nbf", 1764547200),
        ("iss", "floor"),
        ("first", BEN),
    ],
)
def test_a_claim_of_another_form_is_refused(
    name: str, value: object, forge: Forge, keys: Keys, wanted: Wanted
) -> None:
    why = refused(forge(HEADER, {**CLAIMS, name: value}), keys, wanted)
    assert (why.reason, why.kid) == ("bad-claims", ANN)
    assert f"'{name}'" in str(why)


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"\xef\xbb\xbf{}", "BOM"),
        (json.dumps(CLAIMS).encode("utf-16"), "utf-8"),
        (b'{"jti":"1","jti":"2"}', "a name is given twice"),
        (b'{"args":{"a":1,"a":1}}', "a name is given twice"),
        (b'{"args":{"a":1.0}}', "1.0 is no integer"),
        (b'{"args":{"a":1e3}}', "1e3 is no integer"),
        (b'{"args":{"a":NaN}}', "NaN is no integer"),
        (b'{"args":{"a":-Infinity}}', "-Infinity is no integer"),
        (b'{"args":{"a":9007199254740992}}', "larger than 2**53 - 1"),
        (b'{"args":{"a":-9007199254740992}}', "larger than 2**53 - 1"),
        (b'{"args":{"a":' + b"9" * 5000 + b"}}", "larger than 2**53 - 1"),
        (b'{"args":{"a":"\\ud800"}}', "surrogates"),
        (b'{"args":{"\\udc00":1}}', "surrogates"),
        (b'{"args":' + b"[" * 9 + b"]" * 9 + b"}", "nested deeper than 8"),
        (b"[" * 6000 + b"]" * 6000, "nested deeper than 8"),
        (b"[]", "no JSON object"),
        (b'"text"', "no JSON object"),
        (b"{} {}", "Extra data"),
    ],
)
def test_json_that_two_readers_could_read_differently_is_refused(
    payload: bytes, why: str, forge: Forge, keys: Keys, wanted: Wanted
) -> None:
    found = refused(forge(HEADER, payload), keys, wanted)
    assert found.reason == "bad-claims"
    assert why in str(found)


def test_the_largest_integers_and_the_deepest_nesting_are_taken(
    forge: Forge, keys: Keys, wanted: Wanted
) -> None:
    args = {"most": 2**53 - 1, "least": -(2**53) + 1, "deep": [[[[[[1]]]]]]}
    assert read(forge(HEADER, {**CLAIMS, "args": args}), keys, wanted).args == args
    deeper = {"deep": [[[[[[[1]]]]]]]}
    assert refused(forge(HEADER, {**CLAIMS, "args": deeper}), keys, wanted).reason == "bad-claims"


@pytest.mark.parametrize(
    ("other", "reason", "says"),
    [
        (("asia-2", "0f3a9c52", "acknowledge"), "wrong-table", "for table asia-1, and this is asia-2"),
        (("asia-1", "aaaaaaaa", "acknowledge"), "wrong-start", "for the run 0f3a9c52, and this is aaaaaaaa"),
        (
            ("asia-1", "0f3a9c52", "override"),
            "wrong-command",
            "acknowledge was sent to the topic of override",
        ),
    ],
)
def test_a_command_for_something_else_is_refused_and_answered(
    other: tuple[str, str, str], reason: str, says: str, forge: Forge, keys: Keys
) -> None:
    table, start, command = other
    wanted = Wanted(table=table, start=start, command=command, now_s=None)
    why = refused(forge(HEADER, CLAIMS), keys, wanted)
    assert (why.reason, why.kid, why.jti) == (reason, ANN, "7f9c2ba4")
    assert says in str(why)


# The second signature.


@pytest.fixture
def twice(ann: Ed25519PrivateKey, ben: Ed25519PrivateKey) -> Callable[[Wish, Wish], str]:
    """Have Ann sign one wish and Ben, for her, another."""
    return lambda hers, his: sign(ann, hers, second=countersign(ben, his, first=ANN))


@pytest.mark.parametrize(
    "other",
    [
        {"jti": "7f9c2ba5"},
        {"table": "asia-2"},
        {"start": "aaaaaaaa"},
        {"command": "override"},
        {"args": {"hold": 8}},
        {"args": {"hold": "7"}},
        {"args": {"hold": 7, "note": "x"}},
        {"args": {}},
    ],
)
def test_both_sign_the_same(
    other: dict[str, Any], twice: Callable[[Wish, Wish], str], wish: Wish, keys: Keys, wanted: Wanted
) -> None:
    why = refused(twice(wish, replace(wish, **other)), keys, wanted)
    assert (why.reason, why.kid, why.jti) == ("second-differs", ANN, "7f9c2ba4")


def test_true_is_not_1_in_what_both_sign(
    twice: Callable[[Wish, Wish], str], wish: Wish, keys: Keys, wanted: Wanted
) -> None:
    token = twice(replace(wish, args={"hold": 1}), replace(wish, args={"hold": True}))
    assert refused(token, keys, wanted).reason == "second-differs"


def test_the_order_of_the_arguments_is_nothing(
    twice: Callable[[Wish, Wish], str], wish: Wish, keys: Keys, wanted: Wanted
) -> None:
    token = twice(replace(wish, args={"b": 2, "a": 1}), replace(wish, args={"a": 1, "b": 2}))
    assert read(token, keys, wanted).second_kid == BEN


def test_one_key_does_not_sign_twice(ann: Ed25519PrivateKey, wish: Wish, keys: Keys, wanted: Wanted) -> None:
    why = refused(sign(ann, wish, second=countersign(ann, wish, first=ANN)), keys, wanted)
    assert (why.reason, why.kid, why.jti) == ("same-key", ANN, "7f9c2ba4")


def test_a_second_signature_for_one_signer_is_none_for_another(
    ann: Ed25519PrivateKey, ben: Ed25519PrivateKey, wish: Wish, keys: Keys, wanted: Wanted
) -> None:
    token = sign(ann, wish, second=countersign(ben, wish, first="A" * 16))
    assert refused(token, keys, wanted).reason == "second-differs"


def test_a_second_signature_is_no_command_and_a_command_no_second_signature(
    ann: Ed25519PrivateKey, ben: Ed25519PrivateKey, wish: Wish, keys: Keys, wanted: Wanted
) -> None:
    assert refused(countersign(ben, wish, first=ANN), keys, wanted).reason == "malformed"
    why = refused(sign(ann, wish, second=sign(ben, wish)), keys, wanted)
    assert (why.reason, why.kid, why.jti) == ("malformed", ANN, "7f9c2ba4")
    assert str(why).startswith("second signature: a token of type 'felt-command+jwt'")


def test_a_bad_second_signature_makes_the_whole_bad(
    ann: Ed25519PrivateKey, ben: Ed25519PrivateKey, wish: Wish, keys: Keys, wanted: Wanted
) -> None:
    second = countersign(ben, wish, first=ANN)
    changed = second[:-1] + ("A" if second[-1] != "A" else "Q")
    assert refused(sign(ann, wish, second=changed), keys, wanted).reason == "forged"
    why = refused(sign(ann, wish, second=second), {ANN: keys[ANN]}, wanted)
    assert (why.reason, why.kid, why.jti) == ("unknown-key", ANN, "7f9c2ba4")
    assert str(why) == f"second signature: no key {BEN} is registered"
    assert kid_of(public_of(ben)) == BEN
    assert refused(sign(ann, wish, second="x"), keys, wanted).reason == "malformed"


def test_the_second_signature_has_no_claims_of_its_own(
    forge: Forge, ben: Ed25519PrivateKey, keys: Keys, wanted: Wanted
) -> None:
    header = {"alg": "EdDSA", "kid": BEN, "typ": "felt-second+jwt"}
    good = forge(header, {**CLAIMS, "first": ANN}, ben)
    assert read(forge(HEADER, {**CLAIMS, "second": good}), keys, wanted).second_kid == BEN
    for claims in (
        CLAIMS,
        {**CLAIMS, "first": ANN, "role": "floor"},
        {**CLAIMS, "first": ANN, "second": "x"},
    ):
        second = forge(header, claims, ben)
        why = refused(forge(HEADER, {**CLAIMS, "second": second}), keys, wanted)
        assert (why.reason, why.jti) == ("bad-claims", "7f9c2ba4")
