"""The retained picture of the table."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from felt_protocols.events.core import Count, Id
from felt_protocols.events.deck import Place
from felt_protocols.events.person import Seat
from felt_protocols.events.round import TableState
from felt_protocols.events.ruling import Subject
from felt_protocols.pictures.device import Link
from felt_protocols.pictures.hold import HoldShown
from felt_protocols.pictures.told import Digest, MomentPicture, Stamped, Time, Told


class Notice(Told):
    """A ruling that only tells, shown until it is done or the round is over."""

    row: str
    """The row of the rule pack that tells."""
    cite: tuple[str, ...]
    """The subsections that say so; none where the rule is the daemon's own."""
    incident: Count
    """The incident's number."""
    says: str
    """The row in words; empty for one that the pack does not have."""


class NextCards(Told):
    """What comes out next by the pattern of the deal."""

    to: str
    """For whom: a player's hand, the dealer's, or what the pack calls it."""
    seat: Seat | None
    """The position: 0 is the dealer, 1 farthest to the dealer's left; null where nobody or unknown."""
    cards: Count
    """How many cards."""


class RoundPicture(Told):
    """The round in progress."""

    number: Count
    """The round's number in this journal."""
    phase: str
    """The pack's name of the phase that it is in."""
    void: str | None
    """The row of the pack that made it void; null while none has."""
    bets_closed: bool
    """Whether no more bets are taken."""
    shakes: Count
    """How often the shaker was shaken."""
    dice_total: int | None
    """The sum of the dice, or the generator's number; null while there is none."""
    start_seat: Seat | None
    """Where dealing starts: 0 is the dealer; null while it is not known."""
    deck: Id | None
    """The deck that is dealt; null while it is not known."""
    stacks: Count
    """Stacks, or hands where cards come one by one, that have come out."""
    cards: Count
    """Cards that have come out."""
    cards_due: Count | None
    """Cards that the whole deal takes; null where that is not known."""
    seats: tuple[Seat, ...] | None
    """The positions that get cards; null while people have not said."""
    next: NextCards | None
    """What comes out next; null where that is not known or nothing does."""
    noted: dict[str, str]
    """What the pack has noted of the round, by its own names."""
    left: int | None
    """Cards left after the deal; null while nobody has counted them."""
    notices: tuple[Notice, ...]
    """Rulings that only tell, in the order in which they were made."""


class DeckPicture(Told):
    """One deck: how many of its cards are where, never which."""

    back: str
    """The colour of its backs."""
    present: bool
    """Whether it lies at the table."""
    places: dict[Place, int]
    """Cards in each place; together they are `total`, and places without cards are left out."""
    total: Count
    """Cards that it has."""
    shuffled: bool
    """Whether it was shuffled since it was last dealt."""
    count: Literal["not verified", "count verified", "wrong"]
    """Whether its number of cards was counted and found right."""
    composition: Literal["not verified", "verified", "wrong"]
    """Whether a device read its cards and found the right ones."""
    identity: Literal["proved", "not proved"]
    """Whether it can be no other deck by what devices and people told."""
    last_round: Count
    """The round in which it was dealt last; 0 for none."""
    prepared: Literal["preshuffled"] | tuple[str, ...]
    """The steps of its preparation that were reported, or that it came preinspected and preshuffled."""


class InspectionDuePicture(Told):
    """An inspection that is due."""

    device: Id
    """The device."""
    says: str
    """What is due, in words."""
    cite: tuple[str, ...]
    """The subsections that ask for it."""


class IncidentPicture(Told):
    """A trouble that is not over."""

    incident: Count
    """The incident's number in this journal."""
    row: str
    """The row of the rule pack that ruled."""
    cite: tuple[str, ...]
    """The subsections that say so; none where the rule is the daemon's own."""
    says: str
    """The row in words; empty for one that the pack does not have."""
    subject: Subject
    """What kind of thing it is about."""
    subject_id: str
    """Which of them."""
    times: Count
    """How often its fact came."""
    since: MomentPicture
    """When it began."""
    rounds: Count
    """Rounds dealt since then."""
    hands: Count
    """Player hands dealt since then."""


class DirectivePicture(Told):
    """Something that people must do now."""

    do: str
    """The pack's name of it."""
    says: str
    """What to do, in words."""
    row: str
    """The row of the rule pack that says so."""
    cite: tuple[str, ...]
    """The subsections that say so; none where the rule is the daemon's own."""
    incident: Count
    """The incident that it belongs to."""


class InterlockPicture(Told):
    """A permit of one device: given, or what it waits for."""

    gate: str
    """The pack's name of the permit."""
    device: Id
    """The device."""
    for_: Annotated[str | None, Field(alias="for")]
    """The number of the round or of the batch that it would be for now; null where there is neither."""
    granted: bool
    """Whether it was given for that."""
    inhibited: str | None
    """The row that inhibits the device, or `round-over`; null if nothing does."""
    waits_for: tuple[str, ...]
    """What is missing yet, each in words."""


class TimerPicture(Told):
    """A timer that runs."""

    since: MomentPicture
    """When it was set."""
    after_s: Count
    """It falls due so many seconds later."""
    unknown: bool
    """Whether nobody can say how old it is, after a boot without trusted time."""


class JournalPicture(Told):
    """Why rows wait in memory: the journal cannot be written. It is measured and no row."""

    kind: Annotated[str, Field(pattern=r"^[a-z]+(-[a-z]+)*$", max_length=64)]
    """full, busy, io, read-only, forbidden, corrupt, replaced, in-use or bug. Others may be added."""
    text: Annotated[str, Field(min_length=1)]
    """What is wrong and where, for people; its text may change."""
    since: Time
    """When it began, by the clock of the table: UTC, RFC 3339, microseconds."""


class TablePicture(Stamped):
    """The table as it is now. Retained."""

    table: Id
    """The table's id."""
    game: str
    """The chapter of the game that is dealt."""
    hash: Digest
    """`hash` of the row `sequence`: the head of the chain, in hexadecimal."""
    state: TableState
    """Whether it is open for gaming."""
    closing: bool
    """Whether it closes once the round in progress is over."""
    round: RoundPicture | None
    """The round in progress; null between rounds."""
    rounds: Count
    """The number of the last round that was opened."""
    decks: dict[Id, DeckPicture]
    """The decks, by their names."""
    devices: dict[Id, Link]
    """The devices, each with its link."""
    due: tuple[InspectionDuePicture, ...]
    """Inspections that are due."""
    aside: dict[Id, str]
    """Devices that are no part of the game or look so, each with why, in words."""
    holds: tuple[HoldShown, ...]
    """What is held."""
    incidents: tuple[IncidentPicture, ...]
    """Troubles that are not over."""
    directives: tuple[DirectivePicture, ...]
    """What people must do now, the oldest trouble's first."""
    interlocks: tuple[InterlockPicture, ...]
    """Every permit of every device."""
    method: dict[str, str]
    """How cards are shuffled and dealt and the starting position is found."""
    dealer: str | None
    """Who deals, if that is known."""
    floor_called: MomentPicture | None
    """Since when the dealer asks for a floorperson; null if that is not so."""
    timers: dict[str, TimerPicture]
    """The timers that run."""
    journal: JournalPicture | None = None
    """Why the journal cannot be written; nothing that happens is told meanwhile. Absent while it can be."""
