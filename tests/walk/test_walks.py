"""Walks over every game's table: no step breaks a law, and there is a way out of everything.

A walk goes from a table in play to every place that can be reached with one trouble at most. Without trouble
a place is a shape of the state (shape.py); with trouble it is an outline: the phase, what is held, and how
devices stand. From each it tries everything that can come next, what is strange and a second trouble too. The
long walks go to every place; the quick ones to a few, chosen by chance.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from .felt_walked import opened, tables, walked
from .ground import Ground
from .letters import letters_for
from .ways_out import close, held_for_ever, put_right

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .ground import Place

TABLES = tables()
# Tables of each kind, for every run; the others where there is time.
EVERY_RUN = {("627a", "boxes"), ("633a", "boxes"), ("637a", "boxes"), ("659a", "boxes"), ("671a", "boxes")}
EVERY_RUN |= {("672a", "endless"), ("686a", "boxes"), ("687a", "boxes")}
A_FEW = [pytest.param(*one, marks=() if one in EVERY_RUN else pytest.mark.long) for one in TABLES]
# The bound of the long walks: so many troubles. Of the places with one more, where they lead, some are
# looked at for a way out.
TROUBLES = 1


def seeded() -> random.Random:
    """The same chance in every run."""
    return random.Random(7)  # noqa: S311 - no secret


def ground_of(chapter: str, kind: str) -> Ground:
    """A table in play that nobody has walked yet."""
    pack, state = opened(chapter, kind)
    return Ground(pack, letters_for(pack, state.setup), state)


def ways_out(ground: Ground, places: list[Place]) -> Iterator[str]:
    """What is held for ever, and tables that cannot be closed, from each of these places."""
    for place in places:
        silent = [one.id for one in place.state.devices.values() if one.link == "lost"]
        for lost in ("", *silent):
            way = " · ".join(ground.way_to(place))
            without = f", {lost} never heard again" if lost else ""
            held = held_for_ever(put_right(ground.pack, place.state, ground.letters, lost=lost).state)
            if held:
                yield f"{', '.join(held)}: held for ever{without} after: {way}"
            table = close(ground.pack, place.state, ground.letters, lost=lost)
            if table.table != "closed":
                yield f"the table is {table.table}, {table.phase}, for ever{without} after: {way}"


@pytest.mark.parametrize(("chapter", "kind"), A_FEW)
def test_a_few_steps_break_no_law_and_lead_nowhere_without_a_way_out(chapter: str, kind: str) -> None:
    ground, rng = ground_of(chapter, kind), seeded()
    ground.walk(1, 8, rng=rng, letters_each=16)
    assert ground.broken == []
    places = sorted([*ground.places.values(), *ground.further], key=lambda place: place.state.seq)
    assert list(ways_out(ground, rng.sample(places, 8))) == []


@pytest.mark.parametrize(("chapter", "kind"), A_FEW)
def test_a_table_that_opens_breaks_no_law(chapter: str, kind: str) -> None:
    pack, state = walked(chapter, kind)
    ground = Ground(pack, letters_for(pack, state.setup), state)
    ground.walk(0, 3, rng=seeded(), letters_each=16)
    assert ground.broken == []


@pytest.mark.long
@pytest.mark.timeout(3 * 3600)
@pytest.mark.parametrize(("chapter", "kind"), TABLES)
def test_from_every_place_within_one_trouble_no_step_breaks_a_law_and_there_is_a_way_out(
    chapter: str, kind: str
) -> None:
    ground = ground_of(chapter, kind)
    ground.walk(TROUBLES)
    print(f"{chapter} {kind}: {ground.told()}")  # noqa: T201 - for whoever asks with -s
    assert all(place.walked for place in ground.places.values())
    assert ground.broken == []
    assert list(ways_out(ground, [*ground.places.values(), *ground.further])) == []
