"""Batches of several decks in a shuffler, straight into a shoe, and stacks whose number only people know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_simulators.cards import new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.continuous_build import ContinuousBuild
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.cards import Card
    from felt_simulators.trial import TrialHost

RECOGNISING = ShufflerBuild(recognises=True, feeds_shoe=True, shuffle_s=120.0)


def batch(decks: int) -> list[Card]:
    """So many decks of 52."""
    return [card for _ in range(decks) for card in new_deck("a", "red", "t").cards if card.rank != "JK"]


def shuffled(
    listening: Callable[..., TrialHost], cards: list[Card], build: ShufflerBuild = RECOGNISING
) -> tuple[Shuffler, TrialHost]:
    """A shuffler that has shuffled these cards, and who heard it."""
    machine = Shuffler(build, seeded(7), 0.0)
    host = listening(machine, "shuffler")
    machine.load(cards, host.now)
    host.settle()
    host.order("permit", cycle=1, batch=1)
    host.run(build.shuffle_s + 1)
    return machine, host


def test_a_batch_of_eight_decks_is_shuffled_counted_and_recognised(
    listening: Callable[..., TrialHost],
) -> None:
    cards = batch(8)
    machine, host = shuffled(listening, cards)
    (done,) = host.named("completed")
    composition: Any = done["composition"]
    assert (done["count"], machine.truth["batches"][0]["shuffled"]) == (416, True)
    assert list(composition) == ["red"]
    assert len(composition["red"]) == 52
    assert set(composition["red"].values()) == {8}


def test_case_24_a_right_count_hides_a_foreign_card_and_the_composition_tells_it(
    listening: Callable[..., TrialHost],
) -> None:
    cards = batch(6)
    foreign = next(card for card in new_deck("b", "blue", "t").cards if card.code == "QH")
    cards[0] = foreign
    _, host = shuffled(listening, cards)
    (done,) = host.named("completed")
    composition: Any = done["composition"]
    assert done["count"] == 312
    assert composition["blue"] == {"QH": 1}
    assert composition["red"]["AC"] == 5


@pytest.mark.parametrize("kind", ["automated", "manual"])
def test_the_shuffler_puts_its_stack_straight_into_a_shoe(
    listening: Callable[..., TrialHost], kind: str
) -> None:
    machine, host = shuffled(listening, batch(1))
    shoe = (
        Shoe(ShoeBuild(counts_loading=True), seeded(1), host.now)
        if kind == "automated"
        else ManualShoe(ManualShoeBuild(counts_loading=True), seeded(1), host.now)
    )
    shoes_host = listening(shoe, "shoe")
    tray = list(machine.places()["tray"])
    machine.insert(shoe, host.now)
    host.settle()
    shoes_host.settle()
    assert host.named("unloaded") == [{"batch": 1, "count": 52}]
    assert shoes_host.named("loaded") == [{"count": 52}]
    assert list(shoe.places()["magazine"]) == tray
    assert machine.state.value == "empty"


def test_a_shoe_with_cards_in_it_takes_no_stack_and_the_shuffler_keeps_it(
    listening: Callable[..., TrialHost],
) -> None:
    machine, host = shuffled(listening, batch(1))
    shoe = ManualShoe(ManualShoeBuild(), seeded(1), host.now)
    shoe.load(batch(1), host.now)
    with pytest.raises(Refused, match="manual-shoe: cannot load: it is ready"):
        machine.insert(shoe, host.now)
    assert len(machine.places()["tray"]) == 52
    assert machine.state.value == "shuffled"


def test_a_shuffler_that_feeds_no_shoe_keeps_its_stack(listening: Callable[..., TrialHost]) -> None:
    machine, host = shuffled(listening, batch(1), ShufflerBuild())
    with pytest.raises(Refused, match="it feeds no shoe"):
        machine.insert(ManualShoe(ManualShoeBuild(), seeded(1), host.now), host.now)


def test_an_open_door_keeps_the_stack_from_going_into_a_shoe(listening: Callable[..., TrialHost]) -> None:
    machine, host = shuffled(listening, batch(1))
    shoe = Shoe(ShoeBuild(), seeded(1), host.now)
    shoe.open_door(host.now)
    with pytest.raises(Refused, match="shoe: cannot load: its door is open"):
        machine.insert(shoe, host.now)
    machine.open_door(host.now)
    with pytest.raises(Refused, match="shuffler: cannot insert: its door is open"):
        machine.insert(shoe, host.now)


@pytest.mark.parametrize(
    ("build", "capabilities"),
    [
        (ShufflerBuild(), ("count", "light")),
        (ShufflerBuild(counts=False, has_light=False, reshuffles=True), ("reshuffle",)),
        (RECOGNISING, ("count", "composition", "light", "feed")),
        (ManualShoeBuild(), ("face-up", "count", "lock")),
        (ManualShoeBuild(locks=False, counts=False, double=True), ("face-up", "double")),
        (ContinuousBuild(), ("face-up", "count", "light")),
    ],
)
def test_a_device_says_what_it_can(
    build: ShufflerBuild | ManualShoeBuild | ContinuousBuild, capabilities: tuple[str, ...]
) -> None:
    assert build.identity().capabilities == capabilities


class Stacks:
    """A shoe that dispenses stacks out of 53 cards, and the host that listens to it."""

    def __init__(self, listening: Callable[..., TrialHost]) -> None:
        self.shoe = Shoe(ShoeBuild(size=5, stack_s=1.0), seeded(7), 0.0)
        self.host = listening(self.shoe, "shoe")
        self.shoe.load(new_deck("a", "red", "t").stack(), self.host.now)
        self.host.settle()

    def press(self, hand: str, times: int = 1) -> list[int]:
        """Press a button so many times; how many cards each stack had."""
        sizes: list[int] = []
        for _ in range(times):
            getattr(self.shoe, hand)(self.host.now)
            self.host.run(1.5)
            sizes.append(len(self.shoe.take_stack(self.host.now)))
        return sizes


def test_687a_10_stacks_of_five_for_those_who_play_and_one_card_more(
    listening: Callable[..., TrialHost],
) -> None:
    t = Stacks(listening)
    t.host.order("permit", round=1)
    assert t.press("press_deal", 4) == [5, 5, 5, 5]
    assert t.press("press_one") == [1]
    assert t.host.named("stack") == [*[{"size": 5}] * 4, {"size": 1}]
    assert len(t.shoe.remove_rest(t.host.now)) == 32
    with pytest.raises(Refused, match="it is empty"):
        t.shoe.press_one(t.host.now)


def test_663a_10_a_permit_names_the_size_and_leaves_the_number_to_people(
    listening: Callable[..., TrialHost],
) -> None:
    t = Stacks(listening)
    t.host.order("permit", round=1, size=4)
    assert t.press("press_deal", 6) == [4] * 6
    assert [stack["round"] for stack in t.shoe.truth["stacks"]] == [1] * 6


def test_a_permit_may_name_the_single_card_itself(listening: Callable[..., TrialHost]) -> None:
    t = Stacks(listening)
    t.host.order("permit", round=1, stacks=2, size=5)
    assert t.press("press_deal", 2) == [5, 5]
    t.host.order("permit", round=1, stacks=1, size=1)
    assert t.press("press_deal") == [1]
    with pytest.raises(Refused, match="it is inhibited: permit-spent"):
        t.shoe.press_deal(t.host.now)


def test_a_button_for_one_card_gives_none_without_a_permit(listening: Callable[..., TrialHost]) -> None:
    t = Stacks(listening)
    with pytest.raises(Refused, match="shoe: cannot press one: it is inhibited: power-up"):
        t.shoe.press_one(t.host.now)


def test_even_a_single_card_can_be_the_wrong_number(listening: Callable[..., TrialHost]) -> None:
    t = Stacks(listening)
    t.host.order("permit", round=1)
    t.shoe.set_fault(Fault("stack-size", 2), t.host.now)
    assert t.press("press_one") == [2]
    assert t.host.named("stack") == [{"size": 2}]
