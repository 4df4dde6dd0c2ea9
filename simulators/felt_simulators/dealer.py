"""The dealer: plays rounds with the devices' hands, as the house and the regulation want it.

A dealer sees lights, cards, dice and the screen, and does what the screen says. What a scenario calls a
*lapse* is something a dealer may do wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from felt_simulators.cards import count
from felt_simulators.devices import shoe_build
from felt_simulators.devices.hands import Refused
from felt_simulators.glance import on_panel, on_screen
from felt_simulators.props import SEATS
from felt_simulators.record import DEALER, Played
from felt_simulators.screen import Declined

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from felt_simulators.crew import Crew
    from felt_simulators.glance import Glance

# How long things take at a table, in seconds.
BETTING_S = 20.0
SHAKE_S = 0.8
READ_S = 1.5
GLANCE_S = 1.0
STACK_S = 1.0
PLAYING_S = 45.0
# For so long the dealer waits for a permit or a device before doing something about it.
PATIENCE_S = 90.0
SHAKES = 3
STACKS = 7
HAND = 7
BY_HAND_S = 3.0

LAPSES = {
    "one-shake": "shakes the dice once instead of three times",
    "bets-open": "uncovers the dice before announcing no more bets",
    "no-last-shake": "does not shake the dice after the deal",
    "same-deck": "puts the deck that was just dealt into the shoe again",
    "no-wait": "takes the deck out of the shuffler without waiting for the shuffle",
    "look-twice": "lifts the lid again after the starting position is known",
    "plays-on": "lays the other deck aside after the round and goes on with the one that was dealt",
}
# What a dealer does not wait for the shuffler with.
_HURRIED = frozenset({"no-wait", "same-deck", "plays-on"})


def seat_of(total: int) -> int:
    """The seat that a total points to: the dealer (0) is one, then counter-clockwise.

    Source: 58 Pa. Code § 659a.5(g)(1)(iii).
    """
    return (SEATS - (total - 1) % SEATS) % SEATS


class RoundVoid(Exception):  # noqa: N818 - that is what the screen says
    """The screen says that the round is void."""


class Stuck(Exception):  # noqa: N818 - the name says how people are
    """The dealer does not know how to go on; the text says what the screen shows."""


class Dealer:
    """Plays rounds. `moment` is awaited at every moment of a round that a scenario can name."""

    def __init__(self, crew: Crew, moment: Callable[[str], Awaitable[None]]) -> None:
        self._crew = crew
        self._moment = moment
        self._shoe, self._shaker = crew.machines.shoe, crew.machines.shaker
        self._by_hand = False
        self.lapses: set[str] = set()

    async def play_round(self) -> Played:
        """Play one round from the bets to the next deck in the shoe. Raises `Stuck`."""
        crew = self._crew
        view = await crew.screen.look()
        self._by_hand = view.dealt_by_hand
        played = Played(view.number)
        crew.record.rounds.append(played)
        try:
            await self._play_or_void(played)
            await self._change_over()
        except Refused as refusal:
            raise Stuck(f"{refusal}{await crew.shown()}") from refusal
        except TimeoutError as error:
            raise Stuck(f"a machine does not get ready{await crew.shown()}") from error
        return played

    async def _play_or_void(self, played: Played) -> None:
        try:
            await self._play(played)
            played.outcome = "completed"
        except RoundVoid:
            played.outcome = "void"
            await self._give_up_round()

    async def _play(self, played: Played) -> None:
        await self._moment("betting")
        await asyncio.sleep(BETTING_S)
        if not self._by_hand:
            await self._crew.decks.make_shoe_ready()
        if self._lapses("bets-open"):
            await self._find_start(played)
            await self._say_no_more_bets()
        else:
            await self._say_no_more_bets()
            await self._find_start(played)
        if self._by_hand:
            await self._deal_by_hand(played)
        else:
            await self._await_permit(played)
            played.deck = self._crew.decks.hands.in_shoe or ""
            await self._deal(played)
            await self._count_left(played)
        await self._put_shaker_away()
        await self._moment("playing")
        await asyncio.sleep(PLAYING_S)
        if not _HURRIED & self.lapses:
            await self._crew.decks.take_up()
            await self._crew.decks.tend_shuffler()
        await self._look()
        await self._moment("round-end")
        await self._look()
        self._crew.props.clear_layout()
        if self._crew.told_by["round_end"] == "told":
            await self._tell("round-end")

    async def _say_no_more_bets(self) -> None:
        await self._look()
        if self._crew.told_by["no_more_bets"] == "told":
            await self._tell("no-more-bets")
        await self._moment("bets-closed")

    async def _find_start(self, played: Played) -> None:
        """Shake, uncover, total the dice; call no roll and shake again for as long as they are not right."""
        rolled: list[int] = []
        for _ in range(10):
            await self._shake(1 if self._lapses("one-shake") else SHAKES)
            await self._moment("shaken")
            dice = self._shaker.uncover(self._crew.now())
            await asyncio.sleep(READ_S)
            seat = (await self._look()).start_seat
            if all(die.flat and die.inside for die in dice) and seat is not None:
                rolled.append(sum(die.face for die in dice))
                # A reading that the screen got late, after a second shake, was the first: it stands.
                played.total = next((total for total in rolled if seat_of(total) == seat), rolled[-1])
                played.seat = seat_of(played.total)
                played.starts.append((played.total, played.seat))
                await self._moment("uncovered")
                await self._second_look()
                return
            rolled.append(sum(die.face for die in dice))
            with contextlib.suppress(Refused):
                self._shaker.gather(self._crew.now())
            self._shaker.cover(self._crew.now())
            await asyncio.sleep(GLANCE_S)
        raise Stuck("the dice never determine a starting position" + await self._crew.shown())

    async def _second_look(self) -> None:
        if self._lapses("look-twice"):
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

    async def _await_permit(self, played: Played) -> None:
        """Wait for the shoe's lamp; see to whatever the screen says is in the way."""
        waited = 0.0
        while not (glance := await self._look()).may_deal:
            if glance.start_seat is None:
                # Somebody said that there was no roll.
                await self._find_start(played)
            if waited >= PATIENCE_S:
                raise Stuck("the shoe is not permitted" + await self._crew.shown())
            await asyncio.sleep(GLANCE_S)
            waited += GLANCE_S
            await self._crew.decks.make_shoe_ready()
        await asyncio.sleep(GLANCE_S)

    async def _deal(self, played: Played) -> None:
        seat = played.seat or 0
        for number in range(1, STACKS + 1):
            await self._moment(f"stack-{number}")
            await self._press()
            await asyncio.sleep(STACK_S / 2)
            await self._moment(f"in-stack-{number}")
            await self._crew.host.until(lambda: self._shoe.state is not shoe_build.State.DEALING, PATIENCE_S)
            await asyncio.sleep(STACK_S)
            await self._take(played, seat)
            await self._look()
            seat = (seat + 1) % SEATS
        await self._moment("dealt")

    async def _press(self) -> None:
        """Press the dealing button until a stack comes."""
        waited = 0.0
        while True:
            try:
                self._shoe.press_deal(self._crew.now())
            except Refused:
                await asyncio.sleep(GLANCE_S)
                await self._look()
                waited += GLANCE_S
                if waited >= PATIENCE_S:
                    # A shoe that gives no more cards has failed to deal all: 659a.13(m).
                    await self._crew.decks.hands.empty_shoe()
                    await asyncio.sleep(GLANCE_S)
                    await self._look()
                    raise Stuck("the shoe gives no stack" + await self._crew.shown()) from None
            else:
                return

    async def _take(self, played: Played, seat: int) -> None:
        try:
            cards = self._shoe.take_stack(self._crew.now())
        except Refused:
            return
        turned = self._crew.props.deliver(seat, cards)
        played.stacks.append(count(cards) - count(turned))

    async def _count_left(self, played: Played) -> None:
        """Take the rest out of the shoe and count it face down."""
        self._crew.props.spread = await self._crew.decks.hands.empty_shoe()
        await asyncio.sleep(READ_S)
        played.left = count(self._crew.props.spread)
        if (await self._look()).count_left and played.deck:
            await self._report_left(played)
        await self._discard_left()

    async def _report_left(self, played: Played) -> None:
        await self._give("count", deck=played.deck, count=played.left, part="remaining")

    async def _discard_left(self) -> None:
        self._crew.props.discard(self._crew.props.spread)
        self._crew.props.spread = []
        await self._look()

    async def _deal_by_hand(self, played: Played) -> None:
        """Deal seven hands of seven without the shoe, say so, and count what is left."""
        props = self._crew.props
        name = await self._crew.decks.ready_to_deal_by_hand()
        if name is None:
            raise Stuck("there is no shuffled deck to deal from" + await self._crew.shown())
        stack = props.hand[name]
        for number in range(1, STACKS + 1):
            await self._moment(f"stack-{number}")
            await self._look()
            await asyncio.sleep(BY_HAND_S)
            hand, stack[:HAND] = stack[:HAND], []
            props.deliver(((played.seat or 0) + number - 1) % SEATS, hand)
            played.stacks.append(count(hand))
        played.left = count(stack)
        await self.report("cards-dealt", deck=name)
        played.deck = name
        await self._moment("dealt")
        await self._report_left(played)
        await self._look()

    async def _put_shaker_away(self) -> None:
        """Cover the shaker, shake it once and set it at the right: 659a.5(g)(1)(iv)."""
        with contextlib.suppress(Refused):
            self._shaker.cover(self._crew.now())
        if not self._lapses("no-last-shake"):
            await asyncio.sleep(SHAKE_S)
            self._shaker.shake(self._crew.now())
        with contextlib.suppress(Refused):
            self._shaker.put_right(self._crew.now())

    async def _give_up_round(self) -> None:
        """Return the wagers, collect all cards, have the round released."""
        await self._moment("void")
        await asyncio.sleep(GLANCE_S)
        with contextlib.suppress(Refused):
            self._shaker.gather(self._crew.now())
        with contextlib.suppress(Refused):
            self._shaker.cover(self._crew.now())
        await self._crew.decks.hands.collect_round()
        await self._crew.decks.tend_shuffler()
        await self._crew.decks.settle_demands()
        await self._moment("collected")
        try:
            await self._crew.floor.release_round(PATIENCE_S)
        except Declined as refusal:
            raise Stuck(f"{refusal}{await self._crew.shown()}") from refusal
        await self._moment("released")

    async def _change_over(self) -> None:
        if self._lapses("same-deck"):
            await self._crew.decks.deal_same_deck_again()
        elif self._lapses("plays-on"):
            await self._crew.decks.play_on()
        else:
            self._lapses("no-wait")
            await self._crew.decks.change_over()

    async def _look(self) -> Glance:
        """Glance at the panel, or at the screen where there is none. Raises `RoundVoid`."""
        view = await self._crew.screen.look()
        panel = self._crew.machines.panel
        glance = (panel and on_panel(panel)) or on_screen(view)
        if glance.void:
            raise RoundVoid
        return glance

    async def report(self, what: str, **about: object) -> None:
        """Report what was seen or done. Raises `Stuck`."""
        await self._give("report", what=what, **about)

    async def _tell(self, button: str) -> None:
        """Press a button of the panel, or give the same command where there is none that works."""
        buttons = self._crew.buttons
        if buttons is None or not buttons.work:
            await self._give(button)
            return
        buttons.press(button)
        await asyncio.sleep(GLANCE_S)

    async def _give(self, command: str, **args: object) -> None:
        try:
            await self._crew.screen.tell(DEALER, command, args)
        except Declined as refusal:
            await self._look()
            raise Stuck(f"{refusal}{await self._crew.shown()}") from refusal

    def _lapses(self, name: str) -> bool:
        """Whether the dealer does this wrong now, once."""
        if name in self.lapses:
            self.lapses.remove(name)
            return True
        return False
