"""A consumer's connection to the broker: what came waits until it is taken, and the broker waits with it.

Everything that an MQTT library is needed for is felt_mqtt's.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from felt_mqtt import connection, way
from felt_mqtt.client import Client
from felt_mqtt.tls import Socket
from felt_mqtt.way import FIRST_FAILURE, BrokerLost, Hello, Message

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["FIRST_FAILURE", "Access", "BrokerLost", "Connection", "Received", "Tls"]

# So many messages the broker may send ahead of their PUBACK. Source: MQTT 5.0, 3.1.2.11.3.
RECEIVE_MAXIMUM: Final = 200
# More than any event or picture; whatever is larger the broker keeps to itself. Source: ibid., 3.1.2.11.4.
LARGEST_PACKET: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """The files of a connection with TLS 1.2 or later, all PEM. They are read anew for each connection.

    `authority` vouches for the broker; without it the system's authorities do. `certificate` and `key` are
    this consumer's own, where the broker asks for one. The broker's name must stand in its certificate.
    """

    authority: Path | str | None = None
    certificate: Path | str | None = None
    key: Path | str | None = None

    def context(self) -> ssl.SSLContext:
        """Read the files; raises OSError (ssl.SSLError is one) for a file that cannot be used."""
        context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=self.authority)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.sslsocket_class = Socket
        if self.certificate is not None:
            context.load_cert_chain(self.certificate, self.key)
        return context


@dataclass(frozen=True, slots=True, kw_only=True)
class Access(way.Access):
    """Where the broker is and as whom to go there. Without `tls` nothing is encrypted."""

    keepalive_s: int = 10
    tls: Tls | None = None


class Received(NamedTuple):
    """What came."""

    topic: str
    payload: bytes


class Connection(connection.Connection):
    """An open connection of a consumer. Everything here belongs to the event loop that opened it.

    What came lies in `inbox` until somebody takes it out. The broker sends no more than RECEIVE_MAXIMUM
    messages ahead of `release`, so that whoever does not release it is flooded by nobody.
    """

    def __init__(self, client: Client, inbox: deque[Received]) -> None:
        super().__init__(client)
        self.inbox = inbox

    @classmethod
    async def open(cls, access: Access, wake: Callable[[], None]) -> Connection:
        """Connect with a clean start; raises BrokerLost within 10 s if that is not to be.

        `wake` is called whenever something came, or the connection was lost.
        """
        try:
            # Reading files blocks, and so it does not happen in the loop.
            context = None if access.tls is None else await asyncio.to_thread(access.tls.context)
        except OSError as error:
            raise BrokerLost("no use of the files of TLS", str(error)) from None
        inbox: deque[Received] = deque()

        def take(topic: str, payload: bytes, _retained: object) -> None:
            inbox.append(Received(topic, payload))
            wake()

        client = Client(access, context, Hello(LARGEST_PACKET, unreleased=RECEIVE_MAXIMUM), take)
        await client.connect()
        client.lost.add_done_callback(lambda _: wake())
        return cls(client, inbox)

    def publish(self, topic: str, payload: bytes, *, retain: bool) -> asyncio.Future[int]:
        """Send at QoS 1; the answer and what it raises are those of `start`."""
        return self.start(Message(topic, payload, retain, content_type=None))
