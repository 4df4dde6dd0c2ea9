"""Every hand in every state of machines that people draw from: done, or refused and nothing changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from felt_simulators.cards import new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices import continuous_build, manual_shoe_build
from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.deal_keys import SETTINGS
from felt_simulators.devices.hands import CardSticks, Refused
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.cards import Card

NOW = 10.0


def stack(name: str = "a") -> list[Card]:
    """A deck."""
    return new_deck(name, "red", "t").stack()


def shoe_in(state: manual_shoe_build.State) -> ManualShoe:
    """A shoe without a lock in this state."""
    build = manual_shoe_build.ManualShoeBuild(locks=False, double=True, set_to=SETTINGS["665a"])
    machine = ManualShoe(build, seeded(1), 0.0)
    if state.value != "empty":
        machine.load(stack(), NOW)
    fault = {"jammed": "jam", "stopped": "stop"}.get(state.value)
    if fault is not None:
        machine.set_fault(Fault(fault, 1), NOW)
        with pytest.raises(CardSticks):
            machine.draw(NOW)
    if state.value == "broken":
        machine.set_fault(Fault("unusable"), NOW)
    if state.value == "starting":
        machine.power_cycle(NOW)
    assert machine.state is state
    return machine


def box_in(state: continuous_build.State) -> ContinuousShuffler:
    """A continuous shuffler in this state."""
    build = continuous_build.ContinuousBuild(set_to=SETTINGS["686a"])
    machine = ContinuousShuffler(build, seeded(1), 0.0)
    if state.value == "interrupted":
        machine.set_fault(Fault("jam", 1), 0.0)
    if state.value != "empty":
        machine.put_back(stack(), 0.0)
    machine.elapsed(NOW)
    if state.value == "broken":
        machine.set_fault(Fault("unusable"), NOW)
    if state.value == "starting":
        machine.power_cycle(NOW)
    assert machine.state is state
    return machine


SHOE_HANDS: dict[str, tuple[Callable[[ManualShoe], object], str]] = {
    "load": (lambda machine: machine.load(stack("b"), NOW), "empty"),
    "open_for_stack": (lambda machine: machine.open_for_stack(NOW), "empty"),
    "key_in": (lambda machine: machine.key_in(2, NOW), "empty ready"),
    "draw": (lambda machine: machine.draw(NOW), "ready broken starting"),
    "remove_rest": (lambda machine: machine.remove_rest(NOW), "ready broken starting"),
    "clear_jam": (lambda machine: machine.clear_jam(NOW), "jammed stopped"),
    "look_inside": (lambda machine: machine.look_inside(NOW), "starting empty ready jammed stopped broken"),
    "repair": (lambda machine: machine.repair(NOW), "broken"),
    "lay_aside": (
        lambda machine: machine.lay_aside(stack("b"), NOW),
        "starting empty ready jammed stopped broken",
    ),
    "take_aside": (lambda machine: machine.take_aside(NOW), "starting empty ready jammed stopped broken"),
    "change_sides": (lambda machine: machine.change_sides(NOW), "empty ready"),
    "power_cycle": (lambda machine: machine.power_cycle(NOW), "starting empty ready jammed stopped broken"),
}
BOX_HANDS: dict[str, tuple[Callable[[ContinuousShuffler], object], str]] = {
    "put_back": (lambda machine: machine.put_back(stack("b"), NOW), "empty ready"),
    # Nobody has permitted a round.
    "draw": (lambda machine: machine.draw(NOW), ""),
    "key_in": (lambda machine: machine.key_in(2, NOW), "empty ready"),
    "press_count": (lambda machine: machine.press_count(NOW), "empty ready"),
    "remove_all": (lambda machine: machine.remove_all(NOW), "ready broken"),
    "clear_jam": (lambda machine: machine.clear_jam(NOW), "interrupted"),
    "repair": (lambda machine: machine.repair(NOW), "broken"),
    "open_door": (lambda machine: machine.open_door(NOW), "empty ready interrupted broken"),
    "close_door": (lambda machine: machine.close_door(NOW), ""),
    "look_inside": (lambda machine: machine.look_inside(NOW), ""),
    "drop_cards": (
        lambda machine: machine.drop_cards(stack("b"), NOW),
        "starting empty ready interrupted broken",
    ),
    "search_rail": (lambda machine: machine.search_rail(NOW), "starting empty ready interrupted broken"),
    "power_cycle": (lambda machine: machine.power_cycle(NOW), "starting empty ready interrupted broken"),
}


def written(machine: ManualShoe | ContinuousShuffler) -> str:
    """The truth as text, to be compared."""
    return json.dumps(machine.truth, sort_keys=True)


@pytest.mark.parametrize("hand", SHOE_HANDS)
@pytest.mark.parametrize("state", manual_shoe_build.State, ids=lambda state: str(state.value))
def test_every_hand_of_a_manual_shoe_in_every_state(hand: str, state: manual_shoe_build.State) -> None:
    machine = shoe_in(state)
    before = written(machine)
    act, allowed = SHOE_HANDS[hand]
    if state.value in allowed.split():
        act(machine)
        return
    with pytest.raises(Refused, match=r"^manual-shoe: cannot .+: .+"):
        act(machine)
    assert written(machine) == before


@pytest.mark.parametrize("hand", BOX_HANDS)
@pytest.mark.parametrize("state", continuous_build.State, ids=lambda state: str(state.value))
def test_every_hand_of_a_continuous_shuffler_in_every_state(hand: str, state: continuous_build.State) -> None:
    machine = box_in(state)
    before = written(machine)
    act, allowed = BOX_HANDS[hand]
    if state.value in allowed.split():
        act(machine)
        return
    with pytest.raises(Refused, match=r"^continuous-shuffler: cannot .+: .+"):
        act(machine)
    assert written(machine) == before
