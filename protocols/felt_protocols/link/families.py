"""The closed tables of each device family: its events and its orders, with what each field holds.

`check` judges an event and `check_order` an order. `leaks` says whether an event offers the order of
undealt cards, which no part of this system may ever hold. Reasons never quote the device.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from felt_protocols.link.cbor import is_map
from felt_protocols.link.shapes import (
    FLAG,
    TOKEN,
    U63,
    WORD,
    Shape,
    list_of,
    map_of,
    one_of,
    text,
    whole,
)

SAFE_ORDERS: Final = frozenset({"inhibit", "lamp", "text"})
"""Orders without a number: carried out as often as they come, and answered by name."""

LOST: Final = "lost"
"""The event of every family that says which events the device could not keep."""

CLEARED: Final = "cleared"
"""The event of every family that says that a fault is over."""

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "JK")
SUITS: Final = ("C", "D", "H", "S")
CARDS: Final = (*(rank + suit for rank in RANKS[:-1] for suit in SUITS), "JK")

PANEL_LINES: Final = 8
LINE_CHARACTERS: Final = 40
PANEL_LAMPS: Final = ("call", "hold", "deal")
LAMP_PATTERNS: Final = ("off", "on", "slow", "fast")

_CARDS_MOST: Final = 1024
_COUNT: Final = whole(0, _CARDS_MOST)
_SEAT: Final = whole(1, 15)
_SECONDS: Final = whole(0, 86_400)


# Eight decks in a batch have eight of each card, and up to sixteen jokers. A higher number could be
# a place in the deck, and is refused.
_COMPOSITION: Final = map_of(WORD, map_of(one_of(*CARDS, says="a card, as AC or TD or JK"), whole(1, 16)))


@dataclass(frozen=True, slots=True)
class Family:
    """What a family of devices may say, and may be asked."""

    events: Mapping[str, Shape]
    orders: Mapping[str, Shape]


_INHIBIT: Final = {"inhibit": Shape({"why": WORD, "when": one_of("now", "after-round")})}
_SELFTEST: Final = {"selftest": Shape()}
# One card that left by a hand or by itself; rank and suit only where everybody sees them.
_CARD: Final = Shape(
    {"face_up": FLAG}, {"shown": FLAG, "rank": one_of(*RANKS), "suit": one_of(*SUITS), "back": WORD}
)
_LOST_EVENTS: Final = {LOST: Shape({"first": U63, "last": U63})}

# A family with one mechanism may leave `where` out; in those that hold cards it must be there,
# and `cleared` may stand for a jam, which has no code.
_FAULTS: Final = {
    "fault": Shape({"code": TOKEN}, {"where": WORD}),
    CLEARED: Shape({"code": TOKEN}, {"where": WORD}),
    **_LOST_EVENTS,
}
_PLACED_FAULTS: Final = {
    "fault": Shape({"code": TOKEN, "where": WORD}),
    CLEARED: Shape({"where": WORD}, {"code": TOKEN}),
    **_LOST_EVENTS,
}

FAMILIES: Final[Mapping[str, Family]] = {
    "shuffler": Family(
        events={
            "loaded": Shape({"batch": U63}, {"count": _COUNT}),
            "started": Shape({"batch": U63}),
            "completed": Shape(
                {"batch": U63, "mode": one_of("shuffle", "sort")},
                {"count": _COUNT, "composition": _COMPOSITION},
            ),
            "interrupted": Shape(
                {"batch": U63, "why": one_of("jam", "stopped", "incomplete"), "where": WORD}
            ),
            "unloaded": Shape({"batch": U63}, {"count": _COUNT}),
            "inside": Shape({"count": _COUNT}),
            "door": Shape({"open": FLAG}),
            "light": Shape({"colour": WORD}),
            **_PLACED_FAULTS,
        },
        orders={**_INHIBIT, "permit": Shape({"cycle": U63, "batch": U63}), **_SELFTEST},
    ),
    "shoe": Family(
        events={
            "loaded": Shape({}, {"count": _COUNT}),
            "card": _CARD,
            "stack": Shape({"size": whole(0, 64)}),
            "cover_card": Shape(),
            "jam": Shape({"where": WORD}),
            "stopped": Shape(),
            "empty": Shape(),
            "removed": Shape({}, {"count": _COUNT}),
            "door": Shape({"open": FLAG}),
            **_PLACED_FAULTS,
        },
        orders={
            **_INHIBIT,
            "permit": Shape({"round": U63}, {"stacks": whole(1, 16), "size": whole(1, 16)}),
        },
    ),
    "continuous-shuffler": Family(
        events={
            "loaded": Shape({}, {"count": _COUNT}),
            "card": _CARD,
            "inside": Shape({"count": _COUNT}),
            "interrupted": Shape({"why": one_of("jam", "stopped", "incomplete"), "where": WORD}),
            "jam": Shape({"where": WORD}),
            "stopped": Shape(),
            "empty": Shape(),
            "removed": Shape({}, {"count": _COUNT}),
            "door": Shape({"open": FLAG}),
            "light": Shape({"colour": WORD}),
            **_PLACED_FAULTS,
        },
        orders={**_INHIBIT, "permit": Shape({"round": U63}), **_SELFTEST},
    ),
    "hole-card-reader": Family(
        events={
            "inserted": Shape(),
            "result": Shape({"blackjack": FLAG}),
            "unreadable": Shape({"why": WORD}),
            "removed": Shape(),
            "tamper": Shape({"open": FLAG}),
            **_FAULTS,
        },
        orders={**_INHIBIT, "permit": Shape(), **_SELFTEST},
    ),
    "progressive-station": Family(
        events={
            "bet": Shape({"seat": _SEAT, "present": FLAG}),
            "start_game": Shape(),
            "locked": Shape({"seats": list_of(_SEAT, 0, 15)}),
            "late_bet": Shape({"seat": _SEAT}),
            "bet_removed": Shape({"seat": _SEAT}),
            "hand": Shape({"seat": _SEAT, "rank": WORD}),
            "key": Shape({"which": WORD, "on": FLAG}),
            **_FAULTS,
        },
        orders={
            "lock": Shape(),
            "unlock": Shape(),
            "lamp": Shape({"seat": _SEAT, "pattern": one_of(*LAMP_PATTERNS)}),
            "show": Shape({"meter": WORD, "cents": U63}),
        },
    ),
    "shaker": Family(
        events={
            "shaken": Shape({}, {"quality": whole(0, 100)}),
            "uncovered": Shape(),
            "dice": Shape({"faces": list_of(whole(0, 6), 3, 3), "flat": FLAG, "inside": FLAG}),
            "covered": Shape(),
            "unattended": Shape({"seconds": _SECONDS}),
            **_FAULTS,
        },
        orders={**_INHIBIT, "permit": Shape()},
    ),
    "rng": Family(
        events={
            "drawn": Shape({"number": whole(1, 7), "draw": U63}),
            "health": Shape({"state": WORD}, {"test": WORD}),
            **_FAULTS,
        },
        orders={"draw": Shape({"draw": U63}), **_SELFTEST},
    ),
    "dealers-panel": Family(
        events={
            "no_more_bets": Shape(),
            "round_end": Shape(),
            "new_dealer": Shape(),
            "call_floor": Shape(),
            "acknowledge": Shape(),
            "report": Shape({"what": WORD}),
            **_FAULTS,
        },
        orders={
            "text": Shape({"lines": list_of(text(LINE_CHARACTERS), 0, PANEL_LINES)}),
            "lamp": Shape({"which": one_of(*PANEL_LAMPS), "pattern": one_of(*LAMP_PATTERNS)}),
        },
    ),
}

_HOLDS_CARDS: Final = frozenset({"shuffler", "shoe", "continuous-shuffler"})
_SINGLE: Final = frozenset({int, bool, str})
_ORDER_KEYS: Final = frozenset({"order", "cards", "sequence", "permutation", "positions"})


def check(family: str, name: str, fields: Mapping[str, object]) -> str | None:
    """Say why this is no event of the family, or None when it is one; KeyError: no such family."""
    shape = FAMILIES[family].events.get(name)
    return "no such event" if shape is None else shape.why_not(name, fields)


def check_order(family: str, name: str, fields: Mapping[str, object]) -> str | None:
    """Say why this is no order to the family, or None when it is one; KeyError: no such family."""
    shape = FAMILIES[family].orders.get(name)
    return "no such order" if shape is None else shape.why_not(name, fields)


def leaks(family: str, fields: Mapping[str, object]) -> bool:
    """Say whether an event of a device that holds undealt cards could tell their order.

    No event of such a device has an array or a byte string, and a composition is a map of counts.
    """
    if family not in _HOLDS_CARDS:
        return False
    for key, value in fields.items():
        if key in _ORDER_KEYS or (key == "composition" and not is_map(value)):
            return True
        if type(value) not in _SINGLE and _has_sequence(value):
            return True
    return False


def _has_sequence(value: object) -> bool:
    if is_map(value):
        return any(_has_sequence(each) for each in value.values())
    return type(value) not in _SINGLE
