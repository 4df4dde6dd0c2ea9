"""Making keys and tokens: what a floor system does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from jwt import PyJWS

from felt_protocols.signed.claims import (
    ALGORITHM,
    COMMAND_TYPE,
    LARGEST_TOKEN,
    SECOND_TYPE,
    CommandBody,
    Same,
    SecondBody,
    Wish,
)
from felt_protocols.signed.public import kid_of
from felt_protocols.signed.strict import parsed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_protocols.events.person import Role

_JWS = PyJWS(algorithms=[ALGORITHM])


def new_key() -> Ed25519PrivateKey:
    """A new private key, from the system's randomness."""
    return Ed25519PrivateKey.generate()


def public_of(key: Ed25519PrivateKey) -> bytes:
    """The 32 bytes of the public key."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def pem_of(key: Ed25519PrivateKey) -> bytes:
    """The private key as PEM (PKCS 8), not encrypted: whoever can read it can sign."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def key_from_pem(pem: bytes) -> Ed25519PrivateKey:
    """The private key in a PEM file without a password; raises ValueError for anything else."""
    try:
        key = load_pem_private_key(pem, password=None)
    except TypeError:
        raise ValueError("the private key is encrypted; it must be without a password") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError("the private key is not one of Ed25519")  # noqa: TRY004 - wrong text, not a wrong call
    return key


def sign(
    key: Ed25519PrivateKey,
    wish: Wish,
    *,
    role: Role | None = None,
    expires: int | None = None,
    second: str | None = None,
) -> str:
    """The token of a command; raises ValueError for one that no table would take.

    `role` is the one to act in where the signer has several. `expires` is in seconds since 1970. `second`
    comes from `countersign`.
    """
    more = {"role": role, "exp": expires, "second": second}
    given = {name: value for name, value in more.items() if value is not None}
    return _token(key, COMMAND_TYPE, CommandBody, _same(wish) | given)


def countersign(key: Ed25519PrivateKey, wish: Wish, *, first: str) -> str:
    """The second signature for the same wish, which the key named `first` signs. It is no command by itself.

    Raises ValueError as `sign` does.
    """
    return _token(key, SECOND_TYPE, SecondBody, _same(wish) | {"first": first})


def _same(wish: Wish) -> dict[str, Any]:
    return {
        "jti": wish.jti,
        "aud": wish.table,
        "start": wish.start,
        "cmd": wish.command,
        "args": dict(wish.args),
    }


def _token(key: Ed25519PrivateKey, type_: str, model: type[Same], claims: Mapping[str, Any]) -> str:
    payload = json.dumps(claims, separators=(",", ":")).encode("ascii")
    model.model_validate(parsed(payload))
    token = _JWS.encode(payload, key, ALGORITHM, {"kid": kid_of(public_of(key)), "typ": type_})
    if len(token) > LARGEST_TOKEN:
        raise ValueError(f"a token has {LARGEST_TOKEN} bytes at most, this one would have {len(token)}")
    return token
