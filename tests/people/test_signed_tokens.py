"""A signed command, byte by byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt_protocols.signed.claims import Claims, TokenRefused, Wanted, Wish
from felt_protocols.signed.making import countersign, key_from_pem, new_key, pem_of, public_of, sign
from felt_protocols.signed.public import kid_of, public_bytes, public_text
from felt_protocols.signed.reading import read, verifying_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

    Keys = Mapping[str, Ed25519PublicKey]

ANN, BEN = "EH7DDX5BKSRGCYTL", "HH3RHUFGIQST6BCS"

# The header is {"alg":"EdDSA","kid":"EH7DDX5BKSRGCYTL","typ":"felt-command+jwt"}, the claims are
# {"jti":"7f9c2ba4","aud":"asia-1","start":"0f3a9c52","cmd":"acknowledge","args":{"hold":7},"role":"floor",
#  "exp":1764547200}, without the line's end.
HEADER = "eyJhbGciOiJFZERTQSIsImtpZCI6IkVIN0REWDVCS1NSR0NZVEwiLCJ0eXAiOiJmZWx0LWNvbW1hbmQrand0In0"
PAYLOAD = (
    "eyJqdGkiOiI3ZjljMmJhNCIsImF1ZCI6ImFzaWEtMSIsInN0YXJ0IjoiMGYzYTljNTIiLCJjbWQiOiJhY2tub3ds"
    "ZWRnZSIsImFyZ3MiOnsiaG9sZCI6N30sInJvbGUiOiJmbG9vciIsImV4cCI6MTc2NDU0NzIwMH0"
)
# Source: openssl pkeyutl -sign -rawin, with the key of RFC 8037, A.1.
SIGNATURE = "uEHkJIKZ6Gd2dHFTeRCC-VrOBEodsPVi_2rBxsqCOToT8akTQYcY1PF7BCgn_aLARm0qqvMIMr94xgSyVPZvAQ"
GOLDEN = f"{HEADER}.{PAYLOAD}.{SIGNATURE}"
PEM = b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
"""


def test_a_command_is_signed_as_on_paper(wish: Wish) -> None:
    assert sign(key_from_pem(PEM), wish, role="floor", expires=1764547200) == GOLDEN


@pytest.mark.parametrize("token", [GOLDEN, GOLDEN.encode()])
def test_a_command_signed_elsewhere_is_read(token: str | bytes, keys: Keys, wanted: Wanted) -> None:
    assert read(token, keys, wanted) == Claims(
        jti="7f9c2ba4",
        aud="asia-1",
        start="0f3a9c52",
        cmd="acknowledge",
        args={"hold": 7},
        kid=ANN,
        role="floor",
        exp=1764547200,
        second_kid=None,
    )


def test_what_may_be_left_out_is_none(ann: Ed25519PrivateKey, wish: Wish, keys: Keys, wanted: Wanted) -> None:
    claims = read(sign(ann, wish), keys, wanted)
    assert (claims.role, claims.exp, claims.second_kid) == (None, None, None)


def test_a_second_signature_is_read(
    ann: Ed25519PrivateKey, ben: Ed25519PrivateKey, wish: Wish, keys: Keys, wanted: Wanted
) -> None:
    second = countersign(ben, wish, first=ANN)
    assert read(sign(ann, wish, second=second), keys, wanted).second_kid == BEN


def test_a_command_counts_until_the_second_it_ends_in(keys: Keys) -> None:
    def at(now_s: float | None) -> Claims:
        return read(
            GOLDEN, keys, Wanted(table="asia-1", start="0f3a9c52", command="acknowledge", now_s=now_s)
        )

    assert at(1764547199.9).jti == "7f9c2ba4"
    with pytest.raises(TokenRefused) as refused:
        at(1764547200.0)
    assert (refused.value.reason, refused.value.kid, refused.value.jti) == ("expired", ANN, "7f9c2ba4")
    # Without a trusted clock nobody can say that it is over.
    assert at(None).jti == "7f9c2ba4"


@pytest.mark.parametrize("wrong", ["ab\n", "é", "", "a b", "a" * 65])
def test_no_token_is_made_that_no_table_takes(wrong: str, ann: Ed25519PrivateKey) -> None:
    with pytest.raises(ValueError, match="jti"):
        sign(ann, Wish(jti=wrong, table="asia-1", start="0f", command="acknowledge", args={}))


@pytest.mark.parametrize("value", [0.5, float("nan"), 2**53, "\ud800"])
def test_arguments_that_two_readers_could_read_differently_are_not_signed(
    value: object, ann: Ed25519PrivateKey
) -> None:
    with pytest.raises(ValueError, match=r"integer|surrogates"):
        sign(ann, Wish(jti="1", table="asia-1", start="0f", command="order", args={"x": value}))


def test_a_token_has_16_kib_at_most(ann: Ed25519PrivateKey, keys: Keys) -> None:
    def told(note: str) -> Wish:
        return Wish(jti="1", table="asia-1", start="0f", command="report", args={"note": note})

    wanted = Wanted(table="asia-1", start="0f", command="report", now_s=None)
    largest = sign(ann, told("x" * 12_083))
    assert len(largest) == 16_383
    assert read(largest, keys, wanted).args == {"note": "x" * 12_083}
    with pytest.raises(ValueError, match="16384 bytes at most, this one would have 16385"):
        sign(ann, told("x" * 12_084))


# All characters that UTF-8 has. Asked for by that name, they would take Hypothesis seconds to find.
CHARACTERS = st.characters(exclude_categories=["Cs"])
json_values: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(CHARACTERS, max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(CHARACTERS, max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(st.text(CHARACTERS, max_size=8), json_values, max_size=4).filter(
        lambda args: depth(args) < 8
    )
)
def test_whatever_is_signed_is_read(args: dict[str, Any]) -> None:
    key = key_from_pem(PEM)
    wish = Wish(jti="1", table="t", start="s", command="c", args=args)
    wanted = Wanted(table="t", start="s", command="c", now_s=None)
    assert read(sign(key, wish), {ANN: key.public_key()}, wanted).args == args


def depth(value: object) -> int:
    """Count how deep lists and objects are nested."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def test_a_key_survives_its_file() -> None:
    key = key_from_pem(PEM)
    assert pem_of(key) == PEM
    assert public_text(public_of(key)) == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    assert kid_of(public_of(key)) == ANN


def test_every_new_key_is_another() -> None:
    assert public_of(new_key()) != public_of(new_key())


def test_a_public_key_survives_its_text() -> None:
    text = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    assert public_bytes(text).hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    verifying_key(text).verify(bytes.fromhex(_RFC_8032_TEST_1), b"")


_RFC_8032_TEST_1 = (
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0"
    "595bbe24655141438e7a100b"
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUR", "43 characters"),
        ("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=", "43 characters"),
        ("11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo", "43 characters"),
        ("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURp", "no public key ends so"),
        ("A" * 43, "anybody could sign"),
        ("AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "anybody could sign"),
        ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA", "anybody could sign"),
        ("7P________________________________________8", "anybody could sign"),
    ],
)
def test_what_is_no_public_key_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        public_bytes(text)


def test_only_an_open_private_key_of_the_right_kind_is_taken() -> None:
    encrypted = b"""-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjdnMuiOLWT2wICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEAIC45pq/UVr0oYBKE0+700EQEBm
7q8o7je7knv+X3pPlUFF5WBH9h6jn2oaq/5WsQzkNRcyN/J44CpIWYUxFHms1xnx
95enH13riscnqid64pc=
-----END ENCRYPTED PRIVATE KEY-----
"""
    with pytest.raises(ValueError, match="without a password"):
        key_from_pem(encrypted)
    x25519 = b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VuBCIEILCNbrxYQX9wx941RyfWp/azWoiZ+SPqVdHYDuCPyzNl
-----END PRIVATE KEY-----
"""
    with pytest.raises(ValueError, match="not one of Ed25519"):
        key_from_pem(x25519)
    with pytest.raises(ValueError, match="PEM"):
        key_from_pem(b"-----BEGIN NOTHING-----")
