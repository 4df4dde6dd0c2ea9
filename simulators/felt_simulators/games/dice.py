"""How the starting position of Asia Poker is found: with the shaker's three dice, or without."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from felt_simulators.devices.generator import Generator
from felt_simulators.devices.hands import Refused
from felt_simulators.pace import GLANCE_S, PATIENCE_S, READ_S, SHAKE_S
from felt_simulators.stuck import Stuck

if TYPE_CHECKING:
    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played

SHAKES = 3
# The dealer and six positions.
HANDS = 7


def seat_of(total: int) -> int:
    """The seat that a total points to: the dealer (0) is one, then counter-clockwise.

    Source: 58 Pa. Code § 659a.5(g)(1)(iii).
    """
    return (HANDS - (total - 1) % HANDS) % HANDS


class Marked:
    """A generator shows where the deal begins, or a button lies there and moves on after each round.

    Source: 58 Pa. Code § 659a.5(g)(2), (3).
    """

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._generator = dealer.crew.machines.perhaps(Generator)
        self._rounds = 0

    async def find_start(self, played: Played) -> None:
        """Read the number off the generator, or look where the button lies."""
        waited = 0.0
        while (await self._dealer.look()).start_seat is None:
            if waited >= PATIENCE_S:
                raise Stuck("nothing determines a starting position" + await self._dealer.crew.shown())
            await asyncio.sleep(GLANCE_S)
            waited += GLANCE_S
        if self._generator is not None:
            played.total = self._generator.display or 0
        else:
            seat = self._rounds % HANDS
            played.total = 1 if seat == 0 else HANDS + 1 - seat
            self._rounds += 1
        played.seat = seat_of(played.total)
        played.starts.append((played.total, played.seat))
        await self._dealer.moment("uncovered")


class Dice:
    """Shakes, uncovers and totals."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._shaker = dealer.crew.machines.shaker

    async def find_start(self, played: Played) -> None:
        """Shake, uncover, total the dice; call no roll and shake again for as long as they are not right."""
        rolled: list[int] = []
        for _ in range(10):
            await self._shake(1 if self._dealer.lapse("one-shake") else SHAKES)
            await self._dealer.moment("shaken")
            dice = self._shaker.uncover(self._crew.now())
            await asyncio.sleep(READ_S)
            seat = (await self._dealer.look()).start_seat
            if all(die.flat and die.inside for die in dice) and seat is not None:
                rolled.append(sum(die.face for die in dice))
                # A reading that the screen got late, after a second shake, was the first: it stands.
                played.total = next((total for total in rolled if seat_of(total) == seat), rolled[-1])
                played.seat = seat_of(played.total)
                played.starts.append((played.total, played.seat))
                await self._dealer.moment("uncovered")
                await self._second_look()
                return
            rolled.append(sum(die.face for die in dice))
            self._gather()
            self._shaker.cover(self._crew.now())
            await asyncio.sleep(GLANCE_S)
        raise Stuck("the dice never determine a starting position" + await self._crew.shown())

    async def put_away(self) -> None:
        """Cover the shaker, shake it once and set it at the right: 659a.5(g)(1)(iv)."""
        self.cover()
        if not self._dealer.lapse("no-last-shake"):
            await asyncio.sleep(SHAKE_S)
            self._shaker.shake(self._crew.now())
        with contextlib.suppress(Refused):
            self._shaker.put_right(self._crew.now())

    def gather_and_cover(self) -> None:
        """Put the dice back and the lid on."""
        self._gather()
        self.cover()

    def cover(self) -> None:
        """Put the lid on, unless it is on."""
        with contextlib.suppress(Refused):
            self._shaker.cover(self._crew.now())

    def _gather(self) -> None:
        with contextlib.suppress(Refused):
            self._shaker.gather(self._crew.now())

    async def _second_look(self) -> None:
        if self._dealer.lapse("look-twice"):
            self._shaker.cover(self._crew.now())
            await asyncio.sleep(GLANCE_S)
            self._shaker.uncover(self._crew.now())
            await asyncio.sleep(GLANCE_S)

    async def _shake(self, times: int) -> None:
        if not self._shaker.covered:
            self._shaker.cover(self._crew.now())
        for _ in range(times):
            await asyncio.sleep(SHAKE_S)
            self._shaker.shake(self._crew.now())
        await asyncio.sleep(SHAKE_S)
