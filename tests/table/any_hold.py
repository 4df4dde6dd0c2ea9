"""What ends the holds of a table of any game, and what shows that their cause is gone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.table import State, Table, evolve
from felt_daemon.table.gates import gates_of
from felt_daemon.table.interlock import closing
from felt_protocols.events import Row, card, deck, device, incident, person, system

from .any_facts import BOXES, SHUFFLER, facts_of
from .any_game import AUTOMATED, ENDLESS, MANUAL, AnyGame, opened
from .any_story import wager_dealt
from .felt import DEALER, FLOOR, connected, moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from felt_daemon.rules.pack import HoldRule, Rule
    from felt_protocols.events import Fact

    Tell = Callable[[AnyGame], Fact]

ANSWERS = Path(__file__).parent / "answers" / "holds.txt"
# What anybody may report that ends a hold somewhere.
_CALLED = {
    "dice": "shaker",
    "shaker": "shaker",
    "reader": "hole-card-reader",
    "generator": "rng",
    "station": "progressive-station",
}
WORDS = ("deck-shuffled", "cards-dealt", "wrong-number", "misdealt", "not-misdealt", "replacement-card-there")
INCIDENT = 900


@dataclass(frozen=True)
class Ending:
    """Which gates a hold keeps closed, and what it is let go by.

    `ends`: at once; `ends_then`: once its cause is seen gone; `gone`: what shows that it is.
    `then_closes`: the gates that stay closed when it is.
    """

    closes: frozenset[str] = frozenset()
    then_closes: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    ends_then: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()


# What a file says of each of these.
SAID = {
    "closes": "closes",
    "closes with its cause gone": "then_closes",
    "ends": "ends",
    "ends once the cause is gone": "ends_then",
    "cause gone": "gone",
}
# A table, its state, and a hold of it by its row and its place there.
Endings = dict[tuple[str, str, str], Ending]


def expected() -> Endings:
    """What the file says. In a state of which it says nothing a hold ends as in the table's first one."""
    found: Endings = {}
    table, state = "", ""
    holds: list[str] = []
    for line in ANSWERS.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            table = line.removeprefix("== ")
        elif line.startswith("    "):
            word, _, facts = line.strip().partition(": ")
            for hold in holds:
                one = found[table, state, hold]
                found[table, state, hold] = replace(one, **{SAID[word]: frozenset(facts.split("; "))})
        elif line.startswith("  "):
            state = line.strip()
            found |= {(table, state, hold): Ending() for hold in holds}
        elif line and not line.startswith("#"):
            holds = line.split(", ")
    return found


# ---- What may be told beside the facts of play ---------------------------------------------------------


def remedies_of(felt: AnyGame) -> dict[str, Tell]:
    """What devices and people tell when something is put right."""
    found: dict[str, Tell] = {}
    for name, family in felt.setup.devices.items():
        if family != "dealers-panel":
            found.update(_of_device(name, family))
    for name in felt.setup.decks:
        found.update(_of_deck(felt, name))
    found["a door is moved"] = lambda felt: device.DoorMoved(device=felt.box, open=True)
    found["the clock is trusted"] = lambda _felt: system.ClockTrusted()
    found["the table closes"] = lambda _felt: person.TableClosed(by=FLOOR)
    found["people shuffle"] = lambda felt: _method(felt, shuffle="hand")
    found["a button finds the start"] = lambda felt: _method(felt, start="button")
    found["nothing is done otherwise"] = _method
    if felt.has("shuffler"):
        found["a deck is sorted, uncounted"] = _sorted
        found["a shuffle stops"] = lambda felt: deck.ShuffleInterrupted(
            device=SHUFFLER, batch=felt.batch, why="stopped"
        )
    return found


def _method(felt: AnyGame, **ways: str) -> Fact:
    return person.MethodChosen.model_validate({"by": FLOOR, **felt.state.method, **ways})


def _sorted(felt: AnyGame) -> Fact:
    return deck.ShuffleCompleted(device=SHUFFLER, batch=felt.batch, mode="sort")


def _of_device(name: str, family: str) -> dict[str, Tell]:
    facts: dict[str, Fact] = {
        "is cleared": device.DeviceCleared(device=name),
        "is cleared of its fault": device.DeviceCleared(device=name, code="motor"),
        "has a driver again": device.DeviceCleared(device=name, code="driver"),
        "connects": connected(name, same_boot=True).model_copy(update={"family": family}),
        "is back": device.DeviceBack(device=name),
        "has told all": device.DeviceDrained(device=name, upto=0),
        "is in order": person.Inspected(by=FLOOR, device=name, result="in-order"),
        "is not in order": person.Inspected(by=FLOOR, device=name, result="not-in-order"),
    }
    return {f"{family} {words}": lambda _felt, fact=fact: fact for words, fact in facts.items()}


def _of_deck(felt: AnyGame, name: str) -> dict[str, Tell]:
    whole, less = felt.total, felt.total - 1

    def counted(count: int) -> Fact:
        return person.DeckCounted(by=DEALER, deck=name, count=count, part="deck")

    facts: dict[str, Fact] = {
        f"{name} comes": person.DeckChanged(by=FLOOR, deck=name),
        f"{name} comes preshuffled": person.DeckChanged(by=FLOOR, deck=name, preshuffled=True),
        f"{name} is counted": counted(whole),
        f"{name} is counted, one short": counted(less),
        f"a card of {name} is replaced": person.CardReplaced(by=FLOOR, deck=name),
        f"{name} is too old": system.TimerDue(timer=f"deck-age/{name}", overdue_s=0),
    }
    facts |= {
        f"{word} is reported of {name}": person.Reported(by=DEALER, report=word, deck=name) for word in WORDS
    }
    return {words: lambda _felt, fact=fact: fact for words, fact in facts.items()}


# ---- Tables with every hold on them --------------------------------------------------------------------


def _sound(_felt: AnyGame) -> None:
    """Nothing is wrong, and bets are open."""


def _last(felt: AnyGame) -> None:
    """All hands but one are out."""
    felt.bets()
    felt.hand_out(6 if felt.chapter == "659a" else 2)


def _dealt(felt: AnyGame) -> None:
    felt.bets()
    felt.hand_out()


def _doubtful(felt: AnyGame) -> None:
    """Decks that nobody has counted or shuffled, each short of two cards; devices with two faults each."""
    if felt.has("shuffler"):
        felt.tell(deck.DeckUnloaded(device=SHUFFLER, batch=felt.batch, count=None))
    if felt.has("shoe"):
        felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))
    for name in felt.setup.decks:
        felt.tell(person.DeckChanged(by=FLOOR, deck=name))
        felt.tell(
            *(
                person.CardWithdrawn(by=FLOOR, deck=name, place="hand", why="bent", card=code)
                for code in ("KS", "QS")
            )
        )
    if felt.has("shoe"):
        felt.tell(card.ShoeLoaded(device="shoe-1"))
    if felt.has("shuffler"):
        felt.batch += 1
        felt.tell(deck.DeckLoaded(device=SHUFFLER, batch=felt.batch))
    for name in felt.setup.devices:
        felt.tell(*(device.DeviceFaulted(device=name, code=code) for code in ("motor", "belt")))
    felt.tell(person.DealerCame(by=DEALER))


def _last_broken(felt: AnyGame) -> None:
    """All hands but one are out, and devices have two faults each."""
    _last(felt)
    for name in felt.setup.devices:
        felt.tell(*(device.DeviceFaulted(device=name, code=code) for code in ("motor", "belt")))


STATES: dict[str, Callable[[AnyGame], None]] = {
    "sound": _sound,
    "last": _last,
    "last, broken": _last_broken,
    "dealt": _dealt,
    "doubtful": _doubtful,
    "wager": wager_dealt,
}


def with_every_hold(felt: AnyGame) -> tuple[State, dict[int, tuple[str, bool]]]:
    """The table's state with every hold of its pack on everything it may bind; what each is, by its number.

    One that ends once its cause is gone is there twice: with its cause, and with its cause seen gone.
    """
    state = felt.state
    found: dict[int, tuple[str, bool]] = {}
    number = INCIDENT
    for rule in felt.pack.rules:
        for index, hold in enumerate(rule.holds):
            for subject, about in _subjects(felt, rule, hold):
                for cause in (True, False) if any(end.once_gone for end in hold.ends) else (True,):
                    number += 1
                    state = _put(state, rule, index, number, subject, about, cause=cause)
                    found[number] = (f"{rule.id} {index + 1}", cause)
    return state, found


def _subjects(felt: AnyGame, rule: Rule, hold: HoldRule) -> Iterator[tuple[str, str]]:
    if hold.binds == "table":
        yield "table", felt.setup.table
    elif hold.binds == "device":
        yield from (("device", name) for name, family in felt.setup.devices.items() if _may_be(rule, family))
    else:
        yield from (("deck", name) for name in felt.setup.decks)


def _may_be(rule: Rule, family: str) -> bool:
    """Whether a row can be about a device of this family: rows of a small one are called by its name."""
    called = _CALLED.get(rule.id.partition("-")[0])
    return family == called if called else family in BOXES


def _put(  # noqa: PLR0913, PLR0917 - a hold's own fields
    state: State, rule: Rule, index: int, number: int, subject: str, about: str, *, cause: bool
) -> State:
    hold = rule.holds[index]
    one = {"incident": number, "row": rule.id, "subject": subject, "subject_id": about}
    opened_one = incident.IncidentOpened.model_validate(one)
    held = incident.HoldOpened.model_validate(
        {
            **one,
            "hold": number,
            "index": index,
            "cause": cause,
            "gates": hold.gates,
            "stops": "",
            "until": hold.until,
        }
    )
    for event in (opened_one, held):
        state = evolve(state, Row(state.setup.table, state.seq + 1, event, moment(1)))
    return state


# The tables, each with what its house has chosen otherwise if it has, and the states that they are in.
TABLES: dict[tuple[str, str], tuple[str, ...]] = {
    ("633a", MANUAL): ("sound", "doubtful"),
    ("659a", AUTOMATED): ("sound", "last", "last, broken", "doubtful"),
    ("659a", f"{AUTOMATED}, a generator"): ("sound", "doubtful"),
    ("663a", AUTOMATED): ("dealt",),
    ("671a", AUTOMATED): ("sound",),
    ("672a", MANUAL): ("sound", "doubtful"),
    ("672a", ENDLESS): ("sound", "doubtful"),
    ("687a", AUTOMATED): ("dealt", "wager", "doubtful"),
    ("687a", MANUAL): ("wager",),
}


def endings_at(chapter: str) -> Endings:
    """What ends each hold, at each of the chapter's tables and in each of their states."""
    found: Endings = {}
    for deal, states in ((deal, states) for (name, deal), states in TABLES.items() if name == chapter):
        for name in states:
            felt = opened(chapter, *deal.split(", "))
            STATES[name](felt)
            found |= {(f"{chapter}, {deal}", name, hold): one for hold, one in _endings(felt).items()}
    return found


def first_state(table: str) -> str:
    """The state of a table that the file says first, by the table's name."""
    chapter, _, deal = table.partition(", ")
    return TABLES[chapter, deal][0]


def _endings(felt: AnyGame) -> dict[str, Ending]:
    state, held = with_every_hold(felt)
    ends: dict[tuple[str, bool], set[str]] = {what: set() for what in held.values()}
    gone: dict[str, set[str]] = {name: set() for name, _cause in held.values()}
    for label, tell in (facts_of(felt) | remedies_of(felt)).items():
        for row in Table(felt.pack, state).take(tell(felt), moment(2)):
            if isinstance(row.event, incident.HoldEnded) and row.event.hold in held:
                ends[held[row.event.hold]].add(label)
            if isinstance(row.event, incident.HoldCauseGone) and row.event.hold in held:
                gone[held[row.event.hold][0]].add(label)
    closes: dict[tuple[str, bool], set[str]] = {what: set() for what in held.values()}
    for gate, about in gates_of(felt.pack, state):
        for hold in closing(felt.pack, state, gate, about):
            if hold.id in held:
                closes[held[hold.id]].add(gate.id)
    return {
        name: Ending(
            frozenset(closes[name, True]),
            frozenset(closes.get((name, False), ())),
            frozenset(ends[name, True]),
            frozenset(ends.get((name, False), set()) - ends[name, True]),
            frozenset(facts),
        )
        for name, facts in gone.items()
    }
