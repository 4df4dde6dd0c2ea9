"""What people did, as they would swear to it: the truth about rounds and reports that no device knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

# The fact that a command becomes once the table takes it.
FACTS = {
    "open-table": "table-opened",
    "close-table": "table-closed",
    "no-more-bets": "bets-closed",
    "round-end": "round-ended",
    "new-dealer": "dealer-came",
    "call-floor": "floor-called",
    "report": "reported",
    "acknowledge": "hold-acknowledged",
    "override": "hold-overridden",
    "release-round": "round-released",
    "change-deck": "deck-changed",
    "change-dice": "dice-changed",
    "order": "floor-ordered",
    "count": "deck-counted",
    "withdraw-card": "card-withdrawn",
    "replace-card": "card-replaced",
    "method": "method-chosen",
    "sign": "sign-moved",
    "inspect": "inspected",
    "service-begin": "service-begun",
    "service-end": "service-ending",
    "device-retire": "device-retired",
    "device-accept": "device-accepted",
}
# The same for the buttons of a dealer's panel, where another word is used.
PRESSED = {"acknowledge": "trouble-seen"}
REFUSED = "command-rejected"


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody at the table, by role and name."""

    role: str
    name: str


DEALER = Who("dealer", "kim")
FLOORPERSON = Who("floor", "robin")
TECHNICIAN = Who("tech", "sam")


@dataclass(slots=True)
class Played:
    """One round as the dealer dealt it.

    `starts`: every total of the dice that counted, with its seat; `seat` is where the first stack went,
    `left` what was counted; `seats` are those who played, where that matters, and `hands` how many players'
    hands the table was told of, else the most there can be. Of single cards `cards` were
    dealt, `burns` burnt, and `face_up` found face up. `up_card` is what the dealer's was, `reads` how often
    the reader was asked.
    """

    number: int
    deck: str = ""
    total: int | None = None
    seat: int | None = None
    starts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    stacks: list[int] = field(default_factory=list[int])
    left: int | None = None
    seats: tuple[int, ...] = ()
    cards: int = 0
    burns: int = 0
    face_up: int = 0
    up_card: str = ""
    reads: int = 0
    hands: int = 0
    outcome: str = ""

    @property
    def drawn(self) -> int:
        """How many single cards were drawn in all."""
        return self.cards + self.burns + self.face_up


@dataclass(frozen=True, slots=True)
class Told:
    """Something that a person told the table and the table took.

    `fact` is the event that it became, `args` what was said, `at_ns` nanoseconds of the run. Nobody knows who
    stands at a panel, so that what was told there has no name.
    """

    fact: str
    role: str
    name: str
    args: Mapping[str, object]
    at_ns: int
    second: str = ""
    way: Literal["screen", "panel"] = "screen"


@dataclass(frozen=True, slots=True)
class Press:
    """A button that somebody pressed at the dealer's panel, and the fact that was to become of it."""

    button: str
    word: str
    fact: str


@dataclass(slots=True)
class Record:
    """Everything people did that can be held against the journal.

    `told` is what the table took, `presses` every button that was pressed at the dealer's panel.
    """

    rounds: list[Played] = field(default_factory=list[Played])
    told: list[Told] = field(default_factory=list[Told])
    presses: list[Press] = field(default_factory=list[Press])
