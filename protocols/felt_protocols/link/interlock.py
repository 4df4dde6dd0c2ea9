"""The wish that a device be inhibited, held until the device shows it.

An inhibit is a wish, not a message: it is sent again on every PONG that disagrees, and an inhibit that
is not shown in time is told once.
"""

from math import inf
from typing import Final

from felt_protocols.link.items import Unconfirmed
from felt_protocols.link.messages import Order, Pong

CONFIRM_S: Final = 0.5

# What a device says of an inhibit that it made itself.
POWER_UP: Final = "power-up"
HOST_LOST: Final = "host-lost"
PERMIT_SPENT: Final = "permit-spent"
DEVICES_OWN: Final = frozenset({POWER_UP, HOST_LOST, PERMIT_SPENT})

INHIBIT: Final = "inhibit"
NOW: Final = "now"


class Interlock:
    """What is wished of one device's inhibit, and whether the device has shown it."""

    __slots__ = ("_asked_s", "_shown", "_told", "_wish", "_wished")

    def __init__(self) -> None:
        self._wish: tuple[str, str] | None = None
        self._wished: set[str] = set()
        self._shown = False
        self._told = False
        self._asked_s = 0.0

    @property
    def wished(self) -> bool:
        """Whether the device shall be inhibited."""
        return self._wish is not None

    def wish(self, why: str, when: str, now: float) -> None:
        """Wish it, from now on."""
        self._wish = (why, when)
        self._wished.add(why)
        self._shown = self._told = False
        self._asked_s = now

    def release(self) -> None:
        """Wish it no longer."""
        self._wish = None

    def order(self, session: int) -> Order | None:
        """Give the order that the wish asks for; None when nothing is wished."""
        if self._wish is None:
            return None
        why, when = self._wish
        return Order(INHIBIT, {"why": why, "when": when}, session)

    def done(self) -> bool:
        """Take a DONE of an inhibit; true when it is the first sign that the wish has its way."""
        first = self._wish is not None and not self._shown
        self._shown = True
        return first

    def contradicted(self, pong: Pong, session: int, now: float) -> Order | None:
        """Give the order that must be sent again when a PONG is not as wished.

        A device that has answered `after-round` goes on while it has its permit.
        """
        if self._wish is None or pong.inhibited:
            return None
        if self._shown and self._wish[1] != NOW and pong.permit is not None:
            return None
        if self._shown:
            self._shown = False
            self._asked_s = now
        return self.order(session)

    def explains(self, why: str) -> bool:
        """Say whether an inhibit found is this session's, or one that devices make themselves."""
        return why in DEVICES_OWN or why in self._wished

    def due(self) -> float:
        """When the wish will have been unconfirmed for too long."""
        waiting = self._wish is not None and not self._shown and not self._told
        return self._asked_s + CONFIRM_S if waiting else inf

    def elapsed(self, now: float) -> list[Unconfirmed]:
        """Tell a wish that the device has not shown in time."""
        if now < self.due():
            return []
        self._told = True
        return [Unconfirmed(INHIBIT, now - self._asked_s)]

    def leap(self, by_s: float) -> None:
        """Move the time of the wish along with a simulated clock that leaps."""
        self._asked_s += by_s
