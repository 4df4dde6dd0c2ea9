"""aiomqtt's client for one connection, with what it hides made visible.

aiomqtt hides what delivery rests on, so this module reaches into it: the reason code of a PUBACK, the end of
a connection while messages wait for theirs and the broker's reason for it, the limits in a CONNACK, when a
message that came is PUBACKed, packets that TLS has decrypted already, and leaving without a DISCONNECT.
tests/mqtt/test_adapter.py pins what is used of its insides, and of paho's.

A paho client that was disconnected would send its old messages again after it connects, so that what
belongs to one connection is made anew for each.
"""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import ssl
import struct
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Final

import aiomqtt
from paho.mqtt.client import MQTT_ERR_SUCCESS
from paho.mqtt.exception import MQTTException
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode
from typing_extensions import override

from felt_mqtt.properties import plain, published
from felt_mqtt.way import RECEIVE_MAXIMUM, BrokerLost, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    import paho.mqtt.client as paho
    from paho.mqtt.properties import Properties

    from felt_mqtt.way import Access, Hello, Message

QOS: Final = 1
# A broker that takes a connection and says nothing for this long is as good as none.
_CONNECT_S = 5.0
# A message that has no PUBACK for so long, looked at every so often, is on a connection that stands still,
# though the broker may answer pings: its store, a plugin or a proxy hangs. No broker pauses for as long.
UNACKED_S: Final = 30.0
_LOOKS: Final = 3
# What it would log is raised or told here in other words.
_paho_log = logging.getLogger(f"{__name__}.paho")
_paho_log.setLevel(logging.CRITICAL + 1)
# What a broker's garbage raises inside paho: it ends the connection.
_GARBAGE = (OSError, ValueError, LookupError, TypeError, struct.error, MQTTException)


class Client(aiomqtt.Client):
    """Connects once, with a clean start. It belongs to the event loop that it was made in.

    `take` is called for each message that arrives: its topic, its payload, and whether it had been retained.
    `lost` is done, with the reason as its result, as soon as the connection is known to be gone. `wire` is
    the connection's TLS, also when it has ended; `hung_up` says that the broker left before its CONNACK.
    """

    def __init__(
        self,
        access: Access,
        tls: ssl.SSLContext | None,
        hello: Hello,
        take: Callable[[str, bytes, bool], object],
    ) -> None:
        super().__init__(
            access.host,
            access.port,
            identifier=access.client_id,
            username=access.user,
            password=access.password,
            protocol=aiomqtt.ProtocolVersion.V5,
            clean_start=True,
            properties=_connect_properties(hello),
            will=_will(hello.will),
            keepalive=access.keepalive_s,
            tls_context=tls,
            timeout=_CONNECT_S,
            logger=_paho_log,
            # 0: paho holds nothing back. How many may be on their way is the business of who sends.
            max_inflight_messages=0,
            socket_options=_socket_options(2 * access.keepalive_s),
        )
        self._holding = hello.unreleased is not None
        self._client.manual_ack_set(self._holding)
        self._thread = threading.get_ident()
        self._take = take
        self._answers: dict[int, asyncio.Future[int]] = {}
        self._unreleased: deque[int] = deque()
        self._reason: int | None = None
        self._said = ""
        self.limits = Limits()
        self.wire: ssl.SSLSocket | None = None
        self.hung_up = False
        self.lost: asyncio.Future[BrokerLost] = self._loop.create_future()
        self._looking: asyncio.TimerHandle | None = None

    async def connect(self) -> None:
        """Open the connection; raises BrokerLost within 10 s if that is not to be."""
        entering = asyncio.create_task(self.__aenter__())
        try:
            await asyncio.shield(entering)
        except (aiomqtt.MqttError, ValueError) as error:
            # ValueError: a host's name that cannot be one, such as "a..b".
            await self.end()
            raise BrokerLost("no connection", str(error), _code(error)) from error.__context__
        except asyncio.CancelledError:
            # The attempt runs in a thread that nobody can stop. When it comes to its end, what it
            # opened is closed again.
            self.abandon()
            entering.add_done_callback(self._after_cancelled_attempt)
            raise
        if self._client.socket() is None:
            # It ended right behind the CONNACK, and aiomqtt has thrown away the future that said so.
            await self.end()
            raise BrokerLost("no connection", self._said or "closed without a reason", self._reason)
        # From here on the end of the connection fails everything that waits.
        self._disconnected.add_done_callback(self._fail)
        self._look(None, 0)

    def start(self, message: Message) -> asyncio.Future[int]:
        """Send; the future gives the PUBACK's reason code, or BrokerLost at once when the link dies.

        Raises BrokerLost if the link is dead already; nothing was sent then, nor will be.
        """
        if self.lost.done():
            raise self.lost.result()
        sent = self._client.publish(
            message.topic, message.payload, QOS, message.retain, published(message.content_type)
        )
        if sent.rc != MQTT_ERR_SUCCESS:
            raise BrokerLost("cannot send", str(sent))
        answer: asyncio.Future[int] = self._loop.create_future()
        self._answers[sent.mid] = answer
        return answer

    def flush(self) -> None:
        """Write what was started now, and not only when the loop comes round."""
        if not self.lost.done() and self._client.want_write():
            self._pump(self._client.loop_write)

    def release(self) -> None:
        """PUBACK what came, in the order in which it came. Source: MQTT 5.0, 4.6.0-2."""
        while self._unreleased and not self.lost.done():
            self._client.ack(self._unreleased.popleft(), QOS)

    def abandon(self) -> None:
        """Close the socket without a word, and let nobody wait for this client any longer."""
        self._hang_up()
        if not self._connected.done():
            self._connected.set_exception(aiomqtt.MqttError("abandoned"))
            self._connected.exception()  # it may be that nobody waits for it
        if not self._disconnected.done():
            self._disconnected.set_result(None)

    async def leave(self, limit_s: float) -> None:
        """Say DISCONNECT, then end; after `limit_s` without having said it."""
        try:
            async with asyncio.timeout(limit_s):
                await self.__aexit__(None, None, None)
        except (aiomqtt.MqttError, TimeoutError):
            pass  # the broker is deaf; the socket is closed below all the same
        await self.end()

    async def end(self) -> None:
        """Abandon, and wait until nothing of this client is left in the loop."""
        self.abandon()
        if self._misc_task is not None:
            await asyncio.wait((self._misc_task,))
        # The close of a socket is told to the loop in its next turn.
        await asyncio.sleep(0)

    def _after_cancelled_attempt(self, attempt: asyncio.Task[Client]) -> None:
        """Close what an attempt opened that nobody waits for any more."""
        if not attempt.cancelled():
            attempt.exception()
        self.abandon()

    def _look(self, oldest: asyncio.Future[int] | None, times: int) -> None:
        """See now and then whether what waits longest for its PUBACK is still the same."""
        now = next(iter(self._answers.values()), None)
        times = times + 1 if now is not None and now is oldest else 0
        if times < _LOOKS:
            self._looking = self._loop.call_later(UNACKED_S / _LOOKS, self._look, now, times)
        elif not self._disconnected.done():
            self._disconnected.set_exception(TimeoutError(f"no PUBACK for {UNACKED_S:g} s"))

    def _fail(self, disconnected: asyncio.Future[None]) -> None:
        if self._looking is not None:
            self._looking.cancel()
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
            self.hung_up = True
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
        if self._holding and message.qos == QOS:
            self._unreleased.append(message.mid)
        self._take(message.topic, bytes(message.payload), message.retain)

    # paho calls the next two from the thread that connects, too. By the time the loop comes to what they
    # ask for, the socket may be closed and its number given to another file, so it is looked at again.

    @override
    def _on_socket_open(self, client: paho.Client, userdata: Any, sock: Any) -> None:
        self.wire = sock if isinstance(sock, ssl.SSLSocket) else None
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
        return isinstance(current, ssl.SSLSocket) and current.pending() > 0


def _connect_properties(hello: Hello) -> Properties:
    connect = plain(PacketTypes.CONNECT)
    connect.SessionExpiryInterval = 0
    connect.MaximumPacketSize = hello.packet_bytes
    if hello.unreleased is not None:
        connect.ReceiveMaximum = hello.unreleased
    return connect


def _will(message: Message | None) -> aiomqtt.Will | None:
    if message is None:
        return None
    properties = published(message.content_type)
    return aiomqtt.Will(message.topic, message.payload, QOS, message.retain, properties)


def _socket_options(given_up_after_s: int) -> list[tuple[int, int, int]]:
    """At once, and not for ever to a peer that says nothing; only Linux can be told the latter."""
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    patience = getattr(socket, "TCP_USER_TIMEOUT", None)
    return (
        options if patience is None else [*options, (socket.IPPROTO_TCP, patience, 1000 * given_up_after_s)]
    )


def _words(error: BaseException | None) -> str:
    """What is known of the end of a connection; paho's own code for it would be taken for the broker's."""
    if error is None or isinstance(error, aiomqtt.MqttCodeError):
        return "closed without a reason"
    return str(error) or type(error).__name__


def _code(error: BaseException | None) -> int | None:
    reason = error.rc if isinstance(error, aiomqtt.MqttCodeError) else None
    return int(reason.value) if isinstance(reason, ReasonCode) else None
