"""What the adapter is told, what it tells, and how a broker answers. Nothing here knows a library."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from felt_protocols.errors import LinkLost

if TYPE_CHECKING:
    import ssl

# Reason codes of MQTT 5 that are acted on. Source: MQTT 5.0, 2.4.
SUCCESS: Final = 0x00
NO_MATCHING_SUBSCRIBERS: Final = 0x10
FIRST_FAILURE: Final = 0x80
NOT_AUTHORIZED: Final = 0x87
SESSION_TAKEN_OVER: Final = 0x8E
PACKET_TOO_LARGE: Final = 0x95
PAYLOAD_FORMAT_INVALID: Final = 0x99

# "If the Receive Maximum value is absent, then its value defaults to 65,535." Source: MQTT 5.0, 3.2.2.3.3.
RECEIVE_MAXIMUM = 65_535


class BrokerLost(LinkLost):
    """There is no connection, or no more. `code` is the broker's reason, None where it gave none."""

    def __init__(self, why: str, evidence: str = "", code: int | None = None) -> None:
        super().__init__(why, evidence)
        self.code = code


class Untrusted(BrokerLost):
    """There is no connection, as TLS does not hold: only people can put that right.

    `by_clock`: another time of day would give another verdict.
    """

    def __init__(self, evidence: str, *, by_clock: bool = False) -> None:
        super().__init__("no connection", evidence)
        self.by_clock = by_clock


@dataclass(frozen=True, slots=True)
class Message:
    """What is published, always at QoS 1."""

    topic: str
    payload: bytes
    retain: bool = False
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Where the broker is and as whom to go there. The client id is the table's id.

    With `tls` there is a connection only to a broker that proves itself; without, nothing is encrypted.
    """

    host: str
    port: int
    client_id: str
    keepalive_s: int = 5
    user: str | None = None
    password: str | None = None
    tls: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What the broker takes: messages without a PUBACK at one time, and bytes in a packet."""

    receive_maximum: int = RECEIVE_MAXIMUM
    packet_bytes: float = math.inf
