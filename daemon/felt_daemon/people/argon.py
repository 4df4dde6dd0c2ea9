"""Hashes of PINs: argon2id. Takes 19 MiB and some tenths of a second, so never in the device process."""

from __future__ import annotations

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

# "Use Argon2id with a minimum configuration of 19 MiB of memory, an iteration count of 2, and 1 degree of
# parallelism." Source: OWASP, Password Storage Cheat Sheet.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, type=Type.ID)


def hashed(pin: str) -> str:
    """The encoded hash of a PIN, with a salt of its own."""
    return _HASHER.hash(pin)


def matches(encoded: str, pin: str) -> bool:
    """Whether the hash is of this PIN; False for a hash that cannot be read or computed."""
    try:
        return _HASHER.verify(encoded, pin)
    except (InvalidHashError, VerificationError):
        return False
