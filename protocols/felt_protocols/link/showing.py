"""What a device is to show people: a wish, sent again until the device has answered all of it.

Such orders have no number: to carry one out twice does no harm, and only the last wish counts. They are
answered by name, so answers are counted; when too few come, the whole wish is sent again.
"""

from collections.abc import Sequence
from math import inf
from typing import Final

from felt_protocols.link.messages import Done, Failed, Order
from felt_protocols.link.waiting import REPEAT_S

RETRY_S: Final = 5.0
"""What the device could not show is tried again more slowly, for it may work again."""


class Showing:
    """The orders that are wished, and how many of them wait for an answer."""

    __slots__ = ("_due_s", "_failed", "_orders", "_unanswered")

    def __init__(self) -> None:
        self._orders: tuple[Order, ...] = ()
        self._unanswered = 0
        self._failed = False
        self._due_s = inf

    def wish(self, orders: Sequence[Order], now: float) -> list[Order]:
        """Wish these and no others from now on; give those that are not wished already, to be sent."""
        fresh = [order for order in orders if order not in self._orders]
        self._orders = tuple(orders)
        if fresh:
            self._unanswered += len(fresh)
            self._due_s = now + REPEAT_S
        return fresh

    def answered(self, answer: Done | Failed, now: float) -> None:
        """Take an answer by name."""
        if not self._unanswered or all(order.name != answer.name for order in self._orders):
            return
        self._unanswered -= 1
        self._failed = self._failed or isinstance(answer, Failed)
        if not self._unanswered:
            self._due_s = now + RETRY_S if self._failed else inf

    def hurry(self, now: float) -> None:
        """Let all that is wished be sent again at once: the device may have lost it."""
        if self._orders:
            self._due_s = now

    def due(self) -> float:
        """When the wish shall be sent again."""
        return self._due_s

    def repeat(self, now: float) -> tuple[Order, ...]:
        """Give the whole wish, to be sent again."""
        self._unanswered = len(self._orders)
        self._failed = False
        self._due_s = now + REPEAT_S if self._orders else inf
        return self._orders

    def overdue(self, now: float) -> tuple[Order, ...]:
        """Give what shall be sent again by now, if its time has come."""
        return self.repeat(now) if now >= self.due() else ()

    def leap(self, by_s: float) -> None:
        """Move the next repeat along with a simulated clock that leaps."""
        self._due_s += by_s
