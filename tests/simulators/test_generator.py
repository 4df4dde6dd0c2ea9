"""What a host hears of a generator over a real line, held against the numbers that it really drew."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.link.items import Answered, Restarted
from felt_simulators.chance import seeded
from felt_simulators.devices.generator import Generator, GeneratorBuild, State
from felt_simulators.devices.hands import Refused
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.trial import TrialHost

GOOD = ("health", {"state": "good", "test": "startup"})


class Table:
    """A generator and the host that listens to it."""

    def __init__(self, listening: Callable[..., TrialHost], *faults: str) -> None:
        self.generator = Generator(GeneratorBuild(), seeded(7), 0.0)
        self.host = listening(self.generator, "rng")
        for fault in faults:
            self.fault(fault)

    def draw(self, number: int) -> None:
        """Order one draw, and wait."""
        self.host.order("draw", draw=number)
        self.host.run(0.6)

    def fault(self, text: str) -> None:
        """Put a fault in."""
        self.generator.set_fault(Fault.parse(text), self.host.now)
        self.host.settle()

    @property
    def drawn(self) -> list[tuple[object, object]]:
        """Draw and number of every answer that was heard."""
        return [(said["draw"], said["number"]) for said in self.host.named("drawn")]

    @property
    def draws(self) -> list[dict[str, Any]]:
        """The truth of every draw."""
        draws: list[dict[str, Any]] = self.generator.truth["draws"]
        return draws

    def answers(self) -> list[tuple[str, bool | None, str | None]]:
        """How the orders were answered."""
        return [(item.name, item.ok, item.why) for item in self.host.items if isinstance(item, Answered)]


@pytest.fixture
def table(listening: Callable[..., TrialHost]) -> Callable[..., Table]:
    return lambda *faults: Table(listening, *faults)


def test_659a_5_g_2_it_draws_a_number_and_displays_it(table: Callable[..., Table]) -> None:
    t = table()
    assert t.host.heard == [GOOD]
    assert t.generator.display is None
    t.host.order("draw", draw=12)
    t.host.run(0.4)
    assert (t.drawn, t.answers(), t.generator.state) == ([], [], State.DRAWING)
    t.host.run(0.2)
    [drawn] = t.draws
    assert t.drawn == [(12, drawn["number"])]
    assert t.answers() == [("draw", True, None)]
    assert t.generator.display == drawn["number"]
    assert (drawn["epoch"], drawn["draw"], drawn["told"]) == ("trial", 12, 1)


def test_each_of_the_seven_numbers_comes_about_as_often(table: Callable[..., Table]) -> None:
    t = table()
    drawn: Counter[int] = Counter()
    for number in range(14_000):
        drawn[t.generator._draw(("trial", number), 1.0).number] += 1
    assert sorted(drawn) == [1, 2, 3, 4, 5, 6, 7]
    # 2000 of each are expected; six standard deviations are 249.
    assert all(1_750 < many < 2_250 for many in drawn.values())


def test_an_order_that_is_repeated_draws_no_second_number(table: Callable[..., Table]) -> None:
    t = table()
    data = t.host.session.order("draw", {"draw": 1}, ("trial", 1), t.host.now)
    for _ in range(10):
        t.host._write(data)
        t.host.run(0.2)
    assert len(t.draws) == 1
    assert t.drawn == [(1, t.draws[0]["number"])]
    assert t.draws[0]["told"] == 1


def test_another_order_for_the_same_draw_has_the_same_answer(table: Callable[..., Table]) -> None:
    t = table()
    for _ in range(10):
        t.draw(1)
    [drawn] = t.draws
    assert t.drawn == [(1, drawn["number"])] * 10
    assert drawn["told"] == 10


def test_the_same_number_in_another_epoch_is_another_draw(table: Callable[..., Table]) -> None:
    t = table()
    for epoch in ("e1", "e2"):
        for draw in range(1, 21):
            data = t.host.session.order("draw", {"draw": draw}, (epoch, draw), t.host.now)
            t.host._write(data)
            t.host.run(0.6)
    assert len(t.draws) == 40
    assert t.drawn[:20] != t.drawn[20:]


def test_draws_that_are_ordered_together_are_made_in_turn(table: Callable[..., Table]) -> None:
    t = table()
    for draw in (1, 2, 3):
        t.host.order("draw", draw=draw)
    t.host.run(1.1)
    assert [draw for draw, _ in t.drawn] == [1, 2]
    t.host.run(0.5)
    assert [draw for draw, _ in t.drawn] == [1, 2, 3]


def test_only_the_last_draws_are_remembered(table: Callable[..., Table]) -> None:
    t = table()
    for draw in range(65):
        t.generator._draw(("trial", draw), 1.0)
    assert list(t.generator._known) == [("trial", draw) for draw in range(1, 65)]


def test_a_generator_that_never_answers_leaves_the_order_open(table: Callable[..., Table]) -> None:
    t = table("never-draws")
    t.draw(1)
    t.host.run(10.0)
    assert (t.drawn, t.answers(), t.draws) == ([], [], [])
    t.draw(2)
    assert [draw for draw, _ in t.drawn] == [2]


def test_an_answer_may_come_more_than_once(table: Callable[..., Table]) -> None:
    t = table("repeated-draw=2")
    t.draw(1)
    assert t.drawn == [(1, t.draws[0]["number"])] * 3
    t.draw(2)
    assert [draw for draw, _ in t.drawn] == [1, 1, 1, 2]


def test_the_answer_of_the_draw_before_may_come_for_this_one(table: Callable[..., Table]) -> None:
    t = table("stale-draw")
    t.draw(1)
    t.draw(2)
    t.draw(3)
    first, second, third = (drawn["number"] for drawn in t.draws)
    assert t.drawn == [(1, first), (1, first), (3, third)]
    assert [drawn["told"] for drawn in t.draws] == [2, 0, 1]
    assert second in range(1, 8)


def test_a_test_that_fails_stops_it_and_takes_the_number_back(table: Callable[..., Table]) -> None:
    t = table()
    t.draw(1)
    t.host.order("draw", draw=2)
    t.fault("bad-health")
    assert t.host.heard[2:] == [("health", {"state": "failed", "test": "repetition"})]
    assert t.generator.display is None
    t.host.order("draw", draw=3)
    t.host.order("selftest")
    t.host.run(2.0)
    assert t.answers()[1:] == [
        ("draw", False, "unhealthy"),
        ("draw", False, "unhealthy"),
        ("selftest", False, "unhealthy"),
    ]
    assert len(t.draws) == 1
    t.generator.repair(t.host.now)
    t.host.settle()
    assert t.host.heard[3:] == [
        ("health", {"state": "failed", "test": "selftest"}),
        ("health", {"state": "good", "test": "repetition"}),
    ]
    t.draw(4)
    assert [draw for draw, _ in t.drawn] == [1, 4]


def test_a_selftest_says_how_it_is(table: Callable[..., Table]) -> None:
    t = table()
    t.host.order("selftest")
    assert t.host.heard[1:] == [("health", {"state": "good", "test": "selftest"})]
    assert t.answers() == [("selftest", True, None)]


def test_a_broken_generator_says_so_until_it_is_repaired(table: Callable[..., Table]) -> None:
    t = table("unusable=noise-source")
    t.fault("bad-health=monobit")
    t.draw(1)
    assert t.answers() == [("draw", False, "broken")]
    assert t.generator.state is State.BROKEN
    t.generator.repair(t.host.now)
    t.host.settle()
    assert t.host.heard[1:] == [
        ("fault", {"code": "noise-source"}),
        ("health", {"state": "failed", "test": "monobit"}),
        ("cleared", {"code": "noise-source"}),
        ("health", {"state": "good", "test": "monobit"}),
    ]
    with pytest.raises(Refused, match="rng: cannot repair: it is ready, and must be broken or unhealthy"):
        t.generator.repair(t.host.now)


def test_what_broke_while_it_starts_is_told_when_it_has_started(table: Callable[..., Table]) -> None:
    t = table("reboot", "unusable=noise-source", "bad-health")
    assert t.generator.state is State.STARTING
    t.host.run(3.0)
    assert t.host.heard[1:] == [
        ("health", {"state": "failed", "test": "repetition"}),
        ("fault", {"code": "noise-source"}),
    ]


def test_a_reboot_drops_the_draw_that_was_under_way(table: Callable[..., Table]) -> None:
    t = table()
    t.draw(1)
    t.host.order("draw", draw=2)
    t.fault("reboot")
    assert t.generator.display is None
    t.host.run(3.0)
    assert any(isinstance(item, Restarted) for item in t.host.items)
    assert t.host.heard[2:] == [GOOD]
    assert t.answers()[1:] == [("draw", None, "device-restarted")]


def test_a_silent_generator_is_not_heard_until_it_speaks(table: Callable[..., Table]) -> None:
    t = table("silent")
    t.fault("bad-health")
    assert t.host.heard == [GOOD]
    t.generator.lift_fault("silent", t.host.now)
    t.host.run(1.0)
    assert len(t.host.heard) == 2


def test_the_truth_of_a_generator_is_plain_json_and_a_copy(table: Callable[..., Table]) -> None:
    t = table()
    t.draw(1)
    truth: Any = t.generator.truth
    assert json.loads(json.dumps(truth)) == truth
    truth["draws"].clear()
    assert t.draws
