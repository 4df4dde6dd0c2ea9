"""The floorperson: opens the table, owns holds, releases void rounds, brings dice and technicians."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from felt_simulators.devices.hands import Refused
from felt_simulators.devices.hole_card_reader import HoleCardReader
from felt_simulators.record import FLOORPERSON, TECHNICIAN
from felt_simulators.screen import Declined

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.devices.dealers_panel import DealersPanel
    from felt_simulators.felt import Machines
    from felt_simulators.host import Host
    from felt_simulators.screen import Screen
    from felt_simulators.view import View

WALK_S = 5.0
WALK_PAST_S = 5.0
REPAIR_S = 60.0
# What asks for an inspection.
_INSPECTED = frozenset({"inspect-device", "inspect-reader", "reader-by-the-house", "stop-until-reader-works"})


class Floorperson:
    """Acts with the role `floor`. `patrol` runs beside the dealer; the rest is done when called.

    One who does not `walks_past` owns nothing and has nothing repaired.
    """

    def __init__(self, host: Host, screen: Screen, machines: Machines) -> None:
        self._host = host
        self._screen = screen
        self._machines = machines
        self._owned: set[int] = set()
        self.walks_past = True

    async def tell(self, command: str, **args: object) -> None:
        """Give a command. Raises `Declined`."""
        await self._screen.tell(FLOORPERSON, command, args)

    async def patrol(self) -> None:
        """Walk past the table: own what is held, have broken devices repaired; until cancelled."""
        while True:
            await asyncio.sleep(WALK_PAST_S)
            if self.walks_past:
                view = await self._screen.look()
                await self.own(view)
                await self._have_inspected(view)
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

    async def inspect_reader(self) -> None:
        """Inspect the card reader, as at the start of each gaming day: 665a.2(d), 672a.2(d), 673a.2(d)."""
        for name, device in self._machines.devices.items():
            if isinstance(device, HoleCardReader):
                await asyncio.sleep(WALK_S)
                await self.tell("inspect", device=name, result="in-order")

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

    async def _have_inspected(self, view: View) -> None:
        """Have a technician inspect the devices that wait for it."""
        for hold in view.holds_on("device"):
            name = str(hold["subject_id"])
            wanted = _INSPECTED & set(view.directives(int(hold["incident"])))
            if wanted and self._machines.devices[name].state.value != "broken":
                await asyncio.sleep(REPAIR_S)
                found = {"device": name, "result": "in-order"}
                await self._screen.tell(TECHNICIAN, "inspect", found)

    async def _have_repaired(self) -> None:
        for device in self._machines.devices.values():
            if device.state.value == "broken" or device is self._dark_panel():
                await asyncio.sleep(REPAIR_S)
                self._try(device.repair)

    def _dark_panel(self) -> DealersPanel | None:
        panel = self._machines.panel
        return panel if panel is not None and not panel.display else None

    def _try(self, hand: Callable[[float], None]) -> None:
        with contextlib.suppress(Refused):
            hand(self._host.link_now())
