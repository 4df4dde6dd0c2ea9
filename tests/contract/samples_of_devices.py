"""Samples of what devices tell, and of the orders given to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import card, deck, device, draw, panel, reader, station

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_protocols.events import Event

ROUND: Mapping[str, object] = {"round": 18}
DEALT: Mapping[str, object] = {"round": 18, "deck": "blue"}
SEATED: Mapping[str, object] = {"round": 18, "deck": "blue", "seat": 3}
NOWHERE: Mapping[str, object] = {}

DEVICES: list[tuple[Event, Mapping[str, object]]] = [
    (card.ShoeLoaded(n=41, device="shoe-1", count=53), NOWHERE),
    (
        card.CardDrawn(
            n=42, device="shoe-1", face_up=False, shown=True, rank="Q", suit="hearts", back="blue"
        ),
        SEATED,
    ),
    (card.StackDispensed(n=43, device="shoe-1", size=7), SEATED),
    (card.CoverCardDrawn(n=44, device="shoe-1"), DEALT),
    (card.ShoeJammed(n=45, device="shoe-1", where="exit"), DEALT),
    (card.ShoeStopped(n=46, device="shoe-1"), DEALT),
    (card.ShoeEmptied(n=47, device="shoe-1"), DEALT),
    (card.ShoeUnloaded(n=48, device="shoe-1", count=4), DEALT),
    (card.CardsReturned(n=49, device="shuffler-1", count=7), ROUND),
    (reader.HoleCardInserted(n=5, device="reader-1"), ROUND),
    (reader.HoleCardRead(n=6, device="reader-1", blackjack=False), ROUND),
    (reader.HoleCardUnreadable(n=7, device="reader-1", why="dirty"), ROUND),
    (reader.HoleCardRemoved(n=8, device="reader-1"), ROUND),
    (reader.ReaderTampered(n=9, device="reader-1", open=True), ROUND),
    (station.ProgressiveBet(n=1, device="station-1", seat=3, present=True), ROUND),
    (station.StartGamePressed(n=2, device="station-1"), ROUND),
    (station.ProgressiveBetsLocked(n=3, device="station-1", seats=(1, 4, 5)), ROUND),
    (station.LateBetSeen(n=4, device="station-1", seat=2), ROUND),
    (station.LockedBetRemoved(n=5, device="station-1", seat=4), ROUND),
    (station.ProgressiveHand(n=6, device="station-1", seat=1, rank="royal-flush"), ROUND),
    (station.KeyTurned(n=7, device="station-1", which="supervisor", on=True), ROUND),
    (deck.DeckLoaded(n=31, device="shuffler-1", batch=12, count=53), NOWHERE),
    (deck.ShuffleStarted(n=32, device="shuffler-1", batch=12), {"deck": "blue"}),
    (
        deck.ShuffleCompleted(
            n=33,
            device="shuffler-1",
            batch=12,
            mode="shuffle",
            count=53,
            composition={"blue": {"QD": 1, "JK": 1}},
        ),
        {"deck": "blue"},
    ),
    (
        deck.ShuffleInterrupted(n=34, device="shuffler-1", batch=12, why="jam", where="lift"),
        {"deck": "blue"},
    ),
    (deck.DeckUnloaded(n=35, device="shuffler-1", batch=12, count=53), {"deck": "blue"}),
    (deck.InsideCounted(n=36, device="shuffler-1", count=52), NOWHERE),
    (
        device.DeviceConnected(
            device="shoe-1",
            family="shoe",
            model="DS-2",
            serial="4711",
            firmware="1.4.2",
            digest="ab" * 32,
            device_boot="00000000000004d2",
            same_boot=False,
        ),
        NOWHERE,
    ),
    (
        device.DeviceRestarted(
            device="shoe-1", device_boot="00000000000004d3", previous_boot="00000000000004d2"
        ),
        ROUND,
    ),
    (device.DeviceRefused(device="shoe-1", why="serial 4711 is expected, this is 4712"), NOWHERE),
    (device.DeviceDrained(device="shoe-1", upto=40), NOWHERE),
    (device.DeviceStale(device="shoe-1", silent_ms=1500), ROUND),
    (device.DeviceLost(device="shoe-1", why="silent"), ROUND),
    (device.DeviceBack(device="shoe-1"), ROUND),
    (device.DeviceFaulted(n=50, device="shoe-1", code="E5", where="motor"), ROUND),
    (device.DeviceCleared(n=51, device="shoe-1", code="E5", where="motor"), ROUND),
    (device.DoorMoved(n=52, device="shoe-1", open=True), {"test": "shoe-1"}),
    (device.LightShown(n=53, device="shoe-1", colour="red"), ROUND),
    (device.EventsLost(n=54, device="shoe-1", first=3, last=9), NOWHERE),
    (device.OrderLeaked(device="shuffler-1"), NOWHERE),
    (device.InterlockUnconfirmed(device="shoe-1", after_ms=500), ROUND),
    (device.InhibitFound(device="shoe-1", why="key"), NOWHERE),
    (device.LeaseLapsed(n=55, device="shoe-1"), ROUND),
    (device.OrderAnswered(n=56, device="shoe-1", order=1230, result="failed", why="door open"), ROUND),
    (
        device.OrderIssued(
            device="shoe-1", order="permit", args={"round": 18, "stacks": 7}, gate="deal", key="18"
        ),
        ROUND,
    ),
    (device.ServiceEnded(device="shoe-1"), NOWHERE),
    (
        device.InspectionDue(
            device="shoe-1", day="2026-11-30", cite=("659a.5(a)",), says="Inspect the shoe."
        ),
        NOWHERE,
    ),
    (draw.ShakerShaken(n=21, device="shaker-1", quality=97), ROUND),
    (draw.ShakerUncovered(n=22, device="shaker-1"), ROUND),
    (draw.DiceRead(n=23, device="shaker-1", faces=(3, 0, 6), flat=False, inside=True), ROUND),
    (draw.ShakerCovered(n=24, device="shaker-1"), ROUND),
    (draw.ShakerLeftUnattended(n=25, device="shaker-1", seconds=90), NOWHERE),
    (draw.NumberDrawn(n=3, device="generator-1", number=5, draw=12), ROUND),
    (draw.GeneratorHealthTold(n=4, device="generator-1", state="failed", test="repetition"), NOWHERE),
    (panel.PanelPressed(n=2, device="panel-1", button="report", report="deck-washed"), NOWHERE),
]
