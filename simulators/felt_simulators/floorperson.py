"""The floorperson: opens the table, owns holds, releases void rounds, brings decks, dice and technicians."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from felt_simulators.devices.hands import Refused
from felt_simulators.panel import Declined

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.felt import Machines
    from felt_simulators.host import Host
    from felt_simulators.panel import Panel
    from felt_simulators.props import Props
    from felt_simulators.record import Record
    from felt_simulators.view import View

WALK_S = 5.0
WALK_PAST_S = 5.0
REPAIR_S = 60.0
NAME = "robin"


class Floorperson:
    """Acts with the role `floor`. `patrol` runs beside the dealer; the rest is done when called."""

    def __init__(self, host: Host, panel: Panel, props: Props, machines: Machines, record: Record) -> None:
        self._host = host
        self._panel = panel
        self._props = props
        self._machines = machines
        self._record = record
        self._owned: set[int] = set()

    async def tell(self, command: str, **args: object) -> None:
        """Give a command. Raises `Declined`."""
        await self._panel.tell("floor", NAME, command, **args)

    async def patrol(self) -> None:
        """Walk past the table: own what is held, have broken devices repaired; until cancelled."""
        while True:
            await asyncio.sleep(WALK_PAST_S)
            await self.own(await self._panel.look())
            await self._have_repaired()

    async def own(self, view: View) -> None:
        """Acknowledge every hold that nobody owns yet."""
        for hold in view.holds:
            number = int(hold["hold"])
            if not hold["owner"] and number not in self._owned:
                self._owned.add(number)
                # It may have ended between the look and the word.
                with contextlib.suppress(Declined):
                    await self.tell("acknowledge", hold=number)

    async def bring_deck(self, name: str) -> None:
        """Bring a new deck under this name; what people have of the old one leaves the table."""
        await asyncio.sleep(WALK_S)
        self._props.bring(name)
        await self.tell("change-deck", deck=name)
        self._record.reports.append(("change-deck", name, self._props.in_hand(name)))

    async def bring_dice(self, shaker: str) -> None:
        """Put three new dice into the shaker, cover it and report it."""
        await asyncio.sleep(WALK_S)
        box, now = self._machines.shaker, self._host.link_now
        if box.covered:
            box.uncover(now())
        box.gather(now()) if not all(die.inside for die in box.dice) else None
        box.replace_dice(now())
        box.cover(now())
        await self.tell("change-dice", device=shaker)
        self._record.reports.append(("change-dice", shaker, 3))

    async def open_table(self) -> None:
        """Open the table for gaming."""
        await self.tell("open-table")

    async def release_round(self, patience_s: float) -> None:
        """Let the table go on after a void round. Raises `Declined` when the cause does not go away."""
        waited = 0.0
        while True:
            await asyncio.sleep(WALK_S)
            waited += WALK_S
            try:
                await self.tell("release-round")
            except Declined:
                if waited >= patience_s:
                    raise
            else:
                return

    async def _have_repaired(self) -> None:
        for device in (self._machines.shuffler, self._machines.shoe, self._machines.shaker):
            if device.state.value == "broken":
                await asyncio.sleep(REPAIR_S)
                self._try(device.repair)

    def _try(self, hand: Callable[[float], None]) -> None:
        with contextlib.suppress(Refused):
            hand(self._host.link_now())
