"""An open connection to a broker: messages, subscriptions, and two ways to leave."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Any, TypeVar

import aiomqtt
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from felt_mqtt.client import QOS
from felt_mqtt.way import BrokerLost

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine, Sequence

    from felt_mqtt.client import Client
    from felt_mqtt.way import Limits, Message

T = TypeVar("T")


class Connection:
    """What can be done with a client that has connected, in the event loop that it belongs to.

    Whoever uses it opens it in their own way, in a subclass.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def limits(self) -> Limits:
        """What the broker said that it takes."""
        return self._client.limits

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

    def release(self) -> None:
        """Let the broker send more: everything that came is PUBACKed, where that was held back."""
        self._client.release()

    async def subscribe(
        self,
        filters: Sequence[str],
        *,
        retained: bool = False,
        as_published: bool = True,
        kept: Collection[str] = (),
    ) -> list[int]:
        """Subscribe at QoS 1 and return each filter's reason code. Raises BrokerLost.

        With `retained`, messages that the broker keeps are sent, too, and whatever was published to be kept
        comes marked as that; unless `as_published`, only those that it kept until now. Without, neither, but
        of the filters in `kept` those that it kept until now.
        """
        # 0: send retained messages at the time of the subscribe; 2: do not. Source: MQTT 5.0, 3.8.3.1.
        wanted = [
            (
                one,
                SubscribeOptions(
                    qos=QOS,
                    retainAsPublished=retained and as_published,
                    retainHandling=0 if retained or one in kept else 2,
                ),
            )
            for one in filters
        ]
        codes = await self._answered(self._client.subscribe(wanted))
        return [int(code.value if isinstance(code, ReasonCode) else code) for code in codes]

    async def unsubscribe(self, filters: Sequence[str], limit_s: float) -> bool:
        """Ask to hear no more of these; whether the broker answered within `limit_s`. Raises BrokerLost."""
        try:
            async with asyncio.timeout(limit_s):
                await self._answered(self._client.unsubscribe(list(filters), timeout=math.inf))
        except TimeoutError:
            return False
        return True

    async def close(self, limit_s: float) -> None:
        """Leave with a DISCONNECT, so that there is no will; after `limit_s` leave without one."""
        await self._client.leave(limit_s)

    async def abandon(self) -> None:
        """Close the socket without a word: the broker publishes the will."""
        await self._client.end()

    async def _answered(self, asked: Coroutine[Any, Any, T]) -> T:
        """What the broker answers, unless it takes too long or the connection ends before."""
        answer = asyncio.create_task(asked)
        try:
            await asyncio.wait((answer, self.lost), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise self.lost.result()
            return answer.result()
        except aiomqtt.MqttError as error:
            raise BrokerLost("no answer to a subscription", str(error)) from None
        finally:
            answer.cancel()
