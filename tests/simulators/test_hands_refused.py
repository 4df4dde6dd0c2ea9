"""Every hand in every state: done, or refused with a clear reason and nothing changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from felt_simulators.cards import new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices import shoe_build, shuffler_build
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.trial import TrialHost

RED = new_deck("a", "red", "table-1")


def shuffler_in(state: shuffler_build.State, listening: Callable[..., TrialHost]) -> tuple[Shuffler, float]:
    """A shuffler in this state, and the time."""
    machine = Shuffler(shuffler_build.ShufflerBuild(), seeded(1), 0.0)
    host = listening(machine, "shuffler")
    if state.value in {"loaded", "shuffling", "shuffled", "interrupted"}:
        machine.load(RED.stack(), host.now)
        host.settle()
    if state.value in {"shuffling", "shuffled", "interrupted"}:
        if state.value == "interrupted":
            machine.set_fault(Fault("jam", 3), host.now)
        host.order("permit", cycle=1, batch=1)
        host.run(10.0 if state.value != "shuffled" else 31.0)
    if state.value == "broken":
        machine.set_fault(Fault("unusable"), host.now)
    if state.value == "starting":
        machine.power_cycle(host.now)
    assert machine.state is state
    return machine, host.now


def shoe_in(state: shoe_build.State, listening: Callable[..., TrialHost]) -> tuple[Shoe, float]:
    """A shoe in this state, and the time."""
    machine = Shoe(shoe_build.ShoeBuild(), seeded(1), 0.0)
    host = listening(machine, "shoe")
    if state.value != "empty":
        machine.load(RED.stack(), host.now)
        host.order("permit", round=1, stacks=7, size=7)
    if state.value in {"dealing", "jammed", "stopped"}:
        fault = {"jammed": "jam", "stopped": "stop"}.get(state.value)
        if fault is not None:
            machine.set_fault(Fault(fault, 3), host.now)
        machine.press_deal(host.now)
        host.run(1.0)
    if state.value == "broken":
        machine.set_fault(Fault("unusable"), host.now)
    if state.value == "starting":
        machine.power_cycle(host.now)
    assert machine.state is state
    return machine, host.now


SHUFFLER_HANDS: dict[str, Callable[[Shuffler, float], object]] = {
    "load": lambda machine, now: machine.load(new_deck("b", "blue", "table-1").stack(), now),
    "unload": lambda machine, now: machine.unload(now),
    "clear_jam": lambda machine, now: machine.clear_jam(now),
    "repair": lambda machine, now: machine.repair(now),
    "switch_mode": lambda machine, now: machine.switch_mode("sort", now),
    "open_door": lambda machine, now: machine.open_door(now),
    "close_door": lambda machine, now: machine.close_door(now),
    "look_inside": lambda machine, now: machine.look_inside(now),
    "drop_cards": lambda machine, now: machine.drop_cards(new_deck("b", "blue", "x").cards[:1], now),
    "search_rail": lambda machine, now: machine.search_rail(now),
    "power_cycle": lambda machine, now: machine.power_cycle(now),
}
ANYTIME = "starting empty loaded shuffling shuffled interrupted broken"
SHUFFLER_ALLOWS = {
    "load": "empty",
    "unload": "loaded shuffled",
    "clear_jam": "interrupted",
    "repair": "broken",
    "switch_mode": "empty loaded shuffled",
    "open_door": "empty loaded shuffling shuffled interrupted broken",
    "close_door": "",
    "look_inside": "",
    "drop_cards": ANYTIME,
    "search_rail": ANYTIME,
    "power_cycle": ANYTIME,
}

SHOE_HANDS: dict[str, Callable[[Shoe, float], object]] = {
    "load": lambda machine, now: machine.load(new_deck("b", "blue", "table-1").stack(), now),
    "press_deal": lambda machine, now: machine.press_deal(now),
    "draw_card": lambda machine, now: machine.draw_card(now),
    "take_stack": lambda machine, now: machine.take_stack(now),
    "remove_rest": lambda machine, now: machine.remove_rest(now),
    "clear_jam": lambda machine, now: machine.clear_jam(now),
    "repair": lambda machine, now: machine.repair(now),
    "open_door": lambda machine, now: machine.open_door(now),
    "close_door": lambda machine, now: machine.close_door(now),
    "power_cycle": lambda machine, now: machine.power_cycle(now),
}
SHOE_ALLOWS = {
    "load": "empty",
    "press_deal": "ready",
    "draw_card": "ready",
    "take_stack": "",
    "remove_rest": "ready broken",
    "clear_jam": "jammed stopped",
    "repair": "broken",
    "open_door": "empty ready dealing jammed stopped broken",
    "close_door": "",
    "power_cycle": "starting empty ready dealing jammed stopped broken",
}


def written(truth: dict[str, object]) -> str:
    """The truth as text, to be compared."""
    return json.dumps(truth, sort_keys=True)


@pytest.mark.parametrize("hand", SHUFFLER_HANDS)
@pytest.mark.parametrize("state", shuffler_build.State, ids=lambda state: str(state.value))
def test_every_hand_of_a_shuffler_in_every_state(
    hand: str, state: shuffler_build.State, listening: Callable[..., TrialHost]
) -> None:
    machine, now = shuffler_in(state, listening)
    before = written(machine.truth)
    if state.value in SHUFFLER_ALLOWS[hand].split():
        SHUFFLER_HANDS[hand](machine, now)
        return
    with pytest.raises(Refused, match=f"^shuffler: cannot {hand.replace('_', ' ')}: .+"):
        SHUFFLER_HANDS[hand](machine, now)
    assert machine.state is state
    assert written(machine.truth) == before


@pytest.mark.parametrize("hand", SHOE_HANDS)
@pytest.mark.parametrize("state", shoe_build.State, ids=lambda state: str(state.value))
def test_every_hand_of_a_shoe_in_every_state(
    hand: str, state: shoe_build.State, listening: Callable[..., TrialHost]
) -> None:
    machine, now = shoe_in(state, listening)
    before = written(machine.truth)
    if state.value in SHOE_ALLOWS[hand].split():
        SHOE_HANDS[hand](machine, now)
        return
    with pytest.raises(Refused, match=f"^shoe: cannot {hand.replace('_', ' ')}: .+"):
        SHOE_HANDS[hand](machine, now)
    assert machine.state is state
    assert written(machine.truth) == before


def test_a_deck_is_not_taken_out_in_mid_shuffle(listening: Callable[..., TrialHost]) -> None:
    machine, now = shuffler_in(shuffler_build.State.SHUFFLING, listening)
    with pytest.raises(Refused) as refusal:
        machine.unload(now)
    assert str(refusal.value) == ("shuffler: cannot unload: it is shuffling, and must be loaded or shuffled")


def test_nothing_can_be_loaded_out_of_an_empty_hand(listening: Callable[..., TrialHost]) -> None:
    shuffler, now = shuffler_in(shuffler_build.State.EMPTY, listening)
    with pytest.raises(Refused, match="there are no cards in the hand"):
        shuffler.load([], now)
    shoe, now = shoe_in(shoe_build.State.EMPTY, listening)
    with pytest.raises(Refused, match="there are no cards in the hand"):
        shoe.load([], now)


def test_a_shuffler_has_no_other_mode_than_shuffle_and_sort(listening: Callable[..., TrialHost]) -> None:
    machine, now = shuffler_in(shuffler_build.State.EMPTY, listening)
    with pytest.raises(Refused, match="there is no mode wash"):
        machine.switch_mode("wash", now)


def test_an_open_door_is_closed_before_cards_go_in_or_out(listening: Callable[..., TrialHost]) -> None:
    machine, now = shuffler_in(shuffler_build.State.SHUFFLED, listening)
    machine.open_door(now)
    with pytest.raises(Refused, match="its door is open"):
        machine.unload(now)
    shoe, now = shoe_in(shoe_build.State.READY, listening)
    shoe.open_door(now)
    for hand in ("press_deal", "draw_card"):
        with pytest.raises(Refused, match="its door is open"):
            SHOE_HANDS[hand](shoe, now)


@pytest.mark.parametrize(
    ("hand", "covered", "why"),
    [
        ("uncover", False, "the lid is off"),
        ("shake", False, "the lid is off"),
        ("put_right", False, "the lid is off"),
        ("cover", True, "the lid is on"),
        ("gather", True, "the lid is on"),
        ("gather", False, "no die lies outside"),
        ("replace_dice", True, "the lid is on"),
        ("come_back", True, "somebody is there"),
        ("repair", True, "it is covered, and must be broken"),
    ],
)
def test_a_shaker_refuses_what_its_lid_does_not_allow(hand: str, covered: bool, why: str) -> None:  # noqa: FBT001 - a table's column
    machine = Shaker(ShakerBuild(), seeded(1), 0.0)
    if not covered:
        machine.uncover(0.0)
    with pytest.raises(Refused) as refusal:
        getattr(machine, hand)(0.0)
    assert str(refusal.value) == f"shaker: cannot {hand.replace('_', ' ')}: {why}"


def test_nobody_walks_away_twice() -> None:
    machine = Shaker(ShakerBuild(), seeded(1), 0.0)
    machine.walk_away(0.0)
    with pytest.raises(Refused, match="nobody is there"):
        machine.walk_away(1.0)
