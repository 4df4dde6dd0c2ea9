"""Which facts a hold hears: those about what it binds, and those that are about nothing in particular."""

from __future__ import annotations

import pytest

from felt_daemon.table.focus import concern_of
from felt_protocols.events import EVENTS, card, person, system

from .any_game import AUTOMATED, MANUAL, AnyGame, opened
from .any_situation import playing
from .felt import DEALER


def held(felt: AnyGame, row: str) -> set[str]:
    """What a row holds."""
    return {name for held_by, name in felt.holds() if held_by == row}


@pytest.mark.parametrize(
    ("name", "subject", "concern"),
    [
        ("clock-trusted", "deck", "any"),
        ("clock-trusted", "device", "any"),
        ("timer-due", "deck", "own"),
        ("timer-due", "device", "own"),
        ("card-drawn", "deck", "own"),
        ("card-drawn", "device", "own"),
        ("card-drawn", "table", "any"),
        ("round-ended", "deck", "own"),
        ("round-ended", "device", "any"),
        ("round-ended", "round", "any"),
        ("deck-counted", "deck", "own"),
        ("deck-counted", "device", "none"),
        ("inspected", "device", "own"),
        ("table-closed", "deck", "any"),
    ],
)
def test_a_hold_hears_its_own_and_what_is_about_nothing_in_particular(
    name: str, subject: str, concern: str
) -> None:
    assert concern_of(EVENTS[name], subject) == concern


@pytest.mark.parametrize(("chapter", "deal"), [("659a", AUTOMATED), ("672a", MANUAL), ("686a", MANUAL)])
def test_an_age_that_is_unknown_is_known_again_when_the_clock_is_trusted(chapter: str, deal: str) -> None:
    felt = opened(chapter, deal)
    felt.tell(system.TimerUnknown(timer="deck-age/red"))
    assert held(felt, "deck-age-unknown") == {"red"}
    felt.tell(person.DeckCounted(by=DEALER, deck="blue", count=felt.total, part="deck"))
    assert held(felt, "deck-age-unknown") == {"red"}
    felt.tell(system.ClockTrusted())
    assert held(felt, "deck-age-unknown") == set()


def test_the_decks_that_are_too_old_for_the_hand_wait_for_their_change_and_no_other_does() -> None:
    felt = opened("659a", AUTOMATED)
    felt.tell(system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0))
    assert held(felt, "deck-too-old-by-hand") == set()
    felt.tell(person.MethodChosen(by=DEALER, shuffle="device", deal="hand", start="shaker"))
    assert held(felt, "deck-too-old-for-the-hand") == {"red"}


def test_the_age_of_the_dice_too() -> None:
    felt = opened("659a", AUTOMATED)
    felt.tell(system.TimerUnknown(timer="dice-age/shaker-1"))
    assert held(felt, "dice-age-unknown") == {"shaker-1"}
    felt.tell(system.ClockTrusted())
    assert held(felt, "dice-age-unknown") == set()


@pytest.mark.parametrize("end", [person.RoundEnded(by=DEALER), card.ShoeUnloaded(device="shoe-1")])
def test_cards_drawn_without_a_permit_are_a_trouble_of_their_round(
    end: person.RoundEnded | card.ShoeUnloaded,
) -> None:
    felt = opened("672a", MANUAL)
    playing(felt)
    felt.report("reader-malfunction", DEALER.role)
    felt.draw()
    assert held(felt, "drawn-without-permit") == {"shoe-1"}
    felt.tell(person.FloorCalled(by=DEALER))
    assert held(felt, "drawn-without-permit") == {"shoe-1"}
    felt.tell(end)
    assert held(felt, "drawn-without-permit") == set()
