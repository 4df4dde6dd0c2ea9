"""Samples of what the table made of facts, and of the daemon's own life."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import (
    deck,
    draw,
    incident,
    round,  # noqa: A004 - the field's own word
    ruling,
    system,
)

from .samples_of_devices import DEALT, NOWHERE, ROUND
from .samples_of_people import ANN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_protocols.events import Event

TROUBLE: Mapping[str, object] = {"round": 18, "incident": 4}

TABLE: list[tuple[Event, Mapping[str, object]]] = [
    (
        deck.BatchMapped(device="shuffler-1", batch=12, deck="blue", proved=True, how="the only one"),
        {"deck": "blue"},
    ),
    (deck.ShoeMapped(device="shoe-1", deck="blue", proved=False, how="the last one"), {"deck": "blue"}),
    (deck.CardsMoved(deck="blue", count=7, source="shoe", target="table"), DEALT),
    (deck.DeckMarked(deck="blue", mark="washed"), {"deck": "blue"}),
    (
        deck.CompositionJudged(deck="blue", right=False, foreign=1, missing=2, extra=1),
        {"deck": "blue"},
    ),
    (draw.StartPositionSet(round=18, total=9, count=2, seat=6), ROUND | {"seat": 6}),
    (
        draw.StartPositionWithdrawn(round=18, row="dice-not-flat", permits=("deal/shoe-1",)),
        ROUND,
    ),
    (
        ruling.RulingMade(
            row="shoe-jam",
            cite=("659a.13(m)", "659a.13(n)"),
            basis="regulation",
            effect="stop",
            subject="device",
            subject_id="shoe-1",
            says="The shoe jammed: the round is void.",
            directives=("return-wagers", "reshuffle"),
            incident=4,
            shown_until=("round-closed",),
            reported=True,
        ),
        TROUBLE,
    ),
    (
        incident.IncidentOpened(
            incident=4, row="shoe-jam", subject="device", subject_id="shoe-1", refers_to=2
        ),
        TROUBLE,
    ),
    (incident.IncidentJoined(incident=4, times=2), TROUBLE),
    (incident.IncidentClosed(incident=4, rounds=1, hands=6), TROUBLE),
    (
        incident.HoldOpened(
            incident=4,
            hold=7,
            row="shoe-jam",
            index=0,
            cause=True,
            subject="device",
            subject_id="shoe-1",
            gates=("deal",),
            stops="shoe-1",
            until="the jam is cleared",
        ),
        TROUBLE,
    ),
    (incident.HoldCauseGone(incident=4, hold=7), TROUBLE),
    (incident.HoldEscalated(incident=4, hold=7, step="shift-manager"), TROUBLE),
    (
        incident.HoldEnded(
            incident=4, hold=7, how="override", by=ANN, reason="counted by hand: 53", rounds=1, hands=6
        ),
        TROUBLE,
    ),
    (round.TableStateChanged(state="open"), NOWHERE),
    (round.RoundOpened(round=18), ROUND),
    (round.PhaseChanged(round=18, phase="deal"), ROUND),
    (round.RoundVoided(round=18, row="shoe-jam"), ROUND),
    (round.RoundClosed(round=18, outcome="void", hands=6), ROUND),
    (round.CardsDealt(round=18, deck="blue", cards=49), DEALT),
    (round.RoundNoted(round=18, name="up_card", value="ace"), ROUND),
    (
        system.Started(
            version="0.1.0",
            epoch="5f1c9a0b7d3e4c21",
            pack="659a",
            pack_digest="ab" * 32,
            config_digest="cd" * 32,
            elections={"decks": 2, "shuffler": "shuffler", "bonus": True},
            reference="Rules Submission 12",
            reference_date="2026-03-01",
            gaming_day="2026-11-30",
            software_digest="ef" * 32,
        ),
        NOWHERE,
    ),
    (system.Stopped(why="told to stop"), ROUND),
    (system.GamingDayBegan(day="2026-12-01"), ROUND),
    (system.ClockTrusted(), NOWHERE),
    (system.TimerDue(timer="dice-age/shaker-1", overdue_s=60), NOWHERE),
    (system.TimerUnknown(timer="dice-age/shaker-1"), NOWHERE),
    (system.TimerSet(timer="dice-age/shaker-1", after_s=86_400), NOWHERE),
    (system.TimerCancelled(timer="dice-age/shaker-1"), NOWHERE),
    (system.DeadLettered(sequence=1230), NOWHERE),
    (
        system.Undecided(
            what_failed="shuffle-completed",
            device="shuffler-1",
            body={"composition": {"blue": {"QD": 2}}},
            where="in row deck-count",
        ),
        NOWHERE,
    ),
]
