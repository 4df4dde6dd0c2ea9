"""Tells, line by line, what a floorperson needs to know: from the screen, and in plain words."""

from __future__ import annotations

from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from felt_simulators.host import Host
    from felt_simulators.record import Told
    from felt_simulators.view import View

PHASES = {
    "betting": "place your bets",
    "closed": "no more bets",
    "hand-deal": "no more bets; the dealer deals by hand",
    "dealing": "cards are dealt",
    "dealt": "the cards that are left are counted",
    "playing": "hands are set and settled",
    "void": "ROUND VOID",
}
STEPS = {"dealer": "the dealer", "floor": "the floor", "shift-manager": "the shift manager"}
# What is told of these is seen on the screen the moment after.
_SEEN = {"bets-closed", "round-ended", "hold-acknowledged"}
_DID = {
    "table-opened": "opens the table",
    "table-closed": "closes the table",
    "floor-called": "calls the floor",
    "round-released": "releases the round: wagers are returned",
    "deck-changed": "brings a new deck as {deck}",
    "dice-changed": "puts new dice into {device}",
    "deck-counted": "counts {deck}: {count} cards",
    "reported": "reports {what}",
    "inspected": "inspects {device}{deck}: {result}",
    "sign-moved": "puts a sign on {device}: {sign}",
    "service-begun": "takes {device} into service: {why}",
    "service-ending": "ends the service of {device}, shown empty",
    "device-retired": "takes {device} out of use, shown empty",
    "device-accepted": "puts {device} into use again, shown empty",
    "card-withdrawn": "takes a card of {deck} out of play: {why}",
    "card-replaced": "replaces the card of {deck}",
    "hold-overridden": "overrides hold {hold}: {reason}",
    "dealer-came": "is relieved by {dealer}",
}
_NONE: Mapping[str, str] = MappingProxyType({})
_MINUTE_S = 60
_HOUR_S = 3600


class Story:
    """Compares each view of the screen with the one before, and tells what is new.

    `phrases` are what people say of phases in this game, where it is not as usual.
    """

    def __init__(
        self, host: Host, zone: str, tell: Callable[[str], None], phrases: Mapping[str, str] = _NONE
    ) -> None:
        self._host = host
        self._phases = {**PHASES, **phrases}
        self._zone = ZoneInfo(zone) if zone else UTC
        self._tell = tell
        self._round = 0
        self._phase = ""
        self._incidents: set[int] = set()
        self._holds: dict[int, Mapping[str, Any]] = {}

    def see(self, view: View) -> None:
        """Tell what has changed since the last view."""
        if view.number and view.number != self._round:
            self._round, self._phase = view.number, ""
            self.say(f"Round {view.number}")
            for hold in view.holds:
                self.say(f"    still held: {self._held(hold)}")
        if view.phase not in {self._phase, "none"}:
            self._phase = view.phase
            self.say(f"    {self._phases.get(view.phase, view.phase)}{self._start(view)}")
        for line in self._rulings(view):
            self.say(line)
        for line in self._changes(view):
            self.say(line)

    def hear(self, told: Told) -> None:
        """Tell what somebody told, unless the screen shows it at once."""
        if told.fact in _SEEN:
            return
        args = _Args({name: str(value) for name, value in told.args.items()})
        did = _DID.get(told.fact, told.fact).format_map(args)
        rest = [str(told.args[name]) for name in ("deck", "device", "seat") if name in told.args]
        rest += [f"seat {seat}" for seat in _seats(told)]
        about = f" ({', '.join(rest)})" if told.fact == "reported" and rest else ""
        second = f", with {told.second}" if told.second else ""
        if told.fact == "method-chosen":
            did = "chooses another way: " + ", ".join(f"{key} {value}" for key, value in args.items())
        self.say(f"    {told.name} ({told.role}) {did}{about}{second}")

    def say(self, text: str) -> None:
        """Tell one line with the time that people at the table read off the wall."""
        now = datetime.fromtimestamp(self._host.reading().utc_us / 1_000_000, tz=self._zone)
        self._tell(f"{now:%H:%M:%S}  {text}")

    def _start(self, view: View) -> str:
        seat = view.round.get("start_seat")
        if view.phase != "dealing" or seat is None:
            return ""
        where = "the dealer" if seat == 0 else f"seat {seat}"
        total = view.round.get("dice_total")
        dice = "" if total is None else f"the dice show {total}, "
        return f": {dice}the first stack goes to {where}"

    def _rulings(self, view: View) -> Iterator[str]:
        found = [*view.shown["incidents"], *view.round.get("notices", ())]
        for each in sorted(found, key=_incident):
            number = int(each["incident"])
            if number in self._incidents:
                continue
            self._incidents.add(number)
            about = f" ({each['subject_id']})" if each.get("subject_id") else ""
            yield f"    RULING {', '.join(each['cite']) or 'own rule'}{about}: {each['says']}"
            for directive in view.shown["directives"]:
                if directive["incident"] == number:
                    yield f"        do: {directive['says']}"

    def _changes(self, view: View) -> Iterator[str]:
        holds = {int(hold["hold"]): hold for hold in view.holds}
        for number, hold in holds.items():
            before = self._holds.get(number)
            if before is None:
                yield f"    held: {hold['subject']} {hold['subject_id']}, until {hold['until']}"
            elif hold["owner"] and not before["owner"]:
                yield f"    hold {number} on {hold['subject_id']} is owned by {hold['owner']}"
            if hold["asked"] and hold["asked"] != (before or {"asked": None})["asked"]:
                asked = STEPS[hold["asked"]]
                yield f"    nobody owns hold {number} on {hold['subject_id']}: {asked} is asked"
            if before is not None and hold["seen_by_dealer"] and not before["seen_by_dealer"]:
                yield f"    the dealer has seen hold {number}"
        for number, hold in self._holds.items():
            if number not in holds:
                yield f"    released: {self._held(hold)}"
        self._holds = holds

    def _held(self, hold: Mapping[str, Any]) -> str:
        age_s = (self._host.now_ns - int(hold["since"]["mono_ns"])) / 1_000_000_000
        return (
            f"{hold['subject']} {hold['subject_id']} ({', '.join(hold['cite']) or 'own rule'}), "
            f"{spoken(age_s)} old, {hold['hands']} hands dealt since"
        )


def _seats(told: Told) -> Sequence[object]:
    return cast("Sequence[object]", told.args.get("seats", ()))


class _Args(dict[str, str]):
    """What was said, by name; what was not said is nothing."""

    def __missing__(self, key: str) -> str:
        return ""


def _incident(each: Mapping[str, Any]) -> int:
    return int(each["incident"])


def spoken(seconds: float) -> str:
    """A length of time as people say it: `40 s`, `3 min 20 s`, `24 h 0 min`."""
    whole = round(seconds)
    if whole < _MINUTE_S:
        return f"{whole} s"
    if whole < _HOUR_S:
        return f"{whole // _MINUTE_S} min {whole % _MINUTE_S} s"
    return f"{whole // _HOUR_S} h {whole % _HOUR_S // _MINUTE_S} min"
