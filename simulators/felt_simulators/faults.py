"""The one vocabulary of faults: what can be made to go wrong with a device or with its line.

A fault is written `NAME[=ARGUMENT][,lasting][,chance=PERCENT]`, on the command line, in a scenario file
and in `Fault.parse`. It strikes at the first moment at which it can happen: once, or each time if it is
lasting.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

SHUFFLER = "shuffler"
SHOE = "shoe"
SHAKER = "shaker"
PANEL = "dealers-panel"
# Of the family `shoe` on the link, and a machine of its own here: cards leave it by a hand.
MANUAL_SHOE = "manual-shoe"
CONTINUOUS = "continuous-shuffler"
READER = "hole-card-reader"
STATION = "progressive-station"
GENERATOR = "rng"
LINE = "line"
# Those that can be told to stop, and all.
INHIBITED = (SHUFFLER, SHOE, SHAKER, MANUAL_SHOE, CONTINUOUS, READER)
DEVICES = (*INHIBITED, PANEL, STATION, GENERATOR)
# Those that give one card at a time to a hand, and all that hold cards.
DRAWN = (MANUAL_SHOE, CONTINUOUS)
CARD_MACHINES = (SHUFFLER, SHOE, *DRAWN)


class UnknownFault(ValueError):  # noqa: N818 - the name says what was met
    """There is no such fault, or its argument makes no sense; the text says what would be right."""


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One word of the vocabulary.

    `argument` says what the argument means and is empty when there is none; `usual` is its value when
    none is given.
    """

    families: tuple[str, ...]
    what: str
    argument: str = ""
    usual: int | str | None = None


# A fault whose usual argument is this strikes at a moment that the random numbers choose.
ANY = 0

KINDS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "jam": FaultKind(CARD_MACHINES, "a card jams", "which card from the load on, 0: any", ANY),
        "double-jam": FaultKind(
            CARD_MACHINES,
            "a card jams; the sensor fires 3 times in 40 ms, and twice more while it is cleared",
            "which card from the load on, 0: any",
            ANY,
        ),
        "stop": FaultKind(CARD_MACHINES, "it stops at work", "which card from the load on, 0: any", ANY),
        "incomplete": FaultKind((SHUFFLER,), "the cycle ends too early", "how many cards stay unshuffled", 5),
        "lost-card": FaultKind(
            (SHUFFLER, CONTINUOUS), "cards slip under the rail as they are loaded", "how many", 1
        ),
        "extra-card": FaultKind(
            (SHUFFLER, CONTINUOUS), "cards from under the rail get in as others are loaded", "how many", 1
        ),
        "cards-left": FaultKind(
            (SHUFFLER, MANUAL_SHOE, CONTINUOUS),
            "cards stay inside as the others are taken out",
            "how many",
            1,
        ),
        "miscount": FaultKind(
            CARD_MACHINES, "the sensor counts wrongly", "how many too many (or -too few)", -1
        ),
        "unsteady-count": FaultKind(
            CARD_MACHINES, "the sensor counts rightly or wrongly by chance", "by how many", 1
        ),
        "sort-mode": FaultKind((SHUFFLER,), "it was left in the mode that sorts"),
        "never-starts": FaultKind(
            (SHUFFLER,), "it takes the permit and the drum never turns: loaded, never shuffled"
        ),
        "dead-drum": FaultKind(
            (SHUFFLER,), "it says that it shuffles, and the order of the cards does not change"
        ),
        "light": FaultKind(
            (SHUFFLER, CONTINUOUS), "its light changes and nothing else is said", "colour", "red"
        ),
        "stack-size": FaultKind((SHOE,), "a stack has a wrong number of cards", "how many", 6),
        "face-up": FaultKind((SHOE, *DRAWN), "cards lie face up among the next", "how many", 1),
        "stray-card": FaultKind((SHOE,), "single cards come out of turn, face down", "how many", 1),
        "dead-button": FaultKind((SHOE,), "its dealing button gives nothing until its cards are taken out"),
        "missed-card": FaultKind(DRAWN, "its sensor misses a card that is drawn"),
        "double-card": FaultKind(DRAWN, "its sensor tells a card twice that is drawn"),
        "stuck-sensor": FaultKind(
            DRAWN,
            "its sensor sticks: no card that is drawn is told, until it is repaired",
            "after how many seconds it says so, 0: never",
            ANY,
        ),
        "two-cards": FaultKind(DRAWN, "another card slides out with the next one, and is not told"),
        "mouth-jam": FaultKind((CONTINUOUS,), "the next card that is drawn sticks in its mouth"),
        "not-flat": FaultKind((SHAKER,), "dice come to lie aslant", "how many", 1),
        "die-outside": FaultKind((SHAKER,), "dice fall out as the lid comes off", "how many", 1),
        "unattended": FaultKind((SHAKER,), "the dealer walks away from it"),
        "bounce": FaultKind((PANEL,), "one press of a button makes 5 electrical edges"),
        "stuck-button": FaultKind(
            (PANEL,),
            "the next button that is pressed sticks and fires again and again",
            "every so many ms",
            500,
        ),
        "dead-display": FaultKind((PANEL,), "its display is dark, and it says so, until it is repaired"),
        "unreadable": FaultKind((READER,), "it cannot read the hole card", "its word for why", "dirty"),
        "wrong-answer": FaultKind((READER,), "it says the contrary of what the hole card's marks say"),
        "stuck-card": FaultKind(
            (READER,), "the hole card sticks in it, and it says so, until it is repaired"
        ),
        "shutter-open": FaultKind((READER,), "its shutter lets a card in while it is inhibited"),
        "leak-card": FaultKind((READER,), "it offers the hole card's rank with its answer"),
        "sensor-stuck-on": FaultKind((STATION,), "a sensor sees a wager where none is", "seat, 0: any", 0),
        "sensor-stuck-off": FaultKind((STATION,), "a sensor sees no wager", "seat, 0: any", 0),
        "bad-health": FaultKind(
            (GENERATOR,), "its test of itself fails, and it draws no more", "which test", "repetition"
        ),
        "never-draws": FaultKind((GENERATOR,), "it takes the order to draw and never answers"),
        "repeated-draw": FaultKind((GENERATOR,), "it tells one draw again", "how often more", 1),
        "stale-draw": FaultKind((GENERATOR,), "it answers a draw with the number of the one before"),
        "unusable": FaultKind(DEVICES, "it breaks and says so, until it is repaired", "code", "motor"),
        "reboot": FaultKind(DEVICES, "its supply fails for a moment: it starts with a new boot id"),
        "silent": FaultKind(DEVICES, "it neither hears nor speaks", "seconds, 0 for ever", 0),
        "ignore-inhibit": FaultKind(INHIBITED, "it hears an inhibit and goes on"),
        "leak-order": FaultKind(CARD_MACHINES, "it offers the order of undealt cards"),
        "line-split": FaultKind((LINE,), "what is sent goes out in pieces", "bytes a piece", 1),
        "line-drop": FaultKind((LINE,), "bytes of what is sent are lost", "how many", 1),
        "line-flip": FaultKind((LINE,), "bits of what is sent are flipped", "how many", 1),
        "line-noise": FaultKind((LINE,), "random bytes go out before what is sent", "how many", 16),
        "line-duplicate": FaultKind((LINE,), "what is sent goes out again", "how often", 1),
        "line-merge": FaultKind((LINE,), "what is sent waits and goes out as one", "how many", 3),
        "line-unread": FaultKind((LINE,), "what the host sends is not read"),
        "line-hang-up": FaultKind((LINE,), "the line hangs up and comes back", "ms, 0 for ever", 1000),
    }
)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault to be put in. `value` None means the usual argument of its kind.

    Raises `UnknownFault` for a name that is not in the vocabulary or an argument of the wrong type.
    """

    name: str
    value: int | str | None = None
    lasting: bool = False
    chance: int = 100

    def __post_init__(self) -> None:
        kind = KINDS.get(self.name)
        if kind is None:
            raise UnknownFault(f"no fault is called {self.name}; there are {', '.join(KINDS)}")
        if self.value is None:
            object.__setattr__(self, "value", kind.usual)
        elif kind.usual is None:
            raise UnknownFault(f"{self.name} takes no argument")
        elif type(self.value) is not type(kind.usual):
            raise UnknownFault(f"{self.name} takes {kind.argument}, not {self.value}")
        if not 1 <= self.chance <= 100:  # noqa: PLR2004 - percent
            raise UnknownFault(f"the chance of {self.name} is 1 to 100 percent, not {self.chance}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The fault that was written. Raises `UnknownFault`."""
        head, *options = text.strip().split(",")
        name, _, argument = head.partition("=")
        lasting, chance = False, 100
        for option in options:
            key, _, value = option.partition("=")
            if option == "lasting":
                lasting = True
            elif key == "chance" and value.isdecimal():
                chance = int(value)
            else:
                raise UnknownFault(f"write lasting or chance=PERCENT after the comma, not {option!r}")
        return cls(name, _argument(name, argument) if "=" in head else None, lasting, chance)

    @property
    def number(self) -> int:
        """The argument of a fault that takes a number."""
        return self.value if isinstance(self.value, int) else 0

    @property
    def text(self) -> str:
        """The argument as text."""
        return "" if self.value is None else str(self.value)

    def suits(self, family: str) -> bool:
        """Whether a device of this family, or a `line`, can have this fault."""
        return family in KINDS[self.name].families


def _argument(name: str, text: str) -> int | str:
    kind = KINDS.get(name)
    if kind is None or not isinstance(kind.usual, int):
        return text
    try:
        return int(text)
    except ValueError:
        raise UnknownFault(f"{name} takes {kind.argument}, not {text!r}") from None


class Faults:
    """The faults that wait in one device or line, and a record of those that struck."""

    def __init__(self, family: str, rng: random.Random) -> None:
        self._family = family
        self._rng = rng
        self._waiting: dict[str, Fault] = {}
        self.struck: list[dict[str, int | float | str | None]] = []

    def set(self, fault: Fault) -> None:
        """Let the fault strike when it can. Raises `UnknownFault` when it never could here."""
        if not fault.suits(self._family):
            raise UnknownFault(f"a {self._family} cannot have the fault {fault.name}")
        self._waiting[fault.name] = fault

    def lift(self, name: str) -> None:
        """Take a fault out again; it is no error when there is none."""
        self._waiting.pop(name, None)

    def waiting(self, name: str) -> Fault | None:
        """The fault of this name that could strike now, which does not strike by being asked for."""
        return self._waiting.get(name)

    def strike(self, name: str, now: float) -> Fault | None:
        """The fault of this name if it strikes now; unless it is lasting it is then used up."""
        fault = self._waiting.get(name)
        if fault is None:
            return None
        if fault.chance < 100 and self._rng.randrange(100) >= fault.chance:  # noqa: PLR2004 - percent
            return None
        if not fault.lasting:
            del self._waiting[name]
        self.struck.append({"name": name, "value": fault.value, "at": now})
        return fault

    def names(self) -> list[str]:
        """The names of the faults that wait, in the order in which they were put in."""
        return list(self._waiting)
