"""What the table knows. Immutable; the fold of `evolve` over the journal's rows and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_daemon.rules.dealing import Pattern
    from felt_protocols.events import Moment
    from felt_protocols.events.deck import Place
    from felt_protocols.events.incident import Step
    from felt_protocols.events.round import TableState
    from felt_protocols.events.ruling import Effect, Subject

# awaiting: not heard in this run yet; connected: accepted, its kept events still arriving;
# ready: everything it kept has been decided.
Link = Literal["awaiting", "connected", "ready", "stale", "lost", "refused"]
CountState = Literal["not verified", "count verified", "wrong"]
CompositionState = Literal["not verified", "verified", "wrong"]
# What the card was that came out last: of the deal, past its end, of a deal whose end nobody knows, a whole
# stack, burnt, found face up, out of turn beside the stacks, or out of a device that is not dealt from, as a
# stack can be too; nothing where it is of no round.
Drawn = Literal["", "deal", "more", "card", "stack", "burn", "face-up", "out-of-turn", "stray"]

# A device's family, and in every pack the way to find the starting position that takes one.
SHAKER = "shaker"
# The other ways to find it.
GENERATOR = "generator"
BUTTON = "button"
# How cards are shuffled without a device; every pack calls it so.
BY_HAND = "hand"
# A box that shuffles without end and that cards are dealt from.
CONTINUOUS = "continuous-shuffler"
# How a game shuffles that deals many rounds from one shoe.
EACH_SHOE = "each-shoe"
# Marks of a deck that every pack calls so: it lies spread, it was cut since its shuffle, it came preinspected
# and was spread all the same, so that nobody inspects it again.
SPREAD = "spread"
CUT = "cut"
PREINSPECTED = "preinspected"
# The report of one card that was found face up in the deal; every pack calls it so.
FACE_UP = "card-face-up"
# The report of a jam of the shuffler, which undoes the shuffle as one that it tells itself.
SHUFFLER_JAM = "shuffler-jam"
# The reports that too few cards are left to finish the round; every pack calls them so.
TOO_SHORT = frozenset({"shoe-too-short", "deck-short"})
# The reports that somebody was passed over in the deal: whose the next cards are is for people to see.
PASSED_OVER = frozenset({"dealers-card-missed", "players-card-missed"})
# A note of a round that is none any more; every pack writes it so.
NOT_NOTED = "none"
# The phase in which people deal and no device tells of cards; every pack calls it so.
HAND_DEAL = "hand-deal"
PLACES: tuple[Place, ...] = ("hand", "shuffler", "shoe", "table", "discard", "withdrawn")


@dataclass(frozen=True)
class Setup:
    """What the configuration says is on the felt, and how the house runs it.

    `method`: how cards are shuffled and dealt and the start is found, until a command changes it.
    `told`: what tells the table that bets are closed and that a round ends.
    `escalation`: who is asked to own a hold, each with the seconds since it opened.
    `selftests`: devices that can test themselves. `patterns`: who gets which card when, for each way to deal.
    `shoe_kind`: the way to deal that the table's shoe is for, empty where the pack does not say so.
    `burns`: what makes the next card go to the rack. `composition`: cards of each code in a deck, where the
    pack says so. `whole_rounds`: gates that open a device for a whole round, each with the
    family of the device, which cannot know where its round ends. `consumers`: the floor's programs that
    acknowledge events. `deck_clocks`: clocks of the pack that run for each deck from when it came.
    `rack_dealt`: a round whose cards run out is dealt on from the rack.
    """

    table: str
    game: str
    devices: Mapping[str, str]
    decks: Mapping[str, str]
    # From the pack: cards in a deck, cards in a hand, and betting positions.
    deck_total: int
    hand_cards: int
    positions: int
    method: Mapping[str, str] = field(default_factory=dict[str, str])
    told: Mapping[str, str] = field(default_factory=dict[str, str])
    escalation: tuple[tuple[Step, int], ...] = ()
    selftests: frozenset[str] = frozenset()
    patterns: tuple[Pattern, ...] = ()
    shoe_kind: str = ""
    burns: frozenset[Literal["new-shoe", "new-dealer"]] = frozenset()
    shuffles: Literal["each-round", "each-shoe"] = "each-round"
    composition: Mapping[str, int] = field(default_factory=dict[str, int])
    whole_rounds: Mapping[str, str] = field(default_factory=dict[str, str])
    consumers: frozenset[str] = frozenset()
    deck_clocks: frozenset[str] = frozenset()
    rack_dealt: bool = False


@dataclass(frozen=True)
class Device:
    """One device as the table knows it. `last_n` is the last event decided of the boot `boot`."""

    id: str
    family: str
    link: Link = "awaiting"
    boot: str = ""
    model: str = ""
    serial: str = ""
    firmware: str = ""
    digest: str = ""
    last_n: int = 0
    jam: str = ""
    faults: Mapping[str, str] = field(default_factory=dict[str, str])
    door_open: bool = False
    light: str = ""
    # The shuffler's batch that is inside, the deck it is taken to be, and whether it is being worked on.
    batch: int | None = None
    deck: str = ""
    working: bool = False
    # Whether the batch inside has had its shuffle, and how many cards the shuffler last counted of it.
    done: bool = False
    counted: int | None = None
    # Whether its last shuffle ended with a count: it is a shuffler that counts.
    counts: bool = False
    # Cards that may be in the feeder of a box that shuffles without end; whether people take them out again,
    # as its works stopped; and how many of those put in last came from elsewhere.
    fed: int = 0
    stuck: bool = False
    fresh: int = 0
    # Whether it told that all cards were taken out of it, and of none that went in since.
    emptied: bool = False
    # The positions whose progressive wagers its sensors see, or that it has taken in this round.
    wagers: tuple[int, ...] = ()
    # What people did with it: it is in service, out of use, under a sign, or inspected on that gaming day.
    service: Literal["", "on", "ending"] = ""
    retired: bool = False
    sign: str = ""
    inspected: str = ""
    inspection_due: str = ""
    # The row of the hold that stopped it last: a permit of before is none any more.
    stopped: int = 0

    @property
    def aside(self) -> bool:
        """Whether what it tells is no part of any game."""
        return self.retired or bool(self.service)


@dataclass(frozen=True)
class Deck:
    """One deck: counts per place that always add up to `total`; never a list of cards."""

    id: str
    back: str
    total: int
    places: Mapping[Place, int] = field(default_factory=dict["Place", int])
    present: bool = False
    shuffled: bool = False
    count: CountState = "not verified"
    composition: CompositionState = "not verified"
    # Whether a shuffler counted it at its last shuffle, none while it had none here; whether one counted all
    # its cards since it was last dealt.
    shuffle_counted: bool | None = None
    device_counted: bool = False
    # Cards with another back, as a recognising device last read them.
    foreign: int = 0
    proved: bool = False
    last_round: int = 0
    # How it was prepared since it came: the pack's steps that were reported, or preinspected and preshuffled.
    marks: tuple[str, ...] = ()
    preshuffled: bool = False
    # Who made each report about it last, by the report's word, where a PIN or a signature proves it.
    reported_by: Mapping[str, str] = field(default_factory=dict[str, str])


def uncut(marks: tuple[str, ...]) -> tuple[str, ...]:
    """The steps of a deck's preparation that are left when it is shuffled anew."""
    return tuple(mark for mark in marks if mark != CUT)


@dataclass(frozen=True)
class Notice:
    """A ruling that only tells, shown until it is done, or the round is over.

    One that is told as the round ends is shown until the next deal.

    `reported`: people told it first; `times`: how often it was told, by people and by a device.
    """

    row: str
    cite: tuple[str, ...]
    directives: tuple[str, ...]
    incident: int
    done_on: tuple[str, ...]
    reported: bool = False
    times: int = 1


@dataclass(frozen=True)
class Round:
    """The round in progress. Cards are counted as the shoe gave them."""

    number: int
    phase: str
    void: str = ""
    bets_closed: bool = False
    shakes: int = 0
    total: int | None = None
    start_seat: int | None = None
    deck: str = ""
    stacks: int = 0
    # Cards of the last hand that came out, and how many hands had a wrong number.
    hand: int = 0
    wrong_hands: int = 0
    # Cards that came out of turn and wait to be part of the next hand; those that the last hand had so;
    # cards found face up, and how many of them people told.
    single: int = 0
    singles_before: int = 0
    face_up: int = 0
    face_up_told: int = 0
    cards: int = 0
    # Whether a shoe may have given cards in this round that nobody was told of.
    unseen: bool = False
    # Whether what cards are drawn from by hand had its permit for this round.
    permitted: bool = False
    removed: int | None = None
    # Cards that were taken out of a shoe of many rounds in this round, to go on with from another.
    # Whether too few are left for the round, so that what is loaded next has the rack with it.
    taken_out: int = 0
    short: bool = False
    counted: int | None = None
    shaken_after_deal: bool = False
    # The positions that get cards, where people have said so; whether somebody was passed over in the deal;
    # and what the pack has noted of the round.
    seats: tuple[int, ...] | None = None
    passed_over: bool = False
    notes: Mapping[str, str] = field(default_factory=dict[str, str])
    # Whether the last stack was a hand with a wrong number.
    last_wrong: bool = False
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True)
class Hold:
    """Something held. `cause` is true while what caused it is still there."""

    id: int
    incident: int
    row: str
    index: int
    subject: Subject
    subject_id: str
    gates: tuple[str, ...]
    stops: str
    until: str
    since: Moment
    cause: bool = True
    owner: str = ""
    # Who was asked to own it so far, and whether the dealer has seen it.
    step: Step | None = None
    seen: bool = False
    rounds: int = 0
    hands: int = 0


@dataclass(frozen=True)
class Incident:
    """A trouble that is not over. `times`: how often its fact came."""

    id: int
    row: str
    subject: Subject
    subject_id: str
    since: Moment
    round: int
    times: int = 1
    cite: tuple[str, ...] = ()
    effect: Effect = "advise"
    directives: tuple[str, ...] = ()
    rounds: int = 0
    hands: int = 0


@dataclass(frozen=True)
class Timer:
    """A timer that runs: due `after_s` seconds after `since`."""

    id: str
    after_s: int
    since: Moment
    unknown: bool = False


@dataclass(frozen=True)
class Grant:
    """A permit that was given: the gate, what for (a round's or a batch's number), the order's seq.

    `withdrawn`: before the first card the house went over to another way to deal, the table closed or fell
    idle, a device that is held is needed again, or other cards went into what is dealt from.
    """

    gate: str
    device: str
    key: str
    order: int
    name: str
    args: Mapping[str, int | str | bool]
    boot: str
    result: Literal["open", "done", "failed", "unknown"] = "open"
    withdrawn: bool = False


@dataclass(frozen=True)
class State:
    """The whole table."""

    setup: Setup
    devices: Mapping[str, Device]
    decks: Mapping[str, Deck]
    seq: int = 0
    table: TableState = "closed"
    closing: bool = False
    round: Round | None = None
    rounds: int = 0
    # The deck that was dealt last, and in which round: what alternation goes by.
    last_deck: str = ""
    holds: Mapping[int, Hold] = field(default_factory=dict[int, Hold])
    incidents: Mapping[int, Incident] = field(default_factory=dict[int, Incident])
    last_hold: int = 0
    last_incident: int = 0
    timers: Mapping[str, Timer] = field(default_factory=dict[str, Timer])
    grants: Mapping[str, Grant] = field(default_factory=dict[str, Grant])
    # How the house shuffles, deals and finds the start, and how it dealt before that was last chosen.
    method: Mapping[str, str] = field(default_factory=dict[str, str])
    deal_before: str = ""
    gaming_day: str = ""
    # Who deals, and since when the dealer asks for a floorperson.
    dealer: str = ""
    called: Moment | None = None
    # Why the last press of the dealer's panel was refused, until people tell something that is taken.
    panel_refusal: str = ""
    # Cards that go to the rack before any is dealt, what the last card was, and where the button is.
    burns: int = 0
    drawn: Drawn = ""
    # Advice of a round's end, until the next round is there to show it.
    carried: tuple[Notice, ...] = ()
    button: int = 0
    # Cards that must have been in the shoe when it was last emptied, and the deck that they were of.
    shoe_due: int | None = None
    shoe_was: str = ""
    # Cards of the stack that went into the shoe last, none before.
    shoe_stack: int | None = None
    # Rounds with cards since cards were last counted, of a whole deck or of what is left, and since a whole
    # deck was; where a shuffler counts there are none.
    rounds_uncounted: int = 0
    rounds_deck_uncounted: int = 0

    @property
    def phase(self) -> str:
        """The phase of the round in progress, `none` between rounds."""
        return self.round.phase if self.round else "none"


def _withdrawn(total: int) -> dict[Place, int]:
    places: dict[Place, int] = dict.fromkeys(PLACES, 0)
    places["withdrawn"] = total
    return places


def blank(setup: Setup) -> State:
    """The state before the first row: every device awaited, no deck at the table."""
    return State(
        setup=setup,
        devices={name: Device(name, family) for name, family in setup.devices.items()},
        decks={
            name: Deck(name, back, setup.deck_total, _withdrawn(setup.deck_total))
            for name, back in setup.decks.items()
        },
        method=setup.method,
    )
