"""What the table wishes of one device, kept so that a session that begins anew has it too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.link.families import FAMILIES
from felt_protocols.link.interlock import INHIBIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_drivers.facts import Screen
    from felt_protocols.link.host import HostSession


class Wishes:
    """The wish that a device be stopped, and what it is to show people.

    A family that cannot be stopped, or that shows nothing (`screen` None), ignores the wish. What gives
    bytes gives those to write at once; none when there is nothing to say or nobody to say it to.
    """

    def __init__(self, family: str, screen: Screen | None) -> None:
        self._stops = INHIBIT in FAMILIES[family].orders
        self._screen = screen
        self._inhibit: tuple[str, str] | None = None
        self._shown: tuple[tuple[str, ...], Mapping[str, str]] | None = None

    def inhibit(self, session: HostSession, why: str, when: str, now: float) -> bytes:
        """Wish it stopped, `now` or `after-round`."""
        if not self._stops:
            return b""
        self._inhibit = (why, when)
        return session.inhibit(why, when, now)

    def prepare(self, session: HostSession, why: str) -> None:
        """Have the inhibit ready that stops it at once."""
        if self._stops:
            session.prepare(why)

    def release(self, session: HostSession) -> None:
        """Wish it stopped no longer."""
        self._inhibit = None
        session.release()

    def show(
        self, session: HostSession, lines: tuple[str, ...], lamps: Mapping[str, str], now: float
    ) -> bytes:
        """Wish people shown this. Raises `ValueError` for what no device of the family can show."""
        if self._screen is None or (lines, lamps) == self._shown:
            return b""
        data = session.show(self._screen(lines, lamps), now)
        self._shown = (lines, dict(lamps))
        return data

    def again(self, session: HostSession, now: float) -> None:
        """Wish all of it of a session that has just begun."""
        if self._inhibit is not None:
            session.inhibit(*self._inhibit, now)
        shown, self._shown = self._shown, None
        if shown is not None:
            self.show(session, *shown, now)
