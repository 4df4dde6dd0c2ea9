"""Holds what the daemon recorded against what really happened: the devices' truth and the people's."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from felt_simulators.check import Check
from felt_simulators.faults import CONTINUOUS, READER, SHAKER, SHOE, SHUFFLER, STATION
from felt_simulators.felt import drawn_from
from felt_simulators.testimony import people

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from felt_simulators.crew import Crew
    from felt_simulators.journal import JournalRow, JournalRows
    from felt_simulators.view import View

Records = list[dict[str, Any]]
Truths = dict[str, "Mapping[str, object]"]
# Places of a device's truth that are inside it, by where the daemon's books have them.
_INSIDE = {
    SHUFFLER: ("feeder", "drum", "tray", "inside"),
    SHOE: ("magazine", "path", "mouth", "aside"),
    CONTINUOUS: ("feeder", "wheel", "mouth", "path"),
}
_BOOKS = {SHUFFLER: "shuffler", SHOE: "shoe", CONTINUOUS: "shuffler"}


def checks(crew: Crew, rows: JournalRows, view: View) -> list[Check]:
    """Every check, in the order in which people would ask. `view` is the screen at the end of the run."""
    machines = crew.machines
    truths: Truths = {
        str(truth["family"]): truth for truth in (one.truth for one in machines.devices.values())
    }
    return [
        *_rounds(crew, rows),
        *people(crew.record, machines.panel, rows),
        *_shoe(truths.get(SHOE, {}), rows),
        *_drawn(crew, truths, rows),
        *_shuffler(truths.get(SHUFFLER, {}), rows),
        *_stoppages(truths, rows),
        *_shaker(truths.get(SHAKER, {}), rows),
        *_reader(crew, truths.get(READER, {}), rows),
        *_station(truths.get(STATION, {}), rows),
        Check("places", _told_places(view), _true_places(crew, truths)),
        Check("simulated", sum(row.simulated for row in rows.all), len(rows.all)),
    ]


def _records(truth: Mapping[str, object], name: str) -> Records:
    """What a device remembers under this name; nothing where there is no such device."""
    return cast("Records", truth.get(name, []))


def _rounds(crew: Crew, rows: JournalRows) -> Iterator[Check]:
    ended = [played for played in crew.record.rounds if played.outcome]
    yield Check(
        "rounds",
        [
            (row.body["round"], row.body["outcome"])
            for row in rows.of("round-closed")
            # A round in which nobody got a card was closed with the table.
            if row.body["hands"] or row.body["outcome"] == "void"
        ],
        [(played.number, played.outcome) for played in ended],
    )
    dealt = {
        row.context["round"]: row.context.get("deck")
        for row in rows.of("stack-dispensed", "card-drawn")
        if "round" in row.context
    } | {row.body["round"]: row.body["deck"] for row in rows.of("cards-dealt")}
    yield Check(
        # Which deck is dealt by hand, the dealer says when the hands are out.
        "decks",
        dealt,
        {one.number: one.deck for one in crew.record.rounds if (any(one.stacks) or one.drawn) and one.deck},
    )
    yield Check(
        "hands",
        {
            row.body["round"]: row.body["hands"]
            for row in rows.of("round-closed")
            if row.body["outcome"] == "completed" and row.body["hands"]
        },
        {one.number: one.hands for one in ended if one.outcome == "completed"},
    )
    yield Check(
        "start-positions",
        [(row.body["round"], row.body["total"], row.body["seat"]) for row in rows.of("start-position-set")],
        [(played.number, *start) for played in crew.record.rounds for start in played.starts],
    )


def _shoe(truth: Mapping[str, object], rows: JournalRows) -> Iterator[Check]:
    yield Check(
        "stacks",
        rows.values("stack-dispensed", "size"),
        [stack["told"] for stack in _records(truth, "stacks") if stack["told"] is not None],
    )
    yield Check(
        "left",
        rows.values("shoe-unloaded", "count"),
        [load["told_removed"] for load in _records(truth, "loads") if "removed" in load],
    )


def _drawn(crew: Crew, truths: Truths, rows: JournalRows) -> Iterator[Check]:
    """Single cards: each as it was told, how many came in each round, and what became of them."""
    truth = truths.get(CONTINUOUS, truths.get(SHOE, {}))
    if "draws" not in truth:
        return
    told = [
        (row.what, row.body.get("face_up", False), row.body.get("shown", False))
        for row in rows.of("card-drawn", "cover-card-drawn")
    ]
    true: list[tuple[str, bool, bool]] = []
    for draw in _records(truth, "draws"):
        name = "cover-card-drawn" if draw["cover"] else "card-drawn"
        # Only a shoe that reads cards says which of them are for everybody's eyes.
        shown = draw["shown"] and not draw["face_up"] and _reads(crew)
        true += [(name, draw["face_up"], shown)] * draw["told"]
    yield Check("cards", told, true)
    by_round = Counter(row.context.get("round", 0) for row in rows.of("card-drawn"))
    yield Check(
        "cards",
        {number: cards for number, cards in sorted(by_round.items()) if number},
        {one.number: one.drawn for one in crew.record.rounds if one.drawn},
    )
    yield from _burnt(crew, rows)


def _burnt(crew: Crew, rows: JournalRows) -> Iterator[Check]:
    """Cards that went to the rack at once; and the up cards, in games that have one."""
    drawn = {row.seq for row in rows.of("card-drawn")}
    burnt = Counter(
        row.context.get("round", 0)
        for row in rows.of("cards-moved")
        if row.cause in drawn and row.body["target"] == "discard"
    )
    yield Check(
        "burns",
        {number: cards for number, cards in sorted(burnt.items()) if number},
        {one.number: one.burns + one.face_up for one in crew.record.rounds if one.burns + one.face_up},
    )
    if not any(one.up_card for one in crew.record.rounds):
        return
    yield Check(
        "up-cards",
        [
            (row.body["round"], row.body["value"])
            for row in rows.of("round-noted")
            if row.body["name"] == "up_card"
        ],
        [(one.number, one.up_card) for one in crew.record.rounds if one.up_card],
    )


def _reads(crew: Crew) -> bool:
    return drawn_from(crew.machines).build.set_to is not None


def _reader(crew: Crew, truth: Mapping[str, object], rows: JournalRows) -> Iterator[Check]:
    readings = _records(truth, "readings")
    asked = Counter(row.context.get("round", 0) for row in rows.of("hole-card-inserted"))
    yield Check("reader", dict(asked), {one.number: one.reads for one in crew.record.rounds if one.reads})
    yield Check(
        "reader",
        [_answer(row) for row in rows.of("hole-card-read", "hole-card-unreadable")],
        [one["told"] for one in readings if one["told"] is not None],
    )


def _answer(row: JournalRow) -> str:
    if row.what == "hole-card-unreadable":
        return "unreadable"
    return "yes" if row.body["blackjack"] else "no"


def _station(truth: Mapping[str, object], rows: JournalRows) -> Iterator[Check]:
    yield Check(
        "wagers",
        [list(row.body["seats"]) for row in rows.of("progressive-bets-locked")],
        [list(one["told"]) for one in _records(truth, "locks")],
    )


def _shuffler(truth: Mapping[str, object], rows: JournalRows) -> Iterator[Check]:
    modes = {"shuffled": "shuffle", "unchanged": "shuffle", "sorted": "sort"}
    yield Check(
        "shuffles",
        [(row.body["mode"], row.body.get("count")) for row in rows.of("shuffle-completed")],
        [
            (modes[batch["outcome"]], batch["told"]["completed"])
            for batch in _records(truth, "batches")
            if batch["outcome"] in modes and "completed" in batch["told"]
        ],
    )


def _stoppages(truths: Truths, rows: JournalRows) -> Iterator[Check]:
    stoppages = [
        [one for family in families for one in _records(truths.get(family, {}), "stoppages")]
        for families in ((SHUFFLER, CONTINUOUS), (SHOE,))
    ]
    told = [list(rows.of("shuffle-interrupted")), list(rows.of("shoe-jammed", "shoe-stopped"))]
    yield Check(
        "stoppages",
        [len(each) for each in told],
        [sum(one["told"] for one in each) for each in stoppages],
    )
    # One incident for each time that a machine stopped by itself, however often it said so.
    causes = {row.cause for row in rows.of("incident-opened")}
    yield Check(
        "incidents",
        [sum(row.seq in causes for row in each) for each in told],
        [sum(one["where"] != "host" for one in each) for each in stoppages],
    )


def _shaker(truth: Mapping[str, object], rows: JournalRows) -> Iterator[Check]:
    told = [(sorted(row.body["faces"]), row.body["flat"], row.body["inside"]) for row in rows.of("dice-read")]
    rolled = [
        # What lies aslant or outside has no face that could be read.
        (sorted(roll["faces"]), roll["flat"], roll["inside"])
        for roll in _records(truth, "rolls")
    ]
    yield Check("dice", told, _matched(told, rolled))
    yield Check("shakes", len(list(rows.of("shaker-shaken"))), len(_records(truth, "shaken")))


def _matched(told: Sequence[tuple[Any, ...]], rolled: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The rolls that were told, in order; a lid that came off for less than a glance is not read."""
    found: list[tuple[Any, ...]] = []
    rest = iter(rolled)
    for reading in told:
        for roll in rest:
            if roll == reading or (roll[1:] == reading[1:] and not (roll[1] and roll[2])):
                found.append(reading)
                break
    return found


def _told_places(view: View) -> dict[str, dict[str, int]]:
    return {
        name: {place: number for place, number in deck["places"].items() if number}
        for name, deck in view.shown["decks"].items()
    }


def _true_places(crew: Crew, truths: Truths) -> dict[str, dict[str, int]]:
    found = crew.props.places()
    for family, inside in _INSIDE.items():
        piles = cast("Mapping[str, Mapping[str, Any]]", truths.get(family, {}).get("places", {}))
        for name, back in crew.props.backs.items():
            cards = sum(piles[place]["backs"].get(back, 0) for place in inside if place in piles)
            found[name][_BOOKS[family]] = found[name].get(_BOOKS[family], 0) + cards
    return {
        name: {place: number for place, number in places.items() if number} for name, places in found.items()
    }
