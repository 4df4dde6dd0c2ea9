"""The people at the table: a dealer, a floorperson and a technician, in simulated time."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from felt_simulators.buttons import Buttons
from felt_simulators.carousel import Carousel
from felt_simulators.dealer import Dealer
from felt_simulators.deckwork import Deckwork
from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.faults import CONTINUOUS, SHAKER, SHOE, SHUFFLER
from felt_simulators.felt import NoTable
from felt_simulators.floorperson import Floorperson
from felt_simulators.preparation import Preparation
from felt_simulators.props import Props
from felt_simulators.record import Record
from felt_simulators.screen import Screen
from felt_simulators.tasks import Tasks

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable
    from pathlib import Path

    from felt_simulators.carousel import Supply
    from felt_simulators.felt import Machines, Plan
    from felt_simulators.host import Host
    from felt_simulators.view import View


async def _no_moment(_name: str) -> None:
    return


class Crew:
    """Everybody, and what they share. `moment` is awaited at each named moment of a round.

    Decks that are `preshuffled` come preinspected and preshuffled to the table. The cover card of a batch is
    put in after `cover_after` cards, or a quarter from the bottom; the first batch happens to lie so that
    `first_cards` come first, after the card that is burnt.
    """

    def __init__(  # noqa: PLR0913 - what people need to know, by name
        self,
        plan: Plan,
        machines: Machines,
        host: Host,
        control: Path,
        *,
        moment: Callable[[str], Awaitable[None]] = _no_moment,
        preshuffled: frozenset[str] = frozenset(),
        cover_after: int | None = None,
        first_cards: tuple[str, ...] = (),
    ) -> None:
        self.host = host
        self.machines = machines
        self.game = plan.deals
        self.elected = plan.elected
        self.cover_after = cover_after
        self.first_cards = list(first_cards)
        self.shuffler_id = plan.perhaps(CONTINUOUS) or plan.only(SHUFFLER)
        self.shoe_id = plan.perhaps(CONTINUOUS) or plan.only(SHOE)
        self.shaker_id = plan.only(SHAKER) if self.game.shaken else None
        self.told_by = {"no_more_bets": "told", "round_end": "told", **plan.document.get("panel", {})}
        self.props = Props(plan.decks, self.game.content, self.game.positions)
        self.record = Record()
        self.screen = Screen(host, control, self.record)
        self.buttons = None if machines.panel is None else Buttons(host, machines.panel, self.record)
        self.floor = Floorperson(host, self.screen, machines)
        self.preparation = Preparation(self, preshuffled)
        continuous = machines.perhaps(ContinuousShuffler) is not None
        self._deckwork = None if continuous else Deckwork(self)
        self.supply: Supply = self._deckwork or Carousel(self)
        self.dealer = Dealer(self, moment)
        self.tasks = Tasks(self)

    @property
    def decks(self) -> Deckwork:
        """The decks that go through a shuffler and a shoe. Raises `NoTable` where a machine does both."""
        if self._deckwork is None:
            raise NoTable("at this table one machine shuffles and deals, and no deck is moved")
        return self._deckwork

    def now(self) -> float:
        """The devices' time."""
        return self.host.link_now()

    def deals_by_hand(self, view: View) -> bool:
        """Whether cards are dealt without a device that tells of them."""
        unheard = self.machines.perhaps(ManualShoe) is None
        return view.way_to_deal == "hand" or (view.way_to_deal == "manual-shoe" and unheard)

    @contextlib.asynccontextmanager
    async def patrolled(self) -> AsyncGenerator[None]:
        """While this lasts a floorperson walks past the table."""
        patrol = asyncio.create_task(self.floor.patrol(), name="floorperson")
        try:
            yield
        finally:
            patrol.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await patrol

    async def shown(self) -> str:
        """What the screen shows, for an error that says why people do not know how to go on."""
        view = await self.screen.look()
        lines = [f"round {view.number}, phase {view.phase}"]
        lines += [f"hold {hold['hold']} on {hold['subject_id']}: {hold['says']}" for hold in view.holds]
        lines += [f"do: {says} ({cite})" for says, cite in view.says()]
        lines += [f"waits: {reason}" for gate in ("shuffle", "deal") for reason in view.waits_for(gate)]
        return "; the screen shows:" + "".join(f"\n    {line}" for line in lines)
