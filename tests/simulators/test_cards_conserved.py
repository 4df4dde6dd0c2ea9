"""Whatever people do and whatever fails, no card is lost, doubled or made, and no order is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from typing_extensions import override

from felt_protocols.link.host import HostSession
from felt_protocols.link.items import (
    EventsLost,
    Happened,
    LeaksOrder,
    NotUnderstood,
    RefusedDevice,
    Send,
)
from felt_simulators.cards import new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.continuous_build import ContinuousBuild
from felt_simulators.devices.deal_keys import SETTINGS
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.faults import CONTINUOUS, KINDS, MANUAL_SHOE, SHOE, SHUFFLER, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from felt_protocols.link.items import Item
    from felt_simulators.cards import Card
    from felt_simulators.station import Device

    class Machine(Device, Protocol):
        """A device that cards go into."""

        def places(self) -> Mapping[str, Sequence[Card]]:
            """Every place and what lies there."""


# A leak bars the device, after which nothing more would be tried.
def faults_of(kind: str) -> list[str]:
    """The faults that a machine can have and go on after."""
    return [name for name in KINDS if kind in KINDS[name].families and name != "leak-order"]


SHUFFLER_FAULTS, SHOE_FAULTS = faults_of(SHUFFLER), faults_of(SHOE)
MANUAL_FAULTS, CONTINUOUS_FAULTS = faults_of(MANUAL_SHOE), faults_of(CONTINUOUS)
PROFILE = settings(
    max_examples=30,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# Machines that draw have fewer states.
FEWER = settings(PROFILE, max_examples=12)


class Host:
    """A host at the other end of a wire that loses nothing; it permits what it is told to."""

    def __init__(self, machine: Machine, family: str) -> None:
        self.machine = machine
        self.now = 0.0
        self.happened: list[Happened] = []
        self.session = HostSession(1, family, None, None, None, 0.0)
        self.session.renew = True
        self._row = 0
        self._take(self.session.opened(0.0))
        self.run(1.0)

    def run(self, for_s: float) -> None:
        """Let time pass in steps of at most a quarter of a second."""
        until = self.now + for_s
        while self.now < until:
            self.now = min(until, self.now + 0.25)
            self._give(self.machine.elapsed(self.now))
            self._take(self.session.elapsed(self.now))

    def order(self, fields: Mapping[str, object]) -> None:
        """Offer a permit."""
        self._row += 1
        self._write(self.session.order("permit", fields, ("trial", self._row), self.now))

    def inhibit(self, when: str) -> None:
        """Inhibit, and wish it no longer once that is said."""
        self._write(self.session.inhibit("trial", when, self.now))
        self.session.release()

    def _write(self, data: bytes) -> None:
        if data:
            self._give(self.machine.receive(data, self.now))

    def _give(self, sends: Iterable[Send]) -> None:
        for send in sends:
            self._take(self.session.receive(send.data, self.now))

    def _take(self, items: Iterable[Item]) -> None:
        for item in items:
            assert not isinstance(item, (LeaksOrder, NotUnderstood, RefusedDevice))
            if isinstance(item, Send):
                self._write(item.data)
            elif isinstance(item, Happened):
                self.happened.append(item)
                self._write(self.session.acknowledge(item.n, item.boot))
            elif isinstance(item, EventsLost):
                self._write(self.session.acknowledge(item.n, item.boot))


class Hands(RuleBasedStateMachine):
    """Two decks in people's hands, as stacks, and a machine that they go into and come out of."""

    host: Host

    def __init__(self) -> None:
        super().__init__()
        self.all = [*new_deck("a", "red", "t").cards, *new_deck("b", "blue", "t").cards]
        self.hand: list[list[Card]] = [self.all[:53], self.all[53:]]

    def put_in(self, cards: list[Card]) -> None:
        """Put a stack into the machine."""
        raise NotImplementedError

    def attempt(self, hand: Callable[[float], list[Card] | None]) -> None:
        """Let a hand act, which may be refused, and keep what it takes."""
        try:
            taken = hand(self.host.now)
        except Refused:
            return
        if taken:
            self.hand.append(taken)

    @rule()
    def load(self) -> None:
        """Put the first stack in, if the machine takes it."""
        if self.hand:
            try:
                self.put_in(self.hand[0])
            except Refused:
                return
            del self.hand[0]

    @rule(for_s=st.sampled_from([0.01, 0.3, 2.0, 31.0]))
    def time_passes(self, for_s: float) -> None:
        """Let the machine work."""
        self.host.run(for_s)

    @rule(when=st.sampled_from(["now", "after-round"]))
    def inhibit(self, when: str) -> None:
        """Let the host inhibit."""
        self.host.inhibit(when)

    @rule(renew=st.sampled_from([True, False]))
    def renew(self, renew: object) -> None:
        """Let the host renew the lease from now on, or not."""
        self.host.session.renew = renew is True

    @rule()
    def power_cycle(self) -> None:
        """Switch the machine off and on."""
        self.host.machine.power_cycle(self.host.now)

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        """Count all 106, by identity."""
        lying = self.host.machine.places().values()
        found = [id(card) for stack in [*self.hand, *lying] for card in stack]
        assert len(found) == 106
        assert sorted(found) == sorted(map(id, self.all))

    @invariant()
    def the_truth_is_json(self) -> None:
        """Write it and read it back."""
        truth = self.host.machine.truth
        assert json.loads(json.dumps(truth)) == truth


class ShufflerHands(Hands):
    """People at a shuffler."""

    machine: Shuffler

    @initialize(seed=st.integers(0, 1000))
    def start(self, seed: int) -> None:
        """Take a shuffler that tells all it can."""
        build = ShufflerBuild(recognises=True, counts_loading=True)
        self.machine = Shuffler(build, seeded(seed), 0.0)
        self.host = Host(self.machine, "shuffler")

    @override
    def put_in(self, cards: list[Card]) -> None:
        """Put a stack into the feeder."""
        self.machine.load(cards, self.host.now)

    @rule()
    def permit(self) -> None:
        """Permit the batch that was loaded last."""
        batches = [item.fields["batch"] for item in self.host.happened if item.name == "loaded"]
        self.host.order({"cycle": 1, "batch": batches[-1] if batches else 1})

    @rule(hand=st.sampled_from(["unload", "clear_jam", "look_inside", "search_rail"]))
    def take(self, hand: str) -> None:
        """Take cards out."""
        self.attempt(getattr(self.machine, hand))

    @rule(hand=st.sampled_from(["repair", "open_door", "close_door"]))
    def act(self, hand: str) -> None:
        """Do what moves no cards."""
        self.attempt(getattr(self.machine, hand))

    @rule()
    def drop(self) -> None:
        """Let a card slip under the rail."""
        if self.hand:
            self.machine.drop_cards([self.hand[-1].pop()], self.host.now)
            self.hand = [stack for stack in self.hand if stack]

    @rule(name=st.sampled_from(SHUFFLER_FAULTS), lasting=st.sampled_from(["", ",lasting"]))
    def fault(self, name: str, lasting: str) -> None:
        """Put a fault in."""
        self.machine.set_fault(Fault.parse(name + lasting), self.host.now)

    @rule(name=st.sampled_from(SHUFFLER_FAULTS))
    def lift(self, name: str) -> None:
        """Take a fault out."""
        self.machine.lift_fault(name, self.host.now)


class ShoeHands(Hands):
    """People at a shoe."""

    machine: Shoe

    @initialize(seed=st.integers(0, 1000))
    def start(self, seed: int) -> None:
        """Take a shoe that tells all it can."""
        self.machine = Shoe(ShoeBuild(counts_loading=True), seeded(seed), 0.0)
        self.host = Host(self.machine, "shoe")

    @override
    def put_in(self, cards: list[Card]) -> None:
        """Put a stack into the magazine."""
        self.machine.load(cards, self.host.now)

    @rule(number=st.integers(1, 9), stacks=st.integers(1, 8))
    def permit(self, number: int, stacks: int) -> None:
        """Permit a round."""
        self.host.order({"round": number, "stacks": stacks, "size": 7})

    @rule(hand=st.sampled_from(["take_stack", "remove_rest", "clear_jam"]))
    def take(self, hand: str) -> None:
        """Take cards out."""
        self.attempt(getattr(self.machine, hand))

    @rule(hand=st.sampled_from(["press_deal", "press_one", "draw_card", "repair", "open_door", "close_door"]))
    def act(self, hand: str) -> None:
        """Do what gives no cards into a hand."""
        self.attempt(getattr(self.machine, hand))

    @rule()
    def deal(self) -> None:
        """Press the button, wait, and take what comes."""
        self.attempt(self.machine.press_deal)
        self.host.run(2.0)
        self.attempt(self.machine.take_stack)

    @rule(name=st.sampled_from(SHOE_FAULTS), lasting=st.sampled_from(["", ",lasting"]))
    def fault(self, name: str, lasting: str) -> None:
        """Put a fault in."""
        self.machine.set_fault(Fault.parse(name + lasting), self.host.now)

    @rule(name=st.sampled_from(SHOE_FAULTS))
    def lift(self, name: str) -> None:
        """Take a fault out."""
        self.machine.lift_fault(name, self.host.now)


class DrawnHands(Hands):
    """People at a machine from which a hand draws; a card that comes is a stack of one."""

    machine: ManualShoe | ContinuousShuffler

    @rule(number=st.integers(1, 9))
    def permit(self, number: int) -> None:
        """Permit a round."""
        self.host.order({"round": number})

    @rule(hands=st.integers(1, 6), burns=st.integers(0, 1))
    def key_in(self, hands: int, burns: int) -> None:
        """Key in how many hands are dealt."""
        self.attempt(lambda now: self.machine.key_in(hands, now, burns))

    @rule(how_many=st.integers(1, 12))
    def draw(self, how_many: int) -> None:
        """Draw cards one by one."""
        for _ in range(how_many):
            self.attempt(lambda now: [self.machine.draw(now)])


class ManualShoeHands(DrawnHands):
    """People at a manual shoe."""

    machine: ManualShoe

    @initialize(seed=st.integers(0, 1000), locks=st.booleans())
    def start(self, seed: int, locks: object) -> None:
        """Take a double shoe that tells all it can, with a lock or without."""
        build = ManualShoeBuild(counts_loading=True, double=True, locks=bool(locks), set_to=SETTINGS["665a"])
        self.machine = ManualShoe(build, seeded(seed), 0.0)
        self.host = Host(self.machine, "shoe")

    @override
    def put_in(self, cards: list[Card]) -> None:
        """Put a stack into the compartment in use."""
        self.machine.load(cards, self.host.now)

    @rule()
    def lay_aside(self) -> None:
        """Put the last stack into the other compartment."""
        if self.hand:
            self.machine.lay_aside(self.hand.pop(), self.host.now)

    @rule(hand=st.sampled_from(["remove_rest", "clear_jam", "look_inside", "take_aside"]))
    def take(self, hand: str) -> None:
        """Take cards out."""
        self.attempt(getattr(self.machine, hand))

    @rule(hand=st.sampled_from(["repair", "change_sides"]))
    def act(self, hand: str) -> None:
        """Do what gives no cards into a hand."""
        self.attempt(getattr(self.machine, hand))

    @rule(name=st.sampled_from(MANUAL_FAULTS), lasting=st.sampled_from(["", ",lasting"]))
    def fault(self, name: str, lasting: str) -> None:
        """Put a fault in."""
        self.machine.set_fault(Fault.parse(name + lasting), self.host.now)

    @rule(name=st.sampled_from(MANUAL_FAULTS))
    def lift(self, name: str) -> None:
        """Take a fault out."""
        self.machine.lift_fault(name, self.host.now)


class ContinuousHands(DrawnHands):
    """People at a continuous shuffler."""

    machine: ContinuousShuffler

    @initialize(seed=st.integers(0, 1000))
    def start(self, seed: int) -> None:
        """Take one that tells all it can."""
        self.machine = ContinuousShuffler(ContinuousBuild(set_to=SETTINGS["686a"]), seeded(seed), 0.0)
        self.host = Host(self.machine, "continuous-shuffler")

    @override
    def put_in(self, cards: list[Card]) -> None:
        """Put a stack into the feeder."""
        self.machine.put_back(cards, self.host.now)

    @rule(hand=st.sampled_from(["remove_all", "clear_jam", "look_inside", "search_rail"]))
    def take(self, hand: str) -> None:
        """Take cards out."""
        self.attempt(getattr(self.machine, hand))

    @rule(hand=st.sampled_from(["repair", "open_door", "close_door", "press_count"]))
    def act(self, hand: str) -> None:
        """Do what moves no cards."""
        self.attempt(getattr(self.machine, hand))

    @rule()
    def drop(self) -> None:
        """Let a card slip under the rail."""
        if self.hand:
            self.machine.drop_cards([self.hand[-1].pop()], self.host.now)
            self.hand = [stack for stack in self.hand if stack]

    @rule(name=st.sampled_from(CONTINUOUS_FAULTS), lasting=st.sampled_from(["", ",lasting"]))
    def fault(self, name: str, lasting: str) -> None:
        """Put a fault in."""
        self.machine.set_fault(Fault.parse(name + lasting), self.host.now)

    @rule(name=st.sampled_from(CONTINUOUS_FAULTS))
    def lift(self, name: str) -> None:
        """Take a fault out."""
        self.machine.lift_fault(name, self.host.now)


TestShufflerHands = ShufflerHands.TestCase
TestShufflerHands.settings = PROFILE
TestShoeHands = ShoeHands.TestCase
TestShoeHands.settings = PROFILE
TestManualShoeHands = ManualShoeHands.TestCase
TestManualShoeHands.settings = FEWER
TestContinuousHands = ContinuousHands.TestCase
TestContinuousHands.settings = FEWER
