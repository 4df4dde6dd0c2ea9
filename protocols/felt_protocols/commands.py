"""Commands that people and systems give, the same on every way in; each is `felt NAME`.

A command is a wish. The table admits it, and then it is a fact, or refuses it with a reason.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from felt_protocols.events.core import Count, Id, Word
from felt_protocols.events.person import Role

Reason = Annotated[str, Field(min_length=3, max_length=400)]

_DEALER: frozenset[Role] = frozenset({"dealer", "floor"})
_FLOOR: frozenset[Role] = frozenset({"floor"})


class Command(BaseModel):
    """A command's arguments. Closed; `name` and the `roles` that may give it belong to the class."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: ClassVar[str]
    roles: ClassVar[frozenset[Role]]


class OpenTable(Command):
    """Open the table for gaming."""

    name: ClassVar[str] = "open-table"
    roles: ClassVar[frozenset[Role]] = _FLOOR


class CloseTable(Command):
    """Close the table once the round in progress is over."""

    name: ClassVar[str] = "close-table"
    roles: ClassVar[frozenset[Role]] = _FLOOR


class NoMoreBets(Command):
    """The dealer has announced that no more bets are taken."""

    name: ClassVar[str] = "no-more-bets"
    roles: ClassVar[frozenset[Role]] = _DEALER


class RoundEnd(Command):
    """The round is finished: wagers settled, all cards in the discard rack."""

    name: ClassVar[str] = "round-end"
    roles: ClassVar[frozenset[Role]] = _DEALER


class ChangeDeck(Command):
    """A new, full deck lies at the table under this deck's name."""

    name: ClassVar[str] = "change-deck"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    deck: Id


class ChangeDice(Command):
    """New dice were placed in this shaker."""

    name: ClassVar[str] = "change-dice"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    device: Id


class Order(Command):
    """A floorperson's order at the table."""

    name: ClassVar[str] = "order"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    what: Literal["shuffle", "reshuffle", "burn", "recut"]
    deck: Id | None = None


class CountCards(Command):
    """Cards counted by hand: a whole deck, or what remained after the deal."""

    name: ClassVar[str] = "count"
    roles: ClassVar[frozenset[Role]] = _DEALER
    deck: Id
    count: Count
    part: Literal["deck", "remaining"] = "deck"


class Acknowledge(Command):
    """Own a hold. It stays until its remedy is seen."""

    name: ClassVar[str] = "acknowledge"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    hold: Count


class Override(Command):
    """Let a hold go although its remedy was not seen; shown as an override for ever."""

    name: ClassVar[str] = "override"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    hold: Count
    reason: Reason
    second: Word | None = None


class ReleaseRound(Command):
    """After a void round, once wagers are returned: the table may go on."""

    name: ClassVar[str] = "release-round"
    roles: ClassVar[frozenset[Role]] = _FLOOR


COMMANDS: dict[str, type[Command]] = {
    command.name: command
    for command in (
        OpenTable,
        CloseTable,
        NoMoreBets,
        RoundEnd,
        ChangeDeck,
        ChangeDice,
        Order,
        CountCards,
        Acknowledge,
        Override,
        ReleaseRound,
    )
}
