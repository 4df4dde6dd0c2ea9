"""How a round goes, by the kind of game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from felt_simulators.games.poker import Poker

if TYPE_CHECKING:
    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played


class Round(Protocol):
    """Plays rounds of one game."""

    async def play(self, played: Played) -> None:
        """From the end of the bets to the last card. Raises `RoundVoid`, `Stuck` and `Refused`."""

    async def give_up(self) -> None:
        """Put away what the game has beside its cards, since the round is void."""


def round_of(dealer: Dealer) -> Round:
    """How the dealer's game is played."""
    return Poker(dealer)
