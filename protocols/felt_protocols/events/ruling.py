"""Rulings: what the daemon decides from a fact, with its citation."""

from __future__ import annotations

from typing import ClassVar, Literal

from felt_protocols.events.core import Count, Decision, Kind, Text, Word, published

Basis = Literal["regulation", "own"]
Subject = Literal["table", "deck", "device", "round"]
Effect = Literal["advise", "no-new-round", "stop"]


@published
class RulingMade(Decision):
    """A row of the pack fired.

    `basis = own`: the regulation is silent and the rule is ours; `cite` is empty then. `directives` are
    what people must now do, by their names in the pack, in order. `effect` is what devices are kept from.
    """

    kind: ClassVar[Kind] = "ruling"
    row: Word
    cite: tuple[Word, ...]
    basis: Basis
    effect: Effect
    subject: Subject
    subject_id: Word
    says: Text
    directives: tuple[Word, ...]
    incident: Count
    # For a ruling that only tells: the events that take its notice away before the round ends ("round-closed"
    # among them); empty for a ruling whose incident stays open.
    shown_until: tuple[Word, ...] = ()
    # Whether people reported it; otherwise a device showed it, or the daemon found it.
    reported: bool = False
