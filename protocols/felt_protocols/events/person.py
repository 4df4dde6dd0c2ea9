"""What people told through commands, each with who it was."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from felt_protocols.events.core import Count, Fact, Id, Kind, Text, Word, published

Role = Literal["dealer", "floor", "tech", "finance", "floor-system"]
Proof = Literal["account", "pin", "signed", "panel", "stated", "inferred"]


# 0 is the dealer, 1 farthest to the dealer's left.
Seat = Annotated[int, Field(ge=0, le=15)]
# Rank and suit, as QD or TC; JK is the joker.
CardName = Annotated[str, Field(pattern=r"^([A2-9TJQK][CDHS]|JK)$")]


class Person(BaseModel):
    """Who gave a command: the role it was accepted under and a name, badge or account.

    `proof`: how that is known. account: the kernel vouches for a user of the box; pin: a PIN of the register;
    signed: a signature by `key`; panel: whoever stands at the panel; stated: said in a simulated run;
    inferred: nobody said it, the configuration lets it follow from something else.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    role: Role
    name: Annotated[str, Field(max_length=64)]
    proof: Proof = "account"
    key: Word | None = None


class PersonFact(Fact):
    """A fact that a person reports. `request` is the id of the signed request that it came in."""

    kind: ClassVar[Kind] = "person"
    by: Person
    request: Word | None = None


@published
class TableOpened(PersonFact):
    """The table was opened for gaming."""


@published
class TableClosed(PersonFact):
    """The table was closed; a round in progress is finished first."""


@published
class BetsClosed(PersonFact):
    """The dealer announced that no more bets are taken."""


@published
class RoundEnded(PersonFact):
    """The dealer finished the round: wagers settled, all cards of it in the discard rack."""


@published
class DeckChanged(PersonFact):
    """A new deck lies at the table under this deck's name; the one before left the table.

    `preshuffled`: it came preinspected and preshuffled, so that it is neither spread nor shuffled first.
    """

    deck: Id
    preshuffled: bool = False


@published
class DiceChanged(PersonFact):
    """New dice were placed in the shaker."""

    device: Id


@published
class FloorOrdered(PersonFact):
    """A floorperson ordered a shuffle, a reshuffle, a burn or a new cut."""

    what_ordered: Literal["shuffle", "reshuffle", "burn", "recut"]
    deck: Id | None = None


@published
class DeckCounted(PersonFact):
    """Cards counted by hand, face down: the whole deck, or what remained after the deal."""

    deck: Id
    count: Count
    part: Literal["deck", "remaining"]


@published
class HoldAcknowledged(PersonFact):
    """Somebody owns this hold now. It stays."""

    hold: Count


@published
class HoldOverridden(PersonFact):
    """A floorperson lets a hold go although its remedy was not seen; visible for ever."""

    hold: Count
    reason: Text
    second: Person | None = None


@published
class RoundReleased(PersonFact):
    """After a void round: hands void, wagers returned, the table may go on."""

    round: Count


@published
class TroubleSeen(PersonFact):
    """The dealer has seen what is held; nobody owns these holds by that."""

    holds: tuple[Count, ...]


@published
class FloorCalled(PersonFact):
    """The dealer asks a floorperson to come to the table."""


@published
class DealerCame(PersonFact):
    """Another dealer deals from now on; `dealer` is empty where the panel's button told it."""

    dealer: Word = ""


@published
class Reported(PersonFact):
    """Something that people saw, by its word in the pack; what it is about as far as they said.

    `seats`: the positions that get cards in this round, in rising order.
    """

    report: Word
    round: Count | None = None
    seat: Seat | None = None
    seats: tuple[Seat, ...] | None = None
    deck: Id | None = None
    device: Id | None = None
    note: Text = ""


@published
class Inspected(PersonFact):
    """Somebody inspected a device or a deck and found it in order, or not."""

    device: Id | None = None
    deck: Id | None = None
    result: Literal["in-order", "not-in-order"]
    note: Text = ""


@published
class MethodChosen(PersonFact):
    """How cards are shuffled and dealt, and the starting position found, from now on."""

    shuffle: Word
    deal: Word
    start: Word


@published
class SignMoved(PersonFact):
    """A device was covered, got an out-of-order sign, or is free of both again."""

    device: Id
    sign: Literal["covered", "out-of-order", "removed"]


@published
class CardWithdrawn(PersonFact):
    """A card of the deck is out of play until it is replaced; which one it is stays private."""

    private: ClassVar[frozenset[str]] = frozenset({"card"})

    deck: Id
    place: Literal["hand", "table", "discard"]
    why: Text
    card: CardName | None = None


@published
class CardReplaced(PersonFact):
    """A card that was withdrawn is in the deck again, or another like it; which one it is stays private."""

    private: ClassVar[frozenset[str]] = frozenset({"card"})

    deck: Id
    card: CardName | None = None


@published
class ServiceBegun(PersonFact):
    """A device is in service: until the end of it what it tells is a test and no part of any game."""

    device: Id
    why: Text


@published
class ServiceEnding(PersonFact):
    """The service is done and the device was shown empty; its selftest must pass yet, where it has one."""

    device: Id


@published
class DeviceRetired(PersonFact):
    """A device was taken out of use, shown empty."""

    device: Id
    note: Text = ""


@published
class DeviceAccepted(PersonFact):
    """A device is in use again, shown empty; `serial` is the plate that people read on it."""

    device: Id
    serial: Word


@published
class ReplayAsked(PersonFact):
    """A floor system asked that a consumer be sent the events after `after` again."""

    consumer: Id
    after: Count


@published
class SnapshotAsked(PersonFact):
    """A floor system asked for the table's whole picture, for a consumer."""

    consumer: Id


@published
class CommandRejected(Fact):
    """A command was refused; `reason` is what its giver was told.

    `request` is the id that its giver gave it, and `by` is none where nobody can be believed to have sent it.
    """

    kind: ClassVar[Kind] = "person"
    command: Word
    by: Person | None = None
    reason: Text
    way: Literal["control", "mqtt", "panel"] = "control"
    request: Word = ""


@published
class CommandsUncounted(Fact):
    """More commands were refused than there is room to tell: so many have no row of their own."""

    kind: ClassVar[Kind] = "person"
    count: Count
