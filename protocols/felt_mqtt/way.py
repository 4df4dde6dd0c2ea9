"""What a connection is told, what it tells, and how a broker answers. Nothing here knows a library."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from felt_protocols.errors import LinkLost

# Reason codes of MQTT 5 that are acted on. Source: MQTT 5.0, 2.4.
SUCCESS: Final = 0x00
NO_MATCHING_SUBSCRIBERS: Final = 0x10
FIRST_FAILURE: Final = 0x80
NOT_AUTHORIZED: Final = 0x87
SESSION_TAKEN_OVER: Final = 0x8E
PACKET_TOO_LARGE: Final = 0x95
PAYLOAD_FORMAT_INVALID: Final = 0x99

# "If the Receive Maximum value is absent, then its value defaults to 65,535." Source: MQTT 5.0, 3.2.2.3.3.
RECEIVE_MAXIMUM: Final = 65_535


class BrokerLost(LinkLost):
    """There is no connection, or no more. `code` is the broker's reason, None where it gave none.

    Where no connection came about, `__cause__` is what the system or TLS said of that, if they did.
    """

    def __init__(self, why: str, evidence: str = "", code: int | None = None) -> None:
        super().__init__(why, evidence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Message:
    """What is published, always at QoS 1. `content_type` None: nothing is said of it."""

    topic: str
    payload: bytes
    retain: bool = False
    content_type: str | None = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Where the broker is and as whom to go there.

    A packet goes out every `keepalive_s`; bytes that nobody takes for twice as long end the connection.
    """

    host: str
    port: int
    client_id: str
    keepalive_s: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Hello:
    """What the broker hears at the beginning, beside who comes.

    Packets larger than `packet_bytes` it keeps to itself. Without `unreleased` each message is PUBACKed as it
    comes; with it when it is released, and the broker sends no more than so many ahead of that. `will` is
    published by the broker when the connection ends without a DISCONNECT.

    Source: MQTT 5.0, 3.1.2.11.3, 3.1.2.11.4 and 3.1.2.5.
    """

    packet_bytes: int
    unreleased: int | None = None
    will: Message | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What the broker takes: messages without a PUBACK at one time, and bytes in a packet."""

    receive_maximum: int = RECEIVE_MAXIMUM
    packet_bytes: float = math.inf
