"""From a token to the people who signed it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from felt_daemon.people import Entry, Key, Register, changes
from felt_daemon.people.signed import who_signed
from felt_protocols.signed.claims import TokenRefused, Wanted, Wish
from felt_protocols.signed.making import countersign, key_from_pem, sign

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ANN, PIT = "EH7DDX5BKSRGCYTL", "HH3RHUFGIQST6BCS"
# The time of `wanted`.
NOW = datetime.fromtimestamp(1764547000, UTC)
SECOND = timedelta(seconds=1)
# Source: RFC 8410, 10.3.
THIRD = b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
"""
THIRD_PUBLIC = "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE"


def reason(token: str, register: Register, wanted: Wanted) -> tuple[str, str | None, str | None]:
    """Why a token is refused, and who is told so about which request."""
    with pytest.raises(TokenRefused) as refused:
        who_signed(token, register, wanted)
    return refused.value.reason, refused.value.kid, refused.value.jti


def test_one_signature_is_one_entrys(
    ann: Ed25519PrivateKey, wish: Wish, register: Register, wanted: Wanted
) -> None:
    signed = who_signed(sign(ann, wish, role="dealer"), register, wanted)
    assert (signed.by.id, signed.second, signed.claims.role) == ("ann", None, "dealer")
    assert signed.claims.args == {"hold": 7}


def test_two_signatures_are_two_people(
    ann: Ed25519PrivateKey, wish: Wish, register: Register, wanted: Wanted
) -> None:
    dan = Entry(id="dan", name="Dan", kind="person", roles=("floor",), keys=(Key.of(THIRD_PUBLIC, NOW),))
    token = sign(key_from_pem(THIRD), wish, second=countersign(ann, wish, first=dan.keys[0].kid))
    signed = who_signed(token, changes.added(register, dan), wanted)
    assert signed.second is not None
    assert (signed.by.id, signed.second.id) == ("dan", "ann")


def test_a_system_beside_a_person_is_not_two_people(
    ann: Ed25519PrivateKey, ben: Ed25519PrivateKey, wish: Wish, register: Register, wanted: Wanted
) -> None:
    system_first = sign(ben, wish, second=countersign(ann, wish, first=PIT))
    assert reason(system_first, register, wanted) == ("same-person", PIT, "7f9c2ba4")
    system_second = sign(ann, wish, second=countersign(ben, wish, first=ANN))
    assert reason(system_second, register, wanted) == ("same-person", ANN, "7f9c2ba4")


def test_a_role_that_one_does_not_have_cannot_be_named(
    ann: Ed25519PrivateKey, wish: Wish, register: Register, wanted: Wanted
) -> None:
    assert reason(sign(ann, wish, role="finance"), register, wanted) == ("not-their-role", ANN, "7f9c2ba4")


def test_a_revoked_key_signs_nothing(
    ann: Ed25519PrivateKey, wish: Wish, register: Register, wanted: Wanted
) -> None:
    after = changes.without_key(register, ANN, NOW + timedelta(days=9999))
    assert reason(sign(ann, wish), after, wanted) == ("revoked-key", ANN, "7f9c2ba4")


def test_a_rotated_key_signs_until_the_overlap_ends_and_not_without_a_clock(
    ben: Ed25519PrivateKey, wish: Wish, register: Register, wanted: Wanted
) -> None:
    new = Key.of(THIRD_PUBLIC, NOW)
    token = sign(ben, wish)
    longer = changes.rotated(register, "pit-3", new, NOW, NOW + SECOND)
    assert who_signed(token, longer, wanted).by.id == "pit-3"
    assert reason(token, longer, replace(wanted, now_s=1764547001.0))[0] == "revoked-key"
    with pytest.raises(TokenRefused, match="only while the table's clock is trusted") as refusal:
        who_signed(token, longer, replace(wanted, now_s=None))
    assert refusal.value.reason == "revoked-key"
    # The new key needs no clock.
    fresh = sign(key_from_pem(THIRD), wish)
    assert who_signed(fresh, longer, replace(wanted, now_s=None)).by.id == "pit-3"


def test_who_is_off_signs_nothing_and_is_told_nothing(
    ann: Ed25519PrivateKey, wish: Wish, register: Register, wanted: Wanted
) -> None:
    after = changes.switched_off(register, "ann", NOW)
    assert reason(sign(ann, wish), after, wanted) == ("unknown-key", ANN, None)


def test_two_keys_of_one_person_are_one_person(
    ann: Ed25519PrivateKey, wish: Wish, register: Register, wanted: Wanted
) -> None:
    both = changes.with_key(register, "ann", Key.of(THIRD_PUBLIC, NOW))
    token = sign(ann, wish, second=countersign(key_from_pem(THIRD), wish, first=ANN))
    assert reason(token, both, wanted) == ("same-person", ANN, "7f9c2ba4")


def test_a_revoked_key_is_no_second_signature(
    ann: Ed25519PrivateKey, ben: Ed25519PrivateKey, wish: Wish, register: Register, wanted: Wanted
) -> None:
    after = changes.without_proof(register, "pit-3", NOW)
    token = sign(ann, wish, second=countersign(ben, wish, first=ANN))
    assert reason(token, after, wanted) == ("revoked-key", ANN, "7f9c2ba4")
