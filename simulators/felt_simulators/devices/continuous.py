"""A continuous shuffler: one box that shuffles without end and gives its cards one at a time.

Played cards are put back into its feeder and go into slots of a wheel by chance; from a mouth that the wheel
fills the dealer draws. Shuffling needs no permission: a permit opens the mouth for a round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.devices.carousel import Carousel
from felt_simulators.devices.continuous_build import HANDS, MOUTH, ContinuousBuild, State, where_broken
from felt_simulators.devices.electronics import Asked, Electronics, Woke, pass_time
from felt_simulators.devices.feed import Feed
from felt_simulators.devices.hands import CardSticks, allow
from felt_simulators.devices.mouth import SENSOR, Mouth
from felt_simulators.devices.sensor import Sensor
from felt_simulators.devices.stoppages import Stoppages
from felt_simulators.faults import CONTINUOUS, Fault, Faults
from felt_simulators.truth import pile, piles, plain

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence

    from felt_simulators.cards import Card
    from felt_simulators.devices.electronics import Heard, Send
    from felt_simulators.truth import Stoppage, Truth

_FEEDER = "feeder"


class ContinuousShuffler:
    """The machine: `receive`, `due` and `elapsed` for its line, and hands for people.

    A hand that the machine does not allow raises `Refused` and changes nothing. What a hand makes the
    machine say leaves with the next `elapsed`, which is then due at once.
    """

    def __init__(self, build: ContinuousBuild, rng: random.Random, now: float) -> None:
        self.build = build
        self.state = State.EMPTY
        self.light = "green"
        self.door_open = False
        self.faults = Faults(CONTINUOUS, rng)
        self._electronics = Electronics(build.identity(), self.faults, rng, now, knows_end=False)
        self._mouth = Mouth(self.faults, self._electronics, build.set_to)
        self._works = Carousel(build.slots, build.slot_cards, self.faults, rng)
        self._sensor = Sensor(self.faults, rng)
        self._feed = Feed(self.faults, rng, ("jam", "double-jam", "stop"))
        self._stoppages = Stoppages()
        self._counts: list[Truth] = []
        self._loads: list[Truth] = []
        # The round of the permit under which the last card was drawn.
        self._round: int | None = None
        # The next card slid out of the mouth with the last one, past the sensor.
        self._slid = False
        self._broken = ""
        self._become(State.EMPTY)

    @property
    def truth(self) -> Truth:
        """What really happened, as plain JSON; `felt_simulators.truth` says what its parts mean."""
        return {
            "family": CONTINUOUS,
            "serial": self.build.serial,
            "boots": list(self._electronics.boots),
            "state": self.state.value,
            "lamp": self.lamp,
            "light": self.light,
            "places": piles(self.places()),
            "loads": list(self._loads),
            "counts": list(self._counts),
            "draws": plain(self._mouth.draws),
            "stoppages": plain(self._stoppages.all),
            "faults": list(self.faults.struck),
        }

    @property
    def lamp(self) -> bool:
        """Whether its lamp asks the dealer not to draw."""
        return self._electronics.lamp

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
        """Put a fault in. Raises `UnknownFault` for one that a continuous shuffler cannot have."""
        pass_time(self, self._electronics, now)
        self.faults.set(fault)
        if self._feeding:
            self._work(now)
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

    def put_back(self, cards: Sequence[Card], now: float) -> None:
        """Put cards into the feeder: those that were played, or all of them as the table opens."""
        self._begin("put_back", now, self._why_no_room(cards))
        self._work(now)
        count = self._works.take_in(cards, now)
        came = self._works.feeder[len(self._works.feeder) - count :]
        told = self._sensor.count(came, now) if self.build.counts else None
        self._loads.append({"at": now, "cards": pile(cards), "came": count, "told": told})
        self._say("loaded", now, count=told)
        if self._works.feeder:
            self._feed.load(len(self._works.feeder))
            self._feed.run(now, self.build.card_s)
            self._become(State.READY)

    def key_in(self, hands: int, now: float, burns: int = 0) -> None:
        """Press on it how many hands are dealt, and how many cards are burnt before: once a round."""
        self._begin("key_in", now, "" if self.build.set_to else "it has no such keys")
        self._mouth.keys.key_in(hands, burns)

    def draw(self, now: float) -> Card:
        """Draw the next card. Raises `CardSticks` when it stays in the mouth: `clear_jam` takes it out."""
        self._begin("draw", now)
        self._work(now)
        allow(CONTINUOUS, "draw", self.state, HANDS, self._why_no_card())
        self._begin_round()
        if turned := self.faults.strike("face-up", now):
            self._works.turn_up(turned.number)
        if fault := self.faults.strike("mouth-jam", now):
            self._works.stick(MOUTH)
            self._stop("jam", MOUTH, len(self._mouth.draws) + 1, now, fault)
            raise CardSticks(CONTINUOUS, "draw", "the card sticks")
        card = self._works.draw()
        self._mouth.pass_card(card, self._round, now, blind=self._slid)
        self._slid = not self._slid and self.faults.strike("two-cards", now) is not None
        self._fill()
        if not self._works.seen:
            self._say("empty", now)
            self._become(State.EMPTY)
        return card

    def press_count(self, now: float) -> None:
        """Press the key that makes it tell how many cards are inside."""
        self._begin("press_count", now, "" if self.build.counts else "it does not count")
        self._say_inside(now)

    def remove_all(self, now: float) -> list[Card]:
        """Take every card out, as at the end of the day; some may stay inside."""
        self._begin("remove_all", now, "" if self._works.seen else "there are no cards in it")
        self._work(now)
        cards = self._works.take_everything(now)
        count = self._sensor.count(cards, now) if self.build.counts else None
        self._say("removed", now, count=count)
        self._mouth.keys.forget()
        self._slid = False
        if not self._broken:
            self._become(State.EMPTY)
        return cards

    def clear_jam(self, now: float) -> list[Card]:
        """Take out what sticks, and unless that was in the mouth, what waits in the feeder."""
        self._begin("clear_jam", now, "" if self._stoppages.open else "nothing is stuck")
        stoppage = self._stoppages.all[-1]
        cards = self._works.clear(stoppage.where)
        for _ in range(self._stoppages.clear(now)):
            self._say_stopped(stoppage, now)
        self._say("cleared", now, where=stoppage.where)
        if not self._broken:
            self._shine("green", now)
            self._rest(now)
        return cards

    def repair(self, now: float) -> None:
        """Make a broken machine work again, and free its sensor; its cards stay where they are."""
        sound = not self._broken and not self._mouth.stuck
        self._begin("repair", now, "nothing is broken" if sound else "")
        self._mouth.free()
        if self._broken:
            self._say("cleared", now, code=self._broken, where=where_broken(self._broken))
            self._broken = ""
            self._rest(now)
            if self.state is not State.INTERRUPTED:
                self._shine("green", now)

    def open_door(self, now: float) -> None:
        """Open the door; cards that are on their way into the wheel stop."""
        self._begin("open_door", now, self._ajar())
        self.door_open = True
        self._say("door", now, open=True)
        if self._feeding:
            self._break_off("door", now)

    def close_door(self, now: float) -> None:
        """Close the door."""
        self._begin("close_door", now, "" if self.door_open else "its door is closed")
        self.door_open = False
        self._say("door", now, open=False)

    def look_inside(self, now: float) -> list[Card]:
        """Take out what stayed inside earlier; the door must be open."""
        self._begin("look_inside", now, "" if self.door_open else "its door is closed")
        return self._works.take_inside()

    def drop_cards(self, cards: Iterable[Card], now: float) -> None:
        """Let cards slip under the rail."""
        self._begin("drop_cards", now)
        self._works.drop(cards)

    def search_rail(self, now: float) -> list[Card]:
        """Take up what lies under the rail."""
        self._begin("search_rail", now)
        return self._works.search_rail()

    def power_cycle(self, now: float) -> None:
        """Switch it off and on: it starts with a new boot id, inhibited, and knows of no round."""
        self._begin("power_cycle", now)
        if self._feeding:
            self._work(now)
            self._stoppages.begin("stopped", self._feed.passed + 1, "power-up", now)
        self._stoppages.forget()
        self._mouth.keys.forget()
        self._round = None
        self._electronics.power_cycle(now, self.build.boot_s)
        self._become(State.STARTING)

    def next_at(self) -> float | None:
        """When the machine itself has something to do."""
        work = self._feed.next_at() if self._feeding else None
        moments = (work, self._mouth.next_at(), self._stoppages.next_at())
        return min((moment for moment in moments if moment is not None), default=None)

    def tick(self, at: float) -> None:
        """Do what the machine has to do at this moment."""
        if stoppage := self._stoppages.echo(at):
            self._say_stopped(stoppage, at)
        if self._mouth.finds(at) and not self._broken:
            self._break(SENSOR, at)
        self._work(at)
        if self._feeding and (fault := self._feed.strike(at)):
            why = "stopped" if fault.name == "stop" else "jam"
            if why == "jam":
                self._works.stick(_FEEDER)
            self._stop(why, _FEEDER, self._feed.passed + 1, at, fault)

    def hear(self, heard: Heard, now: float) -> None:
        """Take what the electronics understood; an inhibit closes the mouth, and the wheel goes on."""
        match heard:
            case Asked() if self.state in {State.EMPTY, State.READY}:
                self._electronics.grant(heard)
                self._mouth.keys.new_round()
            case Asked():
                self._electronics.refuse(heard, self.state.value)
            case Woke():
                self._wake(now)
            case _:
                pass

    @property
    def _feeding(self) -> bool:
        return self.state is State.READY and bool(self._works.feeder)

    def _begin(self, hand: str, now: float, obstacle: str = "") -> None:
        pass_time(self, self._electronics, now)
        allow(CONTINUOUS, hand, self.state, HANDS, obstacle)

    def _become(self, state: State) -> None:
        self.state = state
        self._electronics.show(state.value)

    def _rest(self, at: float) -> None:
        """Wait with whatever cards there are, go on with those in the feeder, or stay interrupted."""
        if self._stoppages.open:
            self._become(State.INTERRUPTED)
            return
        self._become(State.READY if self._works.seen else State.EMPTY)
        if self._feeding:
            self._feed.load(len(self._works.feeder))
            self._feed.run(at, self.build.card_s)

    def _ajar(self) -> str:
        return "its door is open" if self.door_open else ""

    def _why_no_room(self, cards: Sequence[Card]) -> str:
        if len(cards) > self._works.room:
            return "there is no room for so many cards"
        return self._ajar() or ("" if cards else "there are no cards in the hand")

    def _why_no_card(self) -> str:
        """Say why the next card cannot be drawn, or nothing when it can."""
        if self.door_open:
            return self._ajar()
        if not self._works.mouth:
            return "no card is ready"
        begun = self._round is not None and self._round == self._electronics.permit.get("round")
        return self._electronics.why_not(begun=begun)

    def _begin_round(self) -> None:
        number = self._electronics.permit.get("round")
        if number != self._round:
            self._electronics.begin()
        self._round = number

    def _work(self, at: float) -> None:
        """Let those cards go into the wheel whose time has come, and let the mouth be filled."""
        if self._feeding:
            self._works.feed(self._feed.advance(at))
            self._fill()
            if not self._works.feeder:
                self._say_inside(at)

    def _fill(self) -> None:
        # While the first cards come in there is not enough in the wheel to choose from.
        if not self._works.feeder or len(self._works.wheel) >= self.build.slots:
            self._works.fill_mouth(self.build.ready_cards)

    def _say(self, name: str, at: float, **fields: object) -> None:
        self._electronics.say(name, at, **fields)

    def _say_inside(self, at: float) -> None:
        if not self.build.counts:
            return
        cards = self._works.seen
        told = self._sensor.count(cards, at)
        self._counts.append({"at": at, "inside": len(cards), "told": told})
        if self.faults.strike("leak-order", at):
            self._electronics.leak("inside", at, count=told, order=[card.code for card in cards])
        else:
            self._say("inside", at, count=told)

    def _shine(self, colour: str, at: float) -> None:
        if self.build.has_light and colour != self.light:
            self.light = colour
            self._say("light", at, colour=colour)

    def _break_off(self, where: str, at: float) -> None:
        self._work(at)
        self._stop("stopped", where, self._feed.passed + 1, at)

    def _stop(self, why: str, where: str, card: int, at: float, fault: Fault | None = None) -> None:
        stoppage = self._stoppages.begin(why, card, where, at, fault)
        self._become(State.INTERRUPTED)
        self._say_stopped(stoppage, at)
        self._shine("red", at)

    def _say_stopped(self, stoppage: Stoppage, at: float) -> None:
        stoppage.told += 1
        if stoppage.where == MOUTH:
            self._say("jam", at, where=stoppage.where)
        else:
            self._say("interrupted", at, why=stoppage.why, where=stoppage.where)

    def _break(self, code: str, at: float) -> None:
        if self._feeding:
            self._break_off("wheel", at)
        self._broken = code
        if self.state is not State.STARTING:
            self._say_broken(at)

    def _say_broken(self, at: float) -> None:
        self._become(State.BROKEN)
        self._say("fault", at, code=self._broken, where=where_broken(self._broken))
        self._shine("red", at)

    def _wake(self, at: float) -> None:
        self._rest(at)
        if self.state is State.EMPTY:
            self._say("empty", at)
        if self._stoppages.open:
            self._say_stopped(self._stoppages.all[-1], at)
            self._shine("red", at)
        if self._broken:
            self._say_broken(at)
