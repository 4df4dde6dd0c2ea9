"""The dealer: plays rounds with the devices' hands, as the house and the regulation want it.

A dealer sees lights, cards, dice and the screen, and does what the screen says. How a round of the game goes,
`felt_simulators.games` knows. What a scenario calls a *lapse* is something a dealer may do wrong.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.devices.hands import Refused
from felt_simulators.games.rounds import round_of
from felt_simulators.glance import on_panel, on_screen
from felt_simulators.lapses import HURRIED
from felt_simulators.pace import BETTING_S, GLANCE_S, PATIENCE_S, PLAYING_S
from felt_simulators.record import DEALER, Played
from felt_simulators.screen import Declined
from felt_simulators.stuck import RoundVoid, Stuck

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from felt_simulators.crew import Crew
    from felt_simulators.glance import Glance

    _StartAgain = Callable[[Played], Awaitable[None]]


class Dealer:
    """Plays rounds. `moment` is awaited at every moment of a round that a scenario can name.

    `seats` are those who play, all by default; `lapses` what the dealer will do wrong; `is_new` is a dealer
    who has not drawn a card yet.
    """

    def __init__(self, crew: Crew, moment: Callable[[str], Awaitable[None]]) -> None:
        self.crew = crew
        self.moment = moment
        self.lapses: set[str] = set()
        self.is_new = False
        self.seats: tuple[int, ...] = tuple(range(1, crew.game.positions + 1))
        self._round = round_of(self)

    async def play_round(self) -> Played:
        """Play one round from the bets to the next deck in the shoe. Raises `Stuck`."""
        view = await self.crew.screen.look()
        played = Played(view.number, hands=self.crew.game.positions)
        self.crew.record.rounds.append(played)
        try:
            await self._play_or_void(played)
            await self._change_over()
        except Refused as refusal:
            raise Stuck(f"{refusal}{await self.crew.shown()}") from refusal
        except TimeoutError as error:
            raise Stuck(f"a machine does not get ready{await self.crew.shown()}") from error
        return played

    async def _play_or_void(self, played: Played) -> None:
        try:
            await self.moment("betting")
            self._round.open()
            await asyncio.sleep(BETTING_S)
            await self._round.play(played)
            await self._settle(played)
            played.outcome = "completed"
        except RoundVoid:
            played.outcome = "void"
            await self._give_up_round()

    async def _settle(self, played: Played) -> None:
        """Hands are set and settled, and their cards lie in the rack; meanwhile the shuffler is seen to."""
        await self.moment("playing")
        await asyncio.sleep(PLAYING_S)
        if not HURRIED & self.lapses:
            await self.crew.supply.tend()
        await self.look()
        await self.moment("round-end")
        await self.look()
        self.crew.props.clear_layout()
        if self.crew.told_by["round_end"] == "told":
            await self.tell("round-end")
        await self._round.finish(played)

    async def _give_up_round(self) -> None:
        """Return the wagers, collect all cards, have the round released."""
        await self.moment("void")
        await asyncio.sleep(GLANCE_S)
        await self._round.give_up()
        await self.crew.supply.collect_round()
        await self.crew.supply.settle_demands()
        await self.moment("collected")
        try:
            await self.crew.floor.release_round(PATIENCE_S)
        except Declined as refusal:
            raise Stuck(f"{refusal}{await self.crew.shown()}") from refusal
        await self.moment("released")

    async def _change_over(self) -> None:
        if self._round.shoe_over() and "past-the-cover" not in self.lapses:
            await self.crew.supply.end_shoe()
        if self.lapse("same-deck"):
            await self.crew.decks.deal_same_deck_again()
        elif self.lapse("plays-on"):
            await self.crew.decks.play_on()
        else:
            self.lapse("no-wait")
            await self.crew.supply.change_over()

    # What dealers do in every game.

    async def say_no_more_bets(self) -> None:
        """Announce no more bets, unless the dealer draws early. Raises `RoundVoid` and `Stuck`."""
        if "draws-early" in self.lapses:
            return
        await self.look()
        if self.crew.told_by["no_more_bets"] == "told":
            await self.tell("no-more-bets")
        await self.moment("bets-closed")

    async def tell_seats(self, played: Played) -> None:
        """Say who plays, unless the dealer forgets. Raises `RoundVoid` and `Stuck`."""
        played.seats = self.seats
        if not self.lapse("no-seats"):
            played.hands = len(played.seats)
            await self.look()
            await self.report("seats-playing", seats=list(played.seats))

    async def await_permit(self, played: Played, start_again: _StartAgain | None = None) -> None:
        """Wait for the shoe's lamp; see to whatever the screen says is in the way.

        `start_again` finds where the deal starts when somebody said that there was no roll. Raises
        `RoundVoid` and `Stuck`.
        """
        waited = 0.0
        while not (glance := await self.look()).may_deal:
            if glance.start_seat is None and start_again is not None:
                await start_again(played)
            if waited >= PATIENCE_S:
                raise Stuck("the shoe is not permitted" + await self.crew.shown())
            await asyncio.sleep(GLANCE_S)
            waited += GLANCE_S
            await self.crew.supply.make_shoe_ready()
        await asyncio.sleep(GLANCE_S)

    async def look(self) -> Glance:
        """Glance at the panel, or at the screen where there is none. Raises `RoundVoid`."""
        view = await self.crew.screen.look()
        panel = self.crew.machines.panel
        glance = (panel and on_panel(panel)) or on_screen(view)
        if glance.void:
            raise RoundVoid
        return glance

    async def report(self, what: str, **about: object) -> None:
        """Report what was seen or done. Raises `Stuck`."""
        await self.give("report", what=what, **about)

    async def tell(self, button: str) -> None:
        """Press a button of the panel, or give the same command where there is none that works."""
        buttons = self.crew.buttons
        if buttons is None or not buttons.work:
            await self.give(button)
            return
        buttons.press(button)
        await asyncio.sleep(GLANCE_S)

    async def give(self, command: str, **args: object) -> None:
        """Give a command. Raises `Stuck`."""
        try:
            await self.crew.screen.tell(DEALER, command, args)
        except Declined as refusal:
            await self.look()
            raise Stuck(f"{refusal}{await self.crew.shown()}") from refusal

    async def relieve(self) -> None:
        """Another dealer comes to the table and says so."""
        await asyncio.sleep(GLANCE_S)
        await self.tell("new-dealer")
        self.is_new = True

    def lapse(self, name: str) -> bool:
        """Whether the dealer does this wrong at this moment, once."""
        if name in self.lapses:
            self.lapses.remove(name)
            return True
        return False
