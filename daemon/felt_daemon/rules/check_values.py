"""What each name of a condition can be: the measures, the fields of events, and what a pack calls its own."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any, get_args

from felt_daemon.rules.check_people import method_words
from felt_daemon.rules.satisfy import ANY, Values
from felt_daemon.table.focus import concern_of
from felt_daemon.table.measures import MEASURES
from felt_protocols.events import EVENTS, card, deck, draw, panel, person, reader, station
from felt_protocols.events.round import TableState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.rules.condition import Atom, Condition
    from felt_daemon.rules.pack import Pack
    from felt_daemon.rules.satisfy import Known
    from felt_protocols.events import Event

# The constants that every pack has, all numbers.
NUMBERS = ("deck_total", "hand_cards", "positions")
# The comparisons of numbers alone.
ORDERS = frozenset({"<", "<=", ">", ">="})
# The phases that a pack does not name: no round is on, and the round is void.
OUTER_PHASES = ("none", "void")
# Which devices tell what; the first that fits counts. What is not here, any device or person may tell.
TOLD_BY: tuple[tuple[type[Event], frozenset[str]], ...] = (
    (card.CardsReturned, frozenset({"continuous-shuffler"})),
    (card.StackDispensed, frozenset({"shoe"})),
    (card.ShoeFact, frozenset({"shoe", "continuous-shuffler"})),
    (deck.InsideCounted, frozenset({"continuous-shuffler", "shuffler"})),
    (deck.ShuffleInterrupted, frozenset({"continuous-shuffler", "shuffler"})),
    (deck.ShufflerFact, frozenset({"shuffler"})),
    (draw.ShakerFact, frozenset({"shaker"})),
    (draw.GeneratorFact, frozenset({"rng"})),
    (reader.ReaderFact, frozenset({"hole-card-reader"})),
    (station.StationFact, frozenset({"progressive-station"})),
    (panel.PanelPressed, frozenset({"dealers-panel"})),
)
# What tells of the cards of one deck.
_OF_ONE_DECK = (person.DeckCounted, deck.ShufflerFact, card.ShoeFact)
# The words that measures can be. Those that are missing here and below say in their first word that they
# tell whether something is so.
_TARGETS = ("positions", "seats", "dealer", "player", "banker", "extra")
_WORDS: dict[str, tuple[str, ...]] = {
    "card_is": ("deal", "more", "card", "stack", "burn", "face-up", "out-of-turn", "stray"),
    "next_to": _TARGETS,
    "last_to": _TARGETS,
    "last_face": ("up", "down"),
    "stack_from": ("shuffler", "people"),
    "deck_composition": ("not verified", "verified", "wrong"),
    "table": get_args(TableState),
}
# Those that are the name of a deck, or a word of the configuration.
_ANY_WORD = frozenset({"deck", "shoe_deck", "bets_told"})
# Those that are a word at all times.
_NEVER_NONE = frozenset({"phase", "table", "bets_told"})
# Those that count something, and those that are a difference, which may be below nothing.
_COUNTS = frozenset(
    {
        "aged_decks",
        "burns_due",
        "cards_dealt",
        "cards_due",
        "deck_clocks",
        "deck_counted_inside",
        "deck_foreign",
        "deck_in_shuffler",
        "deck_left_in_shoe",
        "deck_quarter",
        "deck_withdrawn",
        "device_cards_believed",
        "dice_total",
        "face_up_cards",
        "hand",
        "hands_due",
        "inside_due",
        "other_deck_astray",
        "other_deck_in_rack",
        "progressive_bets",
        "rounds_since_count",
        "rounds_since_deck_count",
        "seats_playing",
        "shakes",
        "shoe_due",
        "stack_size",
        "stacks",
        "stacks_due",
        "wrong_hands",
    }
)
_DIFFERENCES = frozenset(
    {"deck_missing", "left", "left_due", "left_least", "left_to_draw", "stub_due", "stub_due_less_one"}
)
# What no device and no person can tell is no bound worth telling.
_NO_BOUND = 2**53


class Names:
    """What each name can be in a pack."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        chosen = {name for election in pack.elections.values() for name in election.sets}
        self._own = {
            **{name: _constant(name, value, chosen=name in chosen) for name, value in pack.constants.items()},
            **{name: Values(words=frozenset(words)) for name, words in pack.notes.items()},
            **_measures(pack),
            "report": Values(words=frozenset(pack.reports), none=False),
        }

    def tellers(self, event: type[Event]) -> frozenset[str] | None:
        """The families of this pack's devices that tell it; None where any device or person may."""
        for kind, families in TOLD_BY:
            if issubclass(event, kind):
                return families & {*self._pack.families}
        return None

    def at(self, event: type[Event] | None, *, remedy: bool = False) -> Known:
        """What each name can be where this event is looked at; with None, where a device asks for a permit.

        `remedy`: where the event ends a hold. No right count of a deck is of more cards than it has.
        """
        if event is None:
            return lambda name: self._own.get(name, ANY)
        total = self._pack.constants.get("deck_total")
        bound = total if remedy and issubclass(event, _OF_ONE_DECK) and isinstance(total, int) else None

        def known(name: str) -> Values:
            if name == "family":
                return self._family(event)
            if name in self._own:
                return self._own[name]
            field = fields_of(event).get(name, ANY)
            return field if bound is None or name != "count" else dataclasses.replace(field, high=bound)

        return known

    def slips(self, on: Iterable[str], when: Iterable[Condition]) -> Iterator[tuple[Condition, Atom, Values]]:
        """Values that a name never has, whichever of these events is looked at, and what it has."""
        known = [self.at(EVENTS[name]) for name in on if name in EVENTS] or [self.at(None)]
        for one in when:
            can_be = [values(one.left) for values in known]
            if one.right_is_name or (one.op in ORDERS and any(values.numbers for values in can_be)):
                continue
            for value in one.right if isinstance(one.right, tuple) else (one.right,):
                if not any(values.has(value) for values in can_be):
                    yield one, value, can_be[0]

    def _family(self, event: type[Event]) -> Values:
        """Of which family the device may be that the event is about."""
        if concern_of(event, "device") != "own":
            return Values()
        tellers, about = self.tellers(event), fields_of(event).get("device")
        words = frozenset(self._pack.families) if tellers is None else tellers
        return Values(words=words, none=about is None or about.none)


def _constant(name: str, value: int | str, *, chosen: bool) -> Values:
    """A number is what it is, but for one that the house's answers set, which any row may ask for.

    A word is whatever rows ask for: parts ask what a table has, and a pack that has none of it says "none".
    """
    if isinstance(value, str):
        # Of a word in a number's place another check speaks.
        return ANY if name in NUMBERS else Values(words=None, none=False)
    bound = None if chosen else value
    return Values(numbers=True, low=bound, high=bound, none=False)


def _measures(pack: Pack) -> dict[str, Values]:
    words: dict[str, Iterable[str]] = {
        **_WORDS,
        "phase": (*pack.phases, *OUTER_PHASES),
        "family": pack.families,
        "clock": [clock.id for clock in pack.clocks],
        **method_words(pack),
    }
    found = {
        name: Values(truths=True) if (one.__doc__ or "").startswith("Whether ") else ANY
        for name, one in MEASURES.items()
    }
    found |= {name: Values(numbers=True, low=0) for name in _COUNTS}
    found |= {name: Values(numbers=True) for name in _DIFFERENCES}
    found |= {name: Values(words=None, none=name not in _NEVER_NONE) for name in _ANY_WORD}
    known = {name: Values(words=frozenset(one), none=name not in _NEVER_NONE) for name, one in words.items()}
    return found | known


@functools.cache
def fields_of(event: type[Event]) -> dict[str, Values]:
    """What each field of an event can be."""
    return {name: _of_field(schema) for name, schema in event.model_json_schema()["properties"].items()}


def _of_field(schema: dict[str, Any]) -> Values:
    by_type: dict[str, dict[str, Any]] = {
        one.get("type", "object"): one for one in schema.get("anyOf", [schema])
    }
    if by_type.keys() - {"string", "integer", "boolean", "null"}:
        return ANY
    word, number = by_type.get("string"), by_type.get("integer", {})
    high = number.get("maximum", _NO_BOUND)
    return Values(
        words=frozenset() if word is None else frozenset(word["enum"]) if "enum" in word else None,
        numbers="integer" in by_type,
        low=number.get("minimum"),
        high=None if high >= _NO_BOUND else high,
        truths="boolean" in by_type,
        none="null" in by_type,
    )
