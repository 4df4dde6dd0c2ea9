"""A hole-card reader: a slot that sees one mark of the dealer's hole card and says whether it is there.

A card has two marked ends: one tells an ace, the other a card that counts 10. The dealer puts in the end
that the up card asks for, so that the reader learns whether the two are a Blackjack, and nothing else.

Source: 58 Pa. Code § 665a.1, § 665a.2(d), § 665a.7(g).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from felt_simulators.devices.electronics import Asked, Electronics, Identity, Told, Woke, pass_time
from felt_simulators.devices.hands import allow
from felt_simulators.faults import READER, Fault, Faults

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from felt_simulators.cards import Card
    from felt_simulators.devices.electronics import Heard, Send
    from felt_simulators.truth import Truth

ACE = "A"
# What counts 10.
TENS = frozenset("TJQK")
STUCK = "stuck-card"
SELFTEST = "selftest"


class State(Enum):
    """How the reader is; the words go into its PONG."""

    STARTING = "starting"
    EMPTY = "empty"
    READING = "reading"
    HOLDING = "holding"
    BROKEN = "broken"


HANDS: Mapping[str, frozenset[State]] = MappingProxyType(
    {
        "insert": frozenset({State.EMPTY}),
        "remove": frozenset(State),
        "open_case": frozenset(State),
        "close_case": frozenset(State),
        "repair": frozenset({State.READING, State.HOLDING, State.BROKEN}),
        "power_cycle": frozenset(State),
    }
)


@dataclass(frozen=True, slots=True)
class ReaderBuild:
    """What kind of reader it is.

    `shutter`: no card goes in while it is inhibited. `shows_value`: a player can learn from it what the
    hole card is (§ 665a.13(h)(1)); the house knows that of its model, and no line tells it.
    """

    serial: str = "rd-0001"
    model: str = "felt-sim-reader"
    firmware: str = "1.0.0"
    shutter: bool = True
    shows_value: bool = False
    read_s: float = 0.4
    boot_s: float = 1.5

    def identity(self) -> Identity:
        """What it says of itself in HELLO."""
        return Identity(READER, self.model, self.serial, self.firmware, ("shutter",) if self.shutter else ())


@dataclass(slots=True)
class Reading:
    """One time that a card was put in: whether the two cards were a Blackjack, and what was told of it.

    `up_card` is ace, ten or other; `told` is None when nothing was told, and otherwise yes, no or
    unreadable.
    """

    at: float
    up_card: str
    blackjack: bool
    permitted: bool
    told: str | None = None
    removed_at: float | None = None


class HoleCardReader:
    """The slot: `receive`, `due` and `elapsed` for its line, and hands for people.

    A hand that the reader does not allow raises `Refused` and changes nothing. What a hand makes it say
    leaves with the next `elapsed`, which is then due at once. A permit opens the slot until the next
    inhibit: in one round the dealer may have to ask twice (§ 665a.9(b)(2)), and the reader cannot know
    where a round ends.
    """

    def __init__(self, build: ReaderBuild, rng: random.Random, now: float) -> None:
        self.build = build
        self.state = State.EMPTY
        self.case_open = False
        self.faults = Faults(READER, rng)
        self._electronics = Electronics(
            build.identity(), self.faults, rng, now, obeys=frozenset({SELFTEST}), knows_end=False
        )
        self._slot: list[Card] = []
        self._marked = False
        self._read_at: float | None = None
        self._readings: list[Reading] = []
        self._cases: list[dict[str, object]] = []
        self._stuck = False
        self._broken = ""
        self._rest()

    @property
    def truth(self) -> Truth:
        """What really happened, as plain JSON; `felt_simulators.truth` says what its parts mean."""
        return {
            "family": READER,
            "serial": self.build.serial,
            "boots": list(self._electronics.boots),
            "state": self.state.value,
            "shutter": self.build.shutter,
            "shows_value": self.build.shows_value,
            "lamp": self.lamp,
            "case_open": self.case_open,
            "case": [dict(moved) for moved in self._cases],
            "readings": [asdict(reading) for reading in self._readings],
            "faults": list(self.faults.struck),
        }

    @property
    def lamp(self) -> bool:
        """Whether the lamp shines that asks people not to use it."""
        return self._electronics.lamp

    def places(self) -> Mapping[str, Sequence[Card]]:
        """Every place in the reader, and the cards that lie there, for those who may see all."""
        return {"slot": tuple(self._slot)}

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
        """Put a fault in. Raises `UnknownFault` for one that a reader cannot have."""
        pass_time(self, self._electronics, now)
        self.faults.set(fault)
        if self.state is State.HOLDING:
            self._stick(now)
        if not self._broken and (broken := self.faults.strike("unusable", now)):
            self._broken, self._read_at = broken.text, None
            if self.state is not State.STARTING:
                self._rest()
                self._say("fault", now, code=self._broken)
        if self.faults.strike("reboot", now):
            self.power_cycle(now)
        self._electronics.fall_silent(now)

    def lift_fault(self, name: str, now: float) -> None:
        """Take a fault out again; a device that was silent speaks."""
        pass_time(self, self._electronics, now)
        self.faults.lift(name)
        if name == "silent":
            self._electronics.speak_up()

    def insert(self, card: Card, up_card: Card, now: float) -> None:
        """Put the hole card in, face down, with the end that this up card asks for."""
        self._begin("insert", now)
        allow(READER, "insert", self.state, HANDS, self._shut(now))
        self._slot.append(card)
        # The end with the mark of a ten goes in under an ace, the end with the ace's under all others.
        self._marked = card.rank in TENS if up_card.rank == ACE else card.rank == ACE
        self._read_at = now + self.build.read_s
        permitted = not self._electronics.why_not(begun=True)
        self._readings.append(Reading(now, kind(up_card), _blackjack(card, up_card), permitted))
        self._rest()
        self._say("inserted", now)

    def remove(self, now: float) -> Card:
        """Take the hole card out; before it is read, no answer comes."""
        stuck = "the card sticks" if self._stuck else ""
        self._begin("remove", now, stuck if self._slot else "no card is in it")
        self._read_at = None
        self._readings[-1].removed_at = now
        card = self._slot.pop()
        if self.state is not State.BROKEN:
            self._say("removed", now)
        if self.state is not State.STARTING:
            self._rest()
        return card

    def open_case(self, now: float) -> None:
        """Open its case, which a switch sees."""
        self._begin("open_case", now, "its case is open" if self.case_open else "")
        self._move_case(now, opened=True)

    def close_case(self, now: float) -> None:
        """Close its case."""
        self._begin("close_case", now, "" if self.case_open else "its case is closed")
        self._move_case(now, opened=False)

    def repair(self, now: float) -> None:
        """Make whatever is broken work again: the reader, a card that sticks."""
        self._begin("repair", now, "" if self._broken or self._stuck else "nothing is broken")
        for code in (self._broken, STUCK if self._stuck else ""):
            if code:
                self._say("cleared", now, code=code)
        self._broken, self._stuck = "", False
        self._rest()

    def power_cycle(self, now: float) -> None:
        """Switch it off and on: it starts with a new boot id, inhibited; a card inside stays unread."""
        self._begin("power_cycle", now)
        self._read_at = None
        self._electronics.power_cycle(now, self.build.boot_s)
        self._become(State.STARTING)

    def next_at(self) -> float | None:
        """When the card that is in it will have been read."""
        return self._read_at

    def tick(self, at: float) -> None:
        """Say what was read."""
        self._read_at = None
        reading = self._readings[-1]
        if unreadable := self.faults.strike("unreadable", at):
            reading.told = "unreadable"
            self._say("unreadable", at, why=unreadable.text)
        else:
            answer = self._marked is not (self.faults.strike("wrong-answer", at) is not None)
            reading.told = "yes" if answer else "no"
            self._answer(answer, at)
        self._rest()
        self._stick(at)

    def hear(self, heard: Heard, now: float) -> None:
        """Take what the electronics understood."""
        match heard:
            case Asked():
                if self.state is State.BROKEN:
                    self._electronics.refuse(heard, State.BROKEN.value)
                else:
                    self._electronics.grant(heard)
            case Told():
                self._electronics.answer(heard.which, self._test())
            case Woke():
                self._wake(now)
            case _:
                # An inhibit shuts the slot; a card that is in it is read to its end, and comes out.
                pass

    def _wake(self, now: float) -> None:
        """Start: what people must know is told again; a card in the slot is neither told nor read."""
        self._rest()
        if self.case_open:
            self._say("tamper", now, open=True)
        for code in (self._broken, STUCK if self._stuck else ""):
            if code:
                self._say("fault", now, code=code)

    def _answer(self, blackjack: bool, at: float) -> None:  # noqa: FBT001 - the answer itself
        if self.faults.strike("leak-card", at):
            self._electronics.leak("result", at, blackjack=blackjack, rank=self._slot[0].rank)
        else:
            self._say("result", at, blackjack=blackjack)

    def _stick(self, now: float) -> None:
        """Let the card stick if that fault strikes."""
        if not self._stuck and self.faults.strike(STUCK, now):
            self._stuck = True
            self._say("fault", now, code=STUCK, where="slot")

    def _test(self) -> str:
        """Say why a self-test fails, or nothing."""
        if self._broken or self._stuck:
            return State.BROKEN.value
        if self.case_open:
            return "case-open"
        return "card-inside" if self._slot else ""

    def _shut(self, now: float) -> str:
        """Say why no card goes in, or nothing."""
        why = self._electronics.why_not(begun=True) if self.build.shutter else ""
        if not why or self.faults.strike("shutter-open", now):
            return ""
        return f"its slot is shut: {why}"

    def _move_case(self, now: float, *, opened: bool) -> None:
        self.case_open = opened
        self._cases.append({"at": now, "open": opened})
        self._say("tamper", now, open=opened)

    def _begin(self, hand: str, now: float, obstacle: str = "") -> None:
        pass_time(self, self._electronics, now)
        allow(READER, hand, self.state, HANDS, obstacle)

    def _become(self, state: State) -> None:
        self.state = state
        self._electronics.show(state.value)

    def _rest(self) -> None:
        if self._broken:
            self._become(State.BROKEN)
        elif not self._slot:
            self._become(State.EMPTY)
        else:
            self._become(State.HOLDING if self._read_at is None else State.READING)

    def _say(self, name: str, at: float, **fields: object) -> None:
        self._electronics.say(name, at, **fields)


def kind(up_card: Card) -> str:
    """What an up card asks of the reader: an `ace` a ten, a `ten` an ace, and any `other` nothing."""
    return "ace" if up_card.rank == ACE else "ten" if up_card.rank in TENS else "other"


def _blackjack(card: Card, up_card: Card) -> bool:
    """Whether the two are a Blackjack."""
    return {kind(card), kind(up_card)} == {"ace", "ten"}
