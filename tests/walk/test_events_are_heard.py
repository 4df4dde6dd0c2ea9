"""Nothing that a device can tell falls on deaf ears: a rule, a move, a clock or the table itself hears it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules import load
from felt_daemon.rules.library import chapters
from felt_daemon.table.evolve import HANDLERS
from felt_drivers.catalogue import CATALOGUE
from felt_protocols.events import EVENTS, card, deck, draw, panel, station
from felt_protocols.events.device import DeviceFact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack

# What events mean whose fact is put together by more than its own model.
BUILT: dict[tuple[str, str], type[Any]] = {
    ("shoe", "card"): card.CardDrawn,
    ("continuous-shuffler", "card"): card.CardDrawn,
    ("continuous-shuffler", "interrupted"): deck.ShuffleInterrupted,
    ("shaker", "dice"): draw.DiceRead,
    ("progressive-station", "locked"): station.ProgressiveBetsLocked,
    **{
        ("dealers-panel", name): panel.PanelPressed
        for name in ("no_more_bets", "round_end", "new_dealer", "call_floor", "acknowledge", "report")
    },
}
# What the table hears beside what changes its state: a press is a command, a number a starting position.
TABLE_HEARS = {"panel-pressed", "number-drawn"}
# What nobody hears, and why that is right. An event that every pack with the family hears is none of these.
UNHEARD = {
    ("shoe", "cover-card-drawn"): "no chapter of poker or Badugi has a rule of a cover card in a shoe",
    ("hole-card-reader", "hole-card-removed"): "the rules turn on insertion and reading alone",
    ("progressive-station", "progressive-hand"): "what a hand wins is a meter's matter, and no meter is here",
    ("progressive-station", "key-turned"): "a key of the station opens its own menus, no game",
}


def told_by(family: str) -> Iterator[str]:
    """The facts that a device of a family can give rise to, by name."""
    for name, build in CATALOGUE[family, "felt-link"].items():
        made: Any = BUILT.get((family, name)) or getattr(build, "__self__", None)
        assert made is not None, f"{family} {name}: say in BUILT which fact it makes"
        yield made.what()


def heard_by(pack: Pack) -> set[str]:
    """The events that anything of a pack listens to."""
    ways = [on for rule in pack.rules for hold in rule.holds for on in (*hold.ends, *hold.cause_gone)]
    return {
        *(name for rule in pack.rules for name in (*rule.on, *rule.done_on)),
        *(name for way in ways for name in way.on),
        *(name for move in pack.moves for name in move.on),
        *(name for setting in pack.sets for name in setting.on),
        *(name for inference in pack.inferences for name in inference.on),
        *(clock.on for clock in pack.clocks),
    }


def heard_by_the_table() -> set[str]:
    """The events that change what the table knows, whatever its game."""
    return {event.what() for event in HANDLERS} | TABLE_HEARS


@pytest.mark.parametrize("chapter", chapters())
def test_every_event_of_a_packs_devices_is_heard(chapter: str) -> None:
    pack = load(chapter)
    heard = heard_by(pack) | heard_by_the_table()
    deaf = {
        (family, name)
        for family in pack.families
        for name in told_by(family)
        if name not in heard and (family, name) not in UNHEARD
    }
    assert deaf == set()


@pytest.mark.parametrize("chapter", chapters())
def test_everything_that_a_link_tells_of_a_device_is_heard(chapter: str) -> None:
    heard = heard_by(load(chapter)) | heard_by_the_table()
    assert {name for name, event in EVENTS.items() if issubclass(event, DeviceFact)} <= heard


def test_what_is_listed_as_unheard_is_unheard_in_some_pack() -> None:
    packs = [load(chapter) for chapter in chapters()]
    for family, name in UNHEARD:
        assert name in set(told_by(family))
        assert any(
            family in pack.families and name not in heard_by(pack) | heard_by_the_table() for pack in packs
        )
