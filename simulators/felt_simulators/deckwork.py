"""What a dealer does with decks, round by round, and what the screen asks for when one is in doubt."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from felt_simulators.devices import shuffler_build
from felt_simulators.handling import HANDLE_S, Handling
from felt_simulators.screen import Declined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_simulators.crew import Crew
    from felt_simulators.view import View

COUNT_S = 25.0
# A shuffle by hand of what lies in the rack.
SHUFFLE_RACK_S = 40.0
WAIT_S = 5.0
# A shuffle takes half a minute. For so long people wait for its end, and for its beginning.
SHUFFLE_LIMIT_S = 120.0
START_LIMIT_S = 30.0
ATTEMPTS = 20
_COUNTS = frozenset({"count-deck", "count-stub", "search-device"})
# What is told of a deck that is complete where a hand was wrong, so that another number was left: 659a.8(e).
_MISDEALT = {"misdealt-or-remove": "misdealt", "count-hands": "wrong-number"}
_CHANGED = frozenset({"remove-deck", "change-deck", "deck-leaves"})
_BUSY = frozenset({shuffler_build.State.SHUFFLING, shuffler_build.State.STARTING})


class Deckwork:
    """The usual course of the decks, and its remedies; `hands` knows where each of them is."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._shuffler = crew.machines.shuffler
        self.hands = Handling(crew)
        # How often a loaded shuffler was given up in a row.
        self._in_vain = 0

    @property
    def in_play(self) -> str | None:
        """The deck in the shoe."""
        return self.hands.in_shoe

    def taken_as_new(self) -> bool:
        """Whether nothing was dealt yet of what lies in the shoe; asked, it is so no more."""
        new, self.hands.new_in_shoe = self.hands.new_in_shoe, False
        return new

    def forget(self, name: str) -> None:
        """Rely no longer on this deck's lying ready."""
        self.hands.forget(name)

    async def tend(self) -> None:
        """While hands are settled: see to a deck that was laid aside, and to the shuffler."""
        await self.take_up()
        await self.tend_shuffler()

    async def collect_round(self) -> None:
        """After a void round: its cards into the hand, or into the rack where the shoe is dealt on from."""
        if self._crew.game.by_the_shoe:
            self._crew.props.clear_layout()
            return
        await self.hands.collect_round()
        await self.tend_shuffler()

    # The usual course.

    async def open(self) -> None:
        """Bring dice and decks; the first goes shuffled into the shoe, the second to where it is shuffled."""
        crew, hands = self._crew, self.hands
        if crew.shaker_id is not None:
            await crew.floor.bring_dice(crew.shaker_id)
        await crew.floor.inspect_reader()
        first, *others = crew.props.decks_named()[:2]
        await crew.preparation.bring_deck(first)
        if not crew.preparation.waives(first):
            await self._shuffle(first)
        await hands.load_shoe(first)
        for second in others:
            await crew.preparation.bring_deck(second)
            await hands.to_shuffle(second)
        await crew.floor.open_table()

    async def change_over(self) -> None:
        """After a round: the next deck goes where it is dealt from, and the one dealt is shuffled."""
        hands = self.hands
        if hands.in_shoe is not None:
            return
        view = await self._until_heard()
        await self._settle_laid_aside()
        following = await self._following()
        if following is None:
            if hands.dealt is not None:
                await self._shuffle_into_shoe(hands.dealt)
            return
        if hands.dealt is not None and self._crew.dealer.lapse("mixes-decks"):
            self._crew.props.gather(hands.dealt)
            self._crew.props.mix_up(following, hands.dealt)
        by_hand = self._crew.deals_by_hand(view)
        if by_hand:
            hands.keep_ready(following)
        else:
            await hands.load_shoe(following)
        if hands.dealt is None or self._crew.dealer.lapse("leaves-in-rack"):
            return
        if view.shuffled_by_hand:
            await hands.shuffle_by_hand(hands.dealt)
        elif not by_hand:
            await hands.load_shuffler(hands.dealt)
        # One that is dealt by hand goes into the shuffler while the other is on the table: `take_up`.

    async def end_shoe(self) -> None:
        """The cover card came in this round: what is left in the shoe joins the cards in the rack.

        Source: 58 Pa. Code §§ 665a.7(d), 672a.7(d)(1), 673a.7(d)(1), 686a.7(d)(1).
        """
        self._crew.props.discard(await self.hands.empty_shoe())

    async def refill_shoe(self) -> bool:
        """The shoe ran out in a round: shuffle and cut what lies in the rack; whether there was something.

        Source: 58 Pa. Code §§ 665a.13(e), 672a.12(f), 673a.13(f), 686a.9(b).
        """
        name = self.hands.in_shoe
        if name is None or not self._crew.props.take_rack(name):
            return False
        await asyncio.sleep(SHUFFLE_RACK_S)
        await self.hands.load_shoe(name)
        return True

    async def play_on(self) -> None:
        """What a dealer must not do: lay the other deck aside and go on with the one that was just dealt."""
        if self.hands.in_shuffler is not None:
            await self.hands.unload_shuffler()
        if self.hands.dealt is not None:
            await self._shuffle_into_shoe(self.hands.dealt)

    async def deal_same_deck_again(self) -> None:
        """What a dealer must not do: the deck that was just dealt goes into the shoe unshuffled."""
        if self.hands.dealt is not None:
            self._crew.props.gather(self.hands.dealt)
            await self.hands.load_shoe(self.hands.dealt)

    async def ready_to_deal_by_hand(self) -> str | None:
        """Take the deck that is dealt by hand next; out of the shoe if it is there still."""
        name = await self.hands.take_back() if self.hands.in_shoe is not None else None
        if name is not None:
            self.hands.ready.insert(0, name)
        return self.hands.take_to_deal()

    async def make_shoe_ready(self) -> None:
        """See to it that nothing but people is in the way of the next deal, as far as a dealer can."""
        if self.hands.in_shoe is None and self.hands.ready:
            await self.hands.load_shoe(self.hands.ready[0])
        for _ in range(ATTEMPTS):
            view = await self._crew.screen.look()
            if view.void:
                return
            hold = self._in_the_way(view)
            if hold is None:
                return
            await self._see_to(hold, view)

    async def tend_shuffler(self) -> None:
        """Stay with the shuffler until the deck in it is shuffled and nothing holds it."""
        for _ in range(ATTEMPTS):
            name = self.hands.in_shuffler
            if name is None:
                return
            state = self._shuffler.state
            if state in _BUSY:
                with contextlib.suppress(TimeoutError):
                    await self._crew.host.until(lambda: self._shuffler.state not in _BUSY, SHUFFLE_LIMIT_S)
                await asyncio.sleep(WAIT_S / 5)
            elif state is shuffler_build.State.SHUFFLED:
                view = await self._crew.screen.look()
                if not view.held_from_deal(name):
                    return
                await self._redo(name, view)
            elif state is shuffler_build.State.LOADED:
                view = await self._crew.screen.look()
                if view.device_held_from("shuffle", self._crew.shuffler_id):
                    # Somebody else sees to the shuffler.
                    await asyncio.sleep(WAIT_S)
                else:
                    await self._await_start(name)
            elif state is shuffler_build.State.INTERRUPTED:
                await self._clear_shuffler(name)
            elif state is shuffler_build.State.EMPTY:
                await self.hands.load_shuffler(name)
            else:
                await asyncio.sleep(WAIT_S)

    async def take_up(self) -> None:
        """While the other deck is played: see to one that was laid aside, and put it into the shuffler."""
        for name in self.hands.laid_aside():
            if await self._sound(name):
                self.hands.keep_ready(name)
            elif self.hands.in_shuffler is None:
                await self.hands.to_shuffle(name)

    async def settle_demands(self) -> None:
        """Do what the screen asks for about decks that are in the hand: count them, or have them changed."""
        for name in self._crew.props.decks_named():
            if name not in {self.hands.in_shuffler, self.hands.in_shoe}:
                await self._settle_in_hand(name)

    # The next deck.

    async def _following(self) -> str | None:
        """The deck that is dealt next, in the hand."""
        name = self.hands.in_shuffler
        if name is None:
            return self.hands.ready[0] if self.hands.ready else None
        await self.hands.unload_shuffler()
        await self._settle_in_hand(name)
        return name

    async def _settle_laid_aside(self) -> None:
        """See to decks that were laid aside: what nothing holds can be dealt, once it is shuffled."""
        for name in self.hands.laid_aside():
            if not await self._sound(name) and self.hands.in_shuffler is None:
                await self._shuffle(name)
            self.hands.keep_ready(name)

    async def _sound(self, name: str) -> bool:
        """Do what is asked for about a deck in the hand; whether it can be dealt as it is."""
        await self._settle_in_hand(name)
        view = await self._crew.screen.look()
        return bool(view.deck(name)["shuffled"]) and not view.held_from_deal(name)

    async def _until_heard(self) -> View:
        """Wait a while for devices that are not heard: what is done with them now is not seen."""
        view = await self._crew.screen.look()
        for _ in range(ATTEMPTS):
            await asyncio.sleep(HANDLE_S)
            view = await self._crew.screen.look()
            if not {"stale", "lost", "connected"} & set(view.shown["devices"].values()):
                break
        return view

    # Remedies.

    def _in_the_way(self, view: View) -> Mapping[str, Any] | None:
        """The first hold that keeps the deck in the shoe from being dealt."""
        for hold in view.holds:
            closes = "deal" in hold["gates"]
            if closes and not (hold["subject"] == "deck" and hold["subject_id"] != self.hands.in_shoe):
                return hold
        return None

    async def _see_to(self, hold: Mapping[str, Any], view: View) -> None:
        wanted = set(view.directives(int(hold["incident"])))
        if "change-dice" in wanted:
            await self._crew.floor.bring_dice(str(hold["subject_id"]))
        elif hold["subject"] == "deck" and self.hands.in_shoe is not None:
            await self._take_out_of_play(self.hands.in_shoe)
        else:
            # Somebody else sees to a device; its cards come out if that is what it takes.
            await asyncio.sleep(WAIT_S)
            if hold["cause"] == "gone" and hold["subject_id"] == self._crew.shoe_id:
                name = await self.hands.take_back()
                if name is not None:
                    await self.hands.load_shoe(name)

    async def _take_out_of_play(self, name: str) -> None:
        """The deck in the shoe is in doubt: settle what can be settled, or play the other deck."""
        hands = self.hands
        if hands.in_shuffler is not None:
            view = await self._crew.screen.look()
            if _CHANGED & view.demanded_of("deck", hands.in_shuffler):
                # One after the other, so that nobody has to guess which deck is put into the shuffler.
                await self.tend_shuffler()
        at_hand = [*hands.ready, *hands.laid_aside()]
        await hands.take_back()
        if hands.in_shuffler is None and at_hand and await self._sound(at_hand[0]):
            await hands.load_shoe(at_hand[0])
            await self._settle_in_hand(name)
            await hands.to_shuffle(name)
            return
        await self._settle_in_hand(name)
        view = await self._crew.screen.look()
        if not view.held_from_deal(name) and view.deck(name)["shuffled"]:
            await hands.load_shoe(name)
            return
        other = hands.in_shuffler
        if other is not None and await self._must_wait(name, other):
            # Of two decks at hand the table takes the one that was dealt last to go into the shuffler.
            await hands.unload_shuffler()
            await self._shuffle_into_shoe(name)
            await hands.load_shuffler(other)
        elif other is not None:
            await self.tend_shuffler()
            await hands.unload_shuffler()
            await hands.load_shoe(other)
            await hands.load_shuffler(name)
        else:
            await self._shuffle_into_shoe(name)

    async def _must_wait(self, name: str, other: str) -> bool:
        """Whether the deck in the shuffler must wait until this one is in the shoe."""
        with contextlib.suppress(TimeoutError):
            await self._crew.host.until(lambda: self._shuffler.state not in _BUSY, SHUFFLE_LIMIT_S)
        view = await self._crew.screen.look()
        if self._shuffler.state is shuffler_build.State.SHUFFLED and not view.held_from_deal(other):
            return False
        at_rest = {shuffler_build.State.SHUFFLED, shuffler_build.State.LOADED}
        later = view.deck(name)["last_round"] > view.deck(other)["last_round"]
        return later and self._shuffler.state in at_rest

    async def _shuffle_into_shoe(self, name: str) -> None:
        await self._shuffle(name)
        await self.hands.load_shoe(name)

    async def _shuffle(self, name: str) -> None:
        if await self.hands.to_shuffle(name):
            await self.tend_shuffler()
            await self.hands.unload_shuffler()

    async def _redo(self, name: str, view: View) -> None:
        """Take a shuffled deck that is in doubt out again, settle the doubt, shuffle it again."""
        if "leave-sort-mode" in view.demanded_of("deck", name):
            self._shuffler.switch_mode("shuffle", self._crew.now())
        await self.hands.unload_shuffler()
        await self._settle_in_hand(name)
        await self.hands.load_shuffler(name)

    async def _clear_shuffler(self, name: str) -> None:
        await asyncio.sleep(HANDLE_S)
        self._crew.props.pick_up(self._shuffler.clear_jam(self._crew.now()))
        await self._settle_in_hand(name)
        await self.hands.load_shuffler(name)

    async def _await_start(self, name: str) -> None:
        """Wait for a loaded shuffler to begin; one that never does is emptied and loaded again.

        If that does not help either, another deck is brought.
        """
        waiting = shuffler_build.State.LOADED
        try:
            await self._crew.host.until(lambda: self._shuffler.state is not waiting, START_LIMIT_S)
        except TimeoutError:
            await self.hands.unload_shuffler()
            await self._settle_in_hand(name)
            self._in_vain += 1
            if self._in_vain > 1:
                await self._crew.preparation.bring_deck(name)
                self._in_vain = 0
            await self.hands.load_shuffler(name)
        else:
            self._in_vain = 0

    async def _settle_in_hand(self, name: str) -> None:
        """Search, count, report or change a deck that is in the hand, as far as the screen asks for it."""
        crew = self._crew
        wanted = (await crew.screen.look()).demanded_of("deck", name)
        word = next((_MISDEALT[one] for one in wanted if one in _MISDEALT), "")
        if word and crew.props.wrong_hand and await self._is_complete(name):
            await crew.dealer.report(word)
        elif word or wanted & _CHANGED:
            await crew.preparation.bring_deck(name)
            return
        if wanted & _COUNTS:
            if "search-device" in wanted:
                await self.hands.search()
            crew.props.gather(name)
            await asyncio.sleep(COUNT_S)
            number = crew.props.in_hand(name)
            if number != crew.game.content.size:
                await crew.preparation.bring_deck(name)
                return
            try:
                await crew.floor.tell("count", deck=name, count=number)
            except Declined:
                # The table's books have some of the deck elsewhere, and nobody argues with them.
                await crew.preparation.bring_deck(name)

    async def _is_complete(self, name: str) -> bool:
        """Whether no card of a deck in the hand is missing, counted face down: 663a.8(h), 687a.8(i)."""
        await asyncio.sleep(COUNT_S)
        return self._crew.props.in_hand(name) == self._crew.game.content.size
