"""How rulings become incidents and holds, what they bind, and how they let go."""

from __future__ import annotations

import pytest

from felt_daemon.table import Table, blank, decide, inhibits
from felt_daemon.table.failure import undecided
from felt_daemon.table.rulings import stops
from felt_protocols import commands
from felt_protocols.events import card, deck, device, draw, incident, person, ruling, system
from felt_protocols.events import round as rounds

from .felt import FLOOR, PACK, Felt, changed, moment


def jam(felt: Felt) -> None:
    """The shuffler jams with the deck that was loaded last."""
    felt.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=felt.batch, why="jam", where="drum"))


def test_a_fact_makes_its_own_row_first_and_names_itself_as_the_cause_of_the_rest(opened: Felt) -> None:
    before = opened.state
    fact = device.LightShown(device="shuffler-1", colour="red")
    rows = decide(PACK, before, fact, moment(99), simulated=True)
    assert [row.event.what() for row in rows] == [
        "light-shown",
        "incident-opened",
        "ruling-made",
        "hold-opened",
    ]
    assert [row.seq - before.seq for row in rows] == [1, 2, 3, 4]
    assert [row.cause for row in rows] == [None, *[before.seq + 1] * 3]
    assert {(row.stream, row.at, row.simulated) for row in rows} == {("t-1", moment(99), True)}
    assert opened.state is before


def test_a_row_tells_the_round_the_deck_and_the_incident_that_apply(opened: Felt) -> None:
    opened.ready_to_deal()
    rows = opened.tell(card.ShoeJammed(device="shoe-1", where="exit"))
    assert [(row.event.what(), dict(row.context)) for row in rows] == [
        ("shoe-jammed", {"round": 1, "deck": "red"}),
        ("incident-opened", {"round": 1, "incident": 1}),
        ("ruling-made", {"round": 1, "incident": 1}),
        ("hold-opened", {"round": 1, "incident": 1}),
        ("hold-opened", {"round": 1, "incident": 1}),
        ("round-voided", {"round": 1}),
        ("phase-changed", {"round": 1}),
    ]


def test_a_deck_that_is_only_now_put_in_is_not_in_the_context_of_its_load(felt: Felt) -> None:
    felt.change_deck("red")
    assert [dict(row.context) for row in felt.tell(deck.DeckLoaded(device="shuffler-1", batch=1))[:2]] == [
        {},
        {"deck": "red"},
    ]
    # An order that names no deck has none of its own.
    assert dict(felt.tell(person.FloorOrdered(by=FLOOR, what_ordered="recut"))[0].context) == {}
    # Of a device that nobody knows, nobody knows the deck.
    assert dict(felt.tell(deck.ShuffleStarted(device="ghost-9", batch=1))[0].context) == {}


def test_a_stop_is_said_before_anything_else_is_decided(opened: Felt) -> None:
    opened.ready_to_deal()
    fact = card.ShoeJammed(device="shoe-1")
    before = opened.state
    assert list(stops(PACK, before, fact)) == [("shoe-1", "shoe-jam")]
    rows = opened.tell(fact)
    assert inhibits(opened.state) == {"shoe-1": "shoe-jam"}
    assert opened.state.seq == before.seq + len(rows)


def test_a_stop_looks_at_what_the_fact_itself_changes(opened: Felt) -> None:
    opened.ready_to_deal()
    six = card.StackDispensed(device="shoe-1", size=6)
    assert list(stops(PACK, opened.state, six)) == [("shoe-1", "wrong-number-of-cards")]
    assert list(stops(PACK, opened.state, card.StackDispensed(device="shoe-1", size=7))) == []
    assert list(stops(PACK, opened.state, draw.ShakerCovered(device="shaker-1"))) == []
    assert list(stops(PACK, opened.state, device.InterlockUnconfirmed(device="shoe-1", after_ms=500))) == []


def test_a_fact_of_a_device_that_nobody_knows_stops_nothing(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.tell(card.ShoeJammed(device="ghost-9"))
    assert opened.stops == []
    assert inhibits(opened.state) == {}
    # The round is void all the same: a shoe at this table jammed, whatever it is called.
    assert opened.round.void == "shoe-jam"
    assert opened.incidents() == [("shoe-jam", "unknown")]
    assert opened.holds() == {("shoe-jam", "red"), ("shoe-jam", "blue")}


def test_recorded_rows_lead_to_the_same_table_without_deciding(opened: Felt) -> None:
    opened.play_round()
    again = Table(PACK, blank(opened.setup))
    for row in opened.rows:
        again.told(row)
    assert again.state == opened.state


def test_a_jam_holds_its_deck_and_the_one_that_shares_the_shuffler(opened: Felt) -> None:
    jam(opened)
    assert opened.holds() == {("shuffler-jam", "blue"), ("shuffler-jam", "red")}
    first, second = opened.of(incident.HoldOpened)
    assert (first.hold, first.index, first.cause, first.stops, first.gates) == (
        1,
        0,
        True,
        "shuffler-1",
        ("deal",),
    )
    assert (second.hold, second.index, second.cause, second.stops) == (2, 1, False, "")
    assert inhibits(opened.state) == {"shuffler-1": "shuffler-jam"}


def test_a_jam_with_a_deck_that_nobody_can_name_holds_every_deck(felt: Felt) -> None:
    felt.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=1, why="jam", where="drum"))
    assert felt.incidents() == [("shuffler-jam", "shuffler-1")]
    assert felt.holds() == {("shuffler-jam", "red"), ("shuffler-jam", "blue")}


def test_a_deck_that_is_not_at_the_table_is_in_no_doubt(felt: Felt) -> None:
    felt.change_deck("red")
    felt.load()
    jam(felt)
    assert felt.holds() == {("shuffler-jam", "red")}


def test_a_rule_about_a_deck_that_nobody_can_name_says_so(felt: Felt) -> None:
    felt.tell(deck.ShuffleCompleted(device="shuffler-1", batch=1, mode="sort"))
    assert felt.incidents() == [("sorted-not-shuffled", "unknown")]
    assert felt.holds() == {("sorted-not-shuffled", "red"), ("sorted-not-shuffled", "blue")}


def test_the_same_trouble_again_joins_and_a_new_one_refers_to_it(opened: Felt) -> None:
    jam(opened)
    jam(opened)
    assert [one.times for one in opened.of(incident.IncidentJoined)] == [2]
    opened.tell(device.DeviceCleared(device="shuffler-1"))
    assert inhibits(opened.state) == {}
    jam(opened)
    assert [(one.incident, one.refers_to) for one in opened.of(incident.IncidentOpened)] == [
        (1, None),
        (2, 1),
    ]
    assert inhibits(opened.state) == {"shuffler-1": "shuffler-jam"}


def test_a_hand_count_of_the_other_deck_does_not_make_a_new_trouble_of_the_same_jam(opened: Felt) -> None:
    opened.tell(card.ShoeUnloaded(device="shoe-1"))
    jam(opened)
    opened.command(commands.CountCards(deck="red", count=53))
    assert opened.holds() == {("shuffler-jam", "blue")}
    jam(opened)
    assert opened.incidents() == [("shuffler-jam", "shuffler-1")]


def test_a_jam_after_an_override_is_a_new_trouble(opened: Felt) -> None:
    jam(opened)
    opened.command(commands.Override(hold=1, reason="looked at it"))
    assert inhibits(opened.state) == {}
    jam(opened)
    assert opened.incidents() == [("shuffler-jam", "shuffler-1")] * 2
    assert inhibits(opened.state) == {"shuffler-1": "shuffler-jam"}


def test_a_device_that_says_all_is_well_ends_the_inhibit_and_not_the_hold(opened: Felt) -> None:
    jam(opened)
    opened.tell(device.DeviceCleared(device="shuffler-1"))
    assert [(one.incident, one.hold) for one in opened.of(incident.HoldCauseGone)] == [(1, 1)]
    assert len(opened.state.holds) == 2


def test_a_cause_is_gone_once(opened: Felt) -> None:
    jam(opened)
    opened.tell(device.DeviceCleared(device="shuffler-1"), device.DeviceCleared(device="shuffler-1"))
    assert len(opened.of(incident.HoldCauseGone)) == 1


def test_what_another_deck_or_device_does_ends_nothing(opened: Felt) -> None:
    jam(opened)
    opened.tell(
        device.DeviceCleared(device="shoe-1"),
        person.DeckChanged(by=FLOOR, deck="green"),
        system.ClockTrusted(),
    )
    assert len(opened.state.holds) == 2
    assert opened.of(incident.HoldCauseGone) == []


def test_a_hold_that_a_person_reports_away_names_the_person(opened: Felt) -> None:
    jam(opened)
    opened.change_deck("blue")
    ended = opened.of(incident.HoldEnded)
    assert [(one.hold, one.how, one.by, one.reason) for one in ended] == [(1, "reported", FLOOR, "")]


def test_a_hold_that_a_device_ends_was_observed(opened: Felt) -> None:
    opened.tell(device.DeviceLost(device="shaker-1", why="silent"), device.DeviceBack(device="shaker-1"))
    (ended,) = opened.of(incident.HoldEnded)
    assert (ended.how, ended.by) == ("observed", None)
    (closed,) = opened.of(incident.IncidentClosed)
    assert (closed.rounds, closed.hands) == (0, 0)


def test_an_override_ends_its_hold_and_no_other_and_says_why_for_ever(opened: Felt) -> None:
    opened.ready_to_deal()
    jam(opened)
    opened.deal(7)
    opened.command(commands.Override(hold=2, reason="both decks counted"))
    (ended,) = opened.of(incident.HoldEnded)
    assert (ended.hold, ended.how, ended.reason, ended.by) == (2, "override", "both decks counted", FLOOR)
    assert (ended.rounds, ended.hands) == (1, 6)
    assert opened.of(incident.IncidentClosed) == []
    opened.command(commands.Override(hold=1, reason="both decks counted"))
    (closed,) = opened.of(incident.IncidentClosed)
    assert (closed.incident, closed.rounds, closed.hands) == (1, 1, 6)


def test_an_incident_that_voided_the_round_is_open_until_the_release(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=46))
    assert opened.rulings() == ["shoe-fails-to-deal-all"]
    opened.tell(person.HoldOverridden(by=FLOOR, hold=1, reason="looked at it"))
    assert (opened.state.holds, list(opened.state.incidents)) == ({}, [1])
    opened.command(commands.ReleaseRound())
    assert opened.state.incidents == {}
    assert opened.of(rounds.RoundClosed)[-1].outcome == "void"


def test_what_only_tells_is_over_at_once_and_every_time_anew(opened: Felt) -> None:
    for _ in range(2):
        opened.tell(draw.ShakerLeftUnattended(device="shaker-1", seconds=30))
    assert opened.incidents() == [("shaker-unattended", "shaker-1")] * 2
    assert opened.state.incidents == {}
    made = opened.of(ruling.RulingMade)[-1]
    assert made.shown_until == ("shaker-shaken", "shaker-covered", "shaker-uncovered", "round-closed")


def test_a_round_is_voided_once_and_every_rule_that_voids_it_is_told(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(6)
    opened.tell(card.ShoeJammed(device="shoe-1"))
    assert opened.rulings() == ["wrong-number-of-cards", "shoe-jam"]
    assert [one.row for one in opened.of(rounds.RoundVoided)] == ["wrong-number-of-cards"]


@pytest.mark.parametrize(
    ("fact", "row"),
    [
        (device.DeviceStale(device="shoe-1", silent_ms=1500), "device-silent"),
        (device.DeviceLost(device="shoe-1", why="silent"), "device-silent"),
        (device.DeviceRestarted(device="shoe-1", device_boot="b", previous_boot="a"), "device-restarted"),
        (device.EventsLost(device="shuffler-1", first=1, last=2), "shuffler-restarted"),
        (device.DeviceLost(device="shaker-1", why="silent"), "device-silent"),
    ],
)
def test_a_doubt_does_what_its_table_says(opened: Felt, fact: device.DeviceFact, row: str) -> None:
    opened.tell(fact)
    assert opened.rulings() == [row]


@pytest.mark.parametrize(
    "fact",
    [
        device.DeviceStale(device="shaker-1", silent_ms=1500),
        device.EventsLost(device="shaker-1", first=1, last=2),
        device.DeviceLost(device="ghost-9", why="silent"),
    ],
)
def test_a_doubt_of_which_the_table_says_nothing_does_nothing(opened: Felt, fact: device.DeviceFact) -> None:
    opened.tell(fact)
    assert opened.rulings() == []


def test_a_refused_device_leaves_no_doubt(opened: Felt) -> None:
    opened.tell(device.DeviceRefused(device="shoe-1", why="serial"))
    opened.tell(device.DeviceLost(device="shoe-1", why="silent"))
    assert opened.rulings() == ["device-refused"]


def test_a_shoe_lost_in_the_deal_is_more_than_one_lost_outside(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    opened.tell(device.DeviceLost(device="shoe-1", why="silent"))
    assert opened.rulings() == ["shoe-lost-in-deal"]


def test_a_fact_that_the_rules_fail_on_is_kept_and_holds_the_table_until_an_override(opened: Felt) -> None:
    opened.ready_to_deal()
    table = opened.table
    before = opened.state.seq
    fact = card.CardDrawn(device="shoe-1", face_up=True, rank="K", suit="spades", n=9)
    rows = undecided(table, fact, "shoe-1", "KeyError at rulings.py:80", moment(99))
    assert [(row.seq - before, row.event.what(), row.cause) for row in rows] == [
        (1, "undecided", None),
        (2, "incident-opened", before + 1),
        (3, "hold-opened", before + 1),
    ]
    told = rows[0].event
    assert isinstance(told, system.Undecided)
    assert (told.n, told.what_failed, told.device, told.where) == (
        9,
        "card-drawn",
        "shoe-1",
        "KeyError at rulings.py:80",
    )
    assert told.body == {
        "device": "shoe-1",
        "face_up": True,
        "shown": False,
        "rank": "K",
        "suit": "spades",
        "n": 9,
    }
    assert opened.holds() == {("undecided", "t-1")}
    (hold,) = opened.state.holds.values()
    assert (hold.gates, hold.stops, hold.cause) == (("shuffle", "deal", "draw"), "", False)
    # The fact itself was not applied, and nothing but an override lets go.
    assert opened.round.face_up == 0
    opened.tell(card.ShoeUnloaded(device="shoe-1"))
    opened.tell(device.DeviceRestarted(device="shoe-1", device_boot="b", previous_boot="a"))
    assert ("undecided", "t-1") in opened.holds()
    opened.command(commands.Override(hold=1, reason="looked at the log"))
    assert ("undecided", "t-1") not in opened.holds()
    assert opened.of(incident.IncidentClosed)[-1].incident == 1


def test_a_hold_of_the_table_closes_its_gate_for_every_deck_and_listens_to_all() -> None:
    hold = {"binds": "table", "gates": ["deal"], "ends": [{"on": ["device-drained"]}], "until": "it is heard"}
    felt = Felt(changed("red-light", holds=[hold]))
    felt.open()
    felt.tell(device.LightShown(device="shuffler-1", colour="red"))
    assert felt.holds() == {("red-light", "t-1")}
    felt.ready_to_deal()
    assert felt.permits("shoe-1") == []
    felt.tell(device.DeviceDrained(device="shaker-1", upto=0))
    assert felt.holds() == set()
    assert len(felt.permits("shoe-1")) == 1


def test_what_a_ruling_is_about_is_named(opened: Felt) -> None:
    opened.play_round()
    opened.ready_to_deal()
    opened.tell(card.ShoeStopped(device="shoe-1"), card.StackDispensed(device="shoe-1", size=6))
    opened.tell(deck.ShuffleCompleted(device="shuffler-1", batch=3, mode="sort", count=53))
    opened.tell(card.ShoeUnloaded(device="shoe-1"))
    opened.command(commands.ReleaseRound())
    opened.tell(card.StackDispensed(device="shoe-1", size=6))
    made = [(one.row, one.subject, one.subject_id) for one in opened.of(ruling.RulingMade)]
    assert made[:2] == [
        ("shoe-stops-dealing", "device", "shoe-1"),
        ("sorted-not-shuffled", "deck", "red"),
    ]
    assert ("wrong-number-of-cards", "round", "3") in made
    assert ("other-deck-not-in-shuffler", "table", "t-1") not in made
