"""A manual shoe and a continuous shuffler alone at a terminal, told by typed lines what to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from felt_simulators.chance import seeded
from felt_simulators.cli.console import Console
from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.continuous_build import ContinuousBuild
from felt_simulators.devices.deal_keys import SETTINGS
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.trial import TrialHost


class Typed:
    """A console, and the host that hears its device."""

    def __init__(self, machine: ManualShoe | ContinuousShuffler, host: TrialHost) -> None:
        self.host = host
        self._console = Console(machine, host.station)

    def __call__(self, line: str) -> str:
        """Type a line; give the answer."""
        answer = self._console.act(line, self.host.now)
        self.host.settle()
        return answer


@pytest.fixture
def shoe(listening: Callable[..., TrialHost]) -> Typed:
    build = ManualShoeBuild(double=True, counts_loading=True, set_to=SETTINGS["686a"])
    machine = ManualShoe(build, seeded(7), 0.0)
    return Typed(machine, listening(machine, "shoe"))


@pytest.fixture
def box(listening: Callable[..., TrialHost]) -> Typed:
    machine = ContinuousShuffler(ContinuousBuild(card_s=0.01), seeded(7), 0.0)
    return Typed(machine, listening(machine, "continuous-shuffler"))


def test_cards_are_drawn_from_a_shoe(shoe: Typed) -> None:
    assert shoe("load") == "loaded 313 cards, the cover card is one"
    assert shoe.host.named("loaded") == [{"count": 312}]
    shoe.host.order("permit", round=1)
    assert shoe("hands 2 1") == "2 hands after 1 burnt cards"
    assert [shoe("draw") for _ in range(3)] == ["drew a card"] * 3
    assert [fields.get("shown", False) for fields in shoe.host.named("card")] == [False, True, True]
    shoe("fault face-up")
    assert shoe("draw") == "drew 4C, which lay face up"
    assert shoe("aside") == "laid 4 cards aside"
    assert shoe("take") == "took 4 cards"
    assert shoe("change") == "sides changed"
    assert shoe("change") == "sides changed"
    assert shoe("rest") == "took 309 cards"
    assert shoe("load") == "loaded 313 cards, the cover card is one"


def test_the_cover_card_is_drawn_by_typing(shoe: Typed) -> None:
    shoe("load")
    shoe.host.order("permit", round=1)
    for _ in range(234):
        shoe("draw")
    assert shoe("draw") == "drew the cover card"


@pytest.mark.parametrize("line", ["hands", "hands two", "hands 1 2 3"])
def test_hands_are_a_number_and_perhaps_another(shoe: Typed, line: str) -> None:
    assert shoe(line) == "refused: write hands N, or hands N BURNS"


def test_a_jam_is_cleared_by_typing(shoe: Typed) -> None:
    shoe("load")
    shoe.host.order("permit", round=1)
    assert shoe("fault jam=1") == "fault jam: a card jams"
    assert shoe("draw") == "refused: manual-shoe: cannot draw: the card sticks"
    assert shoe("clear") == "took 1 cards"
    assert shoe("look") == "took 0 cards"
    assert shoe("load") == "refused: manual-shoe: cannot load: it is ready, and must be empty"


def test_an_empty_hand_loads_nothing(shoe: Typed) -> None:
    shoe("load")
    shoe("rest")
    shoe("load")
    shoe("change")
    assert shoe("load") == "refused: manual-shoe: cannot load: there are no cards in the hand"


def test_cards_are_drawn_from_a_continuous_shuffler_and_put_back(box: Typed) -> None:
    assert box("load") == "put 312 cards in"
    box.host.run(5.0)
    box.host.order("permit", round=1)
    assert [box("draw") for _ in range(3)] == ["drew a card"] * 3
    assert box("back") == "put 3 cards in"
    assert box("back").endswith("there are no cards in the hand")
    box.host.run(1.0)
    assert box("count") == "counted"
    assert [fields["count"] for fields in box.host.named("inside")] == [312, 312, 312]
    assert box("door open") == "door open"
    assert box("door") == "refused: write door open or door close"
    assert box("door close") == "door close"
    assert box("search") == "took 0 cards"
    assert box("hands 3") == "refused: continuous-shuffler: cannot key in: it has no such keys"
    assert box("rest") == "took 312 cards"
    assert json.loads(box("truth"))["state"] == "empty"


def test_an_extra_card_lies_ready_under_the_rail(box: Typed) -> None:
    assert box("fault extra-card=2").startswith("fault extra-card: ")
    box("load")
    assert box.host.named("loaded") == [{"count": 314}]
