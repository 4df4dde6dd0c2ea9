"""What can be typed at devices that hold no deck: a hole-card reader, a progressive station, a generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.cards import new_deck
from felt_simulators.cli.words import Command, doing
from felt_simulators.devices.hole_card_reader import HoleCardReader
from felt_simulators.devices.progressive_station import ProgressiveStation

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.devices.generator import Generator


def words_of(machine: HoleCardReader | ProgressiveStation | Generator) -> dict[str, Command]:
    """The words that can be typed at this device."""
    match machine:
        case HoleCardReader():
            return _reader(machine)
        case ProgressiveStation():
            return _station(machine)
        case _:
            return _generator(machine)


def _reader(machine: HoleCardReader) -> dict[str, Command]:
    # Its cards come from a deck that is at hand.
    cards = {card.code: card for card in new_deck("a", "red", "felt-sim").cards}

    def insert(argument: str, now: float) -> str:
        named = [cards.get(code) for code in argument.upper().split()]
        match named:
            case [hole, up] if hole is not None and up is not None:
                machine.insert(hole, up, now)
                return f"inserted under {up.code}"
            case _:
                return "refused: write insert CARD UP-CARD, as insert KS AH"

    def remove(_argument: str, now: float) -> str:
        return f"removed {machine.remove(now).code}"

    def case(argument: str, now: float) -> str:
        if argument not in {"open", "close"}:
            return "refused: write case open or case close"
        (machine.open_case if argument == "open" else machine.close_case)(now)
        return f"case {argument}"

    return {
        "insert": Command("CARD UP-CARD: put the hole card in", insert),
        "remove": Command("take the hole card out", remove),
        "case": Command("open or close", case),
    }


def _station(machine: ProgressiveStation) -> dict[str, Command]:
    def hand(argument: str, now: float) -> str:
        seat, _, rank = argument.partition(" ")
        if not seat.isdecimal():
            return "refused: write hand SEAT RANK, as hand 3 flush"
        machine.key_in(int(seat), rank.strip(), now)
        return f"keyed in {rank.strip()} for seat {seat}"

    def key(argument: str, now: float) -> str:
        which, _, to = argument.partition(" ")
        if to not in {"on", "off"}:
            return "refused: write key NAME on or key NAME off"
        machine.turn_key(which, now, on=to == "on")
        return f"key {which} {to}"

    def collect(_argument: str, now: float) -> str:
        return f"collected from {' '.join(map(str, machine.collect(now)))}"

    def look(_argument: str, _now: float) -> str:
        amounts = [f"{meter}: {cents // 100}.{cents % 100:02}" for meter, cents in machine.display.items()]
        lamps = [f"{seat}: {pattern}" for seat, pattern in machine.lamps.items()]
        return "\n".join([*amounts, "  ".join(lamps)])

    return {
        "bet": _at_a_seat("bet", "lay a wager on its sensor", machine.place_bet),
        "take": _at_a_seat("take", "take the wager from its sensor", machine.take_bet),
        "start": doing("press Start Game", machine.press_start, "pressed Start Game"),
        "collect": Command("sweep the lit wagers into the tray", collect),
        "hand": Command("SEAT RANK: key in a winning hand", hand),
        "key": Command("NAME on|off: turn a key switch", key),
        "look": Command("what its display and its lamps show", look),
    }


def _generator(machine: Generator) -> dict[str, Command]:
    def look(_argument: str, _now: float) -> str:
        return "its display is dark" if machine.display is None else f"it shows {machine.display}"

    return {"look": Command("what its display shows", look)}


def _at_a_seat(word: str, what: str, hand: Callable[[int, float], None]) -> Command:
    def act(argument: str, now: float) -> str:
        if not argument.isdecimal():
            return f"refused: write {word} SEAT, as {word} 3"
        hand(int(argument), now)
        return f"{word} at seat {argument}"

    return Command(f"SEAT: {what}", act)
