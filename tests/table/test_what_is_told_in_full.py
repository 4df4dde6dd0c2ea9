"""What devices and people tell, in every word that it changes, and what it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.table.changes import changed
from felt_daemon.table.failure import undecided
from felt_daemon.table.focus import focus_of
from felt_protocols.events import Row, card, deck, device, incident, person, station

from .felt import DEALER, FLOOR, Felt, moment, setup_of
from .small_games import SINGLES, STACKS, open_small, small_felt
from .test_rows_applied import after
from .test_rows_applied_in_full import red, shuffler, table, with_deck
from .test_the_deal import plays

if TYPE_CHECKING:
    from felt_daemon.table import State


# ---- devices -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "counts", "whole"), [(53, True, True), (52, True, False), (None, False, False)]
)
def test_a_shuffle_tells_whether_its_shuffler_counts_and_whether_the_deck_was_whole(
    felt: Felt,
    count: int | None,
    counts: bool,  # noqa: FBT001 - a row of a table
    whole: bool,  # noqa: FBT001
) -> None:
    felt.change_deck("red")
    felt.load()
    fact = deck.ShuffleCompleted(device="shuffler-1", batch=1, mode="shuffle", count=count)
    assert shuffler(felt.state, fact).counts is counts
    about = red(felt.state, fact)
    assert (about.shuffle_counted, about.device_counted) == (counts, whole)


def test_a_station_knows_whose_wagers_lie_on_its_sensors() -> None:
    felt = Felt(setup=setup_of(devices={"station-1": "progressive-station"}))
    state, seen = felt.state, []
    for event in (
        station.ProgressiveBet(device="station-1", seat=2, present=True),
        station.ProgressiveBet(device="station-1", seat=5, present=True),
        station.ProgressiveBet(device="station-1", seat=2, present=True),
        station.ProgressiveBet(device="station-1", seat=5, present=False),
        station.ProgressiveBetsLocked(device="station-1", seats=(1, 6)),
    ):
        state = after(state, event)
        seen.append(state.devices["station-1"].wagers)
    assert seen == [(2,), (2, 5), (5, 2), (2,), (1, 6)]


# ---- people ------------------------------------------------------------------------------------------------


def test_another_deck_of_that_name_has_nothing_of_the_one_before() -> None:
    used: dict[str, Any] = {
        "present": True,
        "shuffled": True,
        "count": "wrong",
        "composition": "wrong",
        "foreign": 2,
        "shuffle_counted": True,
        "device_counted": True,
        "marks": ("washed",),
        "reported_by": {"deck-washed": "Dan"},
    }
    one = red(with_deck(table(), **used), person.DeckChanged(by=FLOOR, deck="red"))
    assert (one.shuffled, one.count, one.composition, one.foreign) == (
        False,
        "not verified",
        "not verified",
        0,
    )
    assert (one.shuffle_counted, one.device_counted, one.marks, one.reported_by) == (None, False, (), {})
    assert (one.proved, {place: count for place, count in one.places.items() if count}) == (
        True,
        {"hand": 53},
    )


@pytest.mark.parametrize(("name", "left"), [("red", (0, 0, "")), ("blue", (1, 1, "red"))])
def test_a_card_out_of_turn_leaves_the_table_with_its_deck(
    opened: Felt, name: str, left: tuple[int, int, str]
) -> None:
    opened.tell(card.CardDrawn(device="shoe-1", face_up=False))
    assert (opened.round.single, opened.round.cards, opened.round.deck) == (1, 1, "red")
    opened.tell(person.DeckChanged(by=FLOOR, deck=name))
    assert (opened.round.single, opened.round.cards, opened.round.deck) == left


def test_a_whole_deck_that_is_counted_ends_the_rounds_in_which_none_was() -> None:
    state = table(rounds_uncounted=2, rounds_deck_uncounted=5)
    whole = after(state, person.DeckCounted(by=FLOOR, deck="red", count=53, part="deck"))
    assert (whole.rounds_uncounted, whole.rounds_deck_uncounted) == (0, 0)
    rest = after(state, person.DeckCounted(by=FLOOR, deck="red", count=4, part="remaining"))
    assert (rest.rounds_uncounted, rest.rounds_deck_uncounted) == (0, 5)


@pytest.mark.parametrize(("order", "burns"), [("burn", 1), ("reshuffle", 0)])
def test_an_order_to_burn_burns_one_card(order: str, burns: int) -> None:
    fact = person.FloorOrdered.model_validate({"by": FLOOR, "what_ordered": order})
    assert after(table(), fact).burns == burns


@pytest.mark.parametrize(("before", "left"), [(0, 0), (1, 0), (5, 4)])
def test_a_card_found_face_up_is_taken_out_of_the_deal_that_it_was_counted_into(
    before: int, left: int
) -> None:
    felt = open_small(SINGLES, shoe_1="shoe")
    state = changed(felt.state, round=changed(felt.round, cards=before))
    state = after(state, person.Reported(by=DEALER, report="card-face-up"))
    assert state.round is not None
    assert (state.round.cards, state.round.face_up) == (left, 1)


# ---- what a fact is about ----------------------------------------------------------------------------------


def deck_of(state: State, fact: object) -> str:
    """The deck that a fact is about, empty where it is about none."""
    about = focus_of(state, fact).deck
    return about.id if about else ""


def test_the_end_of_a_service_is_about_the_cards_inside_and_no_others(opened: Felt) -> None:
    ending = person.ServiceEnding(by=FLOOR, device="shuffler-1")
    assert deck_of(opened.state, ending) == "blue"
    opened.tell(deck.DeckUnloaded(device="shuffler-1", batch=2, count=53))
    assert (opened.state.devices["shuffler-1"].deck, deck_of(opened.state, ending)) == ("blue", "")


def test_what_was_taken_out_of_a_shoe_between_rounds_is_of_the_deck_that_was_in_it(felt: Felt) -> None:
    felt.change_deck("red")
    taken_out = card.ShoeUnloaded(device="shoe-1", count=53)
    felt.tell(card.ShoeLoaded(device="shoe-1", count=53), taken_out)
    assert deck_of(felt.state, taken_out) == "red"
    assert deck_of(felt.state, card.ShoeJammed(device="shoe-1")) == ""


def test_what_is_taken_out_of_a_shoe_is_of_the_deck_that_is_in_it(opened: Felt) -> None:
    state = changed(opened.state, shoe_was="blue")
    assert deck_of(state, card.ShoeUnloaded(device="shoe-1", count=53)) == "red"


# ---- permits and failures ----------------------------------------------------------------------------------


def test_a_permit_of_so_many_stacks_is_given_anew_when_others_play() -> None:
    felt = small_felt(STACKS.replace('stacks = "hands_due"', 'stacks = "stacks_due"'), shoe_1="shoe")
    felt.start()
    felt.tell(person.DeckChanged(by=FLOOR, deck="red", preshuffled=True), person.TableOpened(by=FLOOR))
    plays(felt, 1, 2)
    felt.connect()
    # The same positions need no other permit.
    plays(felt, 2, 1)
    plays(felt, 3)
    assert [one["stacks"] for one in felt.permits("shoe-1")] == [4, 3]


def test_what_the_rules_failed_on_is_held_until_somebody_overrides(opened: Felt) -> None:
    rows: list[Row] = undecided(opened.table, person.BetsClosed(by=DEALER), "", "rules", moment(900))
    assert [row.event for row in rows[1:]] == [
        incident.IncidentOpened(incident=1, row="undecided", subject="table", subject_id="t-1"),
        incident.HoldOpened(
            incident=1,
            hold=1,
            row="undecided",
            index=0,
            cause=False,
            subject="table",
            subject_id="t-1",
            gates=("shuffle", "deal", "draw"),
            stops="",
            until="a floorperson has looked at what happened and overrides",
        ),
    ]
    assert (device.DeviceFact.kind, opened.state.holds[1].index) == ("device", 0)
