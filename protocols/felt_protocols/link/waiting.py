"""Numbered orders that wait for their answer: repeated to the same boot of the device only."""

from math import inf
from typing import Final

from felt_protocols.link.items import Answered
from felt_protocols.link.messages import Done, Failed, Number, Order

REPEAT_S: Final = 0.5
FORGOTTEN: Final = "forgotten"


class WaitingOrders:
    """The orders whose answer is not there yet, oldest first."""

    __slots__ = ("_due_s", "_orders")

    def __init__(self) -> None:
        self._orders: dict[Number, Order] = {}
        self._due_s = inf

    def add(self, order: Order, now: float) -> None:
        """Wait for the answer of an order that is being sent; ValueError when it waits already."""
        number = order.number
        if number is None or number in self._orders:
            raise ValueError(f"order {order.name} number {number} cannot wait for an answer")
        if not self._orders:
            self._due_s = now + REPEAT_S
        self._orders[number] = order

    def answer(self, message: Done | Failed) -> list[Answered]:
        """Take a numbered answer; nothing comes of one that nobody waits for."""
        order = self._orders.get(message.number) if message.number is not None else None
        if order is None or message.number is None or order.name != message.name:
            return []
        del self._orders[message.number]
        if isinstance(message, Done):
            return [Answered(message.name, message.number, ok=True)]
        # A device that has forgotten an order cannot know whether it has carried it out.
        ok = None if message.why == FORGOTTEN else False
        return [Answered(message.name, message.number, ok, message.why)]

    def give_up(self, why: str, name: str | None = None) -> list[Answered]:
        """Wait no longer for the orders of that name, or for any: their results are unknown."""
        gone = [number for number, order in self._orders.items() if name is None or order.name == name]
        return [Answered(self._orders.pop(number).name, number, ok=None, why=why) for number in gone]

    def due(self) -> float:
        """When the orders shall be repeated."""
        return self._due_s if self._orders else inf

    def repeat(self, now: float) -> list[Order]:
        """Give every order that waits, and set the time of the next repeat."""
        self._due_s = now + REPEAT_S
        return list(self._orders.values())

    def overdue(self, now: float) -> list[Order]:
        """Give what shall be repeated by now, if its time has come."""
        return self.repeat(now) if now >= self.due() else []

    def leap(self, by_s: float) -> None:
        """Move the next repeat along with a simulated clock that leaps."""
        self._due_s += by_s
