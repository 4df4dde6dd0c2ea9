"""Who signed a command. For the publisher's process: it loads PyJWT and cryptography."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from felt_protocols.signed.claims import Claims, TokenRefused, Wanted
from felt_protocols.signed.reading import read, verifying_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    from felt_daemon.people.register import Entry, Register
    from felt_protocols.signed.claims import Why


@dataclass(frozen=True, slots=True)
class Signed:
    """A command, who signed it, and the other one who did, if there is one."""

    claims: Claims
    by: Entry
    second: Entry | None


def who_signed(token: bytes | str, register: Register, wanted: Wanted) -> Signed:
    """The command in a token and the entries whose valid keys have signed it. Raises TokenRefused.

    A role that the token names is one that its signer has. Which roles the command asks of either, the table
    knows. A refusal that has a `jti` goes to the holder of its `kid`; one without is answered to nobody.
    """
    keys = {
        key.kid: _verifying(key.public) for entry in register.entries if not entry.off for key in entry.keys
    }
    claims = read(token, keys, wanted)
    now = None if wanted.now_s is None else datetime.fromtimestamp(wanted.now_s, UTC)
    by = _holder(register, claims.kid, now, claims)
    if claims.role is not None and claims.role not in by.roles:
        raise _refused("not-their-role", f"{by.id} does not have the role {claims.role}", claims)
    if claims.second_kid is None:
        return Signed(claims, by, None)
    second = _holder(register, claims.second_kid, now, claims)
    if second.id == by.id:
        raise _refused("same-person", f"both signatures are by {by.id}", claims)
    for entry in (by, second):
        if entry.kind != "person":
            raise _refused("same-person", f"it takes two people, and {entry.id} is a system", claims)
    return Signed(claims, by, second)


@functools.lru_cache(maxsize=4096)
def _verifying(public: str) -> Ed25519PublicKey:
    """Made once for each key: a flood of tokens makes no key of a large register again."""
    return verifying_key(public)


def _holder(register: Register, kid: str, now: datetime | None, claims: Claims) -> Entry:
    """Whose key it is; refused where the key does not count any more."""
    holder = register.holder(kid)
    if holder is None or not holder.key.valid(now):
        why = "is revoked or has come to its end"
        if holder is not None and holder.key.revoked is None and now is None:
            why = "is in its overlap, which counts only while the table's clock is trusted"
        raise _refused("revoked-key", f"key {kid} {why}", claims)
    return holder.entry


def _refused(reason: Why, text: str, claims: Claims) -> TokenRefused:
    return TokenRefused(reason, text, claims.kid, claims.jti)
