"""How a round goes, by the kind of game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from felt_simulators.games.baccarat import Baccarat
from felt_simulators.games.blackjack import Blackjack
from felt_simulators.games.game import Play
from felt_simulators.games.over_under import OverUnder
from felt_simulators.games.poker import Poker
from felt_simulators.games.pot import Pot

if TYPE_CHECKING:
    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played


class Round(Protocol):
    """Plays rounds of one game."""

    def open(self) -> None:
        """Players lay their wagers, as far as a device sees them."""

    async def play(self, played: Played) -> None:
        """From the end of the bets to the last card. Raises `RoundVoid`, `Stuck` and `Refused`."""

    def shoe_over(self) -> bool:
        """Whether the shoe is shuffled anew after this round."""
        ...

    async def finish(self, played: Played) -> None:
        """After the end of the round: what is counted once in a while."""

    async def give_up(self) -> None:
        """Put away what the game has beside its cards, since the round is void."""


def round_of(dealer: Dealer) -> Round:
    """How the dealer's game is played."""
    kinds: dict[Play, type[Poker | Blackjack | OverUnder | Baccarat | Pot]] = {
        Play.POKER: Poker,
        Play.BLACKJACK: Blackjack,
        Play.OVER_UNDER: OverUnder,
        Play.BACCARAT: Baccarat,
        Play.POT: Pot,
    }
    return kinds[dealer.crew.game.play](dealer)
