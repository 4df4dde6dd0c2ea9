"""Commands that people and systems give, the same on every way in; each is `felt NAME`.

A command is a wish. The table admits it, and then it is a fact, or refuses it with a reason.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from felt_protocols.events.core import Count, Id, Text, Word
from felt_protocols.events.person import CardName, Role, Seat

Reason = Annotated[str, Field(min_length=3, max_length=400)]

_DEALER: frozenset[Role] = frozenset({"dealer", "floor"})
_FLOOR: frozenset[Role] = frozenset({"floor"})
_TECH: frozenset[Role] = frozenset({"floor", "tech"})
_SYSTEM: frozenset[Role] = frozenset({"floor-system"})


class Command(BaseModel):
    """A command's arguments. Closed; `name` and the `roles` that may give it belong to the class.

    `proven`: an account that several people share is not enough; a person must prove who they are, with a PIN
    or a signature, where the house keeps a register of people.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: ClassVar[str]
    roles: ClassVar[frozenset[Role]]
    proven: ClassVar[bool] = False


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
    preshuffled: bool = False


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
    """Own a hold: escalation stops, and the hold stays until its remedy is seen."""

    name: ClassVar[str] = "acknowledge"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    hold: Count


class Override(Command):
    """Let a hold go although its remedy was not seen; shown as an override for ever."""

    name: ClassVar[str] = "override"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    proven: ClassVar[bool] = True
    hold: Count
    reason: Reason


class ReleaseRound(Command):
    """After a void round, once wagers are returned: the table may go on."""

    name: ClassVar[str] = "release-round"
    roles: ClassVar[frozenset[Role]] = _FLOOR


class CallFloor(Command):
    """Ask a floorperson to come to the table."""

    name: ClassVar[str] = "call-floor"
    roles: ClassVar[frozenset[Role]] = _DEALER


class NewDealer(Command):
    """Another dealer deals from now on."""

    name: ClassVar[str] = "new-dealer"
    roles: ClassVar[frozenset[Role]] = _DEALER
    dealer: Word | None = None


class Report(Command):
    """Report what people saw and no device tells; `what` is a word of the game's rules."""

    name: ClassVar[str] = "report"
    roles: ClassVar[frozenset[Role]] = frozenset({"dealer", "floor", "tech", "floor-system"})
    what: Word
    round: Count | None = None
    seat: Seat | None = None
    # Over a wire it is a list.
    seats: Annotated[tuple[Seat, ...], Field(strict=False)] | None = None
    deck: Id | None = None
    device: Id | None = None
    note: Text = ""


class Inspect(Command):
    """Report an inspection of a device or of a deck, with what was found."""

    name: ClassVar[str] = "inspect"
    roles: ClassVar[frozenset[Role]] = _TECH
    proven: ClassVar[bool] = True
    result: Literal["in-order", "not-in-order"]
    device: Id | None = None
    deck: Id | None = None
    note: Text = ""


class Method(Command):
    """Shuffle, deal or find the starting position in another way from the next round on."""

    name: ClassVar[str] = "method"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    shuffle: Word | None = None
    deal: Word | None = None
    start: Word | None = None


class Sign(Command):
    """A device is covered, has an out-of-order sign, or is free of both again."""

    name: ClassVar[str] = "sign"
    roles: ClassVar[frozenset[Role]] = frozenset({"dealer", "floor", "tech"})
    device: Id
    sign: Literal["covered", "out-of-order", "removed"]


class WithdrawCard(Command):
    """Take a card out of play, such as a damaged one; the deck waits until it is replaced."""

    name: ClassVar[str] = "withdraw-card"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    deck: Id
    place: Literal["hand", "table", "discard"]
    why: Reason
    card: CardName | None = None


class ReplaceCard(Command):
    """Put a card in the place of one that was withdrawn."""

    name: ClassVar[str] = "replace-card"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    deck: Id
    card: CardName | None = None


class ServiceBegin(Command):
    """Take a device into service: what it tells until the end of it is a test."""

    name: ClassVar[str] = "service-begin"
    roles: ClassVar[frozenset[Role]] = _TECH
    proven: ClassVar[bool] = True
    device: Id
    why: Reason


class ServiceEnd(Command):
    """End a device's service: it was shown empty, and passes its selftest, where it has one."""

    name: ClassVar[str] = "service-end"
    roles: ClassVar[frozenset[Role]] = _TECH
    proven: ClassVar[bool] = True
    device: Id
    shown_empty: bool = False


class DeviceRetire(Command):
    """Take a device out of use, shown empty, with all its cards accounted for."""

    name: ClassVar[str] = "device-retire"
    roles: ClassVar[frozenset[Role]] = _TECH
    proven: ClassVar[bool] = True
    device: Id
    shown_empty: bool = False
    note: Text = ""


class DeviceAccept(Command):
    """Put a retired device, shown empty, into use again; `serial` as it stands on its plate."""

    name: ClassVar[str] = "device-accept"
    roles: ClassVar[frozenset[Role]] = _TECH
    proven: ClassVar[bool] = True
    device: Id
    serial: Word
    shown_empty: bool = False


class JackpotVerify(Command):
    """A floorperson has verified a progressive hit at the table."""

    name: ClassVar[str] = "jackpot-verify"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    proven: ClassVar[bool] = True
    meter: Id
    hit: Count


class JackpotPaid(Command):
    """A progressive hit was paid, by the table or by an attendant."""

    name: ClassVar[str] = "jackpot-paid"
    roles: ClassVar[frozenset[Role]] = _FLOOR
    proven: ClassVar[bool] = True
    meter: Id
    hit: Count
    by: Literal["table", "attendant"]


class MeterReset(Command):
    """Set a meter back to its seed after a hit was paid."""

    name: ClassVar[str] = "meter-reset"
    roles: ClassVar[frozenset[Role]] = _TECH
    proven: ClassVar[bool] = True
    meter: Id


class MeterCorrect(Command):
    """Correct a meter's amount; it takes two people."""

    name: ClassVar[str] = "meter-correct"
    roles: ClassVar[frozenset[Role]] = frozenset({"finance"})
    proven: ClassVar[bool] = True
    meter: Id
    cents: Count
    reason: Reason


class Replay(Command):
    """Send a consumer the events after this sequence again."""

    name: ClassVar[str] = "replay"
    roles: ClassVar[frozenset[Role]] = _SYSTEM
    consumer: Id
    after: Count


class Snapshot(Command):
    """Send a consumer the table's whole picture."""

    name: ClassVar[str] = "snapshot"
    roles: ClassVar[frozenset[Role]] = _SYSTEM
    consumer: Id


COMMANDS: dict[str, type[Command]] = {
    command.name: command
    for command in (
        OpenTable,
        CloseTable,
        NoMoreBets,
        RoundEnd,
        NewDealer,
        CallFloor,
        Report,
        Acknowledge,
        Override,
        ReleaseRound,
        ChangeDeck,
        ChangeDice,
        Order,
        CountCards,
        WithdrawCard,
        ReplaceCard,
        Method,
        Sign,
        Inspect,
        ServiceBegin,
        ServiceEnd,
        DeviceRetire,
        DeviceAccept,
        JackpotVerify,
        JackpotPaid,
        MeterReset,
        MeterCorrect,
        Replay,
        Snapshot,
    )
}
