"""What lets holds go in every game, and what does not, whatever a pack says: told again from the texts.

Each hold of each pack is put on a table in play, and a fact comes that must end it or must not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules import load
from felt_daemon.rules.library import chapters
from felt_daemon.table import Table, evolve
from felt_protocols.events import Row, card, deck, device, incident, person, ruling

from .felt_walked import FLOOR, NOW, opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules import Pack
    from felt_daemon.rules.pack import HoldRule, Rule
    from felt_daemon.table import State
    from felt_protocols.events import Fact

CHAPTERS = [chapter for chapter in chapters() if "shuffler" in load(chapter).families]
# Rows that ask for a shuffle and for no count: the deck is in no doubt, it is only not shuffled.
ASK_FOR_A_SHUFFLE = {"cover-card-came", "dealt-unshuffled", "shuffle-ordered", "sorted-not-shuffled"}
# A recognising shuffler that finds every card right settles what cards they are, however it laid them.
ASK_FOR_THE_RIGHT_CARDS = {"deck-not-as-it-must-be"}
# What is left of a deck after a deal is counted again.
ASK_FOR_THE_STUB = {"stub-count-doubtful"}


def holds_of(pack: Pack, *binds: str) -> Iterator[tuple[Rule, int, HoldRule]]:
    """Every hold of the pack's rules that binds one of these."""
    for rule in pack.rules:
        for index, hold in enumerate(rule.holds):
            if hold.binds in binds:
                yield rule, index, hold


def held(pack: Pack, state: State, rule: Rule, index: int, subject_id: str) -> State:
    """The state with this hold on this deck or device, its cause still there if it has one."""
    hold = rule.holds[index]
    subject: ruling.Subject = "device" if subject_id in state.devices else "deck"
    stops = subject_id if hold.stops and subject == "device" else ""
    for event in (
        incident.IncidentOpened(incident=99, row=rule.id, subject=subject, subject_id=subject_id),
        incident.HoldOpened(
            incident=99,
            hold=99,
            row=rule.id,
            index=index,
            cause=bool(hold.cause_gone),
            subject=subject,
            subject_id=subject_id,
            gates=hold.gates,
            stops=stops,
            until=hold.until,
        ),
    ):
        state = evolve(state, Row(state.setup.table, state.seq + 1, event, NOW))
    assert pack.by_id[rule.id] is rule
    return state


def left_after(pack: Pack, state: State, fact: Fact, which: tuple[Rule, int], subject_id: str) -> bool:
    """Whether such a hold is still there after the fact."""
    table = Table(pack, held(pack, state, *which, subject_id))
    table.take(fact, NOW)
    return 99 in table.state.holds


def table_of(chapter: str) -> tuple[Pack, State, str, int]:
    """A table in play, the deck in its shuffler, and the cards that a deck has."""
    pack, state = opened(chapter)
    inside = state.devices["shuffler-1"].deck
    assert state.decks[inside].places["shuffler"] == state.setup.deck_total
    return pack, state, inside, state.setup.deck_total


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_new_deck_ends_whatever_held_the_old_one(chapter: str) -> None:
    pack, state, inside, _total = table_of(chapter)
    fact = person.DeckChanged(by=FLOOR, deck=inside)
    kept = [
        (rule.id, index)
        for rule, index, _hold in holds_of(pack, "deck", "other-decks", "aged-decks")
        if left_after(pack, state, fact, (rule, index), inside)
    ]
    assert kept == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_deck_that_is_only_sorted_stays_held(chapter: str) -> None:
    pack, state, inside, total = table_of(chapter)
    for count in (total, None):
        fact = deck.ShuffleCompleted(device="shuffler-1", batch=1, mode="sort", count=count)
        gone = {
            rule.id
            for rule, index, _hold in holds_of(pack, "deck", "other-decks", "aged-decks")
            if not left_after(pack, state, fact, (rule, index), inside)
        }
        assert gone == set(), count


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_shuffle_that_counts_wrong_ends_no_doubt(chapter: str) -> None:
    pack, state, inside, total = table_of(chapter)
    for count in (total - 1, total + 1):
        fact = deck.ShuffleCompleted(device="shuffler-1", batch=1, mode="shuffle", count=count)
        gone = {
            rule.id
            for rule, index, _hold in holds_of(pack, "deck", "other-decks", "aged-decks")
            if not left_after(pack, state, fact, (rule, index), inside)
        }
        assert gone <= ASK_FOR_A_SHUFFLE, count


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_shuffle_is_enough_where_a_shuffle_is_all_that_is_wanted(chapter: str) -> None:
    pack, state, inside, total = table_of(chapter)
    fact = deck.ShuffleCompleted(device="shuffler-1", batch=1, mode="shuffle", count=total)
    kept = {
        rule.id
        for rule, index, _hold in holds_of(pack, "deck")
        if rule.id in ASK_FOR_A_SHUFFLE and left_after(pack, state, fact, (rule, index), inside)
    }
    assert kept == set()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_count_by_hand_that_is_wrong_or_of_a_rest_ends_no_doubt_of_a_deck(chapter: str) -> None:
    pack, state, inside, total = table_of(chapter)
    for count, part in ((total - 1, "deck"), (total + 1, "deck"), (total, "remaining")):
        fact = person.DeckCounted.model_validate({"by": FLOOR, "deck": inside, "count": count, "part": part})
        gone = {
            rule.id
            for rule, index, _hold in holds_of(pack, "deck", "other-decks", "aged-decks")
            if not left_after(pack, state, fact, (rule, index), inside)
        }
        assert gone <= ASK_FOR_THE_STUB, (count, part)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_deck_that_is_kept_from_anything_is_kept_from_being_dealt(chapter: str) -> None:
    without = {
        rule.id
        for rule, _index, hold in holds_of(load(chapter), "deck", "other-decks")
        if (hold.gates or hold.while_cause) and "deal" not in hold.gates
    }
    assert without == set()


@pytest.mark.parametrize("chapter", chapters())
def test_a_program_that_fails_says_nothing_of_its_device(chapter: str) -> None:
    pack, state = opened(chapter)
    for name in state.devices:
        table = Table(pack, state)
        rows = table.take(device.DeviceFaulted(device=name, code="driver"), NOW)
        assert [row.event.row for row in rows if isinstance(row.event, ruling.RulingMade)] == ["driver-fault"]


@pytest.mark.parametrize("chapter", chapters())
def test_an_inspection_that_finds_fault_ends_nothing(chapter: str) -> None:
    pack, state = opened(chapter)
    for rule, index, _hold in holds_of(pack, "device"):
        for name in state.devices:
            fact = person.Inspected(by=FLOOR, device=name, result="not-in-order")
            assert left_after(pack, state, fact, (rule, index), name), (rule.id, name)


@pytest.mark.parametrize("chapter", chapters())
def test_what_stops_a_device_lets_go_when_its_cards_are_out_or_its_jam_is_cleared(chapter: str) -> None:
    """A stop is no punishment: whoever clears the device as the text says may use it again."""
    pack, state = opened(chapter)
    for rule, index, hold in holds_of(pack, "device"):
        if not hold.stops or "shoe-1" not in state.devices or rule.id.startswith(("shuffler", "reader")):
            continue
        table = Table(pack, held(pack, state, rule, index, "shoe-1"))
        table.take(card.ShoeUnloaded(device="shoe-1", count=4), NOW)
        assert 99 not in table.state.holds or not table.state.holds[99].cause, rule.id
