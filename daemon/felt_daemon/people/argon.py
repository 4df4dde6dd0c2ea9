"""Hashes of PINs: argon2id. Takes 19 MiB and some tenths of a second, so never in the device process."""

from __future__ import annotations

from argon2 import PasswordHasher, Type

# "Use Argon2id with a minimum configuration of 19 MiB of memory, an iteration count of 2, and 1 degree of
# parallelism." Source: OWASP, Password Storage Cheat Sheet.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, type=Type.ID)


def hashed(pin: str) -> str:
    """The encoded hash of a PIN, with a salt of its own; `check` compares."""
    return _HASHER.hash(pin)
