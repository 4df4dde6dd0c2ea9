"""What a device remembers of numbered orders, so that none is carried out twice."""

from typing import Final

from felt_protocols.link.messages import Done, Failed, Number, Order
from felt_protocols.link.waiting import FORGOTTEN

REMEMBERED: Final = 64

EPOCHS: Final = 8
"""A host begins an epoch only with a new journal, and a session with it."""


class OrderMemory:
    """The last orders and their answers. What is older than all of them is refused, not repeated."""

    __slots__ = ("_forgotten", "_known", "_size")

    def __init__(self, size: int = REMEMBERED) -> None:
        self._size = size
        self._known: dict[Number, tuple[Order, Done | Failed | None]] = {}
        self._forgotten: dict[str, int] = {}

    def seen(self, number: Number) -> bool:
        """Whether the order came before: it must not be carried out now."""
        epoch, row = number
        return number in self._known or (epoch in self._forgotten and row <= self._forgotten[epoch])

    def recall(self, order: Order) -> Done | Failed | None:
        """Give the answer to an order that was seen; None while it is being carried out."""
        number = order.number
        if number is None or number not in self._known:
            return Failed(order.name, number, FORGOTTEN)
        return self._known[number][1]

    def begin(self, order: Order) -> bool:
        """Note that a numbered order is being carried out; false when too many are."""
        if order.number is None or (len(self._known) >= self._size and not self._forget_one()):
            return False
        self._known[order.number] = (order, None)
        return True

    def carrying_out(self, number: Number) -> Order | None:
        """Give the order of that number while it is being carried out."""
        order, answer = self._known.get(number, (None, None))
        return order if answer is None else None

    def answer(self, number: Number, why: str | None = None) -> Done | Failed:
        """Note the end of an order that is being carried out: done, or why not."""
        order, _ = self._known[number]
        answered = Done(order.name, number) if why is None else Failed(order.name, number, why)
        self._known[number] = (order, answered)
        return answered

    def unanswered(self, name: str) -> list[Number]:
        """Give the numbers of the orders of that name that are being carried out."""
        return [
            number for number, (order, answer) in self._known.items() if answer is None and order.name == name
        ]

    def _forget_one(self) -> bool:
        """Forget the oldest answered order, and remember the highest row forgotten in its epoch."""
        for number, (_, answer) in self._known.items():
            if answer is not None:
                del self._known[number]
                epoch, row = number
                self._forgotten[epoch] = max(row, self._forgotten.pop(epoch, row))
                if len(self._forgotten) > EPOCHS:
                    del self._forgotten[next(iter(self._forgotten))]
                return True
        return False
