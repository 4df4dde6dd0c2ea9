"""What a story says of an incident, with values reckoned by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.story import Chapter, document, tell
from felt_daemon.story.holding import Who
from felt_daemon.story.page import page
from felt_daemon.story.show import story_lines
from felt_daemon.story.span import length
from felt_protocols import commands
from felt_protocols.events import system

from .house import FLOOR, SPITE, House

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.story import Story

    Told = Callable[..., Story]

ANN = Who("floor", "Ann", "PIN")


def test_the_head_says_what_was_ruled_in_the_words_of_the_pack(overridden: Story) -> None:
    story = overridden
    assert (story.table, story.number, story.simulated) == ("t-1", 1, True)
    assert (story.row, story.cite, story.basis) == ("shoe-jam", ("659a.13(m)",), "regulation")
    assert story.says == "The automated shoe jammed during the round: the round is void."
    assert story.source == "58 Pa. Code Chapter 659a, 44 Pa.B. 619, final"
    assert [one.words for one in story.directives] == [
        "All hands are void: return every wager.",
        "Take the cards out of the shoe and put them with those already dealt.",
        "Reshuffle the cards.",
    ]
    assert (story.subject, story.subject_id, story.round) == ("device", "shoe-1", 1)
    assert story.gaming_day == "2026-11-30"
    [start] = story.starts
    assert (start.config_digest, start.software_digest) == ("c0" * 32, "50" * 32)


def test_an_override_stands_first_and_keeps_its_reason_and_both_people(overridden: Story) -> None:
    story = overridden
    assert story.overridden
    assert story.endings == ("override", "observed")
    jammed, deck = story.holds
    assert (jammed.how, jammed.by, jammed.second, jammed.reason) == ("observed", None, None, "")
    assert (deck.how, deck.by, deck.reason) == ("override", ANN, SPITE)
    assert deck.second == Who("floor", SPITE, "signature by key k-7")
    assert document(story)["overridden"] is True


def test_a_hold_keeps_who_was_asked_who_saw_it_and_who_owned_it(overridden: Story) -> None:
    jammed = overridden.holds[0]
    assert [(mark.what, mark.to) for mark in jammed.marks] == [
        ("escalated", "dealer"),
        ("seen", "the dealer"),
        ("escalated", "floor"),
        ("escalated", "shift-manager"),
        ("owned", "Ann (floor)"),
    ]
    # The ladder of the house: the dealer at once, the floor after 30 s, the shift manager after 90 s.
    assert [mark.at.after_s for mark in jammed.marks if mark.what == "escalated"] == [0.0, 30.0, 90.0]
    assert jammed.cause_gone is not None
    assert jammed.ended is not None
    assert jammed.cause_gone.seq < jammed.ended.seq


def test_who_did_what_is_told_with_how_they_are_known(overridden: Story) -> None:
    story = overridden
    deeds = [(entry.by.full, entry.words) for entry in story.timeline if entry.by is not None]
    assert deeds[:5] == [
        ("the dealer (at the dealer's panel, nobody named)", "Has seen hold 1 and hold 2."),
        ("the dealer (at the dealer's panel, nobody named)", "Called a floorperson."),
        (
            "Ann (floor, PIN)",
            "REFUSED release-round: the cause is still there: shoe-1, shoe-jam (hold 1)",
        ),
        ("Ann (floor, PIN)", "Owns hold 1."),
        ("Ann (floor, PIN)", "Owns hold 2."),
    ]
    assert story.owners == (ANN,)


def test_rounds_dealt_meanwhile_are_one_line_and_one_count(told: Told) -> None:
    house = House()
    house.jam()
    house.give(commands.Acknowledge(hold=1), FLOOR)
    house.give(commands.Acknowledge(hold=2), FLOOR)
    house.clear()
    # The other deck is played; the one of the jam lies in the rack, and stays held.
    house.to_shoe()
    house.finish_round()
    story = told(house)
    assert story.closed is None
    assert story.endings[0] == "open"
    assert [(one.round, one.outcome, one.hands) for one in story.rounds_dealt] == [(2, "completed", 6)]
    assert (story.rounds, story.hands) == (1, 6)
    [line] = [entry for entry in story.timeline if entry.kind == "round" and entry.until is not None]
    # The round of the jam is over too, but was dealt before it.
    assert line.words == "Rounds 1 to 2 ended: 2 rounds, 12 hands, 1 of them void."


def test_the_same_trouble_again_and_again_is_one_line_with_its_count(told: Told) -> None:
    house = House()
    house.jam()
    for _ in range(3):
        house.inject("shoe-1", "jam", where="exit")
    story = told(house)
    assert story.times == 4
    [joined] = [entry for entry in story.timeline if entry.words.startswith("The same trouble")]
    assert joined.words == "The same trouble again. (3 times)"
    assert len(joined.seqs) == 3
    assert joined.until is not None


def test_a_rule_of_our_own_and_a_clock_that_nobody_trusts_are_said_to_be_so(told: Told) -> None:
    house = House()
    house.trusted = False
    house.open()
    house.unplug("shoe-1")
    house.run(60.0)
    lost = next(one for one in house.incidents() if one.subject_id == "shoe-1")
    lines = list(story_lines(told(house, lost.incident), 100))
    assert any("own rule; the text is silent" in line for line in lines)
    assert any("(clock not trusted)" in line for line in lines)
    assert "  ~ before a time: the clock was not trusted then." in lines
    assert any("nobody did anything about it" in line for line in lines)
    assert "  owner       nobody" in lines


def test_across_a_boot_without_a_trusted_clock_nobody_knows_how_long_it_was(told: Told) -> None:
    house = House()
    house.jam()
    house.boot, house.trusted = "boot-2", False
    house.give(commands.Override(hold=1, reason="the box was off"), FLOOR)
    [jammed, _deck] = told(house).holds
    assert jammed.how == "override"
    assert jammed.lasted_s is None
    house.trusted = True
    house.give(commands.Override(hold=2, reason="the box was off"), FLOOR)
    assert told(house).holds[1].lasted_s == pytest.approx(5.0, abs=5.0)


def test_a_gaming_day_that_began_in_the_run_is_the_day_of_what_comes_after(told: Told) -> None:
    house = House()
    house.take(system.GamingDayBegan(day="2026-12-01"))
    began = house.rows[-1].seq
    house.jam()
    house.take(system.GamingDayBegan(day="2026-12-02"))
    story = told(house)
    assert story.gaming_day == "2026-12-01"
    assert story.began is not None
    assert story.began.seq == began
    assert "The gaming day 2026-12-02 began." in [entry.words for entry in story.timeline]


def test_another_trouble_of_the_same_thing_refers_to_the_first(told: Told) -> None:
    house = House()
    house.jam()
    house.unplug("shoe-1")
    house.run(60.0)
    second = house.incidents()[-1]
    story = told(house, second.incident)
    assert (story.subject_id, story.refers_to) == ("shoe-1", 1)
    assert "  refers to   incident 1" in list(story_lines(story, 100))
    assert "<dt>Refers to</dt><dd>incident 1</dd>" in page(story)


def test_lines_fit_the_width_and_hide_no_character(overridden: Story) -> None:
    story = overridden
    for width in (60, 100):
        lines = list(story_lines(story, width))
        assert max(len(line) for line in lines) <= width
        assert all(line.isprintable() for line in lines)
    shown = "\n".join(story_lines(story, 100))
    assert "OVERRIDE: hold 2 was let go although its remedy was not seen, by Ann (floor, PIN)" in shown
    assert "\\u202e" in shown
    assert "Private bodies" in shown


def test_without_a_row_that_opens_it_there_is_no_story(overridden: Story) -> None:
    story = overridden
    assert story.number == 1
    with pytest.raises(LookupError, match="no row opens incident 7"):
        tell(
            Chapter(epoch="e", number=7, kept=[], first=None, last=None, start=None, began=None, pack=None)  # type: ignore[arg-type] # there is no row at all
        )


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "an unknown time"),
        (-0.2, "0.0 s"),
        (9.94, "9.9 s"),
        (59.4, "59 s"),
        (60, "1 min 0 s"),
        (3600, "1 h 0 min"),
        (90_000, "1 d 1 h"),
    ],
)
def test_a_length_of_time_is_as_exact_as_people_need_it(seconds: float | None, words: str) -> None:
    assert length(seconds) == words
