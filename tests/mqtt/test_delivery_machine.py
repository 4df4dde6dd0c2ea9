"""Whatever happens between a journal and consumers, each gets every event in order and holds up nobody."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from typing_extensions import override

from .floor_model import World

NAMES = st.sampled_from(["c-0", "c-1"])


class Machine(RuleBasedStateMachine):
    """Two consumers, of whom anything can be expected, and a broker of whom nothing can."""

    world: World

    @initialize(tells=st.booleans(), receive_maximum=st.sampled_from([1, 2, 5, 20, 65_535]))
    def _begin(self, tells: bool, receive_maximum: int) -> None:  # noqa: FBT001 - Hypothesis calls it
        self.world = World(2, tells=tells, receive_maximum=receive_maximum)
        self.world.commit(3)
        self.world.connect()
        self.world.resume()

    @rule(count=st.integers(1, 12))
    def _commits(self, count: int) -> None:
        self.world.commit(count)

    @precondition(lambda self: not self.world.connected)
    @rule(remembered=st.dictionaries(NAMES, st.sampled_from([0, 0, 3, 30])))
    def _connects(self, remembered: dict[str, int]) -> None:
        self.world.connect()
        for name, back in remembered.items():
            self.world.remember(name, back)

    @precondition(lambda self: self.world.connected and not self.world.resumed)
    @rule()
    def _resumes(self) -> None:
        self.world.resume()

    @precondition(lambda self: self.world.connected)
    @rule(broker=st.booleans())
    def _breaks(self, broker: bool) -> None:  # noqa: FBT001 - Hypothesis calls it
        self.world.lose(broker=broker)

    @rule(name=NAMES)
    def _comes(self, name: str) -> None:
        self.world.clients[name].comes()
        self.world.ack(name)

    @rule(name=NAMES)
    def _goes(self, name: str) -> None:
        self.world.clients[name].goes()

    @rule(name=NAMES, back=st.integers(0, 20))
    def _is_restored(self, name: str, back: int) -> None:
        client = self.world.clients[name]
        client.stored = max(0, client.stored - back)
        client.comes()
        self.world.ack(name)

    @rule(name=NAMES, count=st.integers(1, 10), acks=st.booleans())
    def _reads(self, name: str, count: int, acks: bool) -> None:  # noqa: FBT001 - Hypothesis calls it
        self.world.clients[name].reads(self.world.now, count)
        if acks:
            self.world.ack(name)

    @rule(name=NAMES, after=st.integers(0, 30))
    def _is_ordered(self, name: str, after: int) -> None:
        self.world.delivery.order(name, after, self.world.now)

    @rule(others=st.integers(0, 3))
    def _others(self, others: int) -> None:
        room = self.world.delivery.room(0)
        self.world.others = min(others, max(room, 0))

    @precondition(lambda self: self.world.resumed)
    @rule(answers=st.integers(0, 20))
    def _sends(self, answers: int) -> None:
        self.world.send()
        self.world.answer(answers)

    @precondition(lambda self: self.world.resumed)
    @rule(rounds=st.integers(1, 8), seconds=st.sampled_from([0.05, 0.5, 16.0]), stored=st.sets(NAMES))
    def _goes_on(self, rounds: int, seconds: float, stored: set[str]) -> None:
        for _ in range(rounds):
            self.world.commit(1)
            self.world.send()
            self.world.answer(20)
            for name in sorted(stored):
                self.world.clients[name].reads(self.world.now, 20)
                self.world.ack(name)
            self.world.wait(seconds)

    @rule(seconds=st.sampled_from([0.05, 1.0, 3.0, 31.0, 130.0, 86_401.0]))
    def _waits(self, seconds: float) -> None:
        self.world.wait(seconds)

    @override
    def teardown(self) -> None:
        """From here on all is well: every consumer comes back and has everything before long."""
        if not hasattr(self, "world"):
            return
        world = self.world
        world.others = 0
        if not world.connected:
            world.connect()
        if not world.resumed:
            world.resume()
        for name, client in world.clients.items():
            client.comes()
            world.ack(name)
        self._go_on(world)
        assert {client.stored for client in world.clients.values()} == {world.head}
        assert {one.standing for one in world.delivery.consumers} <= {"current"}
        assert world.delivery.consumers.delivered() == world.head

    @staticmethod
    def _go_on(world: World) -> None:
        for _ in range(3000):
            world.send()
            world.answer(20)
            for name, client in world.clients.items():
                client.reads(world.now, 20)
                world.ack(name)
            if world.delivery.consumers.delivered() == world.head and not world.wire:
                return
            world.wait(0.5)


TestDelivery: Any = Machine.TestCase
TestDelivery.settings = settings(max_examples=20, stateful_step_count=40, deadline=None)


@pytest.mark.long
@pytest.mark.timeout(600)
class TestDeliveryAtLength(Machine.TestCase):  # type: ignore[misc,valid-type] # made by Hypothesis
    """The same, longer."""

    settings = settings(max_examples=200, stateful_step_count=60, deadline=None)
