"""The retained picture of one hold."""

from __future__ import annotations

from typing import Literal

from felt_protocols.events.core import Count
from felt_protocols.events.incident import Step
from felt_protocols.events.ruling import Basis, Subject
from felt_protocols.pictures.told import MomentPicture, Stamped, Told


class HoldShown(Told):
    """Something held, until its remedy is seen or somebody overrides it."""

    hold: Count
    """The hold's number in this journal."""
    incident: Count
    """The trouble that it belongs to."""
    row: str
    """The row of the rule pack that holds."""
    cite: tuple[str, ...]
    """The subsections that say so; none where the rule is the daemon's own."""
    basis: Basis
    """Whether a regulation says so or the daemon's own rule."""
    says: str
    """The row in words; empty for one that the pack does not have."""
    subject: Subject
    """What kind of thing is held."""
    subject_id: str
    """Which of them."""
    gates: tuple[str, ...]
    """What stays closed meanwhile, by the pack's names of permits."""
    stops: str | None
    """The device that is inhibited at once; null if none is."""
    cause: Literal["there", "gone"]
    """Whether what caused it is still there."""
    until: str
    """What ends it, in words."""
    owner: str | None
    """Who owns it; null while nobody does."""
    asked: Step | None
    """Who was asked last to own it; null while nobody was."""
    locks: bool
    """Whether it keeps something from being done, and does not only advise."""
    seen_by_dealer: bool
    """Whether the dealer has seen it."""
    override: Literal["one", "two"]
    """How many people it takes to let it go without its remedy."""
    since: MomentPicture
    """When it began."""
    rounds: Count
    """Rounds dealt since then."""
    hands: Count
    """Player hands dealt since then."""


class HoldPicture(Stamped, HoldShown):
    """One open hold, for lamps and panels. Retained; an empty payload when it ends."""
