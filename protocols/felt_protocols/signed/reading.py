"""Reading tokens: every doubt is a refusal, and nothing is believed before its signature is checked."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from jwt import PyJWS
from jwt.exceptions import InvalidSignatureError, PyJWTError
from pydantic import BaseModel, ValidationError

from felt_protocols.signed.claims import (
    ALGORITHM,
    COMMAND_TYPE,
    LARGEST_TOKEN,
    SECOND_TYPE,
    Claims,
    CommandBody,
    Header,
    Same,
    SecondBody,
    TokenRefused,
    Wanted,
)
from felt_protocols.signed.public import public_bytes
from felt_protocols.signed.strict import canonical, parsed

if TYPE_CHECKING:
    from collections.abc import Mapping

_JWS = PyJWS(algorithms=[ALGORITHM])
# Three parts of base64url without padding; a signature has 64 bytes.
_COMPACT = re.compile(r"([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}")

_Model = TypeVar("_Model", bound=BaseModel)


def verifying_key(text: str) -> Ed25519PublicKey:
    """The key to check signatures with; raises ValueError for text that is no public key."""
    return Ed25519PublicKey.from_public_bytes(public_bytes(text))


def read(token: bytes | str, keys: Mapping[str, Ed25519PublicKey], wanted: Wanted) -> Claims:
    """The command in a token that one of `keys`, by their names, has signed.

    Raises TokenRefused, and nothing else whatever the token is.
    """
    kid, payload = _verified(token, COMMAND_TYPE, keys)
    body = _said(payload, CommandBody, kid)
    _compare(body, wanted, kid)
    return Claims(
        jti=body.jti,
        aud=body.aud,
        start=body.start,
        cmd=body.cmd,
        args=body.args,
        kid=kid,
        role=body.role,
        exp=body.exp,
        second_kid=None if body.second is None else _second(body, body.second, kid, keys),
    )


def _verified(token: bytes | str, type_: str, keys: Mapping[str, Ed25519PublicKey]) -> tuple[str, bytes]:
    """The key and the payload of a token whose signature is right."""
    if len(token) > LARGEST_TOKEN:
        raise TokenRefused("too-large", f"a token has {LARGEST_TOKEN} bytes at most")
    text = token if isinstance(token, str) else token.decode("latin-1")
    compact = _COMPACT.fullmatch(text)
    if compact is None:
        raise TokenRefused("malformed", "not three parts of base64url with a signature of 64 bytes")
    header = _header(compact[1])
    if header.alg != ALGORITHM:
        raise TokenRefused(
            "algorithm", f"signed with {header.alg[:20]!r}; only {ALGORITHM} is taken", header.kid
        )
    if header.typ != type_:
        raise TokenRefused(
            "malformed", f"a token of type {header.typ[:40]!r}; it must be {type_}", header.kid
        )
    key = keys.get(header.kid)
    if key is None:
        raise TokenRefused("unknown-key", f"no key {header.kid} is registered", header.kid)
    try:
        payload: bytes = _JWS.decode(text, key, algorithms=[ALGORITHM])
    except InvalidSignatureError:
        raise TokenRefused(
            "forged", f"not signed by key {header.kid}, or changed since", header.kid
        ) from None
    except PyJWTError as error:
        raise TokenRefused("malformed", str(error), header.kid) from None
    return header.kid, payload


def _header(part: str) -> Header:
    """The header, which nobody has vouched for yet: it only says which key to try."""
    try:
        return _checked(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)), Header)
    except ValueError as error:
        raise TokenRefused("malformed", f"header: {error}") from None


def _said(payload: bytes, model: type[_Model], kid: str) -> _Model:
    try:
        return _checked(payload, model)
    except ValueError as error:
        raise TokenRefused("bad-claims", f"claims: {error}", kid) from None


def _checked(data: bytes, model: type[_Model]) -> _Model:
    """The model of a JSON object; raises ValueError with the first thing that is wrong."""
    given = parsed(data)
    nothing = [name for name, value in given.items() if value is None]
    if nothing:
        raise ValueError(f"{nothing[0][:40]!r} is null; leave it out instead")
    try:
        return model.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{where[:40]!r}: {first['msg']}") from None


def _compare(body: CommandBody, wanted: Wanted, kid: str) -> None:
    """Refuse what is for another table, run, topic or time."""
    if body.aud != wanted.table:
        raise TokenRefused("wrong-table", f"for table {body.aud}, and this is {wanted.table}", kid, body.jti)
    if body.start != wanted.start:
        text = (
            f"for the run {body.start}, and this is {wanted.start}: read `start` in the table's status again"
        )
        raise TokenRefused("wrong-start", text, kid, body.jti)
    if body.cmd != wanted.command:
        text = f"{body.cmd} was sent to the topic of {wanted.command}"
        raise TokenRefused("wrong-command", text, kid, body.jti)
    if body.exp is not None and wanted.now_s is not None and wanted.now_s >= body.exp:
        raise TokenRefused("expired", f"it was to be carried out before {body.exp}", kid, body.jti)


def _second(body: CommandBody, token: str, first: str, keys: Mapping[str, Ed25519PublicKey]) -> str:
    """The key of the second signature."""
    try:
        kid, payload = _verified(token, SECOND_TYPE, keys)
        other = _said(payload, SecondBody, kid)
    except TokenRefused as refused:
        raise TokenRefused(refused.reason, f"second signature: {refused}", first, body.jti) from None
    if kid == first:
        raise TokenRefused("same-key", f"both signatures are by key {kid}", first, body.jti)
    if other.first != first or _alike(other) != _alike(body):
        text = f"the second signature, by key {kid}, is for another command"
        raise TokenRefused("second-differs", text, first, body.jti)
    return kid


def _alike(body: Same) -> str:
    return canonical(body.model_dump(include=set(Same.model_fields)))
