"""What can be typed at devices that a hand draws cards from: a manual shoe, a continuous shuffler.

A batch of six decks is at hand; cards that were drawn lie on the table until they are put back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from felt_simulators.cards import JOKER, cover_card, new_deck
from felt_simulators.cli.words import Command, doing
from felt_simulators.devices.manual_shoe import ManualShoe

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.cards import Card
    from felt_simulators.devices.continuous import ContinuousShuffler

Drawing: TypeAlias = "ManualShoe | ContinuousShuffler"

_DECKS = 6


class Batch:
    """The cards at hand, and those that lie on the table."""

    def __init__(self) -> None:
        stacks = [new_deck("a", "red", "felt-sim").stack() for _ in range(_DECKS)]
        self.hand = [card for stack in stacks for card in stack if card.rank != JOKER]
        self.table: list[Card] = []

    def words_of(self, machine: Drawing) -> dict[str, Command]:
        """The hands of the machine, by the words that are typed."""
        common = {
            "draw": Command("draw the next card", self._drawing(machine)),
            "hands": Command("N [BURNS]: key in how many hands are dealt", _keying(machine)),
            "clear": self._taking("take out what stuck", machine.clear_jam),
            "look": self._taking("take out what stayed inside", machine.look_inside),
        }
        return {**common, **(self._shoe(machine) if isinstance(machine, ManualShoe) else self._box(machine))}

    def _shoe(self, machine: ManualShoe) -> dict[str, Command]:
        def load(_argument: str, now: float) -> str:
            cards = [*self.hand]
            if cards:
                cards.insert(len(cards) * 3 // 4, cover_card())
            machine.load(cards, now)
            self.hand.clear()
            return f"loaded {len(cards)} cards, the cover card is one"

        def aside(_argument: str, now: float) -> str:
            machine.lay_aside(self.table, now)
            laid, self.table = len(self.table), []
            return f"laid {laid} cards aside"

        return {
            "load": Command("put the batch in, with a cover card", load),
            "rest": self._taking("take the undealt cards out", machine.remove_rest),
            "aside": Command("put what lies on the table into the other compartment", aside),
            "take": self._taking("take the cards out of the other compartment", machine.take_aside),
            "change": doing("deal from the other compartment", machine.change_sides, "sides changed"),
        }

    def _box(self, machine: ContinuousShuffler) -> dict[str, Command]:
        def putting(pile: list[Card]) -> Callable[[str, float], str]:
            def act(_argument: str, now: float) -> str:
                machine.put_back(pile, now)
                put = len(pile)
                pile.clear()
                return f"put {put} cards in"

            return act

        def door(argument: str, now: float) -> str:
            if argument not in {"open", "close"}:
                return "refused: write door open or door close"
            (machine.open_door if argument == "open" else machine.close_door)(now)
            return f"door {argument}"

        return {
            "load": Command("put the batch in", putting(self.hand)),
            "back": Command("put what lies on the table back", putting(self.table)),
            "count": doing("let it tell how many are inside", machine.press_count, "counted"),
            "rest": self._taking("take every card out", machine.remove_all),
            "door": Command("open or close", door),
            "search": self._taking("take up what lies under the rail", machine.search_rail),
        }

    def _drawing(self, machine: Drawing) -> Callable[[str, float], str]:
        def act(_argument: str, now: float) -> str:
            card = machine.draw(now)
            if not card.counts:
                return "drew the cover card"
            self.table.append(card)
            return f"drew {card.code}, which lay face up" if card.face_up else "drew a card"

        return act

    def _taking(self, what: str, take: Callable[[float], list[Card]]) -> Command:
        def act(_argument: str, now: float) -> str:
            cards = take(now)
            self.hand += [card for card in cards if card.counts]
            return f"took {len(cards)} cards"

        return Command(what, act)


def _keying(machine: Drawing) -> Callable[[str, float], str]:
    def act(argument: str, now: float) -> str:
        numbers = argument.split()
        if len(numbers) not in {1, 2} or not all(number.isdecimal() for number in numbers):
            return "refused: write hands N, or hands N BURNS"
        hands, burns = (int(number) for number in [*numbers, "0"][:2])
        machine.key_in(hands, now, burns)
        return f"{hands} hands after {burns} burnt cards"

    return act
