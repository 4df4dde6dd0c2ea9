"""Which cards of a deal go face up to the layout, for a machine that is set to the game.

The machine sees backs only as cards come; what it knows of faces follows from how many hands are dealt,
which the dealer keys in before the first card of each round.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Step: TypeAlias = Literal["seats-up", "seats-down", "dealer-up", "dealer-down"]


@dataclass(frozen=True, slots=True)
class Setting:
    """How a game is dealt, a card to each seat or one to the dealer, step by step.

    `more_up`: all later cards go face up too.
    """

    steps: tuple[Step, ...]
    more_up: bool


_BLACKJACK = Setting(("seats-up", "dealer-up", "seats-up", "dealer-down"), more_up=True)
_ROUND_DOWN: tuple[Step, ...] = ("seats-down", "dealer-down")
_STUD = Setting(_ROUND_DOWN * 5, more_up=False)
SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        # 659a.8(c), 663a.8(d), 687a.8(d)
        "659a": Setting(_ROUND_DOWN * 7, more_up=False),
        "663a": _STUD,
        "687a": _STUD,
        # 665a.7(e), (f)
        "665a": Setting(("dealer-up", "seats-up", "seats-up", "dealer-down"), more_up=True),
        # 671a.8(c): the dealer's last card
        "671a": Setting((*_ROUND_DOWN * 4, "seats-down", "dealer-up"), more_up=False),
        # 672a.7(e), 673a.7(e)
        "672a": _BLACKJACK,
        "673a": _BLACKJACK,
        # 686a.7(e), (f)
        "686a": Setting(("seats-up",), more_up=True),
    }
)


class DealKeys:
    """The keys on the machine. Without a setting, or not pressed, no card is known to go face up."""

    def __init__(self, setting: Setting | None) -> None:
        self._setting = setting
        self._coming: list[bool] = []
        self._set = False
        self._begun = False

    def key_in(self, hands: int, burns: int) -> None:
        """Set them for a deal to so many hands, before which so many cards are burnt."""
        self._set, self._begun = self._setting is not None, False
        self._coming = [False] * burns
        for step in self._setting.steps if self._setting else ():
            whose, _, way = step.partition("-")
            self._coming += [way == "up"] * (hands if whose == "seats" else 1)

    def new_round(self) -> None:
        """Take that another round is permitted: what was keyed in for the last one no longer counts."""
        if self._begun:
            self.forget()

    def forget(self) -> None:
        """Know nothing: the power was off, or the cards are gone."""
        self._set = self._begun = False
        self._coming.clear()

    def shown(self) -> bool:
        """Take the next card that is used; say whether it goes face up."""
        if not self._set or self._setting is None:
            return False
        self._begun = True
        return self._coming.pop(0) if self._coming else self._setting.more_up
