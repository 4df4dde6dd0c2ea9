"""Incidents and holds: a trouble from its first fact until its remedy has been seen."""

from __future__ import annotations

from typing import ClassVar, Literal

from felt_protocols.events.core import Count, Decision, Kind, Text, Word, published
from felt_protocols.events.person import Person
from felt_protocols.events.ruling import Subject

# Who is asked to own a hold, one after the other.
Step = Literal["dealer", "floor", "shift-manager"]


class IncidentDecision(Decision):
    """A decision about one incident."""

    kind: ClassVar[Kind] = "incident"
    incident: Count


@published
class IncidentOpened(IncidentDecision):
    """A trouble began. `refers_to`: an earlier incident of the same thing, if one is known."""

    row: Word
    subject: Subject
    subject_id: Word
    refers_to: Count | None = None


@published
class IncidentJoined(IncidentDecision):
    """The same trouble fired again while its incident was open; `times` counts all of them."""

    times: Count


@published
class IncidentClosed(IncidentDecision):
    """The trouble is over. `rounds` and `hands` were dealt while it was open."""

    rounds: Count
    hands: Count


@published
class HoldOpened(IncidentDecision):
    """Something is held. It binds one subject and keeps `gates` closed.

    `stops`: the device that is inhibited at once, empty if none. `until`: what ends it, in words.
    `index`: which of its row's holds it is, from 0. `cause`: whether its cause is still there.
    """

    hold: Count
    row: Word
    index: Count
    cause: bool
    subject: Subject
    subject_id: Word
    gates: tuple[Word, ...]
    stops: Word
    until: Text


@published
class HoldCauseGone(IncidentDecision):
    """What caused the hold is no longer there; the gate of its own remedy opens, the hold stays."""

    hold: Count


@published
class HoldEscalated(IncidentDecision):
    """Nobody owns the hold yet: it is shown to the next in line."""

    hold: Count
    step: Step


@published
class HoldEnded(IncidentDecision):
    """A hold is over: its remedy was observed, or reported, or somebody overrode it."""

    hold: Count
    how: Literal["observed", "reported", "override"]
    by: Person | None = None
    reason: Text = ""
    rounds: Count
    hands: Count
