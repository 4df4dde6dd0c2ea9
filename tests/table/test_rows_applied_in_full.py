"""What a row changes, in every word: decks, devices and the numbers that outlive a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.table import Table, blank, decide
from felt_daemon.table.changes import changed
from felt_daemon.table.state import Deck, Device, Round
from felt_protocols.events import card, deck, device, draw, incident, person, system
from felt_protocols.events import round as rounds

from .felt import DEALER, FLOOR, Felt, moment, setup_of
from .small_games import SINGLES, open_small
from .test_rows_applied import HOLD, after

if TYPE_CHECKING:
    from felt_daemon.table import State
    from felt_protocols.events import Event


def table(**changes: Any) -> State:  # noqa: ANN401 - a state's own fields
    """A table with one round on."""
    return changed(blank(setup_of()), round=Round(3, "dealing"), rounds=3, **changes)


def with_deck(state: State, **changes: Any) -> State:  # noqa: ANN401 - a deck's own fields
    """The same with something of the red deck changed."""
    return changed(state, decks={**state.decks, "red": changed(state.decks["red"], **changes)})


def with_shuffler(state: State, **changes: Any) -> State:  # noqa: ANN401 - a device's own fields
    """The same with something of the shuffler changed."""
    one = changed(state.devices["shuffler-1"], **changes)
    return changed(state, devices={**state.devices, "shuffler-1": one})


def red(state: State, *events: Event) -> Deck:
    """The red deck after these."""
    for event in events:
        state = after(state, event)
    return state.decks["red"]


def shuffler(state: State, *events: Event) -> Device:
    """The shuffler after these."""
    for event in events:
        state = after(state, event)
    return state.devices["shuffler-1"]


# ---- decks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "whole"), [(53, True), (52, False), (None, False)])
def test_a_deck_that_was_counted_whole_as_it_was_loaded_is_known_to_be_whole(
    count: int | None,
    whole: bool,  # noqa: FBT001 - a row of a table
) -> None:
    mapped = deck.BatchMapped(device="shuffler-1", batch=1, deck="red", proved=True, how="the only one")
    assert (
        red(table(), deck.DeckLoaded(device="shuffler-1", batch=1, count=count), mapped).device_counted
        is whole
    )


def test_what_a_device_counted_holds_until_a_card_is_on_the_table() -> None:
    counted = with_deck(table(), device_counted=True)
    to_shoe = deck.CardsMoved(deck="red", count=53, source="withdrawn", target="shoe")
    assert red(counted, to_shoe).device_counted
    assert not red(with_deck(table()), to_shoe).device_counted
    assert not red(
        counted, to_shoe, deck.CardsMoved(deck="red", count=1, source="shoe", target="table")
    ).device_counted


def test_a_deck_that_lies_spread_is_neither_shuffled_nor_as_it_came() -> None:
    came = with_deck(table(), present=True, shuffled=True, preshuffled=True, marks=("looked", "cut"))
    one = red(came, rounds.TableStateChanged(state="idle"))
    assert (one.shuffled, one.preshuffled, one.marks) == (False, False, ("preinspected", "spread"))


@pytest.mark.parametrize(
    ("mark", "marks", "shuffled", "counted"),
    [
        ("spread", ("preinspected", "spread"), False, None),
        ("washed", ("washed",), False, None),
        ("shuffled", ("shuffled",), True, False),
        ("cut", ("cut",), True, None),
    ],
)
def test_a_step_of_a_decks_preparation_is_kept_and_undoes_what_it_must(
    mark: str,
    marks: tuple[str, ...],
    shuffled: bool,  # noqa: FBT001 - a row of a table
    counted: bool | None,  # noqa: FBT001
) -> None:
    came = with_deck(table(), present=True, shuffled=True, preshuffled=True)
    one = red(came, deck.DeckMarked(deck="red", mark=mark))
    assert (one.marks, one.shuffled, one.shuffle_counted) == (marks, shuffled, counted)


def test_a_device_that_comes_out_of_service_is_empty_and_its_deck_is_in_doubt(felt: Felt) -> None:
    felt.change_deck("red")
    felt.load()
    at_work = {"service": "ending", "batch": 1, "working": True, "done": True, "counted": 53, "jam": "drum"}
    state = with_shuffler(
        with_deck(felt.state, shuffled=True, count="count verified", device_counted=True), **at_work
    )
    one, about = shuffler(state, ended := device.ServiceEnded(device="shuffler-1")), red(state, ended)
    assert (one.service, one.batch, one.working, one.done, one.counted, one.jam) == (
        "",
        None,
        False,
        False,
        None,
        "",
    )
    assert (about.shuffled, about.count, about.device_counted) == (False, "not verified", False)


# ---- the end of a round ------------------------------------------------------------------------------------

CLOSED = rounds.RoundClosed(round=3, outcome="completed", hands=6)


def closed(decks: dict[str, Any], of_round: dict[str, Any], **changes: Any) -> State:  # noqa: ANN401
    """A table after a round that was so."""
    state = with_deck(
        table(last_deck="blue", rounds_uncounted=4, rounds_deck_uncounted=7, **changes), **decks
    )
    return after(changed(state, round=Round(3, "playing", **of_round)), CLOSED)


def test_the_deck_of_a_round_with_cards_is_the_one_dealt_last() -> None:
    assert closed({}, {"deck": "red", "cards": 49}).last_deck == "red"
    assert closed({}, {"deck": "red", "cards": 0}).last_deck == "blue"
    assert closed({}, {"deck": "", "cards": 3}).last_deck == "blue"


@pytest.mark.parametrize(
    ("taken_out", "in_shoe", "shuffled"), [(0, 0, True), (5, 0, False), (5, 1, True), (5, 5, True)]
)
def test_what_was_taken_out_of_a_shoe_and_into_no_other_wants_its_shuffle(
    taken_out: int,
    in_shoe: int,
    shuffled: bool,  # noqa: FBT001 - a row of a table
) -> None:
    places = {**table().decks["red"].places, "withdrawn": 53 - in_shoe, "shoe": in_shoe}
    about = {"shuffled": True, "places": places}
    one = closed(about, {"deck": "red", "cards": 9, "taken_out": taken_out}).decks["red"]
    assert (one.shuffled, one.last_round) == (shuffled, 3)


@pytest.mark.parametrize(
    ("by_device", "of_round", "uncounted"),
    [
        # A shuffler counts: nobody need.
        (True, {"deck": "red", "cards": 49}, (0, 0)),
        (False, {"deck": "red", "cards": 49}, (5, 8)),
        (None, {"deck": "red", "cards": 49}, (5, 8)),
        # What was left was counted, and no whole deck.
        (False, {"deck": "red", "cards": 49, "counted": 4}, (4, 8)),
        # A round without a card is none.
        (True, {"deck": "red", "cards": 0}, (4, 7)),
        (False, {"deck": "red", "cards": 0}, (4, 7)),
    ],
)
def test_rounds_are_counted_in_which_nobody_counted_cards(
    by_device: bool | None,  # noqa: FBT001 - a row of a table
    of_round: dict[str, Any],
    uncounted: tuple[int, int],
) -> None:
    state = closed({"shuffle_counted": by_device}, of_round)
    assert (state.rounds_uncounted, state.rounds_deck_uncounted) == uncounted


@pytest.mark.parametrize(
    ("way", "cards", "before", "button"),
    [("button", 9, 2, 3), ("button", 9, 6, 0), ("button", 0, 2, 2), ("shaker", 9, 2, 2)],
)
def test_the_button_moves_by_one_after_a_round_with_cards_where_it_is_the_way(
    way: str, cards: int, before: int, button: int
) -> None:
    # Six positions and the dealer's.
    assert closed({}, {"deck": "red", "cards": cards}, method={"start": way}, button=before).button == button


# ---- permits -----------------------------------------------------------------------------------------------


def test_only_the_permits_that_a_withdrawn_start_names_are_taken_back(opened: Felt) -> None:
    opened.ready_to_deal()
    assert set(opened.state.grants) == {"shuffle/shuffler-1", "deal/shoe-1"}
    row = draw.StartPositionWithdrawn(round=1, row="dice-not-flat", permits=("deal/shoe-1",))
    state = after(opened.state, row)
    assert set(state.grants) == {"shuffle/shuffler-1"}


def test_a_shoe_that_is_emptied_keeps_its_permit_where_it_knows_itself_when_a_round_is_over(
    opened: Felt,
) -> None:
    opened.ready_to_deal()
    state = after(opened.state, card.ShoeUnloaded(device="shoe-1", count=53))
    assert set(state.grants) == {"shuffle/shuffler-1", "deal/shoe-1"}


@pytest.mark.parametrize(
    ("subject", "name", "gates", "kept"),
    [
        ("table", "t-1", ("deal",), False),
        ("device", "shoe-1", ("deal",), False),
        ("table", "t-1", ("read",), True),
        ("table", "t-1", (), True),
    ],
)
def test_a_hold_takes_back_the_permit_of_its_gate_for_a_round_that_must_not_begin(
    permitted: Felt,
    subject: str,
    name: str,
    gates: tuple[str, ...],
    kept: bool,  # noqa: FBT001 - a row of a table
) -> None:
    hold = incident.HoldOpened.model_validate(
        {**HOLD, "subject": subject, "subject_id": name, "gates": gates}
    )
    state = after(permitted.state, hold)
    assert state.round is not None
    assert ("deal/shoe-1" in state.grants, state.round.permitted) == (kept, kept)


def test_a_held_deck_takes_back_the_permit_only_if_it_is_in_the_shoe(permitted: Felt) -> None:
    in_shoe = next(name for name, one in permitted.state.decks.items() if one.places["shoe"])
    other = {"red": "blue", "blue": "red"}[in_shoe]
    found = {
        name: "deal/shoe-1"
        in after(permitted.state, incident.HoldOpened(**{**HOLD, "subject_id": name})).grants
        for name in (in_shoe, other)
    }
    assert found == {in_shoe: False, other: True}


@pytest.mark.parametrize(("gate", "name", "permits"), [("deal", "shoe-1", True), ("read", "reader-1", False)])
def test_a_round_is_permitted_by_the_permit_of_what_its_cards_come_from(
    permitted: Felt,
    gate: str,
    name: str,
    permits: bool,  # noqa: FBT001 - a row of a table
) -> None:
    state = changed(permitted.state, round=changed(permitted.round, permitted=False))
    state = after(state, device.OrderIssued(device=name, order="permit", args={}, gate=gate, key="1"))
    assert state.round is not None
    assert state.round.permitted is permits


# ---- single cards ------------------------------------------------------------------------------------------


def test_a_shoe_that_ran_dry_leaves_nothing_that_was_taken_out_of_it() -> None:
    felt = open_small(SINGLES.replace("new_shoe = true, ", ""), shoe_1="shoe")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=104))
    felt.tell(*(card.CardDrawn(device="shoe-1", face_up=False) for _ in range(104)))
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=0))
    assert felt.round.taken_out == 0


@pytest.mark.parametrize(("left", "burns"), [(0, 2), (1, 1)])
def test_the_last_card_of_a_shoe_that_goes_into_the_next_one_is_no_new_shoe(left: int, burns: int) -> None:
    felt = open_small(SINGLES, shoe_1="shoe")
    state = changed(felt.state, burns=1, round=changed(felt.round, taken_out=left))
    assert after(state, card.ShoeLoaded(device="shoe-1")).burns == burns


def test_an_ordinary_card_waits_for_no_stack() -> None:
    felt = open_small(SINGLES.replace("new_shoe = true, ", ""), shoe_1="shoe")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=104), card.CardDrawn(device="shoe-1", face_up=False))
    assert (felt.round.cards, felt.round.single) == (1, 0)


# ---- others ------------------------------------------------------------------------------------------------


def test_a_shuffler_in_service_is_shown_at_its_own_work(felt: Felt) -> None:
    felt.tell(person.ServiceBegun(by=FLOOR, device="shuffler-1", why="a new belt"))
    seen = []
    for fact in (
        deck.DeckLoaded(device="shuffler-1", batch=7),
        deck.ShuffleStarted(device="shuffler-1", batch=7),
        deck.ShuffleInterrupted(device="shuffler-1", batch=7, why="jam", where="drum"),
        deck.ShuffleStarted(device="shuffler-1", batch=7),
        deck.ShuffleCompleted(device="shuffler-1", batch=7, mode="shuffle", count=53),
        deck.ShuffleStarted(device="shuffler-1", batch=7),
        deck.DeckUnloaded(device="shuffler-1", batch=7),
        deck.DeckLoaded(device="shuffler-1", batch=8),
    ):
        felt.tell(fact)
        one = felt.state.devices["shuffler-1"]
        seen.append((one.batch, one.working, one.done, one.jam))
    assert seen == [
        (7, False, False, ""),
        (7, True, False, ""),
        (7, False, False, "drum"),
        (7, True, False, "drum"),
        (7, False, True, "drum"),
        (7, True, True, "drum"),
        (None, False, True, "drum"),
        (8, False, False, "drum"),
    ]


@pytest.mark.parametrize(("name", "unseen"), [("shoe-1", True), ("shuffler-1", False)])
def test_events_that_the_shoe_lost_are_cards_that_nobody_saw(
    opened: Felt,
    name: str,
    unseen: bool,  # noqa: FBT001 - a row of a table
) -> None:
    state = after(opened.state, device.EventsLost(device=name, first=7, last=9))
    assert state.round is not None
    assert state.round.unseen is unseen


def test_a_hold_that_waits_for_an_owner_keeps_its_timer_whatever_else_happens() -> None:
    felt = Felt(setup=setup_of(escalation=(("dealer", 0), ("floor", 60))))
    felt.open()
    felt.tell(device.LightShown(device="shuffler-1", colour="red"))
    felt.tell(person.BetsClosed(by=DEALER), device.DoorMoved(device="shoe-1", open=True))
    assert [one.timer for one in felt.of(system.TimerSet) if one.timer.startswith("escalation:")] == [
        "escalation:1"
    ]
    assert felt.of(system.TimerCancelled) == []


def test_rows_are_of_a_simulation_only_where_that_is_said(felt: Felt) -> None:
    fact = person.BetsClosed(by=DEALER)
    assert {row.simulated for row in decide(felt.pack, felt.state, fact, moment(1))} == {False}
    assert {row.simulated for row in decide(felt.pack, felt.state, fact, moment(1), simulated=True)} == {True}
    assert {row.simulated for row in felt.tell(fact)} == {False}
    assert {row.simulated for row in Table(felt.pack, felt.state, simulated=True).take(fact, moment(2))} == {
        True
    }
