"""One connection to an MQTT 5 broker, never used twice. The only module that knows aiomqtt.

A paho client that was disconnected would send its old messages again after it connects, so that what belongs
to one connection is made anew for each. Of aiomqtt's insides it uses what tests/floor/test_floor_link.py
pins: the reason code of a PUBACK, the broker's reason for a disconnect, and when a message is PUBACKed.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import struct
import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import aiomqtt
from paho.mqtt.client import MQTT_ERR_SUCCESS
from paho.mqtt.exception import MQTTException
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from typing_extensions import override

from felt_protocols.errors import LinkLost

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import paho.mqtt.client as paho

# Source: MQTT 5.0, 2.4.
FIRST_FAILURE: Final = 0x80

# So many messages the broker may send ahead of their PUBACK. Source: MQTT 5.0, 3.1.2.11.3.
RECEIVE_MAXIMUM: Final = 200
# More than any event or picture; whatever is larger the broker keeps to itself. Source: ibid., 3.1.2.11.4.
LARGEST_PACKET: Final = 1024 * 1024
# A broker that takes a connection and says nothing for this long is as good as none.
_CONNECT_S = 5.0
_QOS = 1
# What it would log is raised or told here in other words.
_paho_log = logging.getLogger(f"{__name__}.paho")
_paho_log.setLevel(logging.CRITICAL + 1)
# What a broker's garbage raises inside paho: it ends the connection.
_GARBAGE = (OSError, ValueError, LookupError, TypeError, struct.error, MQTTException)


class BrokerLost(LinkLost):
    """There is no connection, or no more. `code` is the broker's reason, None where it gave none."""

    def __init__(self, why: str, evidence: str = "", code: int | None = None) -> None:
        super().__init__(why, evidence)
        self.code = code


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
        context.sslsocket_class = _Socket
        if self.certificate is not None:
            context.load_cert_chain(self.certificate, self.key)
        return context


class _Socket(ssl.SSLSocket):
    """A socket that is closed when its handshake fails; paho would leave it open."""

    @override
    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Where the broker is and as whom to go there."""

    host: str
    port: int
    client_id: str
    tls: Tls | None = None
    user: str | None = None
    password: str | None = None
    keepalive_s: int = 10


class Message(NamedTuple):
    """What came."""

    topic: str
    payload: bytes


class Connection:
    """An open connection. Everything here belongs to the event loop that opened it.

    What came lies in `inbox` until somebody takes it out. The broker sends no more than RECEIVE_MAXIMUM
    messages ahead of `release`, so that whoever does not release it is flooded by nobody.
    """

    def __init__(self, client: _Client) -> None:
        self._client = client

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
        client = _Client(access, context, wake)
        entering = asyncio.create_task(client.__aenter__())
        try:
            await asyncio.shield(entering)
        except aiomqtt.MqttError as error:
            await client.end()
            raise BrokerLost("no connection", str(error), _code(error)) from None
        except asyncio.CancelledError:
            # The attempt runs in a thread that nobody can stop. When it comes to its end, what it opened is
            # closed again.
            client.abandon()
            entering.add_done_callback(client.after_cancelled_attempt)
            raise
        client.watch()
        return cls(client)

    @property
    def inbox(self) -> deque[Message]:
        """What came and was not taken out."""
        return self._client.inbox

    @property
    def lost(self) -> asyncio.Future[BrokerLost]:
        """Done, with the reason as its result, as soon as the connection is known to be gone."""
        return self._client.lost

    def release(self) -> None:
        """Let the broker send more: everything that came is PUBACKed."""
        self._client.release()

    def publish(self, topic: str, payload: bytes, *, retain: bool) -> asyncio.Future[int]:
        """Send at QoS 1; the future gives the PUBACK's reason code, or BrokerLost when the link dies.

        Raises BrokerLost if the link is dead already.
        """
        return self._client.start(topic, payload, retain=retain)

    async def subscribe(self, filters: Sequence[str]) -> list[int]:
        """Subscribe at QoS 1, what is retained included, and return each reason code. Raises BrokerLost."""
        asked = asyncio.ensure_future(self._client.subscribe([(one, _QOS) for one in filters]))
        codes = await self._answered(asked)
        return [int(code.value if isinstance(code, ReasonCode) else code) for code in codes]

    async def unsubscribe(self, filters: Sequence[str]) -> None:
        """Hear no more of these. Raises BrokerLost."""
        await self._answered(asyncio.ensure_future(self._client.unsubscribe(list(filters))))

    async def close(self, limit_s: float) -> None:
        """Leave with a DISCONNECT, or without one after `limit_s`."""
        try:
            async with asyncio.timeout(limit_s):
                await self._client.__aexit__(None, None, None)
        except (aiomqtt.MqttError, TimeoutError):
            pass  # the broker is deaf; the socket is closed below all the same
        await self._client.end()

    async def _answered(self, asked: asyncio.Future[Any]) -> Any:  # noqa: ANN401 - whatever was asked for
        try:
            await asyncio.wait((asked, self.lost), return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                raise self.lost.result()
            return asked.result()
        except aiomqtt.MqttError as error:
            raise BrokerLost("no answer to a subscription", str(error)) from None
        finally:
            asked.cancel()


class _Client(aiomqtt.Client):
    """aiomqtt's client for one connection, with what it hides made visible."""

    def __init__(self, access: Access, context: ssl.SSLContext | None, wake: Callable[[], None]) -> None:
        connect = _properties(PacketTypes.CONNECT)
        connect.SessionExpiryInterval = 0
        connect.ReceiveMaximum = RECEIVE_MAXIMUM
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
            keepalive=access.keepalive_s,
            timeout=_CONNECT_S,
            logger=_paho_log,
            max_inflight_messages=0,
            tls_context=context,
            socket_options=(
                (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
                *_given_up_after(2 * access.keepalive_s),
            ),
        )
        self._client.manual_ack_set(True)  # noqa: FBT003 - paho's own
        self._thread = threading.get_ident()
        self._wake = wake
        self._answers: dict[int, asyncio.Future[int]] = {}
        self._unreleased: deque[int] = deque()
        self._reason: int | None = None
        self._said = ""
        self.inbox: deque[Message] = deque()
        self.lost: asyncio.Future[BrokerLost] = self._loop.create_future()

    def start(self, topic: str, payload: bytes, *, retain: bool) -> asyncio.Future[int]:
        """See `Connection.publish`."""
        if self.lost.done():
            raise self.lost.result()
        sent = self._client.publish(topic, payload, _QOS, retain)
        if sent.rc != MQTT_ERR_SUCCESS:
            raise BrokerLost("cannot send", str(sent))
        answer: asyncio.Future[int] = self._loop.create_future()
        self._answers[sent.mid] = answer
        return answer

    def release(self) -> None:
        """PUBACK in the order in which the messages came. Source: MQTT 5.0, 4.6.0-2."""
        while self._unreleased and not self.lost.done():
            self._client.ack(self._unreleased.popleft(), _QOS)

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
                answer.cancel()
        self._answers.clear()
        self._hang_up()  # after garbage it is still open
        self._wake()

    def _hang_up(self) -> None:
        # paho has no other way out without a DISCONNECT.
        self._client._sock_close()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - see above

    # From here on: callbacks that aiomqtt registers with paho.

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
        self.inbox.append(Message(message.topic, bytes(message.payload)))
        if message.qos == _QOS:
            self._unreleased.append(message.mid)
        self._wake()

    # paho calls the next two from the thread that connects, too. By the time the loop comes to what they
    # ask for, the socket may be closed and its number given to another file, so it is looked at again.

    @override
    def _on_socket_open(self, client: paho.Client, userdata: Any, sock: Any) -> None:
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
            self._loop.add_reader(current.fileno(), self._pump, self._read)
            self._misc_task = self._loop.create_task(self._misc_loop())

    def _want_write(self, sock: Any) -> None:  # noqa: ANN401 - paho's own type is not public
        current = self._client.socket()
        if current is not None and current is sock:
            self._loop.add_writer(current.fileno(), self._pump, self._client.loop_write)

    def _read(self) -> None:
        """Read a packet, and all that TLS has decrypted: the socket says nothing of that any more."""
        self._client.loop_read()
        while isinstance(sock := self._client.socket(), ssl.SSLSocket) and sock.pending():
            self._client.loop_read()

    def _pump(self, move: Callable[[], object]) -> None:
        try:
            move()
        except _GARBAGE as error:
            if not self._disconnected.done():
                self._disconnected.set_exception(error)


def _given_up_after(seconds: int) -> list[tuple[int, int, int]]:
    """How long the system may try to send to a peer that says nothing; only Linux can be told."""
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    return [] if option is None else [(socket.IPPROTO_TCP, option, 1000 * seconds)]


def _properties(packet: int) -> Properties:
    return Properties(packet)  # type: ignore[no-untyped-call] # paho's constructor has no annotations


def _words(error: BaseException | None) -> str:
    """What is known of the end of a connection; paho's own code for it would be taken for the broker's."""
    if error is None or isinstance(error, aiomqtt.MqttCodeError):
        return "closed without a reason"
    return str(error) or type(error).__name__


def _code(error: BaseException | None) -> int | None:
    reason = error.rc if isinstance(error, aiomqtt.MqttCodeError) else None
    return int(reason.value) if isinstance(reason, ReasonCode) else None
