"""What people told through commands, each with who it was."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from felt_protocols.events.core import Count, Fact, Id, Kind, Text, Word, published

Role = Literal["dealer", "floor", "tech", "finance", "floor-system"]


class Person(BaseModel):
    """Who gave a command: the role it was accepted under and a name, badge or account."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    role: Role
    name: Annotated[str, Field(max_length=64)]


class PersonFact(Fact):
    """A fact that a person reports."""

    kind: ClassVar[Kind] = "person"
    by: Person


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
    """A new deck lies at the table under this deck's name; the one before left the table."""

    deck: Id


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
    second: Word | None = None


@published
class RoundReleased(PersonFact):
    """After a void round: hands void, wagers returned, the table may go on."""

    round: Count


@published
class CommandRejected(Fact):
    """A command was refused; `reason` is what its giver was told."""

    kind: ClassVar[Kind] = "person"
    command: Word
    by: Person | None
    reason: Text
