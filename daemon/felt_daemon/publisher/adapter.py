"""One connection to an MQTT 5 broker, never used twice. The only module that knows aiomqtt.

aiomqtt hides four things that delivery rests on, so this module reaches into it: the reason code of a
PUBACK, the end of a connection while messages wait for theirs, the limits in a CONNACK, and leaving
without a DISCONNECT, after which the broker publishes the will. tests/mqtt/test_adapter.py pins what is
used of its insides.

A paho client that was disconnected would send its old messages again after it connects, so that what
belongs to one connection is made anew for each.
"""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import struct
import threading
from typing import TYPE_CHECKING, Any, Final

import aiomqtt
from paho.mqtt.client import MQTT_ERR_SUCCESS
from paho.mqtt.exception import MQTTException
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions
from typing_extensions import override

from felt_daemon.publisher.properties import plain, published
from felt_daemon.publisher.tls import Distrust, Wire
from felt_daemon.publisher.way import (
    FIRST_FAILURE,
    NO_MATCHING_SUBSCRIBERS,
    NOT_AUTHORIZED,
    PACKET_TOO_LARGE,
    PAYLOAD_FORMAT_INVALID,
    RECEIVE_MAXIMUM,
    SESSION_TAKEN_OVER,
    SUCCESS,
    Access,
    BrokerLost,
    Limits,
    Message,
    Untrusted,
)

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Sequence

    import paho.mqtt.client as paho
    from paho.mqtt.properties import Properties

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
# A broker that takes a connection and says nothing for this long is as good as none.
_CONNECT_S = 5.0
_QOS = 1
# A broker that does not take a certificate of TLS 1.3 may be gone before it has said so.
_HUNG_UP = Distrust(
    "the broker closed the connection before it answered: perhaps it does not take the table's certificate;"
    " its own log says why"
)
# What it would log is raised or told here in other words.
_paho_log = logging.getLogger(f"{__name__}.paho")
_paho_log.setLevel(logging.CRITICAL + 1)
# What a broker's garbage raises inside paho: it ends the connection.
_GARBAGE = (OSError, ValueError, LookupError, TypeError, struct.error, MQTTException)


class Connection:
    """An open connection. Everything here belongs to the event loop that opened it.

    `take` is called for each message that arrives: its topic, its payload, and whether it had been retained.
    """

    def __init__(self, client: _Client) -> None:
        self._client = client

    @classmethod
    async def open(
        cls, access: Access, will: Message, take: Callable[[str, bytes, bool], None]
    ) -> Connection:
        """Connect with a clean start; raises BrokerLost, or Untrusted, within 10 s if that is not to be."""
        client = _Client(access, will, take)
        entering = asyncio.create_task(client.__aenter__())
        try:
            await asyncio.shield(entering)
        except (aiomqtt.MqttError, ValueError) as error:
            # ValueError: a host's name that cannot be one, such as "a..b".
            await client.end()
            raise client.failure(error) from None
        except asyncio.CancelledError:
            # The attempt runs in a thread that nobody can stop. When it comes to its end, what it
            # opened is closed again.
            client.abandon()
            entering.add_done_callback(client.after_cancelled_attempt)
            raise
        client.watch()
        return cls(client)

    @property
    def limits(self) -> Limits:
        """What the broker said that it takes."""
        return self._client.limits

    @property
    def ends(self) -> dt.datetime | None:
        """The last moment of the broker's certificate; None where there is none, or no connection."""
        return self._client.ends()

    @property
    def lost(self) -> asyncio.Future[BrokerLost]:
        """Done, with the reason as its result, as soon as the connection is known to be gone."""
        return self._client.lost

    def start(self, message: Message) -> asyncio.Future[int]:
        """Send; the future gives the PUBACK's reason code, or BrokerLost at once when the link dies.

        Raises BrokerLost if the link is dead already; nothing was sent then, nor will be.
        """
        return self._client.start(message)

    def flush(self) -> None:
        """Write what was started now, and not only when the loop comes round."""
        self._client.flush()

    async def subscribe(
        self, filters: Sequence[str], *, retained: bool = False, as_published: bool = True
    ) -> list[int]:
        """Subscribe and return each filter's reason code. Raises BrokerLost.

        With `retained`, messages that the broker keeps are sent, too, and whatever was published to be kept
        comes marked as that; unless `as_published`, only those that it kept until now. Without, neither.
        """
        # 0: send retained messages at the time of the subscribe; 2: do not. Source: MQTT 5.0, 3.8.3.1.
        options = SubscribeOptions(
            qos=_QOS, retainAsPublished=retained and as_published, retainHandling=0 if retained else 2
        )
        asked = asyncio.ensure_future(self._client.subscribe([(one, options) for one in filters]))
        try:
            await asyncio.wait((asked, self.lost), return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                raise self.lost.result()
            return [int(code.value if isinstance(code, ReasonCode) else code) for code in asked.result()]
        except aiomqtt.MqttError as error:
            raise BrokerLost("no answer to a subscription", str(error)) from None
        finally:
            asked.cancel()

    async def close(self, limit_s: float) -> None:
        """Leave with a DISCONNECT, so that there is no will; after `limit_s` leave without one."""
        try:
            async with asyncio.timeout(limit_s):
                await self._client.__aexit__(None, None, None)
        except (aiomqtt.MqttError, TimeoutError):
            pass  # the broker is deaf; the socket is closed below all the same
        await self._client.end()

    async def abandon(self) -> None:
        """Close the socket without a word: the broker publishes the will."""
        await self._client.end()


class _Client(aiomqtt.Client):
    """aiomqtt's client for one connection, with what it hides made visible."""

    def __init__(self, access: Access, will: Message, take: Callable[[str, bytes, bool], None]) -> None:
        connect = plain(PacketTypes.CONNECT)
        connect.SessionExpiryInterval = 0
        connect.MaximumPacketSize = LARGEST_PACKET
        super().__init__(
            access.host,
            access.port,
            identifier=access.client_id,
            username=access.user,
            password=access.password,
            protocol=aiomqtt.ProtocolVersion.V5,
            clean_start=True,
            properties=connect,
            will=aiomqtt.Will(will.topic, will.payload, _QOS, will.retain, published(will.content_type)),
            keepalive=access.keepalive_s,
            tls_context=access.tls,
            timeout=_CONNECT_S,
            logger=_paho_log,
            # 0: paho holds nothing back. How many may be on their way is the lane's business.
            max_inflight_messages=0,
            socket_options=(
                (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
                (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 2000 * access.keepalive_s),
            ),
        )
        self._thread = threading.get_ident()
        self._take = take
        self._answers: dict[int, asyncio.Future[int]] = {}
        self._reason: int | None = None
        self._said = ""
        self._wire: Wire | None = None
        self._distrust: Distrust | None = None
        self.limits = Limits()
        self.lost: asyncio.Future[BrokerLost] = self._loop.create_future()

    def start(self, message: Message) -> asyncio.Future[int]:
        """See `Connection.start`."""
        if self.lost.done():
            raise self.lost.result()
        sent = self._client.publish(
            message.topic, message.payload, _QOS, message.retain, published(message.content_type)
        )
        if sent.rc != MQTT_ERR_SUCCESS:
            raise BrokerLost("cannot send", str(sent))
        answer: asyncio.Future[int] = self._loop.create_future()
        self._answers[sent.mid] = answer
        return answer

    def flush(self) -> None:
        """See `Connection.flush`."""
        if not self.lost.done() and self._client.want_write():
            self._pump(self._client.loop_write)

    def failure(self, error: Exception) -> BrokerLost:
        """Why there is no connection, by what aiomqtt, or what is below it, raised."""
        cause = error.__context__ if isinstance(error.__context__, Distrust) else self._distrust
        if cause is not None:
            return Untrusted(str(cause), by_clock=cause.by_clock)
        return BrokerLost("no connection", str(error), _code(error))

    def ends(self) -> dt.datetime | None:
        """See `Connection.ends`."""
        return None if self._wire is None else self._wire.ends

    def watch(self) -> None:
        """From here on the end of the connection fails everything that waits."""
        self._disconnected.add_done_callback(self._fail)

    def abandon(self) -> None:
        """Close the socket now, and let nobody wait for this client any longer."""
        self._hang_up()
        if not self._connected.done():
            self._connected.set_exception(aiomqtt.MqttError("abandoned"))
            self._connected.exception()  # it may be that nobody waits for it
        if not self._disconnected.done():
            self._disconnected.set_result(None)

    def after_cancelled_attempt(self, attempt: asyncio.Task[_Client]) -> None:
        """Close what an attempt opened that nobody waits for any more."""
        if not attempt.cancelled():
            attempt.exception()
        self.abandon()

    async def end(self) -> None:
        """Abandon, and wait until nothing of this client is left in the loop."""
        self.abandon()
        if self._misc_task is not None:
            await asyncio.wait((self._misc_task,))
        # The close of a socket is told to the loop in its next turn.
        await asyncio.sleep(0)

    def _fail(self, disconnected: asyncio.Future[None]) -> None:
        error = None if disconnected.cancelled() else disconnected.exception()
        why = BrokerLost("connection lost", self._said or _words(error), self._reason)
        if not self.lost.done():
            self.lost.set_result(why)
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(why)
        self._answers.clear()
        self._hang_up()  # after garbage it is still open

    def _hang_up(self) -> None:
        # paho has no other way out without a DISCONNECT.
        self._client._sock_close()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - see above

    # From here on: callbacks that aiomqtt registers with paho.

    @override
    def _on_connect(
        self,
        client: paho.Client,
        userdata: Any,
        flags: paho.ConnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        self.limits = Limits(
            getattr(properties, "ReceiveMaximum", RECEIVE_MAXIMUM),
            getattr(properties, "MaximumPacketSize", math.inf),
        )
        super()._on_connect(client, userdata, flags, reason_code, properties)

    @override
    def _on_disconnect(
        self,
        client: paho.Client,
        userdata: Any,
        flags: paho.DisconnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        if flags.is_disconnect_packet_from_server:
            self._reason = reason_code.value
            self._said = f"the broker says 0x{reason_code.value:02x}, {reason_code}"
        if not self._connected.done():
            self._distrust = None if self._wire is None else self._wire.refused or _HUNG_UP
            # Otherwise a broker that hangs up before its CONNACK is noticed by a time-out only.
            self._connected.set_exception(aiomqtt.MqttCodeError(reason_code, "hung up"))
        super()._on_disconnect(client, userdata, flags, reason_code, properties)

    @override
    def _on_publish(
        self,
        client: paho.Client,
        userdata: Any,
        mid: int,
        reason_code: ReasonCode,
        properties: Properties,
    ) -> None:
        answer = self._answers.pop(mid, None)
        if answer is not None and not answer.done():
            answer.set_result(reason_code.value)

    @override
    def _on_message(self, client: paho.Client, userdata: Any, message: paho.MQTTMessage) -> None:
        self._take(message.topic, bytes(message.payload), message.retain)

    # paho calls the next two from the thread that connects, too. By the time the loop comes to what they
    # ask for, the socket may be closed and its number given to a serial port, so it is looked at again.

    @override
    def _on_socket_open(self, client: paho.Client, userdata: Any, sock: Any) -> None:
        self._wire = sock if isinstance(sock, Wire) else None
        self._loop.call_soon_threadsafe(self._opened, sock)

    @override
    def _on_socket_register_write(self, client: paho.Client, userdata: Any, sock: Any) -> None:
        if threading.get_ident() == self._thread:
            self._want_write(sock)
        else:
            self._loop.call_soon_threadsafe(self._want_write, sock)

    def _opened(self, sock: Any) -> None:  # noqa: ANN401 - paho's own type is not public
        current = self._client.socket()
        if current is not None and current is sock:
            self._loop.add_reader(current.fileno(), self._pump, self._client.loop_read)
            self._misc_task = self._loop.create_task(self._misc_loop())

    def _want_write(self, sock: Any) -> None:  # noqa: ANN401 - paho's own type is not public
        current = self._client.socket()
        if current is not None and current is sock:
            self._loop.add_writer(current.fileno(), self._pump, self._client.loop_write)

    def _pump(self, move: Callable[[], object]) -> None:
        try:
            move()
            while self._decrypted():
                self._client.loop_read()
        except _GARBAGE as error:
            if not self._disconnected.done():
                self._disconnected.set_exception(error)

    def _decrypted(self) -> bool:
        """Whether TLS has taken more off the socket than was read: for that the socket wakes nobody."""
        current = self._client.socket()
        return isinstance(current, Wire) and current.pending() > 0


def _words(error: BaseException | None) -> str:
    """What is known of the end of a connection; paho's own code for it would be taken for the broker's."""
    if error is None or isinstance(error, aiomqtt.MqttCodeError):
        return "closed without a reason"
    return str(error) or type(error).__name__


def _code(error: BaseException | None) -> int | None:
    reason = error.rc if isinstance(error, aiomqtt.MqttCodeError) else None
    return int(reason.value) if isinstance(reason, ReasonCode) else None
