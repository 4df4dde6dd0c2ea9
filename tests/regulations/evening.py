"""What evenings have in common at which anything may happen: hands of people, faults of devices.

Every fact comes from bytes of simulated devices or from a person's command. What must hold is held against
the cards as they really lie. At the end of each evening people put everything right, going by what the table
tells them, and deal a sound round.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from typing_extensions import override

from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import incident
from felt_simulators.devices.hands import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from unittest import TestCase

    from felt_simulators.cards import Card

    from .closing_time import ClosingTime
    from .watched_table import WatchedTable


def _one_of(name: str) -> st.SearchStrategy[Any]:
    """One of what this evening has under this name."""
    return st.runner().flatmap(lambda evening: st.sampled_from(getattr(evening, name)))


DEVICES = _one_of("devices")
DECKS = _one_of("decks")
FAULTS = _one_of("faults")
REPORTS = _one_of("reports")
SEATS = st.sets(st.integers(1, 5), min_size=1, max_size=3).map(lambda seats: tuple(sorted(seats)))


class Evening(RuleBasedStateMachine):
    """An open table, at which `faults` may strike, each a device and what goes wrong with it."""

    faults: ClassVar[Sequence[tuple[str, str]]]

    def __init__(self) -> None:
        super().__init__()
        self.bench = self.opened()
        self.devices = sorted(self.bench.machines)
        self.decks = sorted(self.bench.cards)
        self.reports = sorted(self.bench.pack.reports)
        self.total = len(self.bench.cards[self.decks[0]])
        # The pile that each deck came as is in the machines by now.
        self.everything = sorted(id(card) for card in self.lying())
        assert len(self.everything) == self.total * len(self.decks)

    def opened(self) -> WatchedTable:
        """The table as the evening begins."""
        raise NotImplementedError

    def closing_time(self) -> ClosingTime:
        """What people do at the end."""
        raise NotImplementedError

    def lying(self) -> Iterator[Card]:
        """Every card at the table, wherever it lies."""
        bench = self.bench
        piles = [*bench.withdrawn.values(), bench.hand, bench.felt, bench.rack]
        for machine in bench.machines.values():
            piles += machine.places().values() if hasattr(machine, "places") else ()
        yield from (card for pile in piles for card in pile if card.counts)

    @contextlib.contextmanager
    def perhaps(self) -> Iterator[None]:
        """What a device or the table refuses is not done."""
        with contextlib.suppress(Refused, CommandRefused):
            yield
        self.bench.run(0.5)

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
    def a_line_is_dead(self, name: str) -> None:
        """A cable is out."""
        self.bench.unplug(name)
        self.bench.run(2.0)

    @rule(name=DEVICES)
    def a_line_is_there_again(self, name: str) -> None:
        """A cable is in, whether it was out or not."""
        self.bench.plug(name)
        self.bench.run(6.0)

    @rule(name=DEVICES)
    def a_device_is_switched_off_and_on(self, name: str) -> None:
        """It forgets what it had in memory."""
        with self.perhaps():
            self.bench.machines[name].power_cycle(self.bench.now)
            self.bench.run(6.0)

    @rule()
    def the_daemon_starts_again(self) -> None:
        """Nobody hears a device for a moment, and the state is read back."""
        self.bench.connect()
        self.bench.run(4.0)

    @rule()
    def jams_are_cleared(self) -> None:
        """People open what has stopped, take the cards out, and have repaired what is broken."""
        for machine in self.bench.machines.values():
            if hasattr(machine, "clear_jam"):
                with self.perhaps():
                    self.bench.hand += cards_in(machine.clear_jam(self.bench.now))
            with self.perhaps():
                machine.repair(self.bench.now)

    @precondition(lambda self: self.bench.state.round is not None and self.bench.state.round.void)
    @rule()
    def the_void_round_is_released(self) -> None:
        """Take all cards out of the shoe, and go on."""
        shoe = self.bench.machines["shoe-1"]
        for name in ("clear_jam", "remove_rest", "remove_all"):
            if hasattr(shoe, name):
                with self.perhaps():
                    self.bench.felt += cards_in(getattr(shoe, name)(self.bench.now))
        with self.perhaps():
            self.bench.command(commands.ReleaseRound())
        self.collect()

    def collect(self) -> None:
        """What lies on the layout goes to the rack."""
        self.bench.rack += self.bench.felt
        self.bench.felt = []

    # ---- what people tell ------------------------------------------------------------------------------

    @rule(what=REPORTS, deck=DECKS, device=DEVICES, seats=SEATS)
    def somebody_reports(self, what: str, deck: str, device: str, seats: tuple[int, ...]) -> None:
        """A report, whether it fits or not, and whether it is true or not."""
        kind = self.bench.pack.reports[what]
        about: dict[str, Any] = {"deck": deck, "device": device, "seats": seats, "seat": seats[0]}
        with self.perhaps():
            self.bench.report(what, kind.by[0], **{name: about[name] for name in kind.asks if name in about})

    @rule(deck=DECKS, less=st.integers(0, 1), part=st.sampled_from(["deck", "remaining"]))
    def cards_are_counted(self, deck: str, less: int, part: str) -> None:
        """Somebody counts a deck, or what is left of it, rightly or not."""
        count = self.total - less if part == "deck" else 17 - less
        with self.perhaps():
            wish = {"deck": deck, "count": count, "part": part}
            self.bench.command(commands.CountCards.model_validate(wish), "dealer")

    @rule(name=DEVICES, result=st.sampled_from(["in-order", "not-in-order"]))
    def a_device_is_inspected(self, name: str, result: str) -> None:
        """Somebody looks at a device."""
        with self.perhaps():
            self.bench.command(commands.Inspect.model_validate({"device": name, "result": result}), "tech")

    @rule(name=DEVICES, sign=st.sampled_from(["out-of-order", "covered", "removed"]))
    def a_sign_is_moved(self, name: str, sign: str) -> None:
        """A sign goes onto a device, or comes off it."""
        with self.perhaps():
            self.bench.command(commands.Sign.model_validate({"device": name, "sign": sign}))

    @rule(what=st.sampled_from(["shuffle", "reshuffle", "burn", "recut"]), deck=DECKS)
    def a_floorperson_orders(self, what: str, deck: str) -> None:
        """A floorperson wants something done with the cards."""
        with self.perhaps():
            self.bench.command(commands.Order.model_validate({"what": what, "deck": deck}))

    @rule(deck=DECKS)
    def a_card_is_taken_out_of_play(self, deck: str) -> None:
        """A card of the rack is bent."""
        bent = next((card for card in self.bench.rack if card.deck == deck), None)
        if bent is not None:
            with self.perhaps():
                wish = commands.WithdrawCard(deck=deck, place="discard", why="a corner is bent")
                self.bench.command(wish)
                self.bench.rack.remove(bent)
                self.bench.withdrawn[deck].append(bent)

    @rule(deck=DECKS, preshuffled=st.booleans())
    def another_deck_comes(self, deck: str, preshuffled: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
        """People bring a deck in place of one of which they have every card; here it is the same cards."""
        piles = (self.bench.hand, self.bench.felt, self.bench.rack, self.bench.withdrawn[deck])
        if sum(card.deck == deck for pile in piles for card in pile) < self.total:
            return
        with self.perhaps():
            self.bench.command(commands.ChangeDeck(deck=deck, preshuffled=preshuffled))
            cards = [card for pile in piles for card in pile if card.deck == deck]
            for pile in piles:
                pile[:] = [card for card in pile if card.deck != deck]
            self.bench.hand += cards

    @rule()
    def the_table_closes(self) -> None:
        """The floor wants no further round; what is on is finished."""
        with self.perhaps():
            self.bench.command(commands.CloseTable())

    @rule()
    def the_table_opens(self) -> None:
        """The floor opens a table that is closed."""
        with self.perhaps():
            self.bench.command(commands.OpenTable())

    @rule(deck=DECKS)
    def a_card_is_replaced(self, deck: str) -> None:
        """A sound card comes in the place of one that was taken out of play."""
        apart = self.bench.withdrawn[deck]
        if apart:
            with self.perhaps():
                self.bench.command(commands.ReplaceCard(deck=deck))
                self.bench.hand.append(apart.pop())

    @rule()
    def another_dealer_comes(self) -> None:
        """The dealer is relieved."""
        with self.perhaps():
            self.bench.command(commands.NewDealer(), "dealer")

    # ---- what must hold ------------------------------------------------------------------------------

    @invariant()
    def no_card_is_lost(self) -> None:
        """Every card is somewhere once, and the table's books have every deck whole."""
        assert sorted(id(card) for card in self.lying()) == self.everything
        for one in self.bench.state.decks.values():
            assert sum(one.places.values()) == self.total
            assert min(one.places.values()) >= 0

    @invariant()
    def holds_are_latched(self) -> None:
        """What was held is held until a row says that it ended."""
        opened = {row.hold for row in self.bench.rows_of(incident.HoldOpened)}
        ended = {row.hold for row in self.bench.rows_of(incident.HoldEnded)}
        assert set(self.bench.state.holds) == opened - ended

    @invariant()
    def no_step_breaks_a_law(self) -> None:
        """No permit is given that a row forbids, and nothing is stopped that need not be."""
        assert self.bench.broken == []

    @invariant()
    def what_is_stopped_does_not_work(self) -> None:
        """A device that is heard and must be stopped has no permit."""
        assert self.bench.open_when_stopped() == []

    @invariant()
    def a_permit_is_for_a_round_that_is_dealt(self) -> None:
        """A shoe that is heard has no permit where no round is on that it may deal."""
        assert self.bench.open_for_no_round() == []

    @override
    def teardown(self) -> None:
        """No card came out of a stopped device; then people put everything right and deal a sound round."""
        assert self.bench.given_when_stopped() == []
        closing = self.closing_time()
        closing.put_right()
        closing.deal_a_sound_round()
        assert self.bench.given_when_stopped() == []
        assert self.bench.broken == []


def cards_in(pile: Sequence[Card]) -> list[Card]:
    """What of a pile is cards: a cover card is laid aside."""
    return [card for card in pile if card.counts]


def evenings(number: int, steps: int, *, the_same: bool = False) -> settings:
    """How many evenings there are, how much happens in each, and whether they are the same in every run."""
    return settings(
        derandomize=the_same,
        max_examples=number,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def few(machine: type[Evening]) -> type[TestCase]:
    """The test of a few evenings, the same in every run."""
    case = machine.TestCase
    case.settings = evenings(4, 8, the_same=True)
    return case


def many(machine: type[Evening], number: int = 150) -> type[TestCase]:
    """The test of evenings for which there is time in a long run."""
    case = machine.TestCase
    case.settings = evenings(number, 40)
    return pytest.mark.long(pytest.mark.timeout(1200)(case))
