"""An evening of Asia Poker at which anything may happen: hands of people and faults of devices, by chance.

Every fact comes from bytes of the simulated devices or from a person's command. What must hold is held
against the cards as they really lie.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from typing_extensions import override

from felt_daemon.table import inhibits
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import Fact, Row, card, incident
from felt_simulators.devices.hands import Refused

from .felt_bench import PACK, Bench

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_simulators.cards import Card

DEVICES = st.sampled_from(["shuffler-1", "shoe-1", "shaker-1", "panel-1"])
DECKS = st.sampled_from(["red", "blue"])
FAULTS = st.sampled_from(
    [
        ("shoe-1", "jam=3"),
        ("shoe-1", "jam=24"),
        ("shoe-1", "stack-size=6"),
        ("shoe-1", "face-up=2"),
        ("shoe-1", "unusable=motor"),
        ("shoe-1", "miscount=-1"),
        ("shuffler-1", "jam"),
        ("shuffler-1", "unusable=motor"),
        ("shuffler-1", "cards-left=16"),
        ("shuffler-1", "sort-mode"),
        ("shuffler-1", "light=red"),
        ("shaker-1", "not-flat"),
        ("shaker-1", "unusable"),
    ]
)
REPORTS = st.sampled_from(sorted(PACK.reports))
# How long an inhibit may take to a device and back.
OBEYED_S = 1.0


class WatchedBench(Bench):
    """A table that remembers since when the shoe is to be stopped, and what it gave all the same."""

    def __init__(self) -> None:
        self.stopped_at: float | None = None
        self.given_when_stopped: list[float] = []
        super().__init__()

    @override
    def take(self, fact: Fact, *, age_s: float = 0.0, late: bool = False) -> list[Row]:
        """Take a fact; a stack that comes long after the stop is one that should not have come."""
        since = self.stopped_at
        stack = isinstance(fact, card.StackDispensed) and not late
        if stack and since is not None and self.now - age_s > since + OBEYED_S:
            self.given_when_stopped.append(self.now)
        rows = super().take(fact, age_s=age_s, late=late)
        # Who cannot be reached is not asked.
        wished = "shoe-1" in inhibits(self.state) and self.state.devices["shoe-1"].link == "ready"
        self.stopped_at = (self.now if since is None else since) if wished else None
        return rows


class Evening(RuleBasedStateMachine):
    """The table is open; `aside` are cards that people hold apart."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = WatchedBench()
        self.bench.open()
        # The pile that each deck came as is in the machines by now.
        self.everything = sorted(map(id, self.cards()))
        assert len(self.everything) == 106

    def cards(self) -> Iterator[Card]:
        """Every card at the table, wherever it lies."""
        bench = self.bench
        for machine in (bench.shuffler, bench.shoe):
            for place in machine.places().values():
                yield from place
        yield from (*bench.hand, *bench.felt, *bench.rack)

    @contextlib.contextmanager
    def perhaps(self) -> Iterator[None]:
        """What a device or the table refuses is not done."""
        with contextlib.suppress(Refused, CommandRefused):
            yield
        self.bench.run(0.5)

    # ---- the game ------------------------------------------------------------------------------------

    @rule()
    def bets_close_and_dice_are_read(self) -> None:
        """What comes before a deal."""
        with self.perhaps():
            self.bench.no_more_bets()
        with self.perhaps():
            self.bench.shake()
            self.bench.uncover()

    @rule(stacks=st.integers(1, 7))
    def deal(self, stacks: int) -> None:
        """Press the shoe's button, and take what comes."""
        for _ in range(stacks):
            with self.perhaps():
                self.bench.shoe.press_deal(self.bench.now)
                self.bench.run(3.0)
            with self.perhaps():
                self.bench.felt += self.bench.shoe.take_stack(self.bench.now)

    @rule()
    def end_the_round(self) -> None:
        """Take the rest out, cover and shake, and end the round."""
        with self.perhaps():
            self.bench.take_rest()
        with self.perhaps():
            self.bench.cover_and_shake_once()
        with self.perhaps():
            self.bench.command(commands.RoundEnd(), "dealer")
        self.bench.rack += self.bench.felt
        self.bench.felt = []

    @rule()
    def change_over(self) -> None:
        """The shuffler's deck goes into the shoe, and what is in the rack into the shuffler."""
        with self.perhaps():
            self.bench.hand += self.bench.shuffler.unload(self.bench.now)
        hand = list(self.bench.hand)
        if len(hand) == 53:
            with self.perhaps():
                self.bench.shoe.load(hand, self.bench.now)
                self.bench.hand = []
        if self.bench.rack:
            rack = list(self.bench.rack)
            with self.perhaps():
                self.bench.shuffler.load(rack, self.bench.now)
                self.bench.rack = []
                self.bench.run(20.0)

    # ---- trouble and its remedies --------------------------------------------------------------------

    @rule(fault=FAULTS)
    def something_is_wrong(self, fault: tuple[str, str]) -> None:
        """A device is out of order, or will be."""
        with self.perhaps():
            self.bench.fault(*fault)

    @rule(name=DEVICES, seconds=st.sampled_from([1.0, 4.0, 30.0]))
    def a_line_is_dead_for_a_while(self, name: str, seconds: float) -> None:
        """A cable is out, and put in again."""
        self.bench.unplug(name)
        self.bench.run(seconds)
        self.bench.plug(name)
        self.bench.run(6.0)

    @rule(name=DEVICES)
    def a_device_is_switched_off_and_on(self, name: str) -> None:
        """It forgets what it had in memory."""
        with self.perhaps():
            self.bench.machines[name].power_cycle(self.bench.now)
            self.bench.run(6.0)

    @rule()
    def jams_are_cleared(self) -> None:
        """People open what has stopped and take the cards out."""
        with self.perhaps():
            self.bench.felt += self.bench.shoe.clear_jam(self.bench.now)
        with self.perhaps():
            self.bench.hand += self.bench.shuffler.clear_jam(self.bench.now)
        for name in ("shoe-1", "shuffler-1", "shaker-1"):
            with self.perhaps():
                self.bench.machines[name].repair(self.bench.now)

    @precondition(lambda self: self.bench.state.round is not None and self.bench.state.round.void)
    @rule()
    def the_void_round_is_released(self) -> None:
        """Take all cards out of the shoe, and go on."""
        with self.perhaps():
            self.bench.felt += self.bench.shoe.clear_jam(self.bench.now)
        with self.perhaps():
            self.bench.take_rest()
        with self.perhaps():
            self.bench.command(commands.ReleaseRound())
        self.bench.rack += self.bench.felt
        self.bench.felt = []

    @rule(what=REPORTS, deck=DECKS)
    def somebody_reports(self, what: str, deck: str) -> None:
        """A report, whether it fits or not."""
        kind = PACK.reports[what]
        with self.perhaps():
            self.bench.report(what, kind.by[0], deck=deck if "deck" in kind.asks else None)

    @rule(deck=DECKS, count=st.sampled_from([52, 53]))
    def a_deck_is_counted(self, deck: str, count: int) -> None:
        """Somebody counts a deck, rightly or not."""
        with self.perhaps():
            self.bench.command(commands.CountCards(deck=deck, count=count), "dealer")

    @rule(name=DEVICES, result=st.sampled_from(["in-order", "not-in-order"]))
    def a_device_is_inspected(self, name: str, result: str) -> None:
        """Somebody looks at a device."""
        with self.perhaps():
            self.bench.command(commands.Inspect.model_validate({"device": name, "result": result}), "tech")

    @rule(name=DEVICES, sign=st.sampled_from(["out-of-order", "removed"]))
    def a_sign_is_moved(self, name: str, sign: str) -> None:
        """A sign goes onto a device, or comes off it."""
        with self.perhaps():
            self.bench.command(commands.Sign.model_validate({"device": name, "sign": sign}))

    # ---- what must hold ------------------------------------------------------------------------------

    @invariant()
    def no_card_is_lost(self) -> None:
        """Every card is somewhere once, and the table's books have every deck whole."""
        assert sorted(map(id, self.cards())) == self.everything
        for one in self.bench.state.decks.values():
            assert sum(one.places.values()) == 53
            assert min(one.places.values()) >= 0

    @invariant()
    def holds_are_latched(self) -> None:
        """What was held is held until a row says that it ended."""
        opened = {row.hold for row in self.bench.rows_of(incident.HoldOpened)}
        ended = {row.hold for row in self.bench.rows_of(incident.HoldEnded)}
        assert set(self.bench.state.holds) == opened - ended

    @invariant()
    def what_is_stopped_gives_nothing(self) -> None:
        """A shoe that is heard and must be stopped gives no stack."""
        assert self.bench.given_when_stopped == []


class ManyEvenings(Evening):
    """The same, where there is time for many."""


Evening.TestCase.settings = settings(
    max_examples=3, stateful_step_count=8, deadline=None, suppress_health_check=list(HealthCheck)
)
ManyEvenings.TestCase.settings = settings(
    max_examples=150, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAFewEvenings = Evening.TestCase
TestManyEvenings = pytest.mark.long(pytest.mark.timeout(1200)(ManyEvenings.TestCase))
