"""A table's setup from its pack: the game's numbers and its deal, beside what lies on the felt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from felt_daemon.table.focus import Asking
from felt_daemon.table.lookup import lookup_for
from felt_daemon.table.state import EACH_SHOE, TOO_SHORT, Setup, blank
from felt_protocols.events import person

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from felt_daemon.rules.pack import Pack
    from felt_protocols.events.incident import Step

_RANKS = "A23456789TJQK"
_SUITS = "CDHS"
_JOKER = "JK"
# The order that lets a device work; a round's other orders are done once they are carried out.
PERMIT = "permit"


def set_up(  # noqa: PLR0913 - what is on the felt and how the house runs it, by name
    pack: Pack,
    *,
    table: str,
    devices: Mapping[str, str],
    decks: Mapping[str, str],
    method: Mapping[str, str] | None = None,
    told: Mapping[str, str] | None = None,
    escalation: tuple[tuple[Step, int], ...] = (),
    selftests: frozenset[str] = frozenset(),
    consumers: frozenset[str] = frozenset(),
) -> Setup:
    """What a table knows of itself before its first row. `method`: the ways it goes, by default the pack's.

    Raises `TypeError` for a pack whose numbers of cards, hands or positions are none.
    """
    return Setup(
        table=table,
        game=pack.source.chapter,
        devices=devices,
        decks=decks,
        deck_total=number(pack, "deck_total"),
        hand_cards=number(pack, "hand_cards"),
        positions=number(pack, "positions"),
        method=ways_of(pack, {}) if method is None else method,
        told=told or {},
        escalation=escalation,
        selftests=selftests,
        consumers=consumers,
        patterns=pack.patterns,
        shoe_kind=str(pack.constants.get("shoe_kind", "")),
        burns=_burns(pack),
        shuffles=pack.shuffles,
        composition=_composition(pack),
        whole_rounds=_whole_rounds(pack),
        deck_clocks=frozenset(clock.id for clock in pack.clocks if clock.on == person.DeckChanged.what()),
        rack_dealt=pack.shuffles == EACH_SHOE or not TOO_SHORT.isdisjoint(pack.reports),
    )


def ways_of(pack: Pack, elections: Mapping[str, str | int | bool]) -> dict[str, str]:
    """How cards are shuffled and dealt and the start is found: the pack's ways, or those that are elected."""
    if pack.methods is None:
        return {}
    elected = {name: elections.get(name) for name in pack.methods.by_default}
    return {
        str(name): answer if isinstance(answer := elected[name], str) else way
        for name, way in pack.methods.by_default.items()
    }


def unfit_ways(pack: Pack, setup: Setup) -> Iterator[tuple[str, str]]:
    """Ways that do not fit the others, each with what it wants: what the command `method` would refuse."""
    lookup = lookup_for(pack, blank(setup), Asking(""))
    for name, word in setup.method.items():
        way = getattr(pack.methods, name).get(word) if pack.methods else None
        for need in way.needs if way is not None else ():
            if not need.when.holds(lookup):
                yield name, need.says


def number(pack: Pack, name: str) -> int:
    """A constant of the pack that is a number; raises `TypeError` where it is none."""
    value = pack.constants[name]
    if not isinstance(value, int):
        raise TypeError(f"the pack's {name} is no number")
    return value


def _whole_rounds(pack: Pack) -> dict[str, str]:
    """The families of the gates that open for a round, by the gates' names."""
    return {gate.id: gate.family for gate in pack.gates if gate.lasts == "round" and gate.order == PERMIT}


def _burns(pack: Pack) -> frozenset[Literal["new-shoe", "new-dealer"]]:
    found: set[Literal["new-shoe", "new-dealer"]] = set()
    if pack.burns is not None and pack.burns.new_shoe:
        found.add("new-shoe")
    if pack.burns is not None and pack.burns.new_dealer:
        found.add("new-dealer")
    return frozenset(found)


def _composition(pack: Pack) -> dict[str, int]:
    """Cards of each code in a deck at the table, as devices that recognise cards name them."""
    made_of = pack.composition
    if made_of is None:
        return {}
    packs = made_of.packs if isinstance(made_of.packs, int) else number(pack, made_of.packs)
    found = {rank + suit: packs for rank in _RANKS if rank not in made_of.without for suit in _SUITS}
    return {**found, _JOKER: made_of.jokers * packs} if made_of.jokers else found
