"""How what a device in service tells changes the state: its own works, and no card and no round."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from felt_daemon.table.changes import changed
from felt_protocols.events import card, deck, draw, reader, station

if TYPE_CHECKING:
    from felt_daemon.table.state import State
    from felt_protocols.events import Row

Handler = Callable[["State", Any, "Row"], "State"]

# What tells of cards or of dice; everything else of a device is the same in service.
GAME_FACTS = (
    deck.ShufflerFact,
    deck.InsideCounted,
    card.ShoeFact,
    draw.ShakerFact,
    draw.GeneratorFact,
    reader.ReaderFact,
    station.StationFact,
)


def _works(**changes: Any) -> Handler:  # noqa: ANN401 - the fields of a device
    def handler(state: State, event: deck.ShufflerFact, _row: Row) -> State:
        one = state.devices[event.device]
        return changed(state, devices={**state.devices, one.id: changed(one, **changes)})

    return handler


def _loaded(state: State, event: deck.DeckLoaded, row: Row) -> State:
    return _works(batch=event.batch, working=False, done=False, counted=None)(state, event, row)


def _interrupted(state: State, event: deck.ShuffleInterrupted, row: Row) -> State:
    return _works(working=False, jam=event.where or event.why)(state, event, row)


HANDLERS: dict[type[Any], Handler] = {
    deck.DeckLoaded: _loaded,
    deck.ShuffleStarted: _works(working=True),
    deck.ShuffleCompleted: _works(working=False, done=True),
    deck.ShuffleInterrupted: _interrupted,
    deck.DeckUnloaded: _works(batch=None, working=False),
}
