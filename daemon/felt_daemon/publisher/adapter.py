"""A table's connection to its broker: with a will, and with words for people where TLS does not hold.

Everything that an MQTT library is needed for is felt_mqtt's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from felt_daemon.publisher.tls import Distrust, Wire
from felt_daemon.publisher.way import Access, Untrusted
from felt_mqtt import connection
from felt_mqtt.client import Client
from felt_mqtt.way import (
    FIRST_FAILURE,
    NO_MATCHING_SUBSCRIBERS,
    NOT_AUTHORIZED,
    PACKET_TOO_LARGE,
    PAYLOAD_FORMAT_INVALID,
    SESSION_TAKEN_OVER,
    SUCCESS,
    BrokerLost,
    Hello,
    Limits,
    Message,
)

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

__all__ = [
    "FIRST_FAILURE",
    "LARGEST_PACKET",
    "NOT_AUTHORIZED",
    "NO_MATCHING_SUBSCRIBERS",
    "PACKET_TOO_LARGE",
    "PAYLOAD_FORMAT_INVALID",
    "SESSION_TAKEN_OVER",
    "SUCCESS",
    "Access",
    "BrokerLost",
    "Connection",
    "Limits",
    "Message",
    "Untrusted",
]

# More than any token or status; whatever is larger the broker keeps to itself. Source: MQTT 5.0, 3.1.2.11.4.
LARGEST_PACKET: Final = 64 * 1024
# A broker that does not take a certificate of TLS 1.3 may be gone before it has said so.
_HUNG_UP = Distrust(
    "the broker closed the connection before it answered: perhaps it does not take the table's certificate;"
    " its own log says why"
)


class Connection(connection.Connection):
    """An open connection of a table. Everything here belongs to the event loop that opened it.

    `take` is called for each message that arrives: its topic, its payload, and whether it had been retained.
    """

    @classmethod
    async def open(
        cls, access: Access, will: Message, take: Callable[[str, bytes, bool], None]
    ) -> Connection:
        """Connect with a clean start; raises BrokerLost, or Untrusted, within 10 s if that is not to be."""
        client = Client(access, access.tls, Hello(LARGEST_PACKET, will=will), take)
        try:
            await client.connect()
        except BrokerLost as lost:
            cause = _distrust(client, lost.__cause__)
            if cause is None:
                raise
            raise Untrusted(str(cause), by_clock=cause.by_clock) from None
        return cls(client)

    @property
    def ends(self) -> dt.datetime | None:
        """The last moment of the broker's certificate; None where there is none, or no connection."""
        wire = self._client.wire
        return wire.ends if isinstance(wire, Wire) else None


def _distrust(client: Client, cause: BaseException | None) -> Distrust | None:
    """Why TLS does not hold, if that is why there is no connection."""
    if isinstance(cause, Distrust):
        return cause
    if client.hung_up and isinstance(client.wire, Wire):
        return client.wire.refused or _HUNG_UP
    return None
