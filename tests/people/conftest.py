"""Two known keys, tokens made by hand, and registers."""

from __future__ import annotations

import base64
import json
import resource
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from felt_daemon.people import Register
from felt_protocols.signed.claims import Wanted, Wish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Forge = Callable[..., str]

# Source: RFC 8037, A.1 (which is RFC 8032, 7.1, test 1) and RFC 8032, 7.1, test 2; the names with sha256sum.
ANN_PRIVATE = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
ANN_PUBLIC = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
ANN_KID = "EH7DDX5BKSRGCYTL"
BEN_PRIVATE = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
BEN_PUBLIC = "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw"
BEN_KID = "HH3RHUFGIQST6BCS"


def text_of(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


@pytest.fixture
def ann() -> Ed25519PrivateKey:
    """The key of RFC 8037."""
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(ANN_PRIVATE))


@pytest.fixture
def ben() -> Ed25519PrivateKey:
    """The second key of RFC 8032."""
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(BEN_PRIVATE))


@pytest.fixture
def keys(ann: Ed25519PrivateKey, ben: Ed25519PrivateKey) -> Mapping[str, Ed25519PublicKey]:
    """Both, by their names."""
    return {ANN_KID: ann.public_key(), BEN_KID: ben.public_key()}


@pytest.fixture
def wish() -> Wish:
    """Hold 7 of table asia-1 is acknowledged."""
    return Wish(jti="7f9c2ba4", table="asia-1", start="0f3a9c52", command="acknowledge", args={"hold": 7})


@pytest.fixture
def wanted() -> Wanted:
    """What that wish is for, 200 s before 2025-12-01."""
    return Wanted(table="asia-1", start="0f3a9c52", command="acknowledge", now_s=1764547000.0)


@pytest.fixture
def forge(ann: Ed25519PrivateKey) -> Forge:
    """Sign any header and payload at all, written as JSON unless they are bytes."""

    def forged(header: object, payload: object, key: Ed25519PrivateKey = ann) -> str:
        parts = [part if isinstance(part, bytes) else json.dumps(part).encode() for part in (header, payload)]
        signed = ".".join(text_of(part) for part in parts)
        return f"{signed}.{text_of(key.sign(signed.encode('ascii')))}"

    return forged


@pytest.fixture
def full_disk() -> Iterator[None]:
    """Let this process write no more than 64 bytes into a file, as on a disk that is full."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, most))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


@pytest.fixture
def register() -> Register:
    """Ann, of the floor, and a system of the floor's, with those keys."""
    since = "2026-01-01T00:00:00Z"
    keys = [{"kid": ANN_KID, "public": ANN_PUBLIC, "since": since}]
    bens = [{"kid": BEN_KID, "public": BEN_PUBLIC, "since": since}]
    content = {
        "version": 1,
        "entries": [
            {"id": "ann", "name": "Ann Bell", "kind": "person", "roles": ["floor", "dealer"], "keys": keys},
            {
                "id": "pit-3",
                "name": "Pit 3",
                "kind": "system",
                "roles": ["floor", "floor-system"],
                "keys": bens,
            },
        ],
    }
    return Register.read(json.dumps(content).encode(), "people.json")
