"""The vocabulary: every fact and every decision, one class each, listed in `EVENTS`."""

from felt_protocols.events import (
    card,
    deck,
    device,
    draw,
    incident,
    panel,
    person,
    reader,
    round,  # noqa: A004 - the field's own word
    ruling,
    station,
    system,
)
from felt_protocols.events.core import (
    EVENTS,
    ID_PATTERN,
    KINDS,
    Decision,
    Event,
    Fact,
    Id,
    bodies,
    canonical,
    presented,
    restored,
)
from felt_protocols.events.row import Moment, Row

__all__ = [
    "EVENTS",
    "ID_PATTERN",
    "KINDS",
    "Decision",
    "Event",
    "Fact",
    "Id",
    "Moment",
    "Row",
    "bodies",
    "canonical",
    "card",
    "deck",
    "device",
    "draw",
    "incident",
    "panel",
    "person",
    "presented",
    "reader",
    "restored",
    "round",
    "ruling",
    "station",
    "system",
]
