"""A card shuffler for a deck or a batch: a feeder, a drum that takes the cards one by one, and a tray.

People load a stack into the feeder; with a permit for that batch the machine begins by itself; the
shuffled stack waits in the tray until it is taken out. Cards may lie under the rail beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from felt_simulators.cards import composition
from felt_simulators.devices.electronics import Asked, Electronics, Stop, Woke, pass_time
from felt_simulators.devices.feed import Feed
from felt_simulators.devices.hands import allow
from felt_simulators.devices.sensor import Sensor
from felt_simulators.devices.shuffler_build import HANDS, ShufflerBuild, State
from felt_simulators.devices.stoppages import Stoppages
from felt_simulators.devices.works import Works
from felt_simulators.faults import SHUFFLER, Fault, Faults
from felt_simulators.truth import Batch, pile, piles, plain

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence

    from felt_simulators.cards import Card
    from felt_simulators.devices.electronics import Heard, Send
    from felt_simulators.devices.hands import TakesStack
    from felt_simulators.truth import Stoppage, Truth


class Shuffler:
    """The machine: `receive`, `due` and `elapsed` for its line, and hands for people.

    A hand that the machine does not allow raises `Refused` and changes nothing. What a hand makes the
    machine say leaves with the next `elapsed`, which is then due at once.
    """

    def __init__(self, build: ShufflerBuild, rng: random.Random, now: float) -> None:
        self.build = build
        self.state = State.EMPTY
        self.mode = "shuffle"
        self.light = "green"
        self.door_open = False
        self.faults = Faults(SHUFFLER, rng)
        self._electronics = Electronics(build.identity(), self.faults, rng, now)
        self._works = Works(self.faults, rng)
        self._sensor = Sensor(self.faults, rng)
        self._feed = Feed(self.faults, rng, ("jam", "double-jam", "stop", "incomplete"))
        self._number = 0
        self._batches: list[Batch] = []
        self._stoppages = Stoppages()
        self._cycle = "shuffle"
        self._idle = False
        self._stuck = False
        self._broken = ""
        self._resumes = State.EMPTY
        self._become(State.EMPTY)

    @property
    def truth(self) -> Truth:
        """What really happened, as plain JSON; `felt_simulators.truth` says what its parts mean."""
        return {
            "family": SHUFFLER,
            "serial": self.build.serial,
            "boots": list(self._electronics.boots),
            "state": self.state.value,
            "mode": self.mode,
            "light": self.light,
            "places": piles(self.places()),
            "batches": plain(self._batches),
            "stoppages": plain(self._stoppages.all),
            "faults": list(self.faults.struck),
        }

    def places(self) -> Mapping[str, Sequence[Card]]:
        """Every place in and under the machine, and the cards that lie there, for those who may see all."""
        return self._works.places()

    def receive(self, data: bytes, now: float) -> list[Send]:
        """Take what came over the line; give what is to be sent."""
        pass_time(self, self._electronics, now)
        for heard in self._electronics.receive(data, now):
            self.hear(heard, now)
        return self._electronics.drain(now)

    def due(self) -> float | None:
        """When `elapsed` has something to do; a moment that is past means at once."""
        moments = (self._electronics.due(), self.next_at())
        return min((moment for moment in moments if moment is not None), default=None)

    def elapsed(self, now: float) -> list[Send]:
        """Do what is due until now; give what is to be sent."""
        pass_time(self, self._electronics, now)
        return self._electronics.drain(now)

    def set_fault(self, fault: Fault, now: float) -> None:
        """Put a fault in. Raises `UnknownFault` for one that a shuffler cannot have."""
        pass_time(self, self._electronics, now)
        self.faults.set(fault)
        if self.state is State.SHUFFLING:
            self._works.feed(self._feed.advance(now))
            self._feed.mark(fault)
        if not self._broken and (broken := self.faults.strike("unusable", now)):
            self._break(broken.text, now)
        if shown := self.faults.strike("light", now):
            self._shine(shown.text, now)
        if self.faults.strike("reboot", now):
            self.power_cycle(now)
        self._electronics.fall_silent(now)

    def lift_fault(self, name: str, now: float) -> None:
        """Take a fault out again; a device that was silent speaks."""
        pass_time(self, self._electronics, now)
        self.faults.lift(name)
        if name == "silent":
            self._electronics.speak_up()

    def load(self, cards: Sequence[Card], now: float) -> None:
        """Put a stack into the feeder; what stayed inside earlier goes with it."""
        self._begin("load", now, self._ajar() or ("" if cards else "there are no cards in the hand"))
        self._works.take_in(cards, now)
        self._become(State.LOADED)
        self._enter_batch(now)

    def unload(self, now: float) -> list[Card]:
        """Take the stack out, shuffled or not."""
        self._begin("unload", now, self._ajar())
        cards, batch = self._works.take_out(now), self._batches[-1]
        if batch.outcome == "waiting":
            batch.outcome = "skipped"
        batch.unloaded, batch.unloaded_at = pile(cards), now
        batch.told["unloaded"] = count = self._count(cards, now)
        self._say("unloaded", now, batch=self._number, count=count)
        self._become(State.EMPTY)
        return cards

    def insert(self, shoe: TakesStack, now: float) -> None:
        """Let the shuffled stack go straight into a shoe that takes one now. Raises `Refused`."""
        obstacle = "" if self.build.feeds_shoe else "it feeds no shoe"
        self._begin("insert", now, obstacle or self._ajar())
        shoe.open_for_stack(now)
        shoe.load(self.unload(now), now)

    def clear_jam(self, now: float) -> list[Card]:
        """Take every card out of the works, those that stuck and those that did not."""
        self._begin("clear_jam", now, "" if self._works.holds_any else "there are no cards in it")
        cards = self._works.take_everything()
        self._batches[-1].unloaded, self._batches[-1].unloaded_at = pile(cards), now
        if self._stoppages.open:
            where = self._stoppages.all[-1].where
            for _ in range(self._stoppages.clear(now)):
                self._say_interrupted(self._stoppages.all[-1], now)
            self._say("cleared", now, where=where)
        else:
            self._say("unloaded", now, batch=self._number)
        self._resumes = State.EMPTY
        if not self._broken:
            self._shine("green", now)
            self._become(State.EMPTY)
        return cards

    def repair(self, now: float) -> None:
        """Make a broken machine work again; its cards stay where they are."""
        self._begin("repair", now)
        self._say("cleared", now, code=self._broken, where="drum")
        self._broken = ""
        self._become(self._resumes)
        if self.state is not State.INTERRUPTED:
            self._shine("green", now)
        self._start_if_permitted(now)

    def switch_mode(self, mode: str, now: float) -> None:
        """Turn the switch to `shuffle` or to `sort`; it counts from the next cycle on."""
        known = mode in {"shuffle", "sort"}
        self._begin("switch_mode", now, "" if known else f"there is no mode {mode}")
        self.mode = mode

    def open_door(self, now: float) -> None:
        """Open the door; a shuffle that runs stops."""
        self._begin("open_door", now, self._ajar())
        self.door_open = True
        self._say("door", now, open=True)
        if self.state is State.SHUFFLING:
            self._break_off("door", now)

    def close_door(self, now: float) -> None:
        """Close the door."""
        self._begin("close_door", now, self._shut())
        self.door_open = False
        self._say("door", now, open=False)
        self._start_if_permitted(now)

    def look_inside(self, now: float) -> list[Card]:
        """Take out what stayed inside earlier; the door must be open."""
        self._begin("look_inside", now, self._shut())
        return self._works.take_inside()

    def drop_cards(self, cards: Iterable[Card], now: float) -> None:
        """Let cards slip under the rail: of another deck, they are what `extra-card` needs."""
        self._begin("drop_cards", now)
        self._works.drop(cards)

    def search_rail(self, now: float) -> list[Card]:
        """Take up what lies under the rail."""
        self._begin("search_rail", now)
        return self._works.search_rail()

    def power_cycle(self, now: float) -> None:
        """Switch it off and on: it starts with a new boot id, inhibited, and counts batches from 1."""
        self._begin("power_cycle", now)
        if self.state is State.SHUFFLING:
            self._works.feed(self._feed.advance(now))
            self._batches[-1].outcome, self._batches[-1].ended_at = "power", now
            self._resumes = State.INTERRUPTED
        elif self.state not in {State.STARTING, State.BROKEN}:
            self._resumes = self.state
        self._stoppages.forget()
        self._number = 0
        self._electronics.power_cycle(now, self.build.boot_s)
        self._become(State.STARTING)

    def next_at(self) -> float | None:
        """When the machine itself has something to do."""
        return self._feed.next_at() if self.state is State.SHUFFLING else self._stoppages.next_at()

    def tick(self, at: float) -> None:
        """Do what the machine has to do at this moment."""
        if self.state is not State.SHUFFLING:
            if stoppage := self._stoppages.echo(at):
                self._say_interrupted(stoppage, at)
            return
        self._works.feed(self._feed.advance(at))
        fault = self._feed.strike(at)
        if fault is not None:
            why = {"stop": "stopped", "incomplete": "incomplete"}.get(fault.name, "jam")
            self._interrupt(why, "feeder" if why == "jam" else "drum", at, fault)
        elif not self._works.feeder:
            self._complete(at)

    def hear(self, heard: Heard, now: float) -> None:
        """Take what the electronics understood.

        A lapsed lease lets the cycle end, and so does an inhibit `after-round`.
        """
        match heard:
            case Stop("now"):
                if self.state is State.SHUFFLING:
                    self._break_off("host", now)
            case Asked():
                if self.state is State.LOADED and heard.fields.get("batch") == self._number:
                    self._electronics.grant(heard)
                    self._start_if_permitted(now)
                else:
                    self._electronics.refuse(heard, "no-such-batch")
            case Woke():
                self._wake(now)
            case _:
                pass

    def _begin(self, hand: str, now: float, obstacle: str = "") -> None:
        pass_time(self, self._electronics, now)
        allow(SHUFFLER, hand, self.state, HANDS, obstacle)

    def _become(self, state: State) -> None:
        self.state = state
        self._electronics.show(state.value)

    def _ajar(self) -> str:
        return "its door is open" if self.door_open else ""

    def _shut(self) -> str:
        return "" if self.door_open else "its door is closed"

    def _say(self, name: str, at: float, **fields: object) -> None:
        self._electronics.say(name, at, **fields)

    def _count(self, cards: Sequence[Card], at: float) -> int | None:
        return self._sensor.count(cards, at) if self.build.counts else None

    def _shine(self, colour: str, at: float) -> None:
        if self.build.has_light and colour != self.light:
            self.light = colour
            self._say("light", at, colour=colour)

    def _enter_batch(self, at: float) -> None:
        self._number += 1
        self._stuck = False
        boot = len(self._electronics.boots)
        batch = Batch(self._number, boot, at, pile(self._works.feeder))
        if self.build.counts_loading:
            batch.told["loaded"] = self._count(self._works.feeder, at)
        self._batches.append(batch)
        self._say("loaded", at, batch=self._number, count=batch.told.get("loaded"))

    def _start_if_permitted(self, now: float) -> None:
        total = len(self._works.feeder)
        # Where every card slipped under the rail, there is nothing to turn the drum for.
        may = self.state is State.LOADED and total > 0 and not self.door_open and not self._stuck
        granted = self._electronics.permit.get("batch") == self._number
        if not may or not granted or self._electronics.why_not():
            return
        if self.faults.strike("never-starts", now):
            self._stuck = True
            return
        self._idle = self.faults.strike("dead-drum", now) is not None
        self._cycle = "sort" if self.faults.strike("sort-mode", now) else self.mode
        self._batches[-1].started_at = now
        self._feed.load(total)
        self._feed.run(now, self.build.shuffle_s / total)
        self._electronics.begin()
        self._become(State.SHUFFLING)
        self._say("started", now, batch=self._number)

    def _complete(self, at: float) -> None:
        batch = self._batches[-1]
        outcome = "unchanged" if self._idle else {"sort": "sorted"}.get(self._cycle, "shuffled")
        self._works.finish(outcome)
        batch.outcome, batch.shuffled, batch.ended_at = outcome, outcome == "shuffled", at
        cards = self._works.tray
        batch.told["completed"] = count = self._count(cards, at)
        composed = composition(cards) if self.build.recognises else None
        said = {"batch": self._number, "mode": self._cycle, "count": count}
        if self.faults.strike("leak-order", at):
            self._electronics.leak("completed", at, **said, composition=[card.code for card in cards])
        else:
            self._say("completed", at, **said, composition=composed)
        self._become(State.SHUFFLED)
        self._electronics.spent(at)

    def _break_off(self, where: str, at: float) -> None:
        self._works.feed(self._feed.advance(at))
        self._interrupt("stopped", where, at)

    def _interrupt(self, why: str, where: str, at: float, fault: Fault | None = None) -> None:
        self._batches[-1].outcome, self._batches[-1].ended_at = why, at
        stoppage = self._stoppages.begin(why, self._feed.passed + 1, where, at, fault)
        self._become(State.INTERRUPTED)
        self._say_interrupted(stoppage, at)
        self._shine("red", at)
        self._electronics.spent(at)

    def _say_interrupted(self, stoppage: Stoppage, at: float) -> None:
        stoppage.told += 1
        self._say("interrupted", at, batch=self._number, why=stoppage.why, where=stoppage.where)

    def _break(self, code: str, at: float) -> None:
        if self.state is State.SHUFFLING:
            self._break_off("drum", at)
        self._broken = code
        if self.state is not State.STARTING:
            self._resumes = self.state
            self._say_broken(at)

    def _say_broken(self, at: float) -> None:
        self._become(State.BROKEN)
        self._say("fault", at, code=self._broken, where="drum")
        self._shine("red", at)

    def _wake(self, at: float) -> None:
        """Start again: the machine sees that there are cards and no longer knows what became of them."""
        self._become(self._resumes)
        if self.state is State.LOADED:
            self._enter_batch(at)
        elif self.state is not State.EMPTY:
            self._number += 1
            boot = len(self._electronics.boots)
            self._batches.append(
                replace(self._batches[-1], number=self._number, boot=boot, loaded_at=at, told={})
            )
        if self.state is State.INTERRUPTED:
            self._interrupt("stopped", "power-up", at)
        if self._broken:
            self._say_broken(at)
