"""Every event of the vocabulary, and the sentence that tells it."""

from __future__ import annotations

from felt_protocols.events import (
    Event,
    card,
    deck,
    delivery,
    device,
    draw,
    incident,
    panel,
    person,
    reader,
    round,  # noqa: A004 - the field's own word
    ruling,
    station,
    system,
)

ANN = person.Person(role="floor", name="Ann", proof="pin")
BOB = person.Person(role="floor", name="Bob", proof="signed", key="k-7")
NOBODY = person.Person(role="dealer", name="", proof="panel")
REPORTS = {"deck-washed": "The deck was washed."}

SAID: list[tuple[Event, str]] = [
    (card.ShoeLoaded(device="shoe-1", count=53), "Cards were put into shoe-1, 53 cards."),
    (card.CardDrawn(device="shoe-1", face_up=False), "One card came out of shoe-1 face down."),
    (
        card.CardDrawn(device="shoe-1", face_up=True, rank="Q", suit="hearts"),
        "A card came out of shoe-1 face up: Q of hearts.",
    ),
    (
        card.CardDrawn(device="shoe-1", face_up=False, shown=True, rank="A", suit="spades"),
        "A card came out of shoe-1 and was dealt face up: A of spades.",
    ),
    (card.CardsReturned(device="cs-1", count=7), "Played cards are in cs-1 again, 7 cards."),
    (card.CardsReturned(device="cs-1"), "Played cards are in cs-1 again."),
    (reader.HoleCardInserted(device="rd-1"), "The hole card was put into rd-1."),
    (reader.HoleCardRead(device="rd-1", blackjack=True), "rd-1 shows a BLACKJACK."),
    (reader.HoleCardRead(device="rd-1", blackjack=False), "rd-1 shows no Blackjack."),
    (reader.HoleCardUnreadable(device="rd-1", why="dirty"), "rd-1 could NOT read the hole card: dirty."),
    (reader.HoleCardRemoved(device="rd-1"), "The hole card was taken out of rd-1."),
    (reader.ReaderTampered(device="rd-1", open=True), "The case of rd-1 was OPENED."),
    (reader.ReaderTampered(device="rd-1", open=False), "The case of rd-1 is closed again."),
    (
        station.ProgressiveBet(device="ps-1", seat=3, present=True),
        "A progressive wager lies on the sensor of seat 3 (ps-1).",
    ),
    (
        station.ProgressiveBet(device="ps-1", seat=3, present=False),
        "A progressive wager is gone from the sensor of seat 3 (ps-1).",
    ),
    (station.StartGamePressed(device="ps-1"), "Start Game was pressed at ps-1."),
    (
        station.ProgressiveBetsLocked(device="ps-1", seats=(1, 4, 5)),
        "ps-1 took the progressive wagers of seats 1, 4 and 5.",
    ),
    (
        station.ProgressiveBetsLocked(device="ps-1", seats=(4,)),
        "ps-1 took the progressive wagers of seat 4.",
    ),
    (
        station.ProgressiveBetsLocked(device="ps-1", seats=()),
        "ps-1 took the progressive wagers of no seat.",
    ),
    (
        station.LateBetSeen(device="ps-1", seat=2),
        "A progressive wager of seat 2 came after ps-1 had locked; it does not count.",
    ),
    (
        station.LockedBetRemoved(device="ps-1", seat=2),
        "A progressive wager that ps-1 had taken is GONE from seat 2.",
    ),
    (
        station.ProgressiveHand(device="ps-1", seat=2, rank="royal-flush"),
        "A winning hand of seat 2 was keyed in: royal-flush.",
    ),
    (
        station.KeyTurned(device="ps-1", which="supervisor", on=True),
        "The key supervisor of ps-1 was turned on.",
    ),
    (
        station.KeyTurned(device="ps-1", which="supervisor", on=False),
        "The key supervisor of ps-1 was turned off.",
    ),
    (card.StackDispensed(device="shoe-1", size=7), "shoe-1 dispensed a stack of 7 cards."),
    (card.CoverCardDrawn(device="shoe-1"), "The cover card came out of shoe-1."),
    (card.ShoeJammed(device="shoe-1", where="exit"), "shoe-1 JAMMED (exit)."),
    (card.ShoeStopped(device="shoe-1"), "shoe-1 STOPPED dealing cards."),
    (card.ShoeEmptied(device="shoe-1"), "shoe-1 has no card left."),
    (card.ShoeUnloaded(device="shoe-1", count=1), "The cards were taken out of shoe-1, 1 card."),
    (deck.DeckLoaded(device="sh-1", batch=4), "Cards were put into sh-1 (batch 4)."),
    (deck.ShuffleStarted(device="sh-1", batch=4), "sh-1 began to work on batch 4."),
    (
        deck.ShuffleCompleted(device="sh-1", batch=4, mode="sort", count=53),
        "sh-1 completed a sort of batch 4, 53 cards.",
    ),
    (
        deck.ShuffleInterrupted(device="sh-1", batch=4, why="incomplete", where="lift"),
        "sh-1 did not complete its cycle (lift), batch 4.",
    ),
    (deck.DeckUnloaded(device="sh-1", batch=4, count=52), "Batch 4 was taken out of sh-1, 52 cards."),
    (deck.InsideCounted(device="sh-1", count=52), "sh-1 counts 52 cards inside."),
    (
        deck.BatchMapped(device="sh-1", batch=4, deck="red", proved=True, how="the only one"),
        "Batch 4 in sh-1 is taken to be deck red: the only one.",
    ),
    (
        deck.ShoeMapped(device="shoe-1", deck="red", proved=True, how="the only one"),
        "The cards in shoe-1 are taken to be deck red: the only one.",
    ),
    (
        deck.CardsMoved(deck="red", count=7, source="shoe", target="table"),
        "7 cards of deck red: shoe to table.",
    ),
    (deck.DeckMarked(deck="red", mark="washed"), "Deck red: washed."),
    (deck.CompositionJudged(deck="red", right=True), "The cards of deck red are the right ones."),
    (
        deck.CompositionJudged(deck="b", right=False, foreign=1, missing=2, extra=1),
        "Deck b is NOT made of the right cards: 1 card with another back, 2 cards missing, 1 card too many.",
    ),
    (
        device.DeviceConnected(
            device="shoe-1",
            family="shoe",
            model="DS",
            serial="7",
            firmware="1",
            digest="",
            device_boot="",
            same_boot=False,
        ),
        "shoe-1 is connected (DS 7).",
    ),
    (
        device.DeviceRestarted(device="shoe-1", device_boot="b", previous_boot="a"),
        "shoe-1 RESTARTED: what it counted in memory is void.",
    ),
    (device.DeviceRefused(device="shoe-1", why="wrong plate"), "shoe-1 was not accepted: wrong plate."),
    (device.DeviceDrained(device="shoe-1", upto=9), "All that shoe-1 had kept has arrived."),
    (device.DeviceStale(device="shoe-1", silent_ms=1500), "shoe-1 has been silent for 1.5 s."),
    (device.DeviceLost(device="shoe-1", why="never-seen"), "shoe-1 is lost: it was never seen."),
    (device.DeviceBack(device="shoe-1"), "shoe-1 is heard again."),
    (device.DeviceFaulted(device="shoe-1", code="E5"), "shoe-1 reports the fault E5."),
    (device.DeviceCleared(device="shoe-1", where="exit"), "shoe-1 reports the jam cleared (exit)."),
    (device.DeviceCleared(device="shoe-1", code="E5"), "shoe-1 reports the fault E5 cleared."),
    (device.DoorMoved(device="shoe-1", open=True), "A door of shoe-1 was opened."),
    (device.LightShown(device="shoe-1", colour="red"), "shoe-1 shows red."),
    (device.EventsLost(device="shoe-1", first=3, last=9), "shoe-1 lost its events 3 to 9 for ever."),
    (
        device.OrderLeaked(device="sh-1"),
        "sh-1 offered the order of undealt cards; its bytes were dropped unread.",
    ),
    (
        device.InterlockUnconfirmed(device="shoe-1", after_ms=500),
        "shoe-1 does not show an inhibit sent 500 ms before.",
    ),
    (
        device.InhibitFound(device="shoe-1", why="key"),
        "shoe-1 is inhibited for a reason of its own: key.",
    ),
    (device.LeaseLapsed(device="shoe-1"), "shoe-1 inhibited itself: its permit was not renewed."),
    (
        device.OrderAnswered(device="shoe-1", order=9, result="failed", why="door open"),
        "shoe-1 answered order 9: failed: door open.",
    ),
    (
        device.OrderIssued(device="shoe-1", order="permit", args={}, gate="deal", key="4"),
        "Order to shoe-1: permit (gate deal, for 4).",
    ),
    (
        device.InspectionDue(device="shoe-1", day="2026-11-30", cite=("659a.5(a)",), says="x"),
        "shoe-1 was not inspected in the gaming day 2026-11-30.",
    ),
    (device.ServiceEnded(device="shoe-1"), "The service of shoe-1 is over."),
    (draw.ShakerShaken(device="sk-1"), "sk-1 was shaken."),
    (draw.ShakerUncovered(device="sk-1"), "sk-1 was uncovered."),
    (draw.ShakerCovered(device="sk-1"), "sk-1 was covered."),
    (draw.ShakerLeftUnattended(device="sk-1", seconds=90), "Nobody has been at sk-1 for 1 min 30 s."),
    (
        draw.DiceRead(device="sk-1", faces=(3, 0, 6), flat=False, inside=False),
        "sk-1 read the dice: 3, unreadable, 6; not all lie flat; not all are inside.",
    ),
    (draw.NumberDrawn(device="rng-1", number=5, draw=12), "rng-1 drew the number 5."),
    (
        draw.GeneratorHealthTold(device="rng-1", state="failed", test="repetition"),
        "rng-1 says of itself: failed (repetition).",
    ),
    (draw.GeneratorHealthTold(device="rng-1", state="well"), "rng-1 says of itself: well."),
    (draw.StartPositionSet(round=1, total=8, count=1, seat=0), "Dealing starts at the dealer."),
    (draw.StartPositionSet(round=1, total=9, count=2, seat=6), "Dealing starts at seat 6."),
    (draw.StartPositionWithdrawn(round=1, row="x"), "The starting position does not count: x."),
    (
        incident.IncidentOpened(
            incident=4, row="shoe-jam", subject="device", subject_id="shoe-1", refers_to=2
        ),
        "Incident 4 began: shoe-jam on device shoe-1. It refers to incident 2.",
    ),
    (incident.IncidentJoined(incident=4, times=2), "The same trouble again."),
    (
        incident.IncidentClosed(incident=4, rounds=1, hands=6),
        "Incident 4 is over; 1 round and 6 hands were dealt meanwhile.",
    ),
    (
        incident.HoldOpened(
            incident=4,
            hold=5,
            row="x",
            index=0,
            cause=True,
            subject="deck",
            subject_id="red",
            gates=("deal", "shuffle"),
            stops="",
            until="it is counted",
        ),
        "Hold 5 on deck red: keeps deal and shuffle closed; until it is counted.",
    ),
    (incident.HoldCauseGone(incident=4, hold=5), "What caused hold 5 is gone; the hold stays."),
    (
        incident.HoldEscalated(incident=4, hold=5, step="shift-manager"),
        "ESCALATED: nobody owns hold 5; shown to the shift manager.",
    ),
    (
        incident.HoldEnded(incident=4, hold=5, how="reported", by=NOBODY, rounds=0, hands=0),
        "Hold 5 ended: its remedy was reported by the dealer; 0 rounds and 0 hands since it began.",
    ),
    (
        incident.HoldEnded(incident=4, hold=5, how="override", by=ANN, reason="late", rounds=1, hands=6),
        "Hold 5 ended: OVERRIDDEN by Ann; 1 round and 6 hands since it began. Reason: late",
    ),
    (
        ruling.RulingMade(
            row="x",
            cite=("659a.13(m)", "659a.13(n)"),
            basis="regulation",
            effect="stop",
            subject="round",
            subject_id="1",
            says="The round is void.",
            directives=(),
            incident=4,
        ),
        "Ruling 659a.13(m), 659a.13(n): The round is void.",
    ),
    (person.TableOpened(by=ANN), "Opened the table."),
    (person.TableClosed(by=ANN), "Closed the table."),
    (person.BetsClosed(by=ANN), "No more bets."),
    (person.RoundEnded(by=ANN), "Finished the round."),
    (
        person.DeckChanged(by=ANN, deck="red", preshuffled=True),
        "A new deck lies at the table as red, preinspected and preshuffled.",
    ),
    (person.DiceChanged(by=ANN, device="sk-1"), "New dice were placed in sk-1."),
    (person.FloorOrdered(by=ANN, what_ordered="burn"), "Ordered a burn."),
    (
        person.DeckCounted(by=ANN, deck="red", count=53, part="deck"),
        "Counted all of deck red by hand: 53 cards.",
    ),
    (
        person.DeckCounted(by=ANN, deck="red", count=4, part="remaining"),
        "Counted what was left of deck red by hand: 4 cards.",
    ),
    (person.HoldAcknowledged(by=ANN, hold=5), "Owns hold 5."),
    (person.HoldOverridden(by=ANN, hold=5, reason="it is late"), "OVERRODE hold 5: it is late"),
    (
        person.HoldOverridden(by=ANN, hold=5, reason="it is late", second=BOB),
        "OVERRODE hold 5, with Bob (floor, signature by key k-7) as second person: it is late",
    ),
    (person.RoundReleased(by=ANN, round=3), "Released the void round 3: the table may go on."),
    (person.TroubleSeen(by=NOBODY, holds=(5, 6)), "Has seen hold 5 and hold 6."),
    (person.TroubleSeen(by=NOBODY, holds=()), "Has seen the trouble."),
    (person.FloorCalled(by=NOBODY), "Called a floorperson."),
    (
        person.ReplayAsked(by=ANN, consumer="pit", after=41),
        "Asked that pit be sent all after row 41 again.",
    ),
    (
        person.SnapshotAsked(by=ANN, consumer="pit"),
        "Asked for the whole picture of the table, for pit.",
    ),
    (person.DealerCame(by=ANN, dealer="Dan"), "Another dealer deals: Dan."),
    (
        person.Reported(by=ANN, report="deck-washed", deck="red", note="twice"),
        "Reported: The deck was washed (deck red, twice).",
    ),
    (
        person.Reported(by=ANN, report="seats-told", seats=(1, 4)),
        "Reported: seats-told (seats 1 and 4).",
    ),
    (person.Reported(by=ANN, report="of-a-later-pack"), "Reported: of-a-later-pack."),
    (
        person.Inspected(by=ANN, device="shoe-1", result="not-in-order", note="worn"),
        "Inspected shoe-1: NOT in order: worn.",
    ),
    (person.Inspected(by=ANN, deck="red", result="in-order"), "Inspected deck red: in order."),
    (
        person.MethodChosen(by=ANN, shuffle="hand", deal="hand", start="shaker"),
        "Method from here: shuffle hand, deal hand, start shaker.",
    ),
    (person.SignMoved(by=ANN, device="shoe-1", sign="out-of-order"), "shoe-1 is marked as out of order."),
    (
        person.CardWithdrawn(by=ANN, deck="red", place="hand", why="bent", card="QD"),
        "Took a card of deck red out of play: bent.",
    ),
    (person.CardReplaced(by=ANN, deck="red", card="QD"), "Replaced a card of deck red."),
    (person.ServiceBegun(by=ANN, device="shoe-1", why="jams"), "Took shoe-1 into service: jams."),
    (person.ServiceEnding(by=ANN, device="shoe-1"), "The service of shoe-1 is done, shown empty."),
    (
        person.DeviceRetired(by=ANN, device="shoe-1", note="old"),
        "Took shoe-1 out of use, shown empty: old.",
    ),
    (
        person.DeviceAccepted(by=ANN, device="shoe-1", serial="DS-7"),
        "Put shoe-1 (plate DS-7) into use, shown empty.",
    ),
    (
        person.CommandRejected(command="override", by=None, reason="not signed", way="mqtt"),
        "REFUSED override over MQTT: not signed",
    ),
    (person.CommandsUncounted(count=12), "12 refused commands more, not told one by one."),
    (
        panel.PanelPressed(device="panel-1", button="report", report="deck-washed"),
        "The button report of panel-1 was pressed: The deck was washed.",
    ),
    (round.TableStateChanged(state="idle"), "The table is idle."),
    (round.RoundOpened(round=3), "Round 3 began."),
    (round.PhaseChanged(round=3, phase="dealt"), "Round 3 is in phase dealt."),
    (round.RoundVoided(round=3, row="shoe-jam"), "Round 3 is VOID (shoe-jam)."),
    (round.RoundClosed(round=3, outcome="void", hands=6), "Round 3 is over, void: 6 hands."),
    (round.RoundClosed(round=3, outcome="completed", hands=1), "Round 3 was completed: 1 hand."),
    (
        round.RoundNoted(round=3, name="up_card", value="ace"),
        "In round 3, up card is ace from here.",
    ),
    (
        round.CardsDealt(round=3, deck="red", cards=49),
        "All hands are dealt by hand: 49 cards of deck red.",
    ),
    (
        system.Started(
            version="0.1.0",
            epoch="e",
            pack="659a",
            pack_digest="",
            config_digest="",
            elections={},
            reference="",
            reference_date="",
        ),
        "feltd 0.1.0 started.",
    ),
    (system.Stopped(why="told to stop"), "feltd stopped: told to stop."),
    (system.GamingDayBegan(day="2026-12-01"), "The gaming day 2026-12-01 began."),
    (system.ClockTrusted(), "The wall clock is synchronized."),
    (
        system.TimerDue(timer="dice-age/sk-1", overdue_s=60),
        "The timer dice-age/sk-1 fell due, 1 min 0 s ago.",
    ),
    (system.TimerDue(timer="escalation:5", overdue_s=0), "Nobody owned hold 5 in time."),
    (system.TimerUnknown(timer="dice-age/sk-1"), "Nobody can say how old the timer dice-age/sk-1 is."),
    (system.TimerSet(timer="x", after_s=86_400), "The timer x runs: due after 1 d 0 h."),
    (system.TimerCancelled(timer="x"), "The timer x runs no more."),
    (
        delivery.EventsHeld(sequence=7, why="no-subscriber", code=0x10),
        "Events wait at row 7: nobody is subscribed.",
    ),
    (delivery.EventsFreed(sequence=7), "Events go to the floor again from row 7."),
    (
        delivery.ConsumerSuspended(consumer="pit", sequence=7),
        "Consumer pit has not been heard for too long: nothing waits for it. It has all up to row 7.",
    ),
    (
        delivery.ConsumerReturned(consumer="pit", sequence=7),
        "Consumer pit is heard again. It has all up to row 7.",
    ),
    (
        delivery.AckRefused(consumer="pit", why="above-head", said="99"),
        "An acknowledgement of pit was refused (99): no row has this number yet.",
    ),
    (
        delivery.CertificateExpiring(which="broker", until="2026-12-31T00:00:00Z", days=7),
        "The broker's certificate is valid for 7 days more, until 2026-12-31T00:00:00Z.",
    ),
    (
        delivery.CertificateExpiring(which="table", until="2026-12-31T00:00:00Z", days=0),
        "The table's certificate has EXPIRED (2026-12-31T00:00:00Z).",
    ),
    (
        delivery.CertificateRenewed(fingerprint="ab", until="2026-12-31T00:00:00Z"),
        "The table's certificate was renewed; valid until 2026-12-31T00:00:00Z.",
    ),
    (
        delivery.CertificateUnusable(why="the key does not fit"),
        "The table's certificate cannot be used: the key does not fit.",
    ),
    (system.DeadLettered(sequence=7), "Row 7 could not be told to the floor."),
    (
        system.Undecided(what_failed="shoe-jammed", body={}, where="x"),
        "The rules FAILED on shoe-jammed: nothing was decided from it.",
    ),
]
