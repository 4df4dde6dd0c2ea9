"""Everything that devices and people may tell, as strategies: most of it, but not all, is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from hypothesis import strategies as st

from felt_protocols import commands
from felt_protocols.events import Fact, card, deck, delivery, device, draw, panel, person, system

from .felt import DEALER, FAMILIES, FLOOR, PACK, connected, setup_of

if TYPE_CHECKING:
    from felt_daemon.rules.pack import Methods, Pack


def methods_of(pack: Pack) -> Methods:
    """The ways of a game that has several."""
    assert pack.methods is not None
    return pack.methods


METHODS = methods_of(PACK)
SETUP = setup_of(
    devices={**FAMILIES, "panel-1": "dealers-panel"},
    escalation=(("dealer", 0), ("floor", 60), ("shift-manager", 300)),
)
DEVICES = st.sampled_from(["shuffler-1", "shoe-1", "shaker-1", "panel-1", "ghost-9"])
SHUFFLERS = st.sampled_from(["shuffler-1", "shuffler-1", "shuffler-1", "ghost-9"])
DECKS = st.sampled_from(["red", "blue", "green"])
COUNTS = st.sampled_from([None, 0, 4, 16, 52, 53, 54])
BOOTS = st.sampled_from(["00000000000000a1", "00000000000000b2", "00000000000000c3"])
CODES = st.sampled_from(["", "motor", "driver", "not-understood"])
NUMBERS = st.integers(0, 6)
PEOPLE = st.sampled_from([FLOOR, FLOOR, DEALER])
REPORTS = st.sampled_from(sorted(PACK.reports))
BUTTONS = st.sampled_from(get_args(panel.Button))
SECRET = {"red": {"secret-card": 1}}


def some(kind: type[Fact], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Fact]:
    """Facts of one class."""
    return st.builds(kind, **fields)


DEVICE_FACTS: list[st.SearchStrategy[Fact]] = [
    st.builds(connected, DEVICES, BOOTS, same_boot=st.booleans()),
    some(device.DeviceRestarted, device=DEVICES, device_boot=BOOTS, previous_boot=BOOTS),
    some(device.DeviceRefused, device=DEVICES, why=st.sampled_from(["serial", "leaks-order"])),
    some(device.DeviceDrained, device=DEVICES, upto=NUMBERS),
    some(device.DeviceStale, device=DEVICES, silent_ms=st.just(1500)),
    some(device.DeviceLost, device=DEVICES, why=st.just("silent")),
    some(device.DeviceBack, device=DEVICES),
    some(device.DeviceFaulted, device=DEVICES, code=CODES),
    some(device.DeviceCleared, device=DEVICES, code=CODES),
    some(device.DoorMoved, device=DEVICES, open=st.booleans()),
    some(device.LightShown, device=DEVICES, colour=st.sampled_from(["red", "green"])),
    some(device.EventsLost, device=DEVICES, first=st.just(1), last=st.just(2)),
    some(device.OrderLeaked, device=DEVICES),
    some(device.InterlockUnconfirmed, device=DEVICES, after_ms=st.just(500)),
    some(device.InhibitFound, device=DEVICES, why=st.just("key")),
    some(device.LeaseLapsed, device=DEVICES),
    some(panel.PanelPressed, device=st.just("panel-1"), button=BUTTONS, report=REPORTS),
]
CARD_FACTS: list[st.SearchStrategy[Fact]] = [
    some(deck.InsideCounted, device=SHUFFLERS, count=st.just(40)),
    some(card.ShoeLoaded, device=st.just("shoe-1"), count=COUNTS),
    some(card.CardDrawn, device=st.just("shoe-1"), face_up=st.booleans()),
    some(card.StackDispensed, device=st.just("shoe-1"), size=st.sampled_from([7, 7, 7, 7, 6, 8, 0, 60])),
    some(card.CoverCardDrawn, device=st.just("shoe-1")),
    some(card.ShoeJammed, device=st.just("shoe-1"), where=st.sampled_from(["", "exit"])),
    some(card.ShoeStopped, device=st.just("shoe-1")),
    some(card.ShoeEmptied, device=st.just("shoe-1")),
    some(card.ShoeUnloaded, device=st.just("shoe-1"), count=COUNTS),
    some(draw.ShakerShaken, device=st.just("shaker-1")),
    some(draw.ShakerUncovered, device=st.just("shaker-1")),
    some(draw.ShakerCovered, device=st.just("shaker-1")),
    some(draw.ShakerLeftUnattended, device=st.just("shaker-1"), seconds=st.just(30)),
    some(
        draw.DiceRead,
        device=st.just("shaker-1"),
        faces=st.tuples(NUMBERS, NUMBERS, NUMBERS),
        flat=st.booleans(),
        inside=st.booleans(),
    ),
]
OTHER_FACTS: list[st.SearchStrategy[Fact]] = [
    some(system.Stopped, why=st.just("stopped")),
    some(system.ClockTrusted),
    some(system.TimerDue, timer=st.sampled_from(["dice-age/shaker-1", "none"]), overdue_s=st.just(0)),
    some(system.TimerUnknown, timer=st.sampled_from(["dice-age/shaker-1", "none"])),
    some(system.DeadLettered, sequence=st.just(1)),
    some(delivery.EventsHeld, sequence=st.just(1), why=st.just("refused"), code=st.just(0x87)),
    some(delivery.EventsFreed, sequence=st.just(1)),
    some(delivery.ConsumerSuspended, consumer=st.just("pit"), sequence=st.just(1)),
    some(delivery.ConsumerReturned, consumer=st.just("pit"), sequence=st.just(1)),
    some(delivery.AckRefused, consumer=st.just("pit"), why=st.just("above-head"), said=st.just("9")),
    some(delivery.CertificateExpiring, which=st.just("table"), until=st.just("x"), days=st.just(7)),
    some(delivery.CertificateRenewed, fingerprint=st.just("ab"), until=st.just("x")),
    some(delivery.CertificateUnusable, why=st.just("x")),
    some(system.Undecided, what_failed=st.just("card-drawn"), body=st.just({}), where=st.just("x")),
    some(system.GamingDayBegan, day=st.sampled_from(["2030-05-01", "2030-05-02"])),
    some(person.CommandRejected, command=st.just("count"), by=PEOPLE, reason=st.just("no")),
    some(person.CommandsUncounted, count=st.just(3)),
]
COMMANDS: list[st.SearchStrategy[commands.Command]] = [
    st.builds(commands.OpenTable),
    st.builds(commands.CloseTable),
    st.builds(commands.NoMoreBets),
    st.builds(commands.RoundEnd),
    st.builds(commands.ChangeDeck, deck=DECKS, preshuffled=st.booleans()),
    st.builds(commands.ChangeDice, device=DEVICES),
    st.builds(
        commands.Order,
        what=st.sampled_from(["shuffle", "reshuffle", "burn", "recut"]),
        deck=DECKS | st.none(),
    ),
    st.builds(
        commands.CountCards,
        deck=DECKS,
        count=st.sampled_from([3, 4, 52, 53]),
        part=st.sampled_from(["deck", "remaining"]),
    ),
    st.builds(commands.Acknowledge, hold=st.integers(1, 12)),
    st.builds(commands.Override, hold=st.integers(1, 12), reason=st.just("looked at it")),
    st.builds(commands.ReleaseRound),
    st.builds(commands.CallFloor),
    st.builds(commands.NewDealer, dealer=st.sampled_from([None, "Deb"])),
]
# People's part: reports, methods, signs, inspections, and what is set aside.
REPORT = st.builds(
    commands.Report,
    what=REPORTS,
    seat=st.sampled_from([None, 0, 3]),
    deck=DECKS | st.none(),
    device=DEVICES | st.none(),
)
ASIDE: list[st.SearchStrategy[commands.Command]] = [
    st.builds(
        commands.Method,
        shuffle=st.sampled_from([None, *METHODS.shuffle]),
        deal=st.sampled_from([None, *METHODS.deal]),
        start=st.sampled_from([None, *METHODS.start]),
    ),
    st.builds(commands.Sign, device=DEVICES, sign=st.sampled_from(["covered", "out-of-order", "removed"])),
    st.builds(
        commands.Inspect,
        device=DEVICES | st.none(),
        deck=DECKS | st.none(),
        result=st.sampled_from(["in-order", "not-in-order"]),
    ),
    st.builds(
        commands.WithdrawCard,
        deck=DECKS,
        place=st.sampled_from(["hand", "table", "discard"]),
        why=st.just("bent"),
        card=st.just("KS"),
    ),
    st.builds(commands.ReplaceCard, deck=DECKS, card=st.just("KS")),
    st.builds(commands.ServiceBegin, device=DEVICES, why=st.just("a new belt")),
    st.builds(commands.ServiceEnd, device=DEVICES, shown_empty=st.just(value=True)),
    st.builds(commands.DeviceRetire, device=DEVICES, shown_empty=st.just(value=True)),
    st.builds(commands.DeviceAccept, device=DEVICES, serial=st.just("s-1"), shown_empty=st.just(value=True)),
]
