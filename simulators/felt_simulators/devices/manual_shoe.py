"""A dealing shoe without a motor: a hand draws one card at a time, and a sensor in its mouth tells of each.

It holds up to eight decks and a cover card. Where it has a lock, an inhibit closes a shutter; where it has
none, an inhibit lights a lamp, and a card that is drawn all the same is told all the same. A double shoe
has a second compartment, for face-up cards that were found and for the other batch, of which it tells
nothing: it speaks of the side from which it deals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.cards import count
from felt_simulators.devices.electronics import Asked, Electronics, Woke, pass_time
from felt_simulators.devices.feed import Feed
from felt_simulators.devices.hands import CardSticks, allow
from felt_simulators.devices.manual_shoe_build import HANDS, ManualShoeBuild, State
from felt_simulators.devices.mouth import SENSOR, Mouth
from felt_simulators.devices.places import Places
from felt_simulators.devices.sensor import Sensor
from felt_simulators.devices.stoppages import Stoppages
from felt_simulators.faults import MANUAL_SHOE, Fault, Faults
from felt_simulators.truth import pile, piles, plain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from felt_simulators.cards import Card
    from felt_simulators.devices.electronics import Heard, Send
    from felt_simulators.truth import Stoppage, Truth

_WHERE = "mouth"


class ManualShoe:
    """The shoe: `receive`, `due` and `elapsed` for its line, and hands for people.

    A hand that the shoe does not allow raises `Refused` and changes nothing. What a hand makes the shoe say
    leaves with the next `elapsed`, which is then due at once.
    """

    def __init__(self, build: ManualShoeBuild, rng: random.Random, now: float) -> None:
        self.build = build
        self.state = State.EMPTY
        self.faults = Faults(MANUAL_SHOE, rng)
        self._electronics = Electronics(build.identity(), self.faults, rng, now, knows_end=False)
        self._mouth = Mouth(self.faults, self._electronics, build.set_to)
        self._places = Places("magazine", "mouth", "path", "inside", "aside")
        self._sensor = Sensor(self.faults, rng)
        self._feed = Feed(self.faults, rng, ("jam", "double-jam", "stop"))
        self._stoppages = Stoppages()
        self._loads: list[Truth] = []
        # The round of the permit under which the last card was drawn.
        self._round: int | None = None
        self._broken = ""
        self._become(State.EMPTY)

    @property
    def truth(self) -> Truth:
        """What really happened, as plain JSON; `felt_simulators.truth` says what its parts mean."""
        return {
            "family": self.build.identity().family,
            "serial": self.build.serial,
            "boots": list(self._electronics.boots),
            "state": self.state.value,
            "lamp": self.lamp,
            "places": piles(self.places()),
            "loads": list(self._loads),
            "draws": plain(self._mouth.draws),
            "stoppages": plain(self._stoppages.all),
            "faults": list(self.faults.struck),
        }

    @property
    def lamp(self) -> bool:
        """Whether its lamp asks the dealer not to draw."""
        return self._electronics.lamp

    def places(self) -> Mapping[str, Sequence[Card]]:
        """Every place in the shoe, and the cards that lie there, for those who may see all."""
        return self._places.all()

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
        """Put a fault in. Raises `UnknownFault` for one that a manual shoe cannot have."""
        pass_time(self, self._electronics, now)
        self.faults.set(fault)
        if self.state is State.READY:
            self._feed.mark(fault)
        if not self._broken and (broken := self.faults.strike("unusable", now)):
            self._break(broken.text, now)
        if self.faults.strike("reboot", now):
            self.power_cycle(now)
        self._electronics.fall_silent(now)

    def lift_fault(self, name: str, now: float) -> None:
        """Take a fault out again; a device that was silent speaks."""
        pass_time(self, self._electronics, now)
        self.faults.lift(name)
        if name == "silent":
            self._electronics.speak_up()

    def open_for_stack(self, now: float) -> None:
        """Make sure that a shuffled stack can come in. Raises `Refused` when it cannot."""
        self._begin("load", now)

    def load(self, cards: Sequence[Card], now: float) -> None:
        """Put a shuffled stack, with its cover card, into the compartment in use."""
        self._begin("load", now, "" if cards else "there are no cards in the hand")
        self._places.take_in(cards, "magazine")
        self._enter_load(now)

    def key_in(self, hands: int, now: float, burns: int = 0) -> None:
        """Press on the shoe how many hands are dealt, and how many cards are burnt before: once a round."""
        self._begin("key_in", now, "" if self.build.set_to else "it has no such keys")
        self._mouth.keys.key_in(hands, burns)

    def draw(self, now: float) -> Card:
        """Draw the next card. Raises `CardSticks` when it stays in the mouth: `clear_jam` takes it out."""
        self._begin("draw", now, self._why_no_card())
        self._begin_round()
        if self._places["mouth"]:
            # It slid out with the one before, past the sensor.
            return self._let_out("mouth", now, blind=True)
        if turned := self.faults.strike("face-up", now):
            for card in [card for card in self._places["magazine"] if card.counts][: turned.number]:
                card.face_up = True
        self._feed.run(now, 0.0)
        if fault := self._feed.strike(now):
            self._stop("stopped" if fault.name == "stop" else "jam", now, fault)
            raise CardSticks(MANUAL_SHOE, "draw", "the card sticks")
        card = self._let_out("magazine", now)
        if self.faults.strike("two-cards", now):
            self._places.move("magazine", "mouth", 1)
        if not self._places["magazine"]:
            self._say("empty", now)
        return card

    def remove_rest(self, now: float) -> list[Card]:
        """Take what is left out of the compartment in use; some may stay inside.

        A round may go on with other cards (672a.12(f)): its permit stays.
        """
        self._begin("remove_rest", now, "" if self._any_left else "there are no cards in it")
        if left := self.faults.strike("cards-left", now):
            self._places.move_last("magazine", "inside", left.number)
        cards = self._places.take_out("mouth", "magazine")
        self._leave_load(cards, now)
        return cards

    def clear_jam(self, now: float) -> list[Card]:
        """Take the card out that stuck."""
        self._begin("clear_jam", now, "" if self._stoppages.open else "nothing is stuck")
        cards, stoppage = self._places.take_out("path"), self._stoppages.all[-1]
        for _ in range(self._stoppages.clear(now)):
            self._say_stopped(stoppage, now)
        self._say("cleared", now, where=stoppage.where)
        if not self._broken:
            self._rest()
        return cards

    def look_inside(self, now: float) -> list[Card]:
        """Take out what stayed inside earlier."""
        self._begin("look_inside", now)
        return self._places.take_out("inside")

    def repair(self, now: float) -> None:
        """Make a broken shoe work again, and free its sensor; its cards stay where they are."""
        sound = not self._broken and not self._mouth.stuck
        self._begin("repair", now, "nothing is broken" if sound else "")
        self._mouth.free()
        if self._broken:
            self._say("cleared", now, code=self._broken, where=_WHERE)
            self._broken = ""
            self._rest()

    def lay_aside(self, cards: Sequence[Card], now: float) -> None:
        """Put cards into the other compartment: found face up, or the other batch."""
        self._begin("lay_aside", now, self._single())
        self._places.take_in(cards, "aside")

    def take_aside(self, now: float) -> list[Card]:
        """Take every card out of the other compartment."""
        self._begin("take_aside", now, self._single())
        return self._places.take_out("aside")

    def change_sides(self, now: float) -> None:
        """Deal from the other compartment from now on, and keep aside what is left in this one."""
        self._begin("change_sides", now, self._single())
        if self._any_left:
            self._places.move("mouth", "magazine", len(self._places["mouth"]))
            self._leave_load(self._places["magazine"], now)
        self._places.swap("magazine", "aside")
        if self._places["magazine"]:
            self._enter_load(now)

    def power_cycle(self, now: float) -> None:
        """Switch it off and on: it starts with a new boot id, inhibited, and knows of no round."""
        self._begin("power_cycle", now)
        self._stoppages.forget()
        self._mouth.keys.forget()
        self._round = None
        self._electronics.power_cycle(now, self.build.boot_s)
        self._become(State.STARTING)

    def next_at(self) -> float | None:
        """When the shoe itself has something to do."""
        moments = (self._mouth.next_at(), self._stoppages.next_at())
        return min((moment for moment in moments if moment is not None), default=None)

    def tick(self, at: float) -> None:
        """Do what the shoe has to do at this moment."""
        if stoppage := self._stoppages.echo(at):
            self._say_stopped(stoppage, at)
        if self._mouth.finds(at) and not self._broken:
            self._break(SENSOR, at)

    def hear(self, heard: Heard, now: float) -> None:
        """Take what the electronics understood; an inhibit moves nothing but the shutter or the lamp."""
        match heard:
            case Asked() if "stacks" in heard.fields or "size" in heard.fields:
                self._electronics.refuse(heard, "no-stacks")
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
    def _any_left(self) -> bool:
        return bool(self._places["magazine"] or self._places["mouth"])

    def _begin(self, hand: str, now: float, obstacle: str = "") -> None:
        pass_time(self, self._electronics, now)
        allow(MANUAL_SHOE, hand, self.state, HANDS, obstacle)

    def _become(self, state: State) -> None:
        self.state = state
        self._electronics.show(state.value)

    def _rest(self) -> None:
        """Wait with whatever cards there are, or with the one that sticks."""
        if self._stoppages.open:
            jammed = self._stoppages.all[-1].why == "jam"
            self._become(State.JAMMED if jammed else State.STOPPED)
        else:
            self._become(State.READY if self._any_left else State.EMPTY)

    def _single(self) -> str:
        return "" if self.build.double else "it has one compartment"

    def _why_no_card(self) -> str:
        """Say why the next card cannot be drawn, or nothing when it can."""
        if not self._any_left:
            return "there are no cards in it"
        if self._stoppages.open:
            return "a card sticks"
        if not self.build.locks:
            return ""
        if self.state is State.BROKEN:
            return "its shutter is closed: it is broken"
        begun = self._round is not None and self._round == self._electronics.permit.get("round")
        return self._electronics.why_not(begun=begun)

    def _begin_round(self) -> None:
        number = self._electronics.permit.get("round")
        if number is not None and number != self._round:
            self._electronics.begin()
        self._round = number

    def _let_out(self, place: str, at: float, *, blind: bool = False) -> Card:
        card = self._places.take_next(place)
        if place == "magazine":
            self._feed.passed += 1
        dead = self.state in {State.BROKEN, State.STARTING}
        self._mouth.pass_card(card, self._round, at, blind=blind or dead)
        if not self._any_left and self.state is State.READY:
            self._become(State.EMPTY)
        return card

    def _say(self, name: str, at: float, **fields: object) -> None:
        self._electronics.say(name, at, **fields)

    def _enter_load(self, at: float) -> None:
        cards = self._places["magazine"]
        told = self._count(cards, at) if self.build.counts_loading else None
        self._loads.append({"at": at, "cards": pile(cards), "told": told})
        self._feed.load(len(cards))
        self._become(State.READY)
        if self.faults.strike("leak-order", at):
            self._electronics.leak("loaded", at, order=[card.code for card in cards])
        else:
            self._say("loaded", at, count=told)

    def _leave_load(self, cards: Sequence[Card], at: float) -> None:
        told = self._count(cards, at) if self.build.counts else None
        self._loads[-1].update(removed=pile(cards), removed_at=at, told_removed=told)
        self._say("removed", at, count=told)
        self._mouth.keys.forget()
        if self.state is State.READY:
            self._become(State.EMPTY)

    def _count(self, cards: Sequence[Card], at: float) -> int:
        """What it counts: it knows the cover card by its edge."""
        return self._sensor.count(cards, at) - (len(cards) - count(cards))

    def _stop(self, why: str, at: float, fault: Fault) -> None:
        stoppage = self._stoppages.begin(why, self._feed.passed + 1, _WHERE, at, fault)
        self._places.move("magazine", "path", 1)
        self._feed.passed += 1
        if self.state is State.READY:
            self._rest()
        self._say_stopped(stoppage, at)

    def _say_stopped(self, stoppage: Stoppage, at: float) -> None:
        stoppage.told += 1
        if stoppage.why == "jam":
            self._say("jam", at, where=stoppage.where)
        else:
            self._say("stopped", at)

    def _break(self, code: str, at: float) -> None:
        self._broken = code
        if self.state is not State.STARTING:
            self._say_broken(at)

    def _say_broken(self, at: float) -> None:
        self._become(State.BROKEN)
        self._say("fault", at, code=self._broken, where=_WHERE)

    def _wake(self, at: float) -> None:
        self._rest()
        if self.state is State.EMPTY and self.build.feels:
            self._say("empty", at)
        if self._stoppages.open:
            self._say_stopped(self._stoppages.all[-1], at)
        if self._broken:
            self._say_broken(at)
