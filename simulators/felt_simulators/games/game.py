"""What people at a table know of their game.

It is the dealer's own knowledge and comes from no rule pack: where the two differ, one of them has read the
regulation wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import TYPE_CHECKING

from felt_simulators.cards import Content

if TYPE_CHECKING:
    from collections.abc import Mapping


class Play(Enum):
    """What the dealer does in a round, in broad terms."""

    POKER = auto()
    BLACKJACK = auto()
    OVER_UNDER = auto()
    BACCARAT = auto()


@dataclass(frozen=True, slots=True)
class Game:
    """One game.

    `content` is what is dealt from, as it comes to the table under one name; `hand` the cards of a hand
    after the deal. `everywhere`: positions without a wager get cards too. `shaken`: three dice find where
    the deal begins, otherwise it is farthest left. `in_stacks`: single cards come hand by hand. `extra`: so
    many cards lie apart after the deal. `announces` no more bets; `draws`: once decisions are locked in,
    players may draw. `stub_every`: where no shuffler counts, the cards that are left are counted once in so
    many rounds, `deck_every`: the whole deck is. `reads`: the up cards for which the hole card goes into the
    reader; `up_card_first`: the dealer's up card is the first of the deal.
    """

    chapter: str
    play: Play
    positions: int
    content: Content
    hand: int
    everywhere: bool = False
    shaken: bool = False
    in_stacks: bool = False
    extra: int = 0
    draws: bool = False
    announces: bool = True
    stub_every: int = 0
    deck_every: int = 0
    reads: frozenset[str] = frozenset()
    up_card_first: bool = False

    @property
    def phrases(self) -> Mapping[str, str]:
        """What people say of a round's phases, where it is not what is said of Asia Poker."""
        return _PHRASES.get(self.chapter, _PHRASES[self.play.name])

    @property
    def shoe_in_text(self) -> bool:
        """Whether the text has the cut of a shoe's cards, and burns: the baccarat games' has not."""
        return self.play in {Play.BLACKJACK, Play.OVER_UNDER}

    @property
    def by_the_shoe(self) -> bool:
        """Whether cards are shuffled when the cover card has come, and not after each round."""
        return self.play is not Play.POKER


# By chapter, and otherwise by what is played.
_PHRASES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "659a": {},
        "671a": {"dealt": "players decide", "playing": "draws are dealt and hands are settled"},
        "POKER": {"dealt": "the cards that are left are put away"},
        "BLACKJACK": {"playing": "hands are played and settled"},
        "OVER_UNDER": {"playing": "hands are settled"},
        "BACCARAT": {"playing": "the hands are out"},
    }
)
_POSITIONS = 6
_PICTURES = frozenset({"A", "K", "Q", "J"})
_TENS = frozenset({*_PICTURES, "T"})

_POKER = (
    # 659a.8 to .10: seven hands of seven, wherever somebody sits; four cards are left.
    Game("659a", Play.POKER, _POSITIONS, Content(jokers=1), 7, everywhere=True, shaken=True),
    # 663a.8(d), (f): five cards each.
    Game("663a", Play.POKER, _POSITIONS, Content(), 5, stub_every=5),
    # 671a.8(c), .11(c), (d), (h): five each, then decisions and draws.
    Game("671a", Play.POKER, 5, Content(), 5, draws=True, deck_every=5),
    # 687a.8(d) to (g): five each and one card apart.
    Game("687a", Play.POKER, _POSITIONS, Content(jokers=1), 5, in_stacks=True, extra=1, stub_every=5),
)
_SHOE = (
    # 665a.3(a), .7(e) to (g): eight decks without tens, the up card first.
    Game(
        "665a",
        Play.BLACKJACK,
        _POSITIONS,
        Content(decks=8, without=frozenset({"T"})),
        2,
        announces=False,
        reads=_PICTURES,
        up_card_first=True,
    ),
    # 672a.3(a), .7(e) to (g).
    Game("672a", Play.BLACKJACK, _POSITIONS, Content(decks=6), 2, announces=False, reads=_TENS),
    # 673a.3(a), .7(e) to (h).
    Game("673a", Play.BLACKJACK, _POSITIONS, Content(decks=6), 2, announces=False, reads=_TENS),
    # 686a.3(a), .7(e) to (j): one card, then two more; no dealer's hand.
    Game("686a", Play.OVER_UNDER, _POSITIONS, Content(decks=6), 3, announces=False),
)
_BACCARAT = (
    # 627a.8, 629a.8, 631a.9: two cards each for player and banker.
    Game("627a", Play.BACCARAT, 9, Content(decks=8), 2),
    Game("629a", Play.BACCARAT, 9, Content(decks=8), 2),
    Game("631a", Play.BACCARAT, 14, Content(decks=8), 2),
)

GAMES: Mapping[str, Game] = MappingProxyType({game.chapter: game for game in (*_POKER, *_SHOE, *_BACCARAT)})
