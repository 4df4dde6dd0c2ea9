"""What people do at the end of an evening: they have everything repaired, and do what the table tells them.

They know nothing but what the screen shows: directives, and what a hold is on. When it leaves them without a
way to a sound round, that is a finding about the rules.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from felt_daemon.table.directives import directives
from felt_daemon.table.gates import gates_of, missing
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import round as rounds
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.faults import CONTINUOUS, SHOE, SHUFFLER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from felt_simulators.cards import Card

    from .watched_table import WatchedTable

# Where the books have the cards that lie in a device of this family.
HELD_IN = {SHUFFLER: "shuffler", CONTINUOUS: "shuffler", SHOE: "shoe"}
# How often people go through everything that the screen asks for.
ATTEMPTS = 6
# What asks for a person who looks at a device, and reports it.
LOOKED_AT = frozenset(
    {
        "call-technician",
        "check-cable",
        "clear-jam",
        "cover-or-sign",
        "inspect-device",
        "inspect-reader",
        "look-at-device",
        "new-shoe",
        "pull-card-out",
        "search-device",
        "settle-conflict",
        "stop-by-hand",
        "stop-drawing",
        "stop-until-reader-works",
    }
)
# What passes by itself, where it does; whoever waits in vain looks at the device.
WAITED_FOR = frozenset({"wait-for-device"})
# What a round that is not dealt yet may be in.
BETWEEN = frozenset({"betting", "closed", "hand-deal"})
# What is done as the next cards are put in and dealt.
IN_PLAY = frozenset({"burn-first", "cover-card-higher"})
COUNTED = frozenset({"count-deck", "count-stub", "search-device", "settle-conflict"})
# Where hands were to be counted, and all were right, the deck goes.
BROUGHT = frozenset(
    {"change-deck", "change-old-cards", "change-old-decks", "deck-leaves", "look-through-deck", "remove-deck"}
)
PREPARED = frozenset({"inspect-deck", "prepare-batch"})
STEPS = (
    ("deck-inspected", "dealer"),
    ("inspection-verified", "floor"),
    # 665a.4: no tens are in these batches.
    ("tens-removed", "floor"),
    ("deck-spread", "dealer"),
    ("player-looked", "dealer"),
    ("deck-washed", "dealer"),
)


class ClosingTime:
    """People at the end of an evening. `house` is how the house shuffles, deals and finds the start."""

    def __init__(self, bench: WatchedTable, house: dict[str, str]) -> None:
        self.bench = bench
        self.house = house
        self.total = len(next(iter(bench.cards.values())))
        # Why people could not do what they tried last.
        self.refusals: list[str] = []

    @contextlib.contextmanager
    def perhaps(self) -> Iterator[None]:
        """What is refused is not done."""
        try:
            yield
        except (Refused, CommandRefused) as refusal:
            self.refusals.append(str(refusal))
        self.bench.run(0.5)

    def put_right(self) -> None:
        """Do what the screen asks for until nothing is held; fails where that leads nowhere."""
        self._repair()
        for _ in range(ATTEMPTS):
            self.refusals.clear()
            self.take_everything_out()
            self._finish_round()
            self._see_to_devices()
            self._see_to_decks()
            self.see_to_others()
            self._open_again()
            if self._is_right():
                return
        raise AssertionError(self._stuck())

    def deal_a_sound_round(self) -> None:
        """The table deals one round more, in which nothing is wrong; then nothing is held."""
        before = len(self.bench.rows_of(rounds.RoundClosed))
        try:
            self.deal(self.set_up())
        except (Refused, CommandRefused) as refusal:
            self.refusals.append(str(refusal))
            raise AssertionError(self._stuck()) from refusal
        closed = self.bench.rows_of(rounds.RoundClosed)[before:]
        assert [one.outcome for one in closed if one.hands] == ["completed"], self._stuck()
        assert not self.bench.state.holds, self._stuck()
        books = {name: dict(one.places) for name, one in self.bench.state.decks.items()}
        assert books == {name: self._places_of(name) for name in books}

    def _places_of(self, deck: str) -> dict[str, int]:
        """How many cards of a deck really lie where."""
        bench = self.bench
        piles = {
            "hand": bench.hand,
            "table": bench.felt,
            "discard": bench.rack,
            "withdrawn": bench.withdrawn[deck],
            "shuffler": [],
            "shoe": [],
        }
        for name, machine in bench.machines.items():
            place = HELD_IN.get(bench.families[name])
            if place is not None:
                piles[place] += [card for cards in machine.places().values() for card in cards]
        return {place: sum(card.deck == deck for card in pile) for place, pile in piles.items()}

    # ---- what a game's people do otherwise -------------------------------------------------------------

    def take_everything_out(self) -> None:
        """All cards come out of every device into the hand, each deck by itself."""
        bench = self.bench
        for machine in bench.machines.values():
            if isinstance(machine, Shuffler):
                self._empty_shuffler(machine)
            for name in ("clear_jam", "take_stack", "remove_rest", "look_inside", "remove"):
                hand = getattr(machine, name, None)
                if hand is not None and not isinstance(machine, Shuffler):
                    self.take(hand)
        bench.hand += bench.felt + bench.rack
        bench.felt, bench.rack = [], []

    def shuffle(self, deck: str) -> None:
        """Shuffle a deck, which stays in the shuffler; again where the screen takes it for another one."""
        for _ in self.bench.cards:
            cards = self.pile(deck)
            with self.perhaps():
                self.bench.shuffler.load(cards, self.bench.now)
                self.put_down(cards)
                self.bench.run(0.5)
                self.bench.until(lambda: self.bench.shuffler.state.value not in {"loaded", "shuffling"})
                self.bench.run(1.0)
            if self.taken_for() == deck:
                return
            self.take(self.bench.shuffler.unload)

    def deal(self, deck: str) -> None:
        """Deal a sound round from this deck, which is in the shoe."""
        raise NotImplementedError

    def see_to_others(self) -> None:
        """Do what the screen asks for about what only this game has."""

    def set_up(self) -> str:
        """One deck into the shuffler, and the other one into the shoe; which that is."""
        bench = self.bench
        first, second = sorted(bench.cards, key=lambda name: name == bench.state.last_deck)
        known = bench.state.decks[first]
        # A card that came out of turn was put back among the others.
        if not known.shuffled or known.places["table"]:
            self.shuffle(first)
            self.take_everything_out()
        self.shuffle(second)
        if self.taken_for() == first:
            # Nothing was dealt yet, so that the screen could take either for the one that goes in.
            first, second = second, first
            self.take_everything_out()
            self.shuffle(second)
        self.load_shoe(first)
        return first

    def load_shoe(self, deck: str) -> None:
        """Put a deck into the shoe."""
        cards = self.pile(deck)
        self.bench.machines["shoe-1"].load(cards, self.bench.now)
        self.put_down(cards)
        self.bench.run(0.5)

    def taken_for(self) -> str:
        """The deck that the screen shows in the shuffler."""
        found: str = self.bench.state.devices["shuffler-1"].deck
        return found

    # ---- in turn -----------------------------------------------------------------------------------------

    def pile(self, deck: str) -> list[Card]:
        """All cards of a deck that are in the hand; its back tells them."""
        return [card for card in self.bench.hand if card.deck == deck]

    def put_down(self, cards: Iterable[Card]) -> None:
        """Cards leave the hand."""
        gone = {id(card) for card in cards}
        self.bench.hand = [card for card in self.bench.hand if id(card) not in gone]

    def asked(self) -> set[str]:
        """What the screen asks for now."""
        return {one.do for one in directives(self.bench.pack, self.bench.state)}

    def _asked_of(self, subject: str, name: str) -> set[str]:
        state = self.bench.state
        found = {
            hold.incident
            for hold in state.holds.values()
            if hold.subject == subject and hold.subject_id == name
        }
        return {one.do for one in directives(self.bench.pack, state) if one.incident in found}

    def _repair(self) -> None:
        """Cables are in, and what is broken is repaired."""
        bench = self.bench
        for name, machine in bench.machines.items():
            for fault in machine.faults.names():
                machine.lift_fault(fault, bench.now)
            bench.plug(name)
        bench.run(8.0)
        for machine in bench.machines.values():
            with self.perhaps():
                machine.repair(bench.now)
        bench.run(2.0)

    def _empty_shuffler(self, shuffler: Shuffler) -> None:
        bench = self.bench
        bench.until(lambda: shuffler.state.value not in {"shuffling", "starting"})
        self.take(shuffler.clear_jam)
        self.take(shuffler.unload)
        self.take(shuffler.search_rail)
        with self.perhaps():
            shuffler.open_door(bench.now)
        self.take(shuffler.look_inside)
        with self.perhaps():
            shuffler.close_door(bench.now)

    def take(self, hand: Callable[[float], list[Card] | Card]) -> None:
        """Take into the hand whatever this hand brings out."""
        with self.perhaps():
            found = hand(self.bench.now)
            cards = found if isinstance(found, list) else [found]
            self.bench.hand += [card for card in cards if card.counts]

    def _finish_round(self) -> None:
        """A void round is released, and one that is dealt is ended."""
        now = self.bench.state.round
        if now is None:
            return
        if now.void:
            with self.perhaps():
                self.bench.command(commands.ReleaseRound())
        elif now.cards or now.stacks or now.phase == "playing" or now.face_up_told:
            self.end_round()

    def end_round(self) -> None:
        """End a round whose cards are all in the hand; one that is dealt by hand is dealt so to its end."""
        if self.bench.state.phase == "betting" and self.bench.state.method["deal"] == "hand":
            with self.perhaps():
                self.bench.report("seats-playing", seats=(1, 2))
            with self.perhaps():
                self.bench.command(commands.NoMoreBets(), "dealer")
        if self.bench.state.phase == "hand-deal":
            with self.perhaps():
                self.bench.report("cards-dealt", deck=self.bench.state.round.deck or None)
        now = self.bench.state.round
        if now.phase == "dealt":
            # What is left is counted before a round goes on; by now it lies among all other cards.
            left = max(0, self.total - now.cards)
            with self.perhaps():
                wish = {"deck": now.deck, "count": left, "part": "remaining"}
                self.bench.command(commands.CountCards.model_validate(wish), "dealer")
        with self.perhaps():
            self.bench.command(commands.RoundEnd(), "dealer")

    def _see_to_devices(self) -> None:
        for name, device in list(self.bench.state.devices.items()):
            asked = self._asked_of("device", name)
            if asked & LOOKED_AT:
                with self.perhaps():
                    self.bench.machines[name].power_cycle(self.bench.now)
                    self.bench.run(6.0)
            if asked & (LOOKED_AT | WAITED_FOR):
                with self.perhaps():
                    wish = {"device": name, "result": "in-order"}
                    self.bench.command(commands.Inspect.model_validate(wish), "tech")
            if device.sign:
                with self.perhaps():
                    self.bench.command(commands.Sign(device=name, sign="removed"))
        with self.perhaps():
            self.bench.command(commands.Method.model_validate(self.house))

    def _see_to_decks(self) -> None:
        for name in self.bench.cards:
            if not self._asked_of("deck", name):
                continue
            self._give_back(name)
            asked = self._asked_of("deck", name)
            if "misdealt-or-remove" in asked:
                with self.perhaps():
                    self.bench.report("misdealt")
            if asked & COUNTED:
                self.count(name)
            if self._asked_of("deck", name) & BROUGHT:
                self.bring(name)
            elif self._asked_of("deck", name) & PREPARED:
                self._prepare(name)
            if self._asked_of("deck", name):
                self.shuffle(name)
                self.take_everything_out()

    def _open_again(self) -> None:
        """Play goes on at a table at which nobody played, and one that was closed is opened."""
        if self.bench.state.table == "idle":
            for name in self.bench.cards:
                for what in ("player-looked", "deck-washed"):
                    with self.perhaps():
                        self.bench.report(what, deck=name)
            with self.perhaps():
                self.bench.report("play-resumes")
        elif self.bench.state.table != "open":
            for name in self.bench.cards:
                self._prepare(name)
            with self.perhaps():
                self.bench.command(commands.OpenTable())

    def _give_back(self, name: str) -> None:
        """A card that was taken out of play is replaced."""
        apart = self.bench.withdrawn[name]
        if apart:
            with self.perhaps():
                self.bench.command(commands.ReplaceCard(deck=name))
                self.bench.hand.append(apart.pop())

    def count(self, name: str) -> None:
        """Count the cards of a deck that are in the hand."""
        with self.perhaps():
            wish = commands.CountCards(deck=name, count=len(self.pile(name)))
            self.bench.command(wish, "dealer")

    def bring(self, name: str) -> None:
        """Bring another deck: the same cards, as new."""
        with self.perhaps():
            self.bench.command(commands.ChangeDeck(deck=name))
            self.bench.hand += self.bench.withdrawn[name]
            self.bench.withdrawn[name] = []
        self._prepare(name)

    def _prepare(self, name: str) -> None:
        for what, role in STEPS:
            with self.perhaps():
                self.bench.report(what, role, deck=name)

    def _is_right(self) -> bool:
        state = self.bench.state
        dealt = state.phase == "hand-deal" and state.round.cards
        held = any(not self._asked_of(one.subject, one.subject_id) <= IN_PLAY for one in state.holds.values())
        house = dict(state.method) == self.house
        return not held and house and state.table == "open" and state.phase in BETWEEN and not dealt

    def _stuck(self) -> str:
        """What people see who know no way to go on."""
        state = self.bench.state
        lines = [f"phase {state.phase}, table {state.table}, void {state.round and state.round.void}"]
        lines += [f"held: {one.row} on {one.subject_id}, until {one.until}" for one in state.holds.values()]
        lines += [f"do: {one.do} ({one.row})" for one in directives(self.bench.pack, state)]
        lines += [
            f"gate {gate.id} of {device.id} waits: {word}"
            for gate, device in gates_of(self.bench.pack, state)
            for word in missing(self.bench.pack, state, gate, device)
        ]
        lines += [f"refused: {why}" for why in self.refusals]
        lines += [f"{name}: {dict(one.places)}" for name, one in state.decks.items()]
        return "\n".join(lines)
