"""Samples of what people told, and of the way to the floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import delivery, person

from .samples_of_devices import DEALT, NOWHERE, ROUND

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_protocols.events import Event

ANN = person.Person(role="floor", name="Ann Bell", proof="pin")
BEN = person.Person(role="floor", name="Ben Cole", proof="signed", key="EH7DDX5BKSRGCYTQ")
PIT = person.Person(role="floor-system", name="Pit 3 terminal", proof="signed", key="EH7DDX5BKSRGCYTQ")
DEALER = person.Person(role="dealer", name="", proof="panel")

PEOPLE: list[tuple[Event, Mapping[str, object]]] = [
    (person.TableOpened(by=ANN), NOWHERE),
    (person.TableClosed(by=ANN), ROUND),
    (person.BetsClosed(n=3, by=DEALER), ROUND),
    (person.RoundEnded(n=4, by=DEALER), DEALT),
    (person.DeckChanged(by=ANN, deck="red", preshuffled=True), {"deck": "red"}),
    (person.DiceChanged(by=ANN, device="shaker-1"), NOWHERE),
    (person.FloorOrdered(by=BEN, request="7f9c2ba4", what_ordered="recut", deck="blue"), DEALT),
    (person.DeckCounted(by=ANN, deck="blue", count=53, part="deck"), DEALT),
    (person.HoldAcknowledged(by=BEN, request="7f9c2ba4", hold=7), ROUND),
    (person.HoldOverridden(by=ANN, hold=7, reason="counted by hand: 53", second=BEN), ROUND),
    (person.RoundReleased(by=ANN, round=18), DEALT),
    (person.TroubleSeen(n=5, by=DEALER, holds=(7, 8)), ROUND),
    (person.FloorCalled(n=6, by=DEALER), ROUND),
    (person.DealerCame(by=ANN, dealer="Dan"), NOWHERE),
    (
        person.Reported(
            by=ANN,
            report="cards-missing",
            round=18,
            seat=0,
            seats=(1, 4),
            deck="blue",
            device="shoe-1",
            note="one on the floor",
        ),
        {"round": 18, "deck": "blue", "seat": 0},
    ),
    (
        person.Inspected(by=ANN, device="shoe-1", deck="blue", result="not-in-order", note="worn"),
        {"deck": "blue"},
    ),
    (person.MethodChosen(by=ANN, shuffle="hand", deal="shoe", start="shaker"), NOWHERE),
    (person.SignMoved(by=ANN, device="shoe-1", sign="out-of-order"), ROUND),
    (person.CardWithdrawn(by=ANN, deck="blue", place="hand", why="bent", card="QD"), DEALT),
    (person.CardReplaced(by=ANN, deck="blue", card="QD"), {"deck": "blue"}),
    (person.ServiceBegun(by=ANN, device="shoe-1", why="it jams"), NOWHERE),
    (person.ServiceEnding(by=ANN, device="shoe-1"), NOWHERE),
    (person.DeviceRetired(by=ANN, device="shoe-1", note="too old"), NOWHERE),
    (person.DeviceAccepted(by=ANN, device="shoe-1", serial="4711"), NOWHERE),
    (person.ReplayAsked(by=PIT, request="7f9c2ba4", consumer="pit-3", after=1000), NOWHERE),
    (person.SnapshotAsked(by=PIT, request="7f9c2ba4", consumer="pit-3"), NOWHERE),
    (
        person.CommandRejected(
            command="override", by=BEN, reason="there is no open hold 7", way="mqtt", request="7f9c2ba4"
        ),
        ROUND,
    ),
    (person.CommandsUncounted(count=12), NOWHERE),
    (delivery.EventsHeld(sequence=1230, why="no-subscriber", code=16), NOWHERE),
    (delivery.EventsFreed(sequence=1230), NOWHERE),
    (delivery.ConsumerSuspended(consumer="pit-3", sequence=1000), NOWHERE),
    (delivery.ConsumerReturned(consumer="pit-3", sequence=1000), NOWHERE),
    (
        delivery.AckRefused(consumer="pit-3", why="above-head", said='{"epoch": "5f1c9a0b7d3e4c21"'),
        NOWHERE,
    ),
    (
        delivery.CertificateExpiring(which="broker", until="2026-12-07T00:00:00Z", days=7),
        NOWHERE,
    ),
    (delivery.CertificateRenewed(fingerprint="ab" * 32, until="2027-12-07T00:00:00Z"), NOWHERE),
    (delivery.CertificateUnusable(why="the key does not fit the certificate"), NOWHERE),
]
