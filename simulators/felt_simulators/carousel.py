"""The cards of a table with a continuous shuffler: they go back into it after each round."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Protocol

from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.hands import Refused
from felt_simulators.handling import HANDLE_S, REPAIR_LIMIT_S

if TYPE_CHECKING:
    from felt_simulators.crew import Crew

WAIT_S = 5.0
ATTEMPTS = 40


class Supply(Protocol):
    """Where a round's cards come from and go to, whatever machines the table has."""

    @property
    def in_play(self) -> str | None:
        """The deck or batch that is dealt from."""
        ...

    def taken_as_new(self) -> bool:
        """Whether nothing was dealt yet from what was put in; asked, it is so no more."""
        ...

    def forget(self, name: str) -> None:
        """Rely no longer on this deck's lying ready."""
        ...

    async def open(self) -> None:
        """Bring what is dealt with, prepare it, and open the table."""
        ...

    async def make_shoe_ready(self) -> None:
        """See to it that nothing but people is in the way of the next deal, as far as a dealer can."""
        ...

    async def tend(self) -> None:
        """While hands are settled: see to machines and decks that are not in play."""
        ...

    async def refill_shoe(self) -> bool:
        """The cards ran out in a round: bring others to finish it; whether there were some."""
        ...

    async def end_shoe(self) -> None:
        """The cover card came in this round: the rest joins the cards in the rack."""
        ...

    async def collect_round(self) -> None:
        """After a void round: its cards out of machines and from the layout."""
        ...

    async def settle_demands(self) -> None:
        """Do what the screen asks for about decks that are at hand."""
        ...

    async def change_over(self) -> None:
        """After a round: what is needed for the next one."""
        ...


class Carousel:
    """One batch, all of it in the machine but what is on the table."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._machine = crew.machines.the(ContinuousShuffler)
        self._name = crew.props.decks_named()[0]
        self._new = False

    @property
    def in_play(self) -> str | None:
        """The one batch."""
        return self._name

    def taken_as_new(self) -> bool:
        """Whether a full batch was put in and nothing was dealt from it yet: its first card is burnt."""
        new, self._new = self._new, False
        return new

    def forget(self, name: str) -> None:
        """Nothing lies ready beside the machine."""

    async def open(self) -> None:
        """Bring the batch, prepare it, put it in, and open the table."""
        await self._crew.floor.inspect_reader()
        await self._crew.preparation.bring_deck(self._name)
        self._new = await self._put_back()
        await self._crew.floor.open_table()

    async def make_shoe_ready(self) -> None:
        """Take out what sticks, and wait for whoever sees to the machine."""
        if self._machine.state.value == "interrupted":
            await self._put_back()
        elif self._machine.state.value in {"broken", "starting"}:
            await asyncio.sleep(WAIT_S)

    async def tend(self) -> None:
        """The machine works by itself."""

    async def refill_shoe(self) -> bool:
        """What lies in the rack goes back into the machine."""
        return await self._put_back()

    async def end_shoe(self) -> None:
        """There is no cover card in it."""

    async def collect_round(self) -> None:
        """What sticks and what lies on the layout goes back."""
        await self._clear()
        self._crew.props.clear_layout()

    async def settle_demands(self) -> None:
        """Nothing is at hand that could be counted."""

    async def change_over(self) -> None:
        """What was played goes back."""
        await self._put_back()

    async def _put_back(self) -> bool:
        """Put all cards at hand into the machine, also what a jam gives back; whether there were any."""
        props, machine = self._crew.props, self._machine
        put = cleared = False
        for _ in range(ATTEMPTS):
            await asyncio.sleep(HANDLE_S)
            props.take_rack(self._name)
            if machine.state.value == "interrupted":
                await self._clear()
                cleared = True
            elif machine.state.value in {"broken", "starting"}:
                await asyncio.sleep(WAIT_S)
            elif cards := props.take_hand(self._name):
                machine.put_back(cards, self._crew.now())
                put = True
                await self._crew.host.until(self._at_rest, REPAIR_LIMIT_S)
            else:
                break
        if cleared and machine.build.counts:
            machine.press_count(self._crew.now())
        return put

    def _at_rest(self) -> bool:
        return self._machine.state.value == "interrupted" or not self._machine.places()["feeder"]

    async def _clear(self) -> None:
        await asyncio.sleep(HANDLE_S)
        with contextlib.suppress(Refused):
            self._crew.props.pick_up(self._machine.clear_jam(self._crew.now()))
