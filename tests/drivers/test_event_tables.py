"""What each event of each family means: one fact, with the fields that the fact has."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

import pytest

from felt_drivers import (
    continuous_shuffler,
    dealers_panel,
    generator,
    hole_card_reader,
    progressive_station,
    shaker,
    shoe,
    shuffler,
)
from felt_drivers.catalogue import CATALOGUE
from felt_drivers.facts import Malformed, translate
from felt_protocols.events import card, deck, device, draw, panel, reader, station
from felt_protocols.link.families import FAMILIES, LOST

if TYPE_CHECKING:
    from felt_drivers.facts import Table
    from felt_protocols.events import Fact

SAID: list[tuple[Table, str, dict[str, Any], Fact]] = [
    (
        shuffler.FACTS,
        "loaded",
        {"batch": 4, "count": 53},
        deck.DeckLoaded(device="d", n=9, batch=4, count=53),
    ),
    (shuffler.FACTS, "loaded", {"batch": 4}, deck.DeckLoaded(device="d", n=9, batch=4)),
    (shuffler.FACTS, "started", {"batch": 4}, deck.ShuffleStarted(device="d", n=9, batch=4)),
    (
        shuffler.FACTS,
        "completed",
        {"batch": 4, "mode": "sort", "count": 52, "composition": {"red": {"QH": 1, "JK": 1}}},
        deck.ShuffleCompleted(
            device="d", n=9, batch=4, mode="sort", count=52, composition={"red": {"QH": 1, "JK": 1}}
        ),
    ),
    (
        shuffler.FACTS,
        "interrupted",
        {"batch": 4, "why": "jam", "where": "elevator"},
        deck.ShuffleInterrupted(device="d", n=9, batch=4, why="jam", where="elevator"),
    ),
    (
        shuffler.FACTS,
        "unloaded",
        {"batch": 4, "count": 37},
        deck.DeckUnloaded(device="d", n=9, batch=4, count=37),
    ),
    (shuffler.FACTS, "inside", {"count": 16}, deck.InsideCounted(device="d", n=9, count=16)),
    (shuffler.FACTS, "door", {"open": True}, device.DoorMoved(device="d", n=9, open=True)),
    (shuffler.FACTS, "light", {"colour": "red"}, device.LightShown(device="d", n=9, colour="red")),
    (
        shuffler.FACTS,
        "fault",
        {"code": "E17", "where": "motor"},
        device.DeviceFaulted(device="d", n=9, code="E17", where="motor"),
    ),
    (
        shuffler.FACTS,
        "cleared",
        {"where": "elevator"},
        device.DeviceCleared(device="d", n=9, where="elevator"),
    ),
    (
        shuffler.FACTS,
        "cleared",
        {"where": "motor", "code": "E17"},
        device.DeviceCleared(device="d", n=9, code="E17", where="motor"),
    ),
    (shoe.FACTS, "loaded", {"count": 53}, card.ShoeLoaded(device="d", n=9, count=53)),
    (shoe.FACTS, "card", {"face_up": False}, card.CardDrawn(device="d", n=9, face_up=False)),
    (
        shoe.FACTS,
        "card",
        {"face_up": False, "rank": "A", "suit": "S", "back": "red"},
        card.CardDrawn(device="d", n=9, face_up=False, back="red"),
    ),
    (
        shoe.FACTS,
        "card",
        {"face_up": True, "rank": "A", "suit": "C"},
        card.CardDrawn(device="d", n=9, face_up=True, rank="A", suit="clubs"),
    ),
    (
        shoe.FACTS,
        "card",
        {"face_up": True, "rank": "T", "suit": "D"},
        card.CardDrawn(device="d", n=9, face_up=True, rank="10", suit="diamonds"),
    ),
    (
        shoe.FACTS,
        "card",
        {"face_up": True, "rank": "JK"},
        card.CardDrawn(device="d", n=9, face_up=True, rank="joker"),
    ),
    (shoe.FACTS, "card", {"face_up": True}, card.CardDrawn(device="d", n=9, face_up=True)),
    (
        shoe.FACTS,
        "card",
        {"face_up": False, "shown": True, "rank": "K", "suit": "S", "back": "red"},
        card.CardDrawn(device="d", n=9, face_up=False, shown=True, rank="K", suit="spades", back="red"),
    ),
    (
        shoe.FACTS,
        "card",
        {"face_up": False, "shown": False, "rank": "K", "suit": "S"},
        card.CardDrawn(device="d", n=9, face_up=False),
    ),
    (shoe.FACTS, "stack", {"size": 7}, card.StackDispensed(device="d", n=9, size=7)),
    (shoe.FACTS, "cover_card", {}, card.CoverCardDrawn(device="d", n=9)),
    (shoe.FACTS, "jam", {"where": "gate"}, card.ShoeJammed(device="d", n=9, where="gate")),
    (shoe.FACTS, "stopped", {}, card.ShoeStopped(device="d", n=9)),
    (shoe.FACTS, "empty", {}, card.ShoeEmptied(device="d", n=9)),
    (shoe.FACTS, "removed", {"count": 4}, card.ShoeUnloaded(device="d", n=9, count=4)),
    (shoe.FACTS, "door", {"open": False}, device.DoorMoved(device="d", n=9, open=False)),
    (shoe.FACTS, "fault", {"code": "E1"}, device.DeviceFaulted(device="d", n=9, code="E1")),
    (shoe.FACTS, "cleared", {"where": "gate"}, device.DeviceCleared(device="d", n=9, where="gate")),
    (continuous_shuffler.FACTS, "loaded", {"count": 14}, card.CardsReturned(device="d", n=9, count=14)),
    (continuous_shuffler.FACTS, "loaded", {}, card.CardsReturned(device="d", n=9)),
    (
        continuous_shuffler.FACTS,
        "card",
        {"face_up": False, "rank": "A", "suit": "S"},
        card.CardDrawn(device="d", n=9, face_up=False),
    ),
    (
        continuous_shuffler.FACTS,
        "card",
        {"face_up": False, "shown": True, "rank": "T", "suit": "C"},
        card.CardDrawn(device="d", n=9, face_up=False, shown=True, rank="10", suit="clubs"),
    ),
    (continuous_shuffler.FACTS, "inside", {"count": 311}, deck.InsideCounted(device="d", n=9, count=311)),
    (
        continuous_shuffler.FACTS,
        "interrupted",
        {"why": "stopped", "where": "door"},
        deck.ShuffleInterrupted(device="d", n=9, batch=0, why="stopped", where="door"),
    ),
    (continuous_shuffler.FACTS, "jam", {"where": "mouth"}, card.ShoeJammed(device="d", n=9, where="mouth")),
    (continuous_shuffler.FACTS, "stopped", {}, card.ShoeStopped(device="d", n=9)),
    (continuous_shuffler.FACTS, "empty", {}, card.ShoeEmptied(device="d", n=9)),
    (continuous_shuffler.FACTS, "removed", {"count": 312}, card.ShoeUnloaded(device="d", n=9, count=312)),
    (continuous_shuffler.FACTS, "door", {"open": True}, device.DoorMoved(device="d", n=9, open=True)),
    (continuous_shuffler.FACTS, "light", {"colour": "red"}, device.LightShown(device="d", n=9, colour="red")),
    (
        continuous_shuffler.FACTS,
        "fault",
        {"code": "sensor", "where": "mouth"},
        device.DeviceFaulted(device="d", n=9, code="sensor", where="mouth"),
    ),
    (
        continuous_shuffler.FACTS,
        "cleared",
        {"where": "feeder"},
        device.DeviceCleared(device="d", n=9, where="feeder"),
    ),
    (shaker.FACTS, "shaken", {}, draw.ShakerShaken(device="d", n=9)),
    (shaker.FACTS, "shaken", {"quality": 80}, draw.ShakerShaken(device="d", n=9, quality=80)),
    (shaker.FACTS, "uncovered", {}, draw.ShakerUncovered(device="d", n=9)),
    (
        shaker.FACTS,
        "dice",
        {"faces": [3, 5, 1], "flat": True, "inside": True},
        draw.DiceRead(device="d", n=9, faces=(3, 5, 1), flat=True, inside=True),
    ),
    (shaker.FACTS, "covered", {}, draw.ShakerCovered(device="d", n=9)),
    (
        shaker.FACTS,
        "unattended",
        {"seconds": 61},
        draw.ShakerLeftUnattended(device="d", n=9, seconds=61),
    ),
    (shaker.FACTS, "fault", {"code": "E1"}, device.DeviceFaulted(device="d", n=9, code="E1")),
    (shaker.FACTS, "cleared", {"code": "E1"}, device.DeviceCleared(device="d", n=9, code="E1")),
    (hole_card_reader.FACTS, "inserted", {}, reader.HoleCardInserted(device="d", n=9)),
    (
        hole_card_reader.FACTS,
        "result",
        {"blackjack": True},
        reader.HoleCardRead(device="d", n=9, blackjack=True),
    ),
    (
        hole_card_reader.FACTS,
        "unreadable",
        {"why": "upside-down"},
        reader.HoleCardUnreadable(device="d", n=9, why="upside-down"),
    ),
    (hole_card_reader.FACTS, "removed", {}, reader.HoleCardRemoved(device="d", n=9)),
    (hole_card_reader.FACTS, "tamper", {"open": True}, reader.ReaderTampered(device="d", n=9, open=True)),
    (
        hole_card_reader.FACTS,
        "fault",
        {"code": "stuck-card", "where": "slot"},
        device.DeviceFaulted(device="d", n=9, code="stuck-card", where="slot"),
    ),
    (hole_card_reader.FACTS, "cleared", {"code": "E1"}, device.DeviceCleared(device="d", n=9, code="E1")),
    (
        progressive_station.FACTS,
        "bet",
        {"seat": 3, "present": False},
        station.ProgressiveBet(device="d", n=9, seat=3, present=False),
    ),
    (progressive_station.FACTS, "start_game", {}, station.StartGamePressed(device="d", n=9)),
    (
        progressive_station.FACTS,
        "locked",
        {"seats": [1, 3]},
        station.ProgressiveBetsLocked(device="d", n=9, seats=(1, 3)),
    ),
    (
        progressive_station.FACTS,
        "locked",
        {"seats": []},
        station.ProgressiveBetsLocked(device="d", n=9, seats=()),
    ),
    (progressive_station.FACTS, "late_bet", {"seat": 5}, station.LateBetSeen(device="d", n=9, seat=5)),
    (
        progressive_station.FACTS,
        "bet_removed",
        {"seat": 1},
        station.LockedBetRemoved(device="d", n=9, seat=1),
    ),
    (
        progressive_station.FACTS,
        "hand",
        {"seat": 3, "rank": "royal-flush"},
        station.ProgressiveHand(device="d", n=9, seat=3, rank="royal-flush"),
    ),
    (
        progressive_station.FACTS,
        "key",
        {"which": "reset", "on": True},
        station.KeyTurned(device="d", n=9, which="reset", on=True),
    ),
    (
        progressive_station.FACTS,
        "fault",
        {"code": "E4", "where": "seat-4"},
        device.DeviceFaulted(device="d", n=9, code="E4", where="seat-4"),
    ),
    (progressive_station.FACTS, "cleared", {"code": "E4"}, device.DeviceCleared(device="d", n=9, code="E4")),
    (
        generator.FACTS,
        "drawn",
        {"number": 7, "draw": 12},
        draw.NumberDrawn(device="d", n=9, number=7, draw=12),
    ),
    (
        generator.FACTS,
        "health",
        {"state": "failed", "test": "repetition"},
        draw.GeneratorHealthTold(device="d", n=9, state="failed", test="repetition"),
    ),
    (generator.FACTS, "health", {"state": "good"}, draw.GeneratorHealthTold(device="d", n=9, state="good")),
    (generator.FACTS, "fault", {"code": "E1"}, device.DeviceFaulted(device="d", n=9, code="E1")),
    (generator.FACTS, "cleared", {"code": "E1"}, device.DeviceCleared(device="d", n=9, code="E1")),
    (
        dealers_panel.FACTS,
        "no_more_bets",
        {},
        panel.PanelPressed(device="d", n=9, button="no-more-bets"),
    ),
    (dealers_panel.FACTS, "round_end", {}, panel.PanelPressed(device="d", n=9, button="round-end")),
    (dealers_panel.FACTS, "new_dealer", {}, panel.PanelPressed(device="d", n=9, button="new-dealer")),
    (dealers_panel.FACTS, "call_floor", {}, panel.PanelPressed(device="d", n=9, button="call-floor")),
    (dealers_panel.FACTS, "acknowledge", {}, panel.PanelPressed(device="d", n=9, button="acknowledge")),
    (
        dealers_panel.FACTS,
        "report",
        {"what": "cards-exposed"},
        panel.PanelPressed(device="d", n=9, button="report", report="cards-exposed"),
    ),
    (
        dealers_panel.FACTS,
        "fault",
        {"code": "display"},
        device.DeviceFaulted(device="d", n=9, code="display"),
    ),
    (
        dealers_panel.FACTS,
        "cleared",
        {"code": "display"},
        device.DeviceCleared(device="d", n=9, code="display"),
    ),
]


@pytest.mark.parametrize(("table", "event", "fields", "fact"), SAID)
def test_an_event_means_one_fact(table: Table, event: str, fields: dict[str, Any], fact: Fact) -> None:
    assert translate(table, "d", event, fields, 9) == fact


def test_every_event_of_a_family_has_its_line_and_its_test() -> None:
    for (family, _), table in CATALOGUE.items():
        events = set(FAMILIES[family].events) - {LOST}
        assert set(table) == events
        assert {event for tried, event, _, _ in SAID if tried is table} == events


@pytest.mark.parametrize(
    ("event", "fields", "why"),
    [
        ("explodes", {}, "no such event"),
        ("stack", {}, "wrong size"),
        ("stack", {"size": "Q"}, "wrong size"),
        ("stack", {"size": True}, "wrong size"),
        ("stack", {"size": 7, "QH": 1}, "wrong keys"),
        ("card", {"face_up": "QH"}, "wrong face_up"),
        ("card", {"face_up": True, "rank": "QH"}, "wrong rank"),
        ("card", {"face_up": False, "shown": "QH"}, "wrong shown"),
        ("jam", {"where": "x" * 65}, "wrong where"),
    ],
)
def test_what_is_malformed_is_told_without_its_values(event: str, fields: dict[str, Any], why: str) -> None:
    with pytest.raises(Malformed) as told:
        translate(shoe.FACTS, "d", event, fields, 9)
    assert str(told.value) == why
    assert "QH" not in "".join(traceback.format_exception(told.value))


def test_a_dice_reading_that_is_no_array_is_malformed() -> None:
    with pytest.raises(Malformed, match="wrong faces"):
        translate(shaker.FACTS, "d", "dice", {"faces": 3, "flat": True, "inside": True}, 9)


@pytest.mark.parametrize("seats", [3, "13", [0], [16]])
def test_seats_that_are_none_are_malformed(seats: object) -> None:
    with pytest.raises(Malformed, match="wrong seats"):
        translate(progressive_station.FACTS, "d", "locked", {"seats": seats}, 9)


@pytest.mark.parametrize("fields", [{"number": 8, "draw": 1}, {"number": 0, "draw": 1}])
def test_a_number_beyond_the_seven_is_malformed(fields: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="wrong number"):
        translate(generator.FACTS, "d", "drawn", fields, 9)


@pytest.mark.parametrize("fields", [{"blackjack": True, "QH": "KS"}, {"blackjack": "KS"}])
def test_a_reader_that_names_the_hole_card_is_malformed_and_not_quoted(fields: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match=r"wrong (keys|blackjack)") as told:
        translate(hole_card_reader.FACTS, "d", "result", fields, 9)
    said = "".join(traceback.format_exception(told.value))
    assert "QH" not in said
    assert "KS" not in said


@pytest.mark.parametrize("fields", [{}, {"what": 3}])
def test_a_report_without_its_word_is_malformed(fields: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="wrong report"):
        translate(dealers_panel.FACTS, "d", "report", fields, 9)


def test_no_button_but_report_has_a_word() -> None:
    with pytest.raises(Malformed, match="wrong keys"):
        translate(dealers_panel.FACTS, "d", "call_floor", {"what": "cards-exposed"}, 9)
