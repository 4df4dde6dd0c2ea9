"""Which rows belong to an incident, out of those that a table really made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols import commands

from .house import DEALER, FLOOR, House, overridden_evening

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.story import Story

    Told = Callable[..., Story]


def _types(house: House, story: Story) -> list[str]:
    """The names of the rows that belong, in order."""
    seqs = sorted(seq for entry in story.timeline for seq in entry.seqs)
    return [house.rows[seq - 1].event.what() for seq in seqs]


def test_everything_between_the_first_fact_and_the_end_that_concerns_it_belongs(told: Told) -> None:
    house = overridden_evening()
    story = told(house)
    assert _types(house, story) == [
        "shoe-jammed",
        "incident-opened",
        "ruling-made",
        "hold-opened",
        "hold-opened",
        "round-voided",
        "hold-escalated",
        "hold-escalated",
        "panel-pressed",
        "trouble-seen",
        "panel-pressed",
        "floor-called",
        "timer-due",
        "hold-escalated",
        "timer-due",
        "hold-escalated",
        "timer-due",
        "hold-escalated",
        "timer-due",
        "hold-escalated",
        "command-rejected",
        "hold-acknowledged",
        "hold-acknowledged",
        "command-rejected",
        "device-cleared",
        "hold-cause-gone",
        "shoe-unloaded",
        "hold-ended",
        "round-released",
        "round-closed",
        "hold-overridden",
        "hold-ended",
        "incident-closed",
    ]


def test_a_remedy_is_followed_through_the_device_that_the_deck_is_put_into(told: Told) -> None:
    house = House()
    house.jam()
    house.give(commands.Acknowledge(hold=1), FLOOR)
    house.give(commands.Acknowledge(hold=2), FLOOR)
    house.clear()
    house.change_over()
    story = told(house)
    assert story.closed is not None
    assert _types(house, story)[-8:] == [
        "deck-loaded",
        "batch-mapped",
        "order-issued",
        "order-answered",
        "shuffle-started",
        "shuffle-completed",
        "hold-ended",
        "incident-closed",
    ]


def test_what_happens_to_other_things_or_after_the_end_does_not_belong(told: Told) -> None:
    house = House()
    house.jam()
    house.clear()
    house.change_over()
    over = len(house.rows)
    at_the_end = _types(house, told(house))
    house.play_round()
    assert {"stack-dispensed", "dice-read", "shoe-unloaded", "shuffle-completed", "round-closed"} <= {
        row.event.what() for row in house.rows[over:]
    }
    assert _types(house, told(house)) == at_the_end
    assert not {"stack-dispensed", "dice-read", "cards-moved", "phase-changed"} & {*at_the_end}


def test_a_command_that_is_refused_belongs_if_it_is_about_holds_or_names_what_is_held(told: Told) -> None:
    house = House()
    house.jam()
    house.give(commands.RoundEnd(), DEALER)  # "round 1 is void (shoe-jam)"
    house.give(commands.Acknowledge(hold=7), FLOOR)
    house.give(commands.ChangeDice(device="elephant"), FLOOR)
    house.give(commands.Override(hold=1, reason="it is late"), DEALER)  # floorpersons only
    story = told(house)
    refused = [entry.words.split(":")[0] for entry in story.timeline if entry.kind == "refused"]
    assert refused == ["REFUSED round-end", "REFUSED acknowledge", "REFUSED override"]


def test_of_two_troubles_each_has_its_own_rows(told: Told) -> None:
    house = House()
    house.jam()
    house.unplug("shaker-1")
    house.run(30.0)
    lost = [one.incident for one in house.incidents() if one.subject_id == "shaker-1"]
    assert lost
    names = {entry.words for entry in told(house, 1).timeline}
    assert not [words for words in names if "shaker-1" in words]


def test_a_restart_of_the_daemon_while_it_is_open_belongs(told: Told) -> None:
    house = House()
    house.jam()
    house.connect()
    story = told(house)
    assert [start.start for start in story.starts] == ["run-1", "run-2"]
    assert "started" in _types(house, story)


def test_an_incident_that_is_over_at_once_has_its_own_step_and_nothing_else(told: Told) -> None:
    house = House()
    house.open()
    house.no_more_bets()
    house.shake(2)
    house.uncover()
    [opened] = house.incidents()
    story = told(house, opened.incident)
    assert story.endings == ("at once",)
    assert _types(house, story) == ["dice-read", "incident-opened", "ruling-made", "incident-closed"]
