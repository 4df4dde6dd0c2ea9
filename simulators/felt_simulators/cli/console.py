"""What can be typed at a single simulated device: its hands, its faults, its truth."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from felt_protocols.link.families import LINE_CHARACTERS
from felt_simulators.cards import ASIA_POKER, Content, new_deck
from felt_simulators.cli.drawing_devices import Batch
from felt_simulators.cli.table_devices import words_of
from felt_simulators.cli.words import Command, doing
from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.dealers_panel import BUTTONS, DealersPanel
from felt_simulators.devices.generator import Generator
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.hole_card_reader import HoleCardReader
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.progressive_station import ProgressiveStation
from felt_simulators.devices.shaker import Shaker
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.faults import KINDS, Fault, UnknownFault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_simulators.cards import Card
    from felt_simulators.station import Station

Machine: TypeAlias = (
    Shuffler
    | Shoe
    | ManualShoe
    | ContinuousShuffler
    | Shaker
    | DealersPanel
    | HoleCardReader
    | ProgressiveStation
    | Generator
)

# The keys that stand for the buttons of a panel.
KEYS = dict(zip("nedca", BUTTONS, strict=True))


class Console:
    """Understands one typed line at a time.

    Two decks of this content are at hand, a red one and a blue one; `load` takes the one that has waited
    longest.
    """

    def __init__(self, machine: Machine, station: Station, content: Content = ASIA_POKER) -> None:
        self._station = station
        # At hand, by deck; the first is the next to be loaded.
        self._piles = {
            "a": new_deck("a", "red", "felt-sim", content).stack(),
            "b": new_deck("b", "blue", "felt-sim", content).stack(),
        }
        self.commands: Mapping[str, Command] = {**self._hands(machine), **self._common(machine)}

    def act(self, line: str, now: float) -> str:
        """Do what was typed; give what is to be answered, which is never an error of the program."""
        word, _, argument = line.strip().partition(" ")
        if not word:
            return ""
        command = self.commands.get(word)
        if command is None:
            return f"there is no command {word}; there are {' '.join(self.commands)}"
        try:
            return command.act(argument.strip(), now)
        except (Refused, UnknownFault) as refusal:
            return f"refused: {refusal}"

    def set_fault(self, text: str, now: float) -> str:
        """Put a fault in. Raises `UnknownFault`, and `Refused` when the device cannot have it now."""
        fault = Fault.parse(text)
        if fault.name == "extra-card" and isinstance(self._station.device, (Shuffler, ContinuousShuffler)):
            pile = list(self._piles.values())[-1]
            strays = [pile.pop() for _ in range(min(fault.number, len(pile)))]
            self._station.device.drop_cards(strays, now)
        self._station.set_fault(fault, now)
        return f"fault {fault.name}: {KINDS[fault.name].what}"

    def _hands(self, machine: Machine) -> dict[str, Command]:
        match machine:
            case Shuffler():
                return self._shuffler(machine)
            case Shoe():
                return self._shoe(machine)
            case Shaker():
                return _shaker(machine)
            case DealersPanel():
                return _panel(machine)
            case ManualShoe() | ContinuousShuffler():
                return Batch().words_of(machine)
            case HoleCardReader() | ProgressiveStation() | Generator():
                return words_of(machine)

    def _common(self, machine: Machine) -> dict[str, Command]:
        def truth(_argument: str, _now: float) -> str:
            return json.dumps(machine.truth)

        def lift(argument: str, now: float) -> str:
            self._station.lift_fault(argument, now)
            return f"without fault {argument}"

        def line(_argument: str, _now: float) -> str:
            there = self._station.line
            state = "up" if there.up else "down"
            return f"{state}: {there.sent} bytes sent, {there.received} received, {there.overrun} lost"

        def back(_argument: str, _now: float) -> str:
            self._station.line.come_back()
            return "the line is up"

        def words(_argument: str, _now: float) -> str:
            return "\n".join(f"{name:12} {command.what}" for name, command in self.commands.items())

        return {
            "power": doing("switch it off and on", machine.power_cycle, "switched off and on"),
            "repair": doing("repair what is broken", machine.repair, "repaired"),
            "fault": Command("NAME[=ARG][,lasting]: put a fault in", self.set_fault),
            "lift": Command("NAME: take a fault out", lift),
            "truth": Command("what really happened, as JSON", truth),
            "line": Command("the line's bytes", line),
            "reconnect": Command("let a line come back that hung up for ever", back),
            "help": Command("this list", words),
        }

    def _load(self, load: Callable[[list[Card], float], None]) -> Command:
        def act(_argument: str, now: float) -> str:
            name = next((name for name, pile in self._piles.items() if pile), "a")
            cards = self._piles[name]
            load(cards, now)
            del self._piles[name]
            self._piles[name] = []
            return f"loaded {len(cards)} cards"

        return Command("put a deck in", act)

    def _take(self, what: str, take: Callable[[float], list[Card]]) -> Command:
        """Take cards and put them to the deck that most of them are of: a stray one goes unseen."""

        def act(_argument: str, now: float) -> str:
            cards = take(now)
            decks = Counter(card.deck for card in cards)
            for name, _ in decks.most_common(1):
                self._piles[name] += cards
            return f"took {len(cards)} cards"

        return Command(what, act)

    def _shuffler(self, machine: Shuffler) -> dict[str, Command]:
        def mode(argument: str, now: float) -> str:
            machine.switch_mode(argument, now)
            return f"mode {argument}"

        return {
            "load": self._load(machine.load),
            "unload": self._take("take the deck out", machine.unload),
            "clear": self._take("take every card out of the works", machine.clear_jam),
            "mode": Command("shuffle or sort", mode),
            "door": _door(machine),
            "look": self._take("take out what stayed inside", machine.look_inside),
            "search": self._take("take up what lies under the rail", machine.search_rail),
        }

    def _shoe(self, machine: Shoe) -> dict[str, Command]:
        return {
            "load": self._load(machine.load),
            "deal": doing("press the button", machine.press_deal, "a stack comes"),
            "one": doing("press the button for a single card", machine.press_one, "a card comes"),
            "draw": doing("draw a card out of turn", machine.draw_card, "a card lies in the mouth"),
            "take": self._take("take what lies in the mouth", machine.take_stack),
            "rest": self._take("take the undealt cards out", machine.remove_rest),
            "clear": self._take("take out what stuck", machine.clear_jam),
            "door": _door(machine),
        }


def _shaker(machine: Shaker) -> dict[str, Command]:
    def uncover(_argument: str, now: float) -> str:
        dice = machine.uncover(now)
        return f"the dice show {' '.join(str(die.face) for die in dice)}"

    def replace(_argument: str, now: float) -> str:
        machine.replace_dice(now)
        return "three new dice"

    return {
        "shake": doing("shake it once", machine.shake, "shaken"),
        "uncover": Command("take the lid off", uncover),
        "gather": doing("put dice back that fell out", machine.gather, "gathered"),
        "cover": doing("put the lid on", machine.cover, "covered"),
        "right": doing("set it at the dealer's right", machine.put_right, "at the dealer's right"),
        "dice": Command("put three new dice in", replace),
        "away": doing("walk away from it", machine.walk_away, "nobody is there"),
        "back": doing("come back to it", machine.come_back, "somebody is there"),
    }


def _panel(machine: DealersPanel) -> dict[str, Command]:
    def pressing(button: str) -> Command:
        return doing(f"press {button}", lambda now: machine.press(button, now), f"pressed {button}")

    def report(word: str, now: float) -> str:
        machine.press_report(word, now)
        return f"reported {word}"

    def look(_argument: str, _now: float) -> str:
        return face(machine)

    return {
        **{button: pressing(button) for button in BUTTONS},
        **{key: pressing(button) for key, button in KEYS.items()},
        "report": Command("WORD: report what no device sees", report),
        "look": Command("what the panel shows", look),
    }


def face(panel: DealersPanel) -> str:
    """What a person sees who looks at the panel: its lines in a frame, and its lamps."""
    edge = f"+{'-' * (LINE_CHARACTERS + 2)}+"
    lines = [f"| {line:{LINE_CHARACTERS}} |" for line in panel.display]
    lamps = "  ".join(f"{name}: {pattern}" for name, pattern in panel.lamps.items())
    return "\n".join([edge, *lines, edge, f"  {lamps}"])


def _door(machine: Shuffler | Shoe) -> Command:
    def act(argument: str, now: float) -> str:
        if argument not in {"open", "close"}:
            return "refused: write door open or door close"
        (machine.open_door if argument == "open" else machine.close_door)(now)
        return f"door {argument}"

    return Command("open or close", act)
