"""What a ruling decides beside itself: a void round, permits taken back, what it refers to and stops."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules.library import document_of, parse_pack, stored
from felt_daemon.table import set_up
from felt_daemon.table.changes import changed
from felt_daemon.table.focus import Focus
from felt_daemon.table.rulings import _of_the_round, _stopped, stops
from felt_daemon.table.setting_up import unfit_ways
from felt_protocols.events import card, device, draw, incident
from felt_protocols.events import round as rounds

from .felt import PACK, Felt, setup_of

if TYPE_CHECKING:
    from felt_daemon.rules import Pack


def with_another(rule: str) -> Pack:
    """The pack with a second rule that is the same but for its name."""
    document = document_of("659a")
    place, row = next((place, one) for place, one in enumerate(document["rules"]) if one["id"] == rule)
    document["rules"].insert(place + 1, {**copy.deepcopy(row), "id": f"{rule}-again"})
    return parse_pack(stored(document))


def test_a_round_that_two_rows_void_is_void_once() -> None:
    felt = Felt(with_another("shoe-jam"))
    felt.open()
    felt.ready_to_deal()
    felt.deal(7)
    felt.tell(card.ShoeJammed(device="shoe-1"))
    assert felt.rulings() == ["shoe-jam", "shoe-jam-again"]
    assert felt.of(rounds.RoundVoided) == [rounds.RoundVoided(round=1, row="shoe-jam")]


def test_a_roll_that_the_dealer_reports_takes_back_the_start_and_its_permit(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.report("dice-not-flat")
    assert opened.of(draw.StartPositionWithdrawn) == [
        draw.StartPositionWithdrawn(round=1, row="dice-not-flat", permits=("deal/shoe-1",))
    ]
    assert opened.round.start_seat is None


def test_a_roll_takes_back_nothing_before_it_was_read(opened: Felt) -> None:
    opened.report("dice-not-flat")
    assert opened.rulings() == ["dice-not-flat"]
    assert opened.of(draw.StartPositionWithdrawn) == []


def test_the_permits_of_a_round_are_those_of_its_gates_and_its_number(opened: Felt) -> None:
    opened.ready_to_deal()
    deal, shuffle = opened.state.grants["deal/shoe-1"], opened.state.grants["shuffle/shuffler-1"]
    grants = {
        "deal/shoe-1": deal,
        "deal/shoe-2": changed(deal, key="7"),
        "shuffle/shuffler-1": changed(shuffle, key="1"),
    }
    assert _of_the_round(PACK, changed(opened.state, grants=grants), opened.round) == ("deal/shoe-1",)


def test_what_only_tells_is_over_at_once(opened: Felt) -> None:
    opened.report("dice-not-flat")
    assert opened.of(incident.IncidentClosed) == [incident.IncidentClosed(incident=1, rounds=0, hands=0)]
    assert (len(opened.of(incident.IncidentOpened)), opened.state.incidents) == (1, {})


def test_what_only_tells_is_over_before_the_next_row_is_ruled_on() -> None:
    felt = Felt(with_another("dice-not-flat"))
    felt.open()
    told = [
        row.event.what() for row in felt.report("dice-not-flat") if row.event.kind in {"incident", "ruling"}
    ]
    assert told == ["incident-opened", "ruling-made", "incident-closed"] * 2


def test_a_trouble_refers_to_the_last_one_of_the_same_subject_alone(opened: Felt) -> None:
    opened.tell(
        device.LightShown(device="shuffler-1", colour="red"),
        device.DeviceFaulted(device="shoe-1", code="motor"),
        device.DeviceFaulted(device="shuffler-1", code="motor"),
    )
    opened_ = opened.of(incident.IncidentOpened)
    assert {(one.subject, one.subject_id) for one in opened_} == {
        ("device", "shuffler-1"),
        ("device", "shoe-1"),
    }
    assert [one.refers_to for one in opened_] == [None, None, 1]


def stopped_shoe(felt: Felt) -> str:
    """The device that the one row of the game stops that stops a family."""
    [hold] = [one for rule in PACK.rules for one in rule.holds if one.stops_family == "shoe"]
    return _stopped(felt.state, hold, Focus(None, None))


@pytest.mark.parametrize(
    ("devices", "stopped"),
    [
        ({"shaker-1": "shaker", "shoe-1": "shoe", "shoe-2": "shoe"}, "shoe-1"),
        ({"shaker-1": "shaker", "shoe-2": "shoe", "shoe-1": "shoe"}, "shoe-2"),
    ],
)
def test_a_row_that_stops_a_family_stops_the_first_of_it_that_is_in_use(
    devices: dict[str, str], stopped: str
) -> None:
    felt = Felt(setup=setup_of(devices=devices))
    assert stopped_shoe(felt) == stopped
    aside = {**felt.state.devices, stopped: changed(felt.state.devices[stopped], retired=True)}
    felt.table.state = changed(felt.state, devices=aside)
    assert stopped_shoe(felt) == ({"shoe-1", "shoe-2"} - {stopped}).pop()


def test_a_stack_too_many_stops_the_shoe_by_what_it_shows_itself() -> None:
    document: dict[str, Any] = document_of("659a")
    [row] = [one for one in document["rules"] if one["id"] == "shoe-jam"]
    row.update(on=["stack-dispensed"], when=["stacks > 2"])
    felt = Felt(parse_pack(stored(document)))
    felt.open()
    felt.ready_to_deal()
    felt.deal(7, 7)
    third = card.StackDispensed(device="shoe-1", size=7)
    assert list(stops(felt.pack, felt.state, third)) == [("shoe-1", "shoe-jam")]
    felt.tell(third)
    assert felt.rulings() == ["shoe-jam"]


# ---- ways that do not fit ----------------------------------------------------------------------------------


def test_ways_that_the_house_elects_fit_each_other_or_it_is_told_what_does_not() -> None:
    def told(**ways: str) -> list[tuple[str, str]]:
        method = {"shuffle": "device", "deal": "automated-shoe", "start": "shaker"} | ways
        setup = set_up(PACK, table="t-1", devices={}, decks={"red": "red"}, method=method)
        return list(unfit_ways(PACK, setup))

    by_hand = "cards are dealt from the hand only where a device shuffles them (659a.9(a)(1))"
    assert told() == []
    assert told(shuffle="hand", deal="hand") == [("shuffle", by_hand), ("deal", by_hand)]
    assert told(start="no-such-way") == []
