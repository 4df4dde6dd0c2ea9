"""Tables at moments of a game of stacks, and facts that more than one test tells there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_protocols.events import card, deck, device, person

from .felt import DEALER, FLOOR, Felt, opened

if TYPE_CHECKING:
    from collections.abc import Callable


SHOE = card.ShoeEmptied(device="shoe-1")
SHUFFLER = deck.ShuffleStarted(device="shuffler-1", batch=9)
FOUR = card.ShoeUnloaded(device="shoe-1", count=4)
THREE = person.DeckCounted(by=DEALER, deck="red", count=3, part="remaining")
FACE_UP = card.CardDrawn(device="shoe-1", face_up=True)
STACK = card.StackDispensed(device="shoe-1", size=4)
GONE = device.DeviceLost(device="shaker-1", why="silent")
NO_SHUFFLER = device.DeviceLost(device="shuffler-1", why="silent")
JAM = deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum")
WRONG = deck.ShuffleCompleted(device="shuffler-1", batch=2, mode="shuffle", count=52)
BY_HAND = person.MethodChosen(by=FLOOR, shuffle="hand", deal="manual-shoe", start="button")
NEW = person.DeckChanged(by=FLOOR, deck="red")
COVERED = person.SignMoved(by=FLOOR, device="shoe-1", sign="covered")


def closed() -> Felt:
    """Devices are heard, nothing else was told."""
    felt = Felt()
    felt.start()
    felt.connect()
    return felt


def dealt() -> Felt:
    """Seven stacks of red are out."""
    felt = opened()
    felt.ready_to_deal()
    felt.deal()
    return felt


def second() -> Felt:
    """The second round, red in the shuffler and blue in the shoe."""
    felt = opened()
    felt.play_round()
    return felt


def told(make: Callable[[], Felt], *facts: Any) -> Felt:  # noqa: ANN401 - facts of any class
    """A table to which more was told."""
    felt = make()
    felt.tell(*facts)
    return felt
