"""One table of a scenario file, taken apart key by key, with errors that name file, line and key."""

from __future__ import annotations

import difflib
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn, cast

from felt_simulators.devices.dealers_panel import BUTTONS, REPORT
from felt_simulators.faults import Fault, UnknownFault
from felt_simulators.lapses import LAPSES
from felt_simulators.lines import key_lines
from felt_simulators.record import DEALER, FLOORPERSON, TECHNICIAN, Who
from felt_simulators.scenario import ACTIONS, Action, BadScenario
from felt_simulators.tasks import TASKS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Who acts in a role unless the file names another person.
_PEOPLE = {one.role: one.name for one in (DEALER, FLOORPERSON, TECHNICIAN)}
# Actions that are one of a few words.
_WORDS = {
    "lapse": tuple(LAPSES),
    "do": tuple(TASKS),
    "floor": ("away", "here"),
    "clock": ("trusted", "untrusted"),
}
_UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_NAME = re.compile(r"[A2-9TJQK][CDHS]")
_CARD = re.compile(r"(card|draw)-[1-9]\d?")
_DURATION = re.compile(r"(\d+)\s*(ms|s|m|h)")


class Source:
    """A file's text: where each of its keys stands."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = key_lines(text)

    def bad(self, path: tuple[str | int, ...], why: str) -> BadScenario:
        """The error for a key; its line is that of the nearest table when the key itself is missing."""
        line = next(
            (self._lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self._lines), 1
        )
        key = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path)
        return BadScenario(f"{self._path}:{line}: {key.lstrip('.')}: {why}")


class Table:
    """One table of the document; `finish` refuses what nobody asked for."""

    def __init__(self, source: Source, path: tuple[str | int, ...], values: dict[str, Any]) -> None:
        self._source = source
        self._path = path
        self._values = values
        self._asked: set[str] = set()

    def bad(self, key: str, why: str) -> NoReturn:
        """Refuse the file because of a key. Raises `BadScenario`."""
        raise self._source.bad((*self._path, key), why)

    def _get(self, key: str, kind: type, what: str) -> Any:  # noqa: ANN401 - the caller asked for its type
        self._asked.add(key)
        value = self._values.get(key)
        if value is not None and (type(value) is not kind):
            self.bad(key, f"must be {what}, not {value!r}")
        return value

    def text(self, key: str, otherwise: str | None = None) -> str:
        """Text; must be given unless there is something otherwise."""
        value = self._get(key, str, "text in quotes")
        if value is None and otherwise is None:
            self.bad(key, "must be given")
        return otherwise or "" if value is None else value

    def whole(self, key: str, otherwise: int, least: int, most: int) -> int:
        """A whole number within limits."""
        value = self._get(key, int, "a whole number")
        if value is None:
            return otherwise
        if not least <= value <= most:
            self.bad(key, f"must be {least} to {most}, not {value}")
        return int(value)

    def flag(self, key: str, *, otherwise: bool = False) -> bool:
        """True or false."""
        value = self._get(key, bool, "true or false")
        return otherwise if value is None else bool(value)

    def word(self, key: str, known: tuple[str, ...]) -> str:
        """One of the words that are known."""
        value = self.text(key)
        if value not in known:
            near = difflib.get_close_matches(value, known, 1)
            self.bad(key, f"is one of {', '.join(known)}" + (f"; did you mean {near[0]}?" if near else ""))
        return value

    def moment_of_round(self, key: str, known: tuple[str, ...]) -> str:
        """A moment of a round; cards are numbered as far as they go."""
        value = self.text(key)
        return value if _CARD.fullmatch(value) else self.word(key, known)

    def cards(self, key: str) -> list[str]:
        """A list of cards, as `TH` for the ten of hearts."""
        values = self.texts(key)
        if not all(_NAME.fullmatch(value) for value in values):
            self.bad(key, "has cards such as AS, TH or 2C")
        return values

    def numbers(self, key: str) -> list[int]:
        """A list of whole numbers from 1."""
        values = cast("list[Any]", self._get(key, list, "a list") or [])
        if not all(type(value) is int and value > 0 for value in values):
            self.bad(key, "has only whole numbers from 1")
        return list(values)

    def words(self, key: str, known: tuple[str, ...]) -> list[str]:
        """A list of words that are known."""
        values = cast("list[Any]", self._get(key, list, "a list") or [])
        for value in values:
            if value not in known:
                self.bad(key, f"has only {', '.join(known)}, not {value!r}")
        return list(values)

    def moment(self, key: str, otherwise: datetime) -> datetime:
        """A date and time with its offset from UTC."""
        value: datetime | None = self._get(
            key, datetime, "a date and time, such as 2026-01-05T18:30:00-05:00"
        )
        if value is not None and value.tzinfo is None:
            self.bad(key, "needs its offset from UTC, such as -05:00")
        return otherwise if value is None else value

    def texts(self, key: str) -> list[str]:
        """A list of texts."""
        values = cast("list[Any]", self._get(key, list, "a list") or [])
        for value in values:
            if not isinstance(value, str):
                self.bad(key, f"has only text in quotes, not {value!r}")
        return list(values)

    def given(self, key: str) -> dict[str, Any]:
        """A table whose keys are somebody else's."""
        return cast("dict[str, Any]", self._get(key, dict, "a table") or {})

    def seconds(self, key: str) -> float:
        """A length of time, in seconds."""
        value = self.text(key)
        match = _DURATION.fullmatch(value)
        if match is None:
            self.bad(key, f"is a time such as 24h, 90s or 500ms, not {value!r}")
        return int(match[1]) * _UNITS_S[match[2]]

    def one_of(self, *keys: str) -> str:
        """Which of the keys is given; exactly one must be."""
        given = [key for key in keys if key in self._values]
        if len(given) != 1:
            self.bad(given[1] if given else keys[0], f"exactly one of {', '.join(keys)} must be given")
        return given[0]

    def table(self, key: str, otherwise: dict[str, Any]) -> Table:
        """A table inside this one."""
        value = self._get(key, dict, "a table")
        return Table(self._source, (*self._path, key), otherwise if value is None else value)

    def tables(self, key: str) -> list[Table]:
        """A list of tables inside this one."""
        values = cast("list[Any]", self._get(key, list, "a list of tables") or [])
        if not all(isinstance(value, dict) for value in values):
            self.bad(key, f"is written [[{key}]]")
        return [Table(self._source, (*self._path, key, number), value) for number, value in enumerate(values)]

    def action(self) -> Action:
        """The one action that this table holds."""
        what = self.one_of(*ACTIONS)
        own: dict[str, Callable[[], Action]] = {
            "fault": lambda: Action(what, device=self.text("device"), fault=self._fault()),
            "lift": lambda: Action(what, device=self.text("device"), name=self.text("lift")),
            "command": lambda: self._command(self.text("command"), {}, FLOORPERSON),
            "report": lambda: self._command("report", {"what": self.text("report")}, DEALER),
            "press": lambda: Action(what, name=self._button(), refused=self.flag("refused")),
            "wait_for": self._wait_for,
            "seats": self._seats,
        }
        if what in own:
            return own[what]()
        if what in _WORDS:
            word = self.word(what, _WORDS[what])
            return Action(what, name=word, trusted=word != "untrusted")
        return Action(what, seconds=self.seconds(what))

    def _seats(self) -> Action:
        return Action("seats", seats=tuple(self.numbers("seats")))

    def _command(self, command: str, about: dict[str, Any], usual: Who) -> Action:
        role = self.word("role", tuple(_PEOPLE)) if "role" in self._values else usual.role
        return Action(
            what="report" if about else "command",
            command=command,
            args={**about, **self.given("args")},
            who=Who(role, self.text("person", _PEOPLE[role])),
            second=self.text("second", ""),
            refused=self.flag("refused"),
        )

    def _button(self) -> str:
        text = self.text("press")
        button, _, word = text.partition(" ")
        if button not in (*BUTTONS, REPORT) or (button == REPORT) != bool(word):
            self.bad("press", f"is one of {', '.join(BUTTONS)}, or 'report WORD', not {text!r}")
        return text

    def _wait_for(self) -> Action:
        text = self.text("wait_for")
        name, _, rest = text.partition(" ")
        if name not in {"no-holds", "hold", "device", "directive", "asked"} or (name == "no-holds") == bool(
            rest
        ):
            self.bad(
                "wait_for",
                "is 'no-holds', 'hold ROW', 'directive NAME', 'asked STEP' or 'device ID ready',"
                f" not {text!r}",
            )
        limit = self.seconds("limit") if "limit" in self._values else 600.0
        return Action("wait_for", name=text, seconds=limit)

    def _fault(self) -> Fault:
        try:
            return Fault.parse(self.text("fault"))
        except UnknownFault as error:
            self.bad("fault", str(error))

    def finish(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self._values:
            if key not in self._asked:
                near = difflib.get_close_matches(key, self._asked, 1)
                self.bad(key, "is not known here" + (f"; did you mean {near[0]}?" if near else ""))
