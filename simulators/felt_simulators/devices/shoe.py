"""An automated dealing shoe that dispenses stacks.

People load a shuffled stack and press the button; each press gives one stack of the size that the round's
permit says. A card that lies face up comes out by itself ahead of the stack and another takes its place;
a single card that came out of turn is counted into the next stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.devices.electronics import Asked, Electronics, Stop, Woke, pass_time
from felt_simulators.devices.feed import Feed
from felt_simulators.devices.hands import allow
from felt_simulators.devices.magazine import Magazine
from felt_simulators.devices.sensor import Sensor
from felt_simulators.devices.shoe_build import HANDS, ShoeBuild, State
from felt_simulators.devices.stoppages import Stoppages
from felt_simulators.faults import SHOE, Fault, Faults
from felt_simulators.truth import Stack, pile, piles, plain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from felt_simulators.cards import Card
    from felt_simulators.devices.electronics import Heard, Send
    from felt_simulators.truth import Stoppage, Truth


class Shoe:
    """The machine: `receive`, `due` and `elapsed` for its line, and hands for people.

    A hand that the machine does not allow raises `Refused` and changes nothing. What a hand makes the
    machine say leaves with the next `elapsed`, which is then due at once.
    """

    def __init__(self, build: ShoeBuild, rng: random.Random, now: float) -> None:
        self.build = build
        self.state = State.EMPTY
        self.door_open = False
        self.faults = Faults(SHOE, rng)
        self._electronics = Electronics(build.identity(), self.faults, rng, now)
        self._magazine = Magazine(rng)
        self._sensor = Sensor(self.faults, rng)
        self._feed = Feed(self.faults, rng, ("jam", "double-jam", "stop"))
        self._stoppages = Stoppages()
        self._loads: list[Truth] = []
        self._stacks: list[Stack] = []
        # The round under way: None until its first stack, and again when its last one is out.
        self._round: int | None = None
        self._dealt = 0
        self._wanted = 0
        self._singles = 0
        self._broken = ""
        self._become(State.EMPTY)

    @property
    def truth(self) -> Truth:
        """What really happened, as plain JSON; `felt_simulators.truth` says what its parts mean."""
        return {
            "family": SHOE,
            "serial": self.build.serial,
            "boots": list(self._electronics.boots),
            "state": self.state.value,
            "places": piles(self.places()),
            "loads": list(self._loads),
            "stacks": plain(self._stacks),
            "stoppages": plain(self._stoppages.all),
            "faults": list(self.faults.struck),
        }

    def places(self) -> Mapping[str, Sequence[Card]]:
        """Every place in the machine, and the cards that lie there, for those who may see all."""
        return self._magazine.places()

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
        """Put a fault in. Raises `UnknownFault` for one that a shoe cannot have."""
        pass_time(self, self._electronics, now)
        self.faults.set(fault)
        if self.state is State.DEALING:
            self._pass_cards(now)
        if self.state in {State.READY, State.DEALING}:
            self._feed.mark(fault)
        if not self._broken and (broken := self.faults.strike("unusable", now)):
            self._break(broken.text, now)
        if self.state is State.READY and (stray := self.faults.strike("stray-card", now)):
            self._let_out(stray.number, now)
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
        self._begin("load", now, self._ajar())

    def load(self, cards: Sequence[Card], now: float) -> None:
        """Put a shuffled stack into the magazine."""
        self._begin("load", now, self._ajar() or ("" if cards else "there are no cards in the hand"))
        self._magazine.take_in(cards)
        count = self._sensor.count(cards, now) if self.build.counts_loading else None
        self._loads.append({"at": now, "cards": pile(cards), "told": count})
        self._feed.load(len(cards))
        self._become(State.READY)
        if self.faults.strike("leak-order", now):
            self._electronics.leak("loaded", now, order=[card.code for card in cards])
        else:
            self._say("loaded", now, count=count)
        if stray := self.faults.strike("stray-card", now):
            self._let_out(stray.number, now)

    def press_deal(self, now: float) -> None:
        """Press the dealer's button: one stack comes, if the round is permitted."""
        self._press("press_deal", now, self._electronics.permit.get("size", self.build.size))

    def press_one(self, now: float) -> None:
        """Press the button for a single card, which comes as a stack of one.

        Source: 58 Pa. Code § 687a.10(c), the card that replaces a joker.
        """
        self._press("press_one", now, 1)

    def _press(self, hand: str, now: float, size: int) -> None:
        self._begin(hand, now)
        allow(SHOE, hand, self.state, HANDS, self._why_no_stack())
        if self._round is None:
            self._round, self._dealt = self._electronics.permit["round"], 0
            self._electronics.begin()
        if wrong := self.faults.strike("stack-size", now):
            size = wrong.number
        if turned := self.faults.strike("face-up", now):
            self._magazine.turn_up(turned.number, size)
        self._stacks.append(Stack(self._round, now, single=self._singles))
        self._wanted = max(0, size - self._singles)
        self._feed.run(now, self.build.stack_s / size)
        self._become(State.DEALING)

    def draw_card(self, now: float) -> None:
        """Draw a single card out of turn; it lies in the mouth."""
        self._begin("draw_card", now, self._ajar())
        self._let_out(1, now)

    def take_stack(self, now: float) -> list[Card]:
        """Take what lies in the mouth; cards that came face up lie before the others."""
        self._begin("take_stack", now, "" if self._magazine.mouth else "nothing lies in its mouth")
        return self._magazine.take_mouth()

    def remove_rest(self, now: float) -> list[Card]:
        """Take the undealt cards out, which ends the round; single cards that came before belong to none."""
        idle = self._round is None and not self._magazine.cards
        self._begin("remove_rest", now, "there are no cards in it" if idle else "")
        cards = self._magazine.take_cards()
        self.faults.strike("dead-button", now)
        count = self._sensor.count(cards, now) if self.build.counts else None
        if self._loads:
            self._loads[-1].update(removed=pile(cards), removed_at=now, told_removed=count)
        self._say("removed", now, count=count)
        self._singles = 0
        self._end_round(now)
        if not self._broken:
            self._become(State.EMPTY)
        return cards

    def clear_jam(self, now: float) -> list[Card]:
        """Take out the stack that was being made, with the card that stuck."""
        self._begin("clear_jam", now, "" if self._stoppages.open else "nothing is stuck")
        cards = self._magazine.take_path()
        stoppage = self._stoppages.all[-1]
        for _ in range(self._stoppages.clear(now)):
            self._say_stopped(stoppage, now)
        self._say("cleared", now, where=stoppage.where)
        if not self._broken:
            self._rest()
        return cards

    def repair(self, now: float) -> None:
        """Make a broken machine work again; its cards stay where they are."""
        self._begin("repair", now)
        self._say("cleared", now, code=self._broken, where="drive")
        self._broken = ""
        self._rest()

    def open_door(self, now: float) -> None:
        """Open the door; a stack that is being made stops."""
        self._begin("open_door", now, self._ajar())
        self.door_open = True
        self._say("door", now, open=True)
        if self.state is State.DEALING:
            self._break_off("door", now)

    def close_door(self, now: float) -> None:
        """Close the door."""
        self._begin("close_door", now, "" if self.door_open else "its door is closed")
        self.door_open = False
        self._say("door", now, open=False)

    def power_cycle(self, now: float) -> None:
        """Switch it off and on: it starts with a new boot id, inhibited, and knows of no round."""
        self._begin("power_cycle", now)
        if self.state is State.DEALING:
            self._pass_cards(now)
            self._stoppages.begin("stopped", self._feed.passed + 1, "power-up", now)
        self._stoppages.forget()
        self._round, self._singles = None, 0
        self._electronics.power_cycle(now, self.build.boot_s)
        self._become(State.STARTING)

    def next_at(self) -> float | None:
        """When the machine itself has something to do."""
        return self._feed.next_at(self._last()) if self.state is State.DEALING else self._stoppages.next_at()

    def tick(self, at: float) -> None:
        """Do what the machine has to do at this moment."""
        if self.state is not State.DEALING:
            if stoppage := self._stoppages.echo(at):
                self._say_stopped(stoppage, at)
            return
        self._pass_cards(at)
        if fault := self._feed.strike(at):
            self._stop("stopped" if fault.name == "stop" else "jam", "exit", at, fault)
        elif not self._wanted or not self._magazine.cards:
            self._finish_stack(at)

    def hear(self, heard: Heard, now: float) -> None:
        """Take what the electronics understood.

        A lapsed lease lets the round end, and so does an inhibit `after-round`.
        """
        match heard:
            case Stop("now"):
                if self.state is State.DEALING:
                    self._break_off("host", now)
            case Asked():
                if self.state in {State.EMPTY, State.READY, State.DEALING}:
                    self._electronics.grant(heard)
                else:
                    self._electronics.refuse(heard, self.state.value)
            case Woke():
                self._wake(now)
            case _:
                pass

    def _begin(self, hand: str, now: float, obstacle: str = "") -> None:
        pass_time(self, self._electronics, now)
        allow(SHOE, hand, self.state, HANDS, obstacle)

    def _become(self, state: State) -> None:
        self.state = state
        self._electronics.show(state.value)

    def _rest(self) -> None:
        """Wait with whatever cards there are, or with those that are stuck."""
        if self._stoppages.open:
            jammed = self._stoppages.all[-1].why == "jam"
            self._become(State.JAMMED if jammed else State.STOPPED)
        else:
            self._become(State.READY if self._magazine.cards else State.EMPTY)

    def _ajar(self) -> str:
        return "its door is open" if self.door_open else ""

    def _why_no_stack(self) -> str:
        """Say why the button gives no stack now, or nothing when it does."""
        if self.door_open:
            return self._ajar()
        if len(self._magazine.mouth) > self._singles:
            return "a stack lies in its mouth"
        if self.faults.waiting("dead-button") is not None:
            return "its button gives nothing"
        return self._electronics.why_not(begun=self._round is not None)

    def _say(self, name: str, at: float, **fields: object) -> None:
        self._electronics.say(name, at, **fields)

    def _let_out(self, how_many: int, at: float) -> None:
        for _ in range(min(how_many, len(self._magazine.cards))):
            card = self._magazine.cards[0]
            self._feed.passed += 1
            self._magazine.into_mouth()
            self._say_card(card, at)
            self._singles += not card.face_up
        self._rest()

    def _say_card(self, card: Card, at: float) -> None:
        if not card.counts:
            self._say("cover_card", at)
        elif card.face_up:
            suit = card.suit or None
            self._say("card", at, face_up=True, rank=card.rank, suit=suit, back=card.back)
        else:
            self._say("card", at, face_up=False)

    def _last(self) -> int:
        """The number of the next card at which there is something to say."""
        return self._feed.passed + self._magazine.next_odd(self._wanted)

    def _pass_cards(self, at: float) -> None:
        for _ in range(self._feed.advance(at, self._last())):
            card = self._magazine.cards[0]
            if card.counts and not card.face_up:
                self._magazine.into_path()
                self._wanted -= 1
            else:
                self._magazine.into_mouth()
                self._stacks[-1].face_up += card.face_up
                self._say_card(card, at)

    def _finish_stack(self, at: float) -> None:
        stack = self._stacks[-1]
        size = self._sensor.count(self._magazine.path, at) + self._singles
        stack.size, stack.told = len(self._magazine.path) + self._singles, size
        self._magazine.finish()
        self._singles = 0
        self._dealt += 1
        self._rest()
        self._say("stack", at, size=size)
        if not self._magazine.cards:
            self._say("empty", at)
        if self._dealt >= self._electronics.permit.get("stacks", self._dealt + 1):
            self._end_round(at)
        if self._magazine.cards and (stray := self.faults.strike("stray-card", at)):
            self._let_out(stray.number, at)

    def _end_round(self, at: float) -> None:
        if self._round is not None:
            self._round = None
            self._electronics.spent(at)

    def _break_off(self, where: str, at: float) -> None:
        self._pass_cards(at)
        self._stop("stopped", where, at)

    def _stop(self, why: str, where: str, at: float, fault: Fault | None = None) -> None:
        card = self._feed.passed + 1
        if why == "jam" and self._magazine.cards:
            self._magazine.into_path()
            self._feed.passed += 1
        stoppage = self._stoppages.begin(why, card, where, at, fault)
        self._rest()
        self._say_stopped(stoppage, at)

    def _say_stopped(self, stoppage: Stoppage, at: float) -> None:
        stoppage.told += 1
        if stoppage.why == "jam":
            self._say("jam", at, where=stoppage.where)
        else:
            self._say("stopped", at)

    def _break(self, code: str, at: float) -> None:
        if self.state is State.DEALING:
            self._break_off("drive", at)
        self._broken = code
        if self.state is not State.STARTING:
            self._say_broken(at)

    def _say_broken(self, at: float) -> None:
        self._become(State.BROKEN)
        self._say("fault", at, code=self._broken, where="drive")

    def _wake(self, at: float) -> None:
        self._rest()
        if self.state is State.EMPTY:
            self._say("empty", at)
        if self._stoppages.open:
            self._say_stopped(self._stoppages.all[-1], at)
        if self._broken:
            self._say_broken(at)
