"""Tells, line by line, what a floorperson needs to know: from the panel, and in plain words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from felt_simulators.host import Host
    from felt_simulators.view import View

PHASES = {
    "betting": "place your bets",
    "closed": "no more bets",
    "dealing": "cards are dealt",
    "dealt": "the cards that are left are counted",
    "playing": "hands are set and settled",
    "void": "ROUND VOID",
}
_MINUTE_S = 60
_HOUR_S = 3600


class Story:
    """Compares each view of the panel with the one before, and tells what is new."""

    def __init__(self, host: Host, zone: str, tell: Callable[[str], None]) -> None:
        self._host = host
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
            self.say(f"    {PHASES.get(view.phase, view.phase)}{self._start(view)}")
        for line in self._rulings(view):
            self.say(line)
        for line in self._changes(view):
            self.say(line)

    def say(self, text: str) -> None:
        """Tell one line with the time that people at the table read off the wall."""
        now = datetime.fromtimestamp(self._host.reading().utc_us / 1_000_000, tz=self._zone)
        self._tell(f"{now:%H:%M:%S}  {text}")

    def _start(self, view: View) -> str:
        seat = view.round.get("start_seat")
        if view.phase != "dealing" or seat is None:
            return ""
        where = "the dealer" if seat == 0 else f"seat {seat}"
        return f": the dice show {view.round.get('dice_total')}, the first stack goes to {where}"

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
