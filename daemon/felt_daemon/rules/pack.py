"""A rule pack: one chapter of the regulations as data.

The models here are the pack's file format. An irregularity without a citation and a date does not load; a
row of our own says `basis = "own"`. Nothing here knows a game.
"""

from __future__ import annotations

import datetime as dt
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from felt_daemon.rules.dealing import Burns, Composition, Pattern, Setting
from felt_daemon.rules.part import Brief, Citation, Name, Part, Phase, Variable, When, Words
from felt_daemon.rules.text import Section
from felt_protocols.events.person import Role
from felt_protocols.events.ruling import Effect, Subject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# The event that carries what people report.
REPORTED = "reported"
# What ends a directive before its incident is over.
Done = Literal["round-over", "device-signed", "let-go", "answered"]


class On(Part):
    """Something that may happen: one of these events, under all of these conditions.

    `by`: the roles whose word counts, where people tell it; empty takes anybody's.
    `once_gone`: as an end of a hold it counts only once the cause was seen gone, by this event at the latest.
    """

    on: tuple[Name, ...]
    when: tuple[When, ...] = ()
    by: tuple[Role, ...] = ()
    once_gone: bool = False


class HoldRule(Part):
    """What a row holds, until when.

    `binds`: the deck or device concerned, every other deck, every deck of which a clock has run out, or the
    table. `gates` stay closed until the
    hold ends, `while_cause` only while the cause is seen. `stops`: the device is inhibited
    for that long; with `stops_family` it is one of another family, as the shoe when the dice are in doubt.
    `after_round`: the round that is on is dealt and finished, also where its first card is not out yet.
    A hold whose `cause_gone` is empty has no cause that a device could show gone: it counts as gone at once.
    `override`: how many people it takes to let it go without its remedy.
    """

    binds: Literal["deck", "other-decks", "aged-decks", "device", "table"]
    gates: tuple[Name, ...] = ()
    while_cause: tuple[Name, ...] = ()
    after_round: bool = False
    stops: bool = False
    stops_family: Name | None = None
    cause_gone: tuple[On, ...] = ()
    ends: Annotated[tuple[On, ...], Field(min_length=1)]
    until: Words
    override: Literal["one", "two"] = "one"
    note: Words | None = None


class AsReport(Part):
    """People's word for what a rule is about: these reports fire it, under these conditions."""

    reports: Annotated[tuple[Name, ...], Field(min_length=1)]
    when: tuple[When, ...] = ()


class Rule(Part):
    """One row: a fact, under conditions, makes a ruling.

    `as_report`: what people report fires the same row, and joins its incident while that is open.
    `no_roll`: where people report it, a starting position that was found does not count.
    `ends_dealing`: the subsection itself ends the dealing of the round, so that the row may stop a shoe.
    `passing`: each firing is an incident of its own that is over at once, and its notice is shown until one
    of `done_on` happens or the round ends.
    """

    id: Name
    cite: tuple[Citation, ...] = ()
    basis: Literal["regulation", "own"] = "regulation"
    since: dt.date
    on: tuple[Name, ...] = ()
    when: tuple[When, ...] = ()
    as_report: tuple[AsReport, ...] = ()
    subject: Subject
    effect: Effect
    says: Words
    do: tuple[Name, ...] = ()
    void: bool = False
    no_roll: bool = False
    ends_dealing: bool = False
    passing: bool = False
    done_on: tuple[Name, ...] = ()
    holds: tuple[HoldRule, ...] = ()
    note: Words | None = None

    @model_validator(mode="after")
    def _cites_or_says_it_is_our_own(self) -> Self:
        if self.basis == "regulation" and not self.cite:
            raise ValueError(f'{self.id}: cite the subsection, or say basis = "own"')
        if self.basis == "own" and self.cite:
            raise ValueError(f"{self.id}: a rule of our own cites nothing")
        return self


class Doubt(Part):
    """What silence and loss do, per device family, kind of doubt and phase; the first that fits counts.

    `rule` names the row that fires, `nothing` where nothing does.
    """

    family: Name
    doubt: Literal["stale", "lost", "unverified"]
    phases: tuple[Phase, ...] = ()
    when: tuple[When, ...] = ()
    rule: Name


class Need(Part):
    """What is waited for, and how that is said while it is missing.

    `told`: something that the dealer tells; where the house has it as advice only, nothing waits for it.
    """

    when: When
    says: Words
    told: Name | None = None


class Gate(Part):
    """A permission that a device needs: given as a numbered order, once per round or batch.

    An argument is a number, `key` (the round's or the batch's number), or the name of a constant or measure;
    one that is not known is left out. A round's permit is for before its first card, or, with
    `lasts = "round"`, for any time in it.
    """

    id: Name
    family: Name
    per: Literal["round", "batch"]
    lasts: Literal["first-card", "round"] = "first-card"
    order: Name
    args: dict[str, int | str]
    needs: tuple[Need, ...]
    cite: tuple[Citation, ...] = ()


class Move(Part):
    """The round goes from a phase to another when this happens. `to = "end"` completes the round."""

    from_: tuple[Phase, ...] = Field(alias="from")
    on: tuple[Name, ...]
    when: tuple[When, ...] = ()
    to: Phase


class Clock(Part):
    """A clock of the text: runs from an event, per device, and falls due."""

    id: Name
    on: Name
    hours: Annotated[int, Field(ge=1)]


class Start(Part):
    """How the starting position follows from a number: dealer is 1, counter-clockwise."""

    min_shakes: Annotated[int, Field(ge=0)]
    positions: Annotated[int, Field(ge=2)]
    dice: Annotated[int, Field(ge=1)]
    cite: tuple[Citation, ...]


class Election(Part):
    """What the house may choose. `by_default` is what holds when the configuration is silent.

    `needs`: the device family that an answer takes for granted, by the answer as text; where the answer is a
    way of [methods] that has a family, the way says it. `in_use`: the answer is how many decks, or batches of
    several decks, are in use; each has a table of its own in the configuration. `sets`: the constants that
    another answer may set otherwise.
    """

    says: Words
    choices: tuple[int | str, ...]
    by_default: int | str | None = None
    needs: dict[str, Name] = Field(default_factory=dict)
    in_use: bool = False
    sets: tuple[str, ...] = ()
    cite: tuple[Citation, ...] = ()


class ReportKind(Part):
    """Something that people can report, by its word.

    `asks`: what must be said with it; a device is the only one of its `family` where it is left out, and a
    deck the one in play. With a `family` and without asking, it is about that device where there is one.
    `needs`: what must be so, or the report is refused with these words.
    `marks`: a step of a deck's preparation. `checks`: the report about the same deck that this one vouches
    for; who is proven to have made that one may not make this. `table`: the table's state from then on.
    `deals`: all hands are out.
    """

    says: Words
    brief: Brief
    cite: tuple[Citation, ...] = ()
    asks: tuple[Literal["seat", "seats", "deck", "device"], ...] = ()
    family: Name | None = None
    by: tuple[Role, ...] = ("dealer", "floor")
    needs: tuple[Need, ...] = ()
    marks: Name | None = None
    checks: Name | None = None
    table: Literal["idle", "open"] | None = None
    deals: bool = False
    # Notes of the round that it sets.
    sets: dict[Variable, Name] = Field(default_factory=dict)


class Opening(Part):
    """What must be reported of each deck, in this order, before the table opens."""

    marks: tuple[Name, ...]
    cite: tuple[Citation, ...]


class Inference(Part):
    """What follows from something else where nobody tells it, if the house has chosen so.

    `told` is what the house chooses about, and `choice` its answer.
    """

    becomes: Literal["bets-closed", "round-ended"]
    told: Name
    choice: Name
    on: tuple[Name, ...]
    when: tuple[When, ...] = ()


class Way(Part):
    """A way to shuffle, to deal or to find the starting position.

    `family`: the device that it takes. `needs` are asked as if the way were chosen already.
    """

    says: Words
    family: Name | None = None
    needs: tuple[Need, ...] = ()


class Methods(Part):
    """The ways that the chapter has. `sign`: the subsection that wants a sign before another way is used."""

    shuffle: dict[Name, Way]
    deal: dict[Name, Way]
    start: dict[Name, Way]
    by_default: dict[Literal["shuffle", "deal", "start"], Name]
    sign: Citation | None = None

    def chosen(self, method: Mapping[str, str]) -> Iterator[Way]:
        """The ways that a table goes; a word that this pack does not know is none."""
        for name, ways in (("shuffle", self.shuffle), ("deal", self.deal), ("start", self.start)):
            way = ways.get(method.get(name, ""))
            if way is not None:
                yield way


class Inspection(Part):
    """An inspection that a device of the family must have had in each gaming day."""

    family: Name
    cite: tuple[Citation, ...]
    says: Words


class Unseen(Part):
    """A subsection that none of the pack's devices can show, and who enters it instead."""

    cite: Citation
    says: Words
    why: Words
    do: tuple[Name, ...] = ()


class Source(Part):
    """Where the text comes from and whether it is in force.

    `missing`: what of the chapter is not in that text, so that no row can cite it.
    """

    chapter: Annotated[str, Field(pattern=r"^\d{3}a$")]
    game: Words
    bulletin: Words
    standing: Literal["final", "proposed"]
    since: dt.date
    missing: Words | None = None

    def words(self, since: dt.date) -> str:
        """Which text it is and since when a row keeps it; a proposal is in force nowhere."""
        known = "in force" if self.standing == "final" else "kept here as of"
        return f"{self.standing} text, {self.bulletin}, {known} {since.isoformat()}"


def _unique(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    seen: set[str] = set()
    for rule in rules:
        if rule.id in seen:
            raise ValueError(f"two rules are called {rule.id}")
        seen.add(rule.id)
    return rules


class Pack(Part):
    """One chapter."""

    source: Source
    constants: dict[str, int | str]
    # What texts call things by in this game, as a deck of the configuration that is a batch.
    words: dict[Variable, Words] = Field(default_factory=dict)
    phases: tuple[Phase, ...]
    # The phases in which cards come out of what they are dealt from.
    deals_in: tuple[Phase, ...] = ("dealing",)
    families: tuple[Name, ...]
    directives: dict[Name, Words]
    # The directives in the few words that a dealer's panel has room for.
    brief: dict[Name, Brief] = Field(default_factory=dict)
    # What ends a directive before its incident is over: the round that it was said in is over and no other
    # void one is on; the device that it is about is covered or has a sign; nothing of the incident is held
    # any more; or that, or the round is over in which alone it can be answered.
    done: dict[Name, Done] = Field(default_factory=dict)
    elections: dict[str, Election] = Field(default_factory=dict)
    start: Start | None = None
    gates: tuple[Gate, ...] = ()
    moves: tuple[Move, ...] = ()
    clocks: tuple[Clock, ...] = ()
    rules: Annotated[tuple[Rule, ...], AfterValidator(_unique)]
    doubts: tuple[Doubt, ...] = ()
    unseen: tuple[Unseen, ...] = ()
    reports: dict[Name, ReportKind] = Field(default_factory=dict)
    opening: Opening | None = None
    inferences: tuple[Inference, ...] = ()
    methods: Methods | None = None
    inspections: tuple[Inspection, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    # What a round is noted for, each with the words that it can be.
    notes: dict[Variable, tuple[Name, ...]] = Field(default_factory=dict)
    sets: tuple[Setting, ...] = ()
    burns: Burns | None = None
    shuffles: Literal["each-round", "each-shoe"] = "each-round"
    composition: Composition | None = None
    # The sections of the chapter that concern devices, each with its subsections.
    text: dict[Citation, Section] = Field(default_factory=dict)

    def word(self, name: str) -> str:
        """What this game calls a thing; its own name where the pack has no other."""
        return self.words.get(name, name)

    def text_of(self, rule: Rule) -> str:
        """Which text a rule keeps and since when; of one of our own, which no text has, since when we do."""
        if rule.basis == "own":
            return f"our own, since {rule.since.isoformat()}"
        return self.source.words(rule.since)

    @cached_property
    def by_id(self) -> dict[str, Rule]:
        """Every rule by its id."""
        return {rule.id: rule for rule in self.rules}

    @cached_property
    def stopping(self) -> dict[str, tuple[Rule, ...]]:
        """The rules that inhibit a device at once, by the event that can fire them."""
        found: dict[str, list[Rule]] = {}
        for name, rules in self.by_event.items():
            for rule in rules:
                # What stops another device is told by people, and decided at once.
                if any(hold.stops for hold in rule.holds):
                    found.setdefault(name, []).append(rule)
        return {name: tuple(rules) for name, rules in found.items()}

    @cached_property
    def by_event(self) -> dict[str, tuple[Rule, ...]]:
        """The rules that an event can fire, in the order of the pack; rules of doubts are not among them."""
        doubtful = {doubt.rule for doubt in self.doubts}
        found: dict[str, list[Rule]] = {}
        for rule in self.rules:
            for name in dict.fromkeys((*rule.on, *((REPORTED,) if rule.as_report else ()))):
                if rule.id not in doubtful:
                    found.setdefault(name, []).append(rule)
        return {name: tuple(rules) for name, rules in found.items()}
