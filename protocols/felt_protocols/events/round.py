"""The round and the table as the pack's phases see them."""

from __future__ import annotations

from typing import ClassVar, Literal

from felt_protocols.events.core import Count, Decision, Id, Kind, Word, published

TableState = Literal["closed", "opening", "open", "idle"]


class RoundDecision(Decision):
    """A decision about one round."""

    kind: ClassVar[Kind] = "round"
    round: Count


@published
class TableStateChanged(Decision):
    """The table is closed, opening, open or idle now."""

    kind: ClassVar[Kind] = "round"
    state: TableState


@published
class RoundOpened(RoundDecision):
    """A round began; rounds are numbered within the epoch."""


@published
class PhaseChanged(RoundDecision):
    """The round entered a phase of the pack."""

    phase: Word


@published
class RoundVoided(RoundDecision):
    """All hands are void and all wagers go back. `row` is the pack's row that says so."""

    row: Word


@published
class RoundClosed(RoundDecision):
    """The round is over. `hands`: player hands dealt in it, an upper bound where seats are not known."""

    outcome: Literal["completed", "void"]
    hands: Count


@published
class CardsDealt(RoundDecision):
    """All hands of the round are out, dealt without a device that counts them; `cards` of this deck."""

    deck: Id
    cards: Count


@published
class RoundNoted(RoundDecision):
    """Something about the round that its rules ask for, by the pack's name for it, is so from now on."""

    name: Word
    value: Word
