"""Tables that are walked through: every pack's, with a device of each of its families and two decks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.rules import load
from felt_daemon.rules.library import chapters
from felt_daemon.table import Setup, State, Table, blank, set_up
from felt_daemon.table.state import CONTINUOUS
from felt_protocols.events import Moment, card, deck, device, person, system
from felt_protocols.events.person import Person

if TYPE_CHECKING:
    from felt_daemon.rules import Pack
    from felt_protocols.events import Fact

# What holds cards, and has no place at a table where a shuffler without end gives them.
OTHER_BOXES = {"shuffler", "shoe"}
BOXES = "boxes"
ENDLESS = "endless"
# What a house elects that deals from such a shuffler.
ELECTED = {"shuffle": CONTINUOUS, "deal": CONTINUOUS}
DECKS = ("red", "blue")
NOW = Moment("boot-1", "run-1", 1_000_000_000, 1_000_000, trusted=True)
DAY = "2030-05-01"
FLOOR = Person(role="floor", name="Ann")


def kinds_of(pack: Pack) -> tuple[str, ...]:
    """The kinds of table that a game can be played at: with a shoe, or with a shuffler without end."""
    return (BOXES, ENDLESS) if CONTINUOUS in pack.families else (BOXES,)


def setup_for(pack: Pack, kind: str = BOXES) -> Setup:
    """A table with one device of each family of the pack, named `FAMILY-1`, in the ways by default."""
    left_out = OTHER_BOXES if kind == ENDLESS else {CONTINUOUS}
    families = [family for family in pack.families if family not in left_out]
    by_default = {} if pack.methods is None else {**pack.methods.by_default}
    ways = {str(name): way for name, way in by_default.items()}
    return set_up(
        pack,
        table="t-1",
        method=ways | ELECTED if kind == ENDLESS else ways,
        devices={f"{family}-1": family for family in families},
        decks={name: name for name in DECKS[: _decks_in_use(pack, kind)]},
        selftests=frozenset({"shuffler-1"} & {f"{family}-1" for family in families}),
    )


def _decks_in_use(pack: Pack, kind: str) -> int:
    for election in pack.elections.values():
        if election.in_use:
            choices = [one for one in election.choices if isinstance(one, int)]
            return min(max(choices), len(DECKS)) if kind == BOXES else 1
    return 1


def tables() -> list[tuple[str, str]]:
    """Every chapter, with each kind of table that it can be played at."""
    return [(chapter, kind) for chapter in chapters() for kind in kinds_of(load(chapter))]


def walked(chapter: str, kind: str = BOXES) -> tuple[Pack, State]:
    """A pack and a table of it at which the daemon has just started."""
    pack = load(chapter, ELECTED) if kind == ENDLESS else load(chapter)
    table = Table(pack, blank(setup_for(pack, kind)))
    table.take(started(), NOW)
    return pack, table.state


def opened(chapter: str, kind: str = BOXES) -> tuple[Pack, State]:
    """A table in play: every device heard, decks shuffled where they belong, the first round on."""
    pack, state = walked(chapter, kind)
    table = Table(pack, state)
    families = state.setup.devices
    facts: list[Fact] = []
    for name, family in families.items():
        facts += [_heard(name, family), device.DeviceDrained(device=name, upto=0)]
        facts.append(person.Inspected(by=FLOOR, device=name, result="in-order"))
        if family == "shaker":
            facts.append(person.DiceChanged(by=FLOOR, device=name))
    first, *others = state.decks
    total = state.setup.deck_total
    facts.append(person.DeckChanged(by=FLOOR, deck=first, preshuffled=True))
    if "shoe-1" in families:
        facts.append(card.ShoeLoaded(device="shoe-1", count=total))
    elif f"{CONTINUOUS}-1" in families:
        facts.append(card.CardsReturned(device=f"{CONTINUOUS}-1", count=total))
    facts += [person.DeckChanged(by=FLOOR, deck=name, preshuffled=True) for name in others]
    if "shuffler-1" in families:
        facts += [
            deck.DeckLoaded(device="shuffler-1", batch=1, count=total),
            deck.ShuffleStarted(device="shuffler-1", batch=1),
            deck.ShuffleCompleted(device="shuffler-1", batch=1, mode="shuffle", count=total),
        ]
    facts.append(person.TableOpened(by=FLOOR))
    for fact in facts:
        table.take(fact, NOW)
    return pack, table.state


def _heard(name: str, family: str) -> Fact:
    return device.DeviceConnected(
        device=name,
        family=family,
        model="m",
        serial="s-1",
        firmware="1",
        digest="0",
        device_boot="a1",
        same_boot=False,
    )


def started() -> Fact:
    """A run of the daemon begins."""
    return system.Started(
        version="1",
        epoch="e",
        pack="walked",
        pack_digest="0",
        config_digest="0",
        elections={},
        reference="RS-1",
        reference_date="2026-01-01",
        gaming_day=DAY,
    )
