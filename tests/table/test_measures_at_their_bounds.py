"""Measures in the cases in which one word more or less would give another answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.table import blank
from felt_daemon.table.changes import changed
from felt_daemon.table.focus import Asking, focus_of
from felt_daemon.table.measures import MEASURES
from felt_daemon.table.state import Device, Round
from felt_daemon.table.whereabouts import deck_in_play, deck_in_shoe, is_of, surely_in

from .felt import Felt, setup_of

if TYPE_CHECKING:
    from felt_daemon.rules.condition import Value
    from felt_daemon.table import State


def state_of(*devices: Device, decks: dict[str, dict[str, Any]] | None = None, **about: Any) -> State:  # noqa: ANN401
    """A table with these devices, and with something of its decks changed."""
    state = blank(setup_of(devices={}))
    own = {name: changed(one, **(decks or {}).get(name, {})) for name, one in state.decks.items()}
    return changed(state, devices={one.id: one for one in devices}, decks=own, **about)


def places(**counts: int) -> dict[str, int]:
    """Where the cards of a deck are, as many as are not named withdrawn."""
    nothing = dict.fromkeys(("hand", "shuffler", "shoe", "table", "discard"), 0)
    return {**nothing, **counts, "withdrawn": 53 - sum(counts.values())}


def said(name: str, state: State, of: str = "") -> Value:
    """What a measure says of a device."""
    return MEASURES[name](state, focus_of(state, Asking(of)))


def reader(name: str = "reader-1", **about: Any) -> Device:  # noqa: ANN401 - a device's own fields
    """A hole-card reader that is heard."""
    return Device(name, "hole-card-reader", link="ready", **about)


SHOE = Device("shoe-1", "shoe", link="ready")
AWAY = {"retired": True}


@pytest.mark.parametrize(
    ("devices", "heard", "there", "missing"),
    [
        ((), False, False, False),
        ((SHOE,), False, False, False),
        ((reader(),), True, True, False),
        ((changed(reader(), link="lost"),), False, True, False),
        ((reader(faults={"lamp": ""}),), False, True, False),
        ((reader(retired=True),), False, False, True),
        ((reader(sign="covered"),), True, True, True),
        ((reader(), reader("reader-2", retired=True)), True, True, False),
        ((reader(sign="covered"), reader("reader-2", retired=True)), True, True, True),
        ((SHOE, reader(retired=True)), False, False, True),
    ],
)
def test_a_reader_is_heard_or_there_or_missing(
    devices: tuple[Device, ...],
    heard: bool,  # noqa: FBT001 - a row of a table
    there: bool,  # noqa: FBT001
    missing: bool,  # noqa: FBT001
) -> None:
    state = state_of(*devices)
    found = [said(name, state) for name in ("reader_heard", "reader_there", "reader_missing")]
    assert found == [heard, there, missing]


@pytest.mark.parametrize(("cards", "due"), [(0, None), (7, 53 - 7 - 2)])
def test_what_must_be_left_has_neither_the_cards_dealt_nor_those_withdrawn(
    cards: int, due: int | None
) -> None:
    now = Round(1, "dealing", deck="red", cards=cards)
    state = state_of(decks={"red": {"places": places(shoe=51 - cards, table=cards)}}, round=now)
    state = changed(state, setup=changed(state.setup, patterns=()))
    assert said("stub_due", state) == due


# ---- which deck, and in what -------------------------------------------------------------------------------


def test_a_box_without_end_is_dealt_from_as_a_shoe_is_and_is_nothing_else() -> None:
    box, shoe = Device("csm-1", "continuous-shuffler"), Device("shoe-1", "shoe")
    assert [is_of(box, family) for family in ("shoe", "continuous-shuffler", "shuffler")] == [
        True,
        True,
        False,
    ]
    assert [is_of(shoe, family) for family in ("shoe", "continuous-shuffler", "shuffler")] == [
        True,
        False,
        False,
    ]


HAND_DEAL = Round(1, "hand-deal")


@pytest.mark.parametrize(
    ("red", "blue", "found"),
    [
        # Nobody has one in the hand: it came out of the shoe.
        ({"places": places(shoe=53)}, {"places": places(discard=53)}, "red"),
        ({"places": places(discard=53)}, {"places": places(discard=53)}, ""),
        # One.
        ({"places": places(hand=53)}, {"places": places(shoe=53)}, "red"),
        ({"places": places(shoe=53)}, {"places": places(hand=53)}, "blue"),
        # Two, one of them shuffled; two alike.
        ({"places": places(hand=53), "shuffled": True}, {"places": places(hand=53)}, "red"),
        ({"places": places(hand=53)}, {"places": places(hand=53), "shuffled": True}, "blue"),
        ({"places": places(hand=53)}, {"places": places(hand=53)}, ""),
        # One that was taken away is nowhere.
        ({"places": places(hand=53)}, {"places": places(hand=53), "present": False}, "red"),
    ],
)
def test_the_deck_that_people_deal_is_the_one_in_their_hands(
    red: dict[str, Any], blue: dict[str, Any], found: str
) -> None:
    decks = {"red": {"present": True, **red}, "blue": {"present": True, **blue}}
    assert deck_in_play(state_of(decks=decks, round=HAND_DEAL)) == found


def test_no_deck_is_in_an_empty_shoe_where_no_round_is_on(felt: Felt) -> None:
    assert deck_in_shoe(felt.state) == ""
    assert surely_in(felt.state, "red") == ""


def test_a_card_that_was_found_face_up_is_one_of_those_left_after_a_count() -> None:
    now = Round(1, "playing", deck="red", cards=49, counted=3, face_up=1)
    assert said("left", state_of(round=now)) == 4
