"""What people at a table know of their game.

It is the dealer's own knowledge and comes from no rule pack: where the two differ, one of them has read the
regulation wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from types import MappingProxyType
from typing import TYPE_CHECKING

from felt_simulators.cards import Content

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Play(Enum):
    """What the dealer does in a round, in broad terms."""

    POKER = auto()
    BLACKJACK = auto()
    OVER_UNDER = auto()
    BACCARAT = auto()
    POT = auto()


@dataclass(frozen=True, slots=True)
class Game:
    """One game.

    `content` is what is dealt from, as it comes to the table under one name; `hand` the cards of a hand
    after the deal. `everywhere`: positions without a wager get cards too. `shaken`: three dice find where
    the deal begins, otherwise it is farthest left. `in_stacks`: single cards come hand by hand. `extra`: so
    many cards lie apart after the deal. `draws`: once decisions are locked in, or bets are made, players may
    draw. `stub_every`: where no shuffler counts, the cards that are left are counted once in so many rounds,
    `deck_every`: the whole deck is. `reads`: the up cards for which the hole card goes into the reader;
    `up_card_first`: the dealer's up card is the first of the deal. `in_part`: so little of the chapter is to
    hand that what goes wrong has no word of its own, and nothing is said of cuts and burns.
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
    stub_every: int = 0
    deck_every: int = 0
    reads: frozenset[str] = frozenset()
    up_card_first: bool = False
    in_part: bool = False

    @property
    def phrases(self) -> Mapping[str, str]:
        """What people say of a round's phases, where it is not what is said of Asia Poker."""
        return _PHRASES.get(self.chapter, _PHRASES[self.play.name])

    @property
    def shoe_in_text(self) -> bool:
        """Whether the text to hand has the cut of a shoe's cards, and burns: the baccarat games' has not."""
        return self.play in {Play.BLACKJACK, Play.OVER_UNDER} and not self.in_part

    @property
    def by_the_shoe(self) -> bool:
        """Whether cards are shuffled when the cover card has come, and not after each round."""
        return self.play not in {Play.POKER, Play.POT}


# By chapter, and otherwise by what is played.
_PHRASES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "659a": {},
        "671a": {"dealt": "players decide", "playing": "draws are dealt and hands are settled"},
        "POKER": {"dealt": "the cards that are left are put away"},
        "BLACKJACK": {"playing": "hands are played and settled"},
        "OVER_UNDER": {"playing": "hands are settled"},
        "BACCARAT": {"playing": "the hands are out"},
        "POT": {"playing": "players bet, and exchange cards"},
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
        reads=_PICTURES,
        up_card_first=True,
    ),
    # 672a.3(a), .7(e) to (g).
    Game("672a", Play.BLACKJACK, _POSITIONS, Content(decks=6), 2, reads=_TENS),
    # 673a.3(a), .7(e) to (h).
    Game("673a", Play.BLACKJACK, _POSITIONS, Content(decks=6), 2, reads=_TENS),
    # 686a.3(a), .7(e) to (j): one card, then two more; no dealer's hand.
    Game("686a", Play.OVER_UNDER, _POSITIONS, Content(decks=6), 3),
)
# Of Blackjack and Spanish 21 the text to hand gives no decks, no positions, no order of the deal and no
# irregularities. People deal them as houses do: seven positions, the house's decks, and two cards each as in
# 672a.7(e).
_SHOE_IN_PART = (
    # 633a.7(h).
    Game("633a", Play.BLACKJACK, 7, Content(), 2, reads=_TENS, in_part=True),
    # 635a.8(a): insurance wins by a king, queen or jack, so that no tens are in it; (d): the reader after
    # insurance. Under which other cards it is used is not to hand.
    Game(
        "635a",
        Play.BLACKJACK,
        7,
        Content(without=frozenset({"T"})),
        2,
        reads=frozenset({"A"}),
        in_part=True,
    ),
)
_BACCARAT = (
    # 627a.8, 629a.8, 631a.9: two cards each for player and banker.
    Game("627a", Play.BACCARAT, 9, Content(decks=8), 2),
    Game("629a", Play.BACCARAT, 9, Content(decks=8), 2),
    Game("631a", Play.BACCARAT, 14, Content(decks=8), 2),
)
_POT = (
    # 637a.21(b), (f): Badugi, four cards each. The number of cards is not to hand; a house says it.
    Game("637a", Play.POT, 9, Content(), 4, draws=True, in_part=True),
)

GAMES: Mapping[str, Game] = MappingProxyType(
    {game.chapter: game for game in (*_POKER, *_SHOE, *_SHOE_IN_PART, *_BACCARAT, *_POT)}
)
_DECK = 52
_SPANISH_DECK = 48
_STUD_HAND = 5


def as_elected(game: Game, elected: Callable[[str, str], str]) -> Game:
    """The game as a house plays it; `elected` is what it chose, and what goes where it chose nothing."""
    content, seats, decks = game.content, elected("seats", ""), elected("decks", "")
    if game.by_the_shoe and decks:
        # 672a.3(a), 673a.3(a): how many decks a batch has.
        content = replace(content, decks=int(decks))
    if cards := int(elected("cards", "0")):
        content = _spanish(cards)
    if elected("deck", "") == str(_DECK + 1):
        content = replace(content, jokers=1)
    # 637a.10(m): four cards down and one up, and no draws.
    stud = elected("variant", "") == "super-seven-card-stud"
    return replace(
        game,
        content=content,
        # 631a.2(a): how many positions the table has.
        positions=int(seats) if seats else game.positions,
        # 659a.5(g): how the starting position is found.
        shaken=game.shaken and elected("start", "shaker") == "shaker",
        hand=_STUD_HAND if stud else game.hand,
        draws=game.draws and not stud,
    )


def _spanish(cards: int) -> Content:
    """So many cards in decks without tens, or in whole ones."""
    without = frozenset({"T"}) if cards % _SPANISH_DECK == 0 else frozenset[str]()
    return Content(decks=cards // (_SPANISH_DECK if without else _DECK), without=without)
