"""What a report is about where it does not say so, and what it asks of a deck that lies in a device."""

from __future__ import annotations

from felt_daemon.table.directives import directives
from felt_protocols.events import card, deck, person

from .felt import DEALER, Felt, told
from .small_games import STACKS, open_small, small_felt

# A report about a deck that marks nothing, one that is checked by another person and one that names no deck.
REPORTS = """
[reports.deck-looks-worn]
says = "The deck looks worn."
brief = "Worn"
asks = ["deck"]
[reports.deck-washed]
says = "The deck was washed."
brief = "Washed"
asks = ["deck"]
marks = "washed"
[reports.washing-watched]
says = "Somebody watched the wash."
brief = "Watched"
checks = "deck-washed"
"""


def test_a_report_that_asks_for_no_device_is_about_none_although_there_is_but_one() -> None:
    felt = small_felt(STACKS, shoe_1="shoe")
    assert told(felt, "nothing-new").device is None


def test_a_deck_in_a_device_may_be_reported_where_nobody_needs_it_in_the_hand() -> None:
    felt = open_small(STACKS + REPORTS, shuffler_1="shuffler")
    felt.tell(deck.DeckLoaded(device="shuffler-1", batch=1, count=12))
    assert told(felt, "deck-looks-worn", deck="red").deck == "red"


def test_a_report_that_another_person_checks_may_name_no_deck() -> None:
    felt = open_small(STACKS + REPORTS, shuffler_1="shuffler")
    felt.report("deck-washed", deck="red")
    assert told(felt, "washing-watched") == person.Reported(by=DEALER, report="washing-watched", round=1)


def do(felt: Felt) -> list[str]:
    """What people must do now."""
    return [one.do for one in directives(felt.pack, felt.state)]


def test_what_must_be_done_until_a_round_is_over_stands_in_its_round_although_that_is_not_void() -> None:
    text = STACKS.replace("rules = []\n", "").replace(
        "[directives]\n",
        '[directives]\nreturn-wagers = "Return every wager."\n[done]\nreturn-wagers = "round-over"\n',
    )
    text += """
[[rules]]
id = "jam"
basis = "own"
since = 2030-01-01
on = ["shoe-jammed"]
subject = "device"
effect = "no-new-round"
says = "The shoe jammed."
do = ["return-wagers"]

[[rules.holds]]
binds = "device"
gates = ["deal"]
ends = [{ on = ["shoe-unloaded"] }]
until = "the shoe is empty"
"""
    felt = open_small(text, shoe_1="shoe")
    felt.deal(2)
    felt.tell(card.ShoeJammed(device="shoe-1"))
    assert do(felt) == ["return-wagers"]
    felt.tell(person.RoundEnded(by=DEALER))
    assert (felt.round.number, len(felt.state.holds), do(felt)) == (2, 1, [])
