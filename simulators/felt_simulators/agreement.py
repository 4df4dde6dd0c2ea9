"""Holds what the daemon recorded against what really happened: the devices' truth and the people's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from felt_simulators.check import Check
from felt_simulators.testimony import people

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from felt_simulators.crew import Crew
    from felt_simulators.journal import JournalRows
    from felt_simulators.view import View

Records = list[dict[str, Any]]
# Places of a device's truth that are inside it, by where the daemon's books have them.
_INSIDE = {"shuffler": ("feeder", "drum", "tray", "inside"), "shoe": ("magazine", "path", "mouth")}


def checks(crew: Crew, rows: JournalRows, view: View) -> list[Check]:
    """Every check, in the order in which people would ask. `view` is the screen at the end of the run."""
    machines = crew.machines
    truths = {
        "shuffler": machines.shuffler.truth,
        "shoe": machines.shoe.truth,
        "shaker": machines.shaker.truth,
    }
    return [
        *_rounds(crew, rows),
        *people(crew.record, machines.panel, rows),
        *_shoe(truths["shoe"], rows),
        *_shuffler(truths["shuffler"], rows),
        *_stoppages(truths, rows),
        *_shaker(truths["shaker"], rows),
        Check("places", _told_places(view), _true_places(crew, truths)),
        Check("simulated", sum(row.simulated for row in rows.all), len(rows.all)),
    ]


def _records(truth: Mapping[str, object], name: str) -> Records:
    return cast("Records", truth[name])


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
        row.context["round"]: row.context.get("deck") for row in rows.of("stack-dispensed") if row.context
    } | {row.body["round"]: row.body["deck"] for row in rows.of("cards-dealt")}
    yield Check(
        # Which deck is dealt by hand, the dealer says when the hands are out.
        "decks",
        dealt,
        {one.number: one.deck for one in crew.record.rounds if any(one.stacks) and one.deck},
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


def _stoppages(truths: Mapping[str, Mapping[str, object]], rows: JournalRows) -> Iterator[Check]:
    stoppages = {name: _records(truths[name], "stoppages") for name in ("shuffler", "shoe")}
    yield Check(
        "stoppages",
        [
            len(list(rows.of("shuffle-interrupted"))),
            len(list(rows.of("shoe-jammed", "shoe-stopped"))),
        ],
        [sum(each["told"] for each in stoppages[name]) for name in ("shuffler", "shoe")],
    )
    # One incident for each time that a machine stopped by itself, however often it said so.
    causes = {row.cause for row in rows.of("incident-opened")}
    yield Check(
        "incidents",
        [
            sum(row.seq in causes for row in rows.of("shuffle-interrupted")),
            sum(row.seq in causes for row in rows.of("shoe-jammed", "shoe-stopped")),
        ],
        [sum(each["where"] != "host" for each in stoppages[name]) for name in ("shuffler", "shoe")],
    )


def _shaker(truth: Mapping[str, object], rows: JournalRows) -> Iterator[Check]:
    told = [(sorted(row.body["faces"]), row.body["flat"], row.body["inside"]) for row in rows.of("dice-read")]
    rolled = [
        # What lies aslant or outside has no face that could be read.
        (sorted(roll["faces"]), roll["flat"], roll["inside"])
        for roll in _records(truth, "rolls")
    ]
    yield Check("dice", told, _matched(told, rolled))
    yield Check("shakes", len(list(rows.of("shaker-shaken"))), len(cast("Sequence[object]", truth["shaken"])))


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


def _true_places(crew: Crew, truths: Mapping[str, Mapping[str, object]]) -> dict[str, dict[str, int]]:
    found = crew.props.places()
    for machine, inside in _INSIDE.items():
        piles = cast("Mapping[str, Mapping[str, Any]]", truths[machine]["places"])
        for name, back in crew.props.backs.items():
            found[name][machine] = sum(
                piles[place]["backs"].get(back, 0) for place in inside if place in piles
            )
    return {
        name: {place: number for place, number in places.items() if number} for name, places in found.items()
    }
