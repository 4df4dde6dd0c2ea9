"""What keeps a gate closed and what does not, holds that a pack does not know, and rounds without a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.table import picture
from felt_daemon.table.changes import changed
from felt_daemon.table.gates import gates_of, missing
from felt_daemon.table.interlock import closing, deck_held, rule_of
from felt_daemon.table.state import Hold, Incident
from felt_protocols.events import card, device, person
from felt_protocols.events import round as rounds

from .felt import DEALER, FLOOR, PACK, Felt, moment
from .small_games import STACKS, open_small
from .test_the_deal import plays, stacks

if TYPE_CHECKING:
    from felt_daemon.rules import Pack
    from felt_daemon.table import State


def hold(**about: Any) -> Hold:  # noqa: ANN401 - a hold's own fields
    """A hold on the table that keeps cards from being dealt."""
    of: dict[str, Any] = {
        "id": 1,
        "incident": 1,
        "row": "red-light",
        "index": 0,
        "subject": "table",
        "subject_id": "t-1",
        "gates": ("deal",),
        "stops": "",
        "until": "it is over",
        "since": moment(1),
    }
    return Hold(**{**of, **about})


def with_hold(state: State, one: Hold, of_round: int = 1) -> State:
    """A state with this hold alone, and its incident of a round."""
    trouble = Incident(1, one.row, one.subject, one.subject_id, moment(1), of_round)
    return changed(state, holds={1: one}, incidents={1: trouble})


def waits(pack: Pack, state: State, gate: str) -> list[str]:
    """What a gate waits for, for the first device that it is for."""
    of, about = next(one for one in gates_of(pack, state) if one[0].id == gate)
    return list(missing(pack, state, of, about))


@pytest.mark.parametrize(
    ("about", "closes"),
    [
        ({"cause": True, "stops": "shoe-1"}, True),
        ({"cause": False, "stops": "shoe-1"}, False),
        ({"cause": True, "stops": ""}, False),
        ({"cause": True, "stops": "reader-1"}, False),
    ],
)
def test_a_permitted_round_that_is_on_is_kept_only_by_what_stops_its_shoe(
    permitted: Felt,
    about: dict[str, Any],
    closes: bool,  # noqa: FBT001 - a row of a table
) -> None:
    plays(permitted, 1)
    permitted.tell(card.CardDrawn(device="shoe-1", face_up=False))
    before = waits(permitted.pack, permitted.state, "deal")
    state = with_hold(permitted.state, hold(**about))
    held = [one for one in waits(permitted.pack, state, "deal") if one not in before]
    assert held == (["hold 1 (red-light): it is over"] if closes else [])


def test_a_hold_of_the_round_that_is_on_may_wait_for_its_end(permitted: Felt) -> None:
    [row] = [one for one in permitted.pack.rules if any(each.after_round for each in one.holds)][:1]
    index = next(index for index, one in enumerate(row.holds) if one.after_round)
    assert permitted.round.number == 1
    gate, about = next(one for one in gates_of(permitted.pack, permitted.state) if one[0].id == "deal")
    one = hold(row=row.id, index=index, cause=False)

    def closed(state: State) -> list[int]:
        return [each.id for each in closing(permitted.pack, state, gate, about)]

    state = with_hold(permitted.state, one)
    assert closed(state) == []
    assert closed(with_hold(permitted.state, one, of_round=2)) == [1]
    assert closed(changed(state, incidents={})) == [1]
    assert closed(changed(state, round=None)) == [1]
    assert closed(with_hold(permitted.state, hold(cause=False))) == [1]


def test_a_hold_beyond_those_of_its_row_is_none_that_this_pack_knows() -> None:
    [known] = PACK.by_id["red-light"].holds
    assert [rule_of(PACK, hold(index=index)) for index in (0, 1, 2)] == [known, None, None]
    assert rule_of(PACK, hold(row="undecided")) is None


def test_a_deck_is_held_by_holds_of_its_own_alone(opened: Felt) -> None:
    state = with_hold(opened.state, hold(subject="deck", subject_id="blue"))
    assert {name: deck_held(state, name) for name in ("red", "blue")} == {"red": False, "blue": True}
    assert not deck_held(with_hold(opened.state, hold(subject="device", subject_id="red")), "red")


# ---- rounds ------------------------------------------------------------------------------------------------


def test_a_round_may_end_as_its_table_closes() -> None:
    felt = open_small(STACKS.replace('on = ["round-ended"]', 'on = ["table-closed"]'), shoe_1="shoe")
    stacks(felt, 2)
    felt.tell(person.TableClosed(by=FLOOR))
    assert felt.of(rounds.RoundClosed) == [rounds.RoundClosed(round=1, outcome="completed", hands=3)]
    assert (felt.state.table, felt.state.round) == ("closed", None)


def test_a_round_may_go_on_as_a_deck_is_changed() -> None:
    felt = open_small(STACKS.replace('"card-drawn"', '"deck-changed"'), shoe_1="shoe")
    felt.tell(person.DeckChanged(by=FLOOR, deck="red", preshuffled=True))
    assert felt.state.phase == "dealing"


def test_a_round_without_a_card_has_no_hands() -> None:
    felt = open_small(STACKS.replace('from = ["dealing"]', 'from = ["betting", "dealing"]'), shoe_1="shoe")
    felt.tell(person.RoundEnded(by=DEALER))
    assert felt.of(rounds.RoundClosed) == [rounds.RoundClosed(round=1, outcome="completed", hands=0)]


# ---- what is shown -----------------------------------------------------------------------------------------


def test_who_gets_what_comes_next_is_shown() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    plays(felt, 2)
    assert picture(felt.pack, felt.state)["state"]["round"]["next"] == {"to": "seats", "seat": 2, "cards": 2}


def test_a_trouble_is_shown_with_its_row_and_how_long_it_has_been(opened: Felt) -> None:
    opened.tell(device.LightShown(device="shuffler-1", colour="red"))
    [shown] = picture(opened.pack, opened.state)["state"]["incidents"]
    since = shown.pop("since")
    assert (since["boot"], since["trusted"]) == ("boot-1", True)
    assert shown == {
        "incident": 1,
        "row": "red-light",
        "cite": [],
        "says": "The shuffler shows a red light and says no more: nobody may look past it.",
        "subject": "device",
        "subject_id": "shuffler-1",
        "times": 1,
        "rounds": 0,
        "hands": 0,
    }
