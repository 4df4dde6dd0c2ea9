"""659a.13(l), (m), (n): machines that jam or cannot be used, as people report it.

The same trouble told twice is one incident; where people and a device say different things, both stay on
record and somebody settles it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import incident

if TYPE_CHECKING:
    from .felt_bench import Bench

WAYS = pytest.mark.parametrize("way", ["panel", "command"])


@pytest.mark.rule("shuffler-jam")
def test_659a_13_l_a_jam_that_the_shuffler_tells_and_then_the_dealer_is_one_incident(opened: Bench) -> None:
    opened.finish_round()
    opened.change_over("jam=20")
    opened.press("report", "shuffler-jam")
    opened.report("shuffler-jam", "tech")
    assert opened.opened_rows() == ["shuffler-jam"]
    assert opened.joined() == [2, 3]
    assert opened.rulings("report-contradicts-shuffler") == []


@pytest.mark.rule("shuffler-jam", "report-contradicts-shuffler")
def test_659a_13_l_a_jam_that_the_dealer_tells_before_the_shuffler_is_one_incident(opened: Bench) -> None:
    opened.finish_round()
    opened.to_shoe()
    # It cannot be stopped, so that it goes on until the card jams that the dealer has seen coming.
    opened.fault("shuffler-1", "ignore-inhibit,lasting")
    opened.fault("shuffler-1", "jam=40")
    opened.load(opened.rack)
    opened.rack = []
    opened.press("report", "shuffler-jam")
    assert [one.row for one in opened.rulings()] == ["shuffler-jam", "report-contradicts-shuffler"]
    assert ("report-contradicts-shuffler", "shuffler-1") in opened.holds()
    opened.run(40.0)
    # Shown by the shuffler as well, it is no longer in dispute.
    assert [one for one in opened.opened_rows() if one == "shuffler-jam"] == ["shuffler-jam"]
    assert opened.joined() == [2]
    assert opened.holds() == {("shuffler-jam", "red"), ("shuffler-jam", "blue")}
    settled = opened.rows_of(incident.HoldEnded)[-1]
    assert (settled.how, settled.by) == ("observed", None)


@WAYS
@pytest.mark.rule("shuffler-jam", "report-contradicts-shuffler")
def test_659a_13_l_a_jam_that_the_shuffler_never_shows_is_held_until_it_is_inspected(
    opened: Bench, way: str
) -> None:
    opened.finish_round()
    opened.to_shoe()
    opened.load(opened.rack)
    opened.rack = []
    opened.seen("shuffler-jam", way)
    opened.run(1.0)
    # The report stops the shuffler; that it stopped proves no jam.
    assert opened.sessions["shuffler-1"].shown.why == "shuffler-jam"
    assert opened.holds() == {
        ("shuffler-jam", "red"),
        ("shuffler-jam", "blue"),
        ("report-contradicts-shuffler", "shuffler-1"),
    }
    looked = commands.Inspect(device="shuffler-1", result="in-order", note="no card is stuck")
    assert opened.refused(looked, "dealer") == "inspect is for floor, tech; you are dealer"
    opened.command(looked, "tech")
    ended = opened.rows_of(incident.HoldEnded)[-1]
    assert (ended.how, ended.by.role) == ("reported", "tech")
    # Settled, and the cards are reshuffled all the same.
    assert opened.holds() == {("shuffler-jam", "red"), ("shuffler-jam", "blue")}
    opened.shuffle(opened.shuffler.clear_jam(opened.now))
    assert opened.holds() == {("shuffler-jam", "blue")}


@pytest.mark.rule("empty-shuffler-jam")
def test_a_jam_reported_of_an_empty_shuffler_holds_the_shuffler_and_no_deck(opened: Bench) -> None:
    opened.finish_round()
    opened.to_shoe()
    opened.press("report", "shuffler-jam")
    assert opened.only_ruling("empty-shuffler-jam").directives == ("search-device", "inspect-device")
    assert opened.holds() == {("empty-shuffler-jam", "shuffler-1")}
    opened.load(opened.rack)
    opened.rack = []
    assert opened.shuffler.state.value == "loaded"
    opened.command(commands.Inspect(device="shuffler-1", result="in-order"), "tech")
    opened.run(2.0)
    assert opened.shuffler.state.value == "shuffling"


# ---- (m) -------------------------------------------------------------------------------------------------


@pytest.mark.rule("shoe-jam")
def test_659a_13_m_a_jam_that_the_shoe_tells_and_then_the_dealer_is_one_incident(dealing: Bench) -> None:
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    dealing.press("report", "shoe-jam")
    assert dealing.opened_rows() == ["shoe-jam"]
    assert dealing.joined() == [2]
    assert dealing.rulings("report-contradicts-shoe") == []


@pytest.mark.rule("shoe-jam", "report-contradicts-shoe")
def test_659a_13_m_a_jam_that_the_dealer_tells_before_the_shoe_is_one_incident(dealing: Bench) -> None:
    dealing.fault("shoe-1", "ignore-inhibit,lasting")
    dealing.press("report", "shoe-jam")
    assert [one.row for one in dealing.rulings()] == ["shoe-jam", "report-contradicts-shoe"]
    assert dealing.state.round.void == "shoe-jam"
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    assert [one for one in dealing.opened_rows() if one == "shoe-jam"] == ["shoe-jam"]
    assert dealing.joined()[0] == 2
    assert ("report-contradicts-shoe", "shoe-1") not in dealing.holds()


@WAYS
@pytest.mark.rule("shoe-jam", "report-contradicts-shoe")
def test_659a_13_m_a_jam_that_the_shoe_never_shows_voids_the_round_and_is_held_until_it_is_inspected(
    dealing: Bench, way: str
) -> None:
    dealing.seen("shoe-jam", way)
    assert dealing.rulings()[0].cite == ("659a.13(m)",)
    assert dealing.rulings()[0].directives == ("return-wagers", "take-cards-from-shoe", "reshuffle")
    dealing.take_rest()
    dealing.command(commands.ReleaseRound())
    # Emptied it may be; whether it jammed is not settled.
    assert dealing.holds() == {("shoe-jam", "red"), ("report-contradicts-shoe", "shoe-1")}
    dealing.command(commands.Inspect(device="shoe-1", result="in-order"))
    assert dealing.holds() == {("shoe-jam", "red")}
    dealing.rack += dealing.felt
    dealing.felt = []
    dealing.change_over()
    dealing.play_round()


@pytest.mark.rule("shoe-jam-outside-a-deal", "report-contradicts-shoe")
def test_a_jam_reported_of_an_empty_shoe_waits_for_an_inspection_and_for_no_cards(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    opened.press("report", "shoe-jam")
    assert [one.row for one in opened.rulings()] == ["shoe-jam-outside-a-deal", "report-contradicts-shoe"]
    assert opened.state.round.void == ""
    opened.cover_and_shake_once()
    opened.end_round()
    opened.command(commands.Inspect(device="shoe-1", result="in-order"), "tech")
    assert opened.holds() == set()


# ---- (n) -------------------------------------------------------------------------------------------------


@WAYS
@pytest.mark.parametrize(
    ("report", "name"), [("shuffler-unusable", "shuffler-1"), ("shoe-unusable", "shoe-1")]
)
@pytest.mark.rule("device-unusable")
def test_659a_13_n_a_machine_that_people_find_unusable_is_held_until_they_find_it_in_order(
    opened: Bench, report: str, name: str, way: str
) -> None:
    opened.seen(report, way)
    ruling = opened.only_ruling("device-unusable")
    assert (ruling.cite, ruling.subject_id) == (("659a.13(n)",), name)
    assert ruling.directives == ("cover-or-sign", "call-floor")
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []
    # Cards that are taken out of it are no work that it has done.
    if name == "shoe-1":
        opened.shoe.load([*opened.shoe.remove_rest(opened.now)], opened.now)
        opened.run(1.0)
    assert opened.holds() == {("device-unusable", name)}
    opened.command(commands.Inspect(device=name, result="in-order"), "tech")
    assert opened.holds() == set()
    assert len(opened.permits("shoe-1")) == 1


@pytest.mark.rule("device-unusable")
def test_659a_13_n_a_fault_that_device_and_people_both_tell_is_one_incident(opened: Bench) -> None:
    opened.press("report", "shoe-unusable")
    opened.fault("shoe-1", "unusable=motor")
    opened.run(1.0)
    opened.report("shoe-unusable", "tech")
    assert opened.opened_rows() == ["device-unusable"]
    assert opened.joined() == [2, 3]


@pytest.mark.rule("device-unusable")
def test_659a_13_n_a_shuffle_that_ends_all_the_same_does_not_end_what_people_have_found(
    opened: Bench,
) -> None:
    opened.finish_round()
    opened.to_shoe()
    opened.load(opened.rack)
    opened.rack = []
    opened.press("report", "shuffler-unusable")
    opened.run(20.0)
    assert opened.shuffler.state.value == "shuffled"
    assert opened.holds() == {("device-unusable", "shuffler-1")}
    # Inspected, it is in order; there is nothing else that would show it.
    opened.command(commands.Inspect(device="shuffler-1", result="in-order"))
    assert opened.holds() == set()
