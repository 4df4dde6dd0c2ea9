"""Public keys as text, and the names that they have."""

from __future__ import annotations

import base64
import hashlib
import re

KEY_BYTES = 32
# 16 characters of base32, A to Z and 2 to 7: never the id of a person, which has no capitals.
KID_PATTERN = r"^[A-Z2-7]{16}$"

_TEXT = re.compile(r"[A-Za-z0-9_-]{43}")
_SIGN_BIT = 0x80
# Points of small order, the sign bit cleared: under such a "key" anybody can make signatures that verify.
# Source: RFC 7748, 6.1 and RFC 8032, 8.9 on the cofactor; each of these times 8 is the neutral element.
_WEAK = frozenset(
    bytes.fromhex(text)
    for text in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    )
)


def kid_of(public: bytes) -> str:
    """The name of a public key: the first 80 bits of its SHA-256 in base32."""
    return base64.b32encode(hashlib.sha256(public).digest()[:10]).decode("ascii")


def public_text(public: bytes) -> str:
    """The 32 bytes of a public key as base64url without padding, 43 characters."""
    return base64.urlsafe_b64encode(public).decode("ascii").removesuffix("=")


def public_bytes(text: str) -> bytes:
    """The bytes of a public key; raises ValueError for text that is none, or a key that proves nothing."""
    if not _TEXT.fullmatch(text):
        raise ValueError("a public key is 43 characters of base64url: A-Z, a-z, 0-9, - and _")
    public = base64.urlsafe_b64decode(text + "=")
    if public_text(public) != text:
        raise ValueError("no public key ends so; is the last character right?")
    if bytes((*public[:-1], public[-1] & ~_SIGN_BIT)) in _WEAK:
        raise ValueError("anybody could sign for this key (its point has a small order)")
    return public
