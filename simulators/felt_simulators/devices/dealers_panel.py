"""A dealer's panel: buttons by which people tell the table something, a display and three lamps."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from felt_protocols.link.cbor import is_list
from felt_protocols.link.families import PANEL_LAMPS
from felt_simulators.devices.contacts import Contact, Edge
from felt_simulators.devices.electronics import Electronics, Identity, Told, Woke, pass_time
from felt_simulators.devices.hands import allow
from felt_simulators.faults import PANEL, Fault, Faults

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from felt_simulators.devices.electronics import Heard, Send
    from felt_simulators.truth import Truth

REPORT = "report"
BUTTONS = ("no-more-bets", "round-end", "new-dealer", "call-floor", "acknowledge")
ALONE_S = 5.0
"""A panel that has not heard its host for so long says by itself that it is alone."""

ALONE = ("no connection to the table",)
TEXT = "text"
LAMP = "lamp"
# How long a lamp of this pattern is on and off together, in seconds.
_PERIODS_S = {"slow": 1.0, "fast": 0.25}
_WORD = re.compile(r"[a-z][a-z0-9_-]{0,31}")


class State(Enum):
    """How the panel is; the words go into its PONG."""

    STARTING = "starting"
    READY = "ready"
    BROKEN = "broken"


HANDS: Mapping[str, frozenset[State]] = MappingProxyType(
    {
        "press": frozenset(State),
        "press_report": frozenset(State),
        "repair": frozenset({State.READY, State.BROKEN}),
        "power_cycle": frozenset(State),
    }
)


@dataclass(frozen=True, slots=True)
class PanelBuild:
    """What kind of panel it is."""

    serial: str = "pn-0001"
    model: str = "felt-sim-panel"
    firmware: str = "1.0.0"
    boot_s: float = 1.0

    def identity(self) -> Identity:
        """What it says of itself in HELLO."""
        return Identity(PANEL, self.model, self.serial, self.firmware, ())


@dataclass(slots=True, eq=False)
class Press:
    """One time that somebody pressed a button, and how often the panel said so."""

    button: str
    what: str
    at: float
    edges: int = 0
    told: int = 0

    @property
    def fields(self) -> dict[str, object]:
        """What its event says beside its name."""
        return {"what": self.what} if self.what else {}


@dataclass(slots=True)
class _Screen:
    """What was last asked to be shown, which is not what people see while nobody asks."""

    lines: tuple[str, ...] = ()
    lamps: dict[str, str] = field(default_factory=lambda: dict.fromkeys(PANEL_LAMPS, "off"))


class DealersPanel:
    """The panel: `receive`, `due` and `elapsed` for its line, and hands for people.

    A button can be pressed whatever state the panel is in; whether anything comes of it is another
    matter. What a hand makes it say leaves with the next `elapsed`, which is then due at once.
    """

    def __init__(self, build: PanelBuild, rng: random.Random, now: float) -> None:
        self.build = build
        self.state = State.READY
        self.faults = Faults(PANEL, rng)
        self._electronics = Electronics(
            build.identity(), self.faults, rng, now, obeys=frozenset({TEXT, LAMP})
        )
        self._contacts = {name: Contact() for name in (*BUTTONS, REPORT)}
        self._pressed: dict[str, Press] = {}
        self._presses: list[Press] = []
        self._screen = _Screen()
        self._dark = False
        self._broken = ""
        self._heard_at = now
        self._alone = False
        self._orders: list[dict[str, object]] = []
        self._show_state()

    @property
    def truth(self) -> Truth:
        """What really happened, as plain JSON; `felt_simulators.truth` says what its parts mean.

        `presses`: each with its electrical edges and how often it was told; `orders`: what came to be
        shown, and whether it was.
        """
        return {
            "family": PANEL,
            "serial": self.build.serial,
            "boots": list(self._electronics.boots),
            "state": self.state.value,
            "alone": self._alone,
            "display": list(self.display),
            "lamps": dict(self.lamps),
            "presses": [
                {"button": p.button, "what": p.what, "at": p.at, "edges": p.edges, "told": p.told}
                for p in self._presses
            ],
            "orders": [dict(order) for order in self._orders],
            "faults": list(self.faults.struck),
        }

    @property
    def display(self) -> tuple[str, ...]:
        """The lines that a person can read; none while it is dark."""
        if self._dark or self.state is not State.READY:
            return ()
        return ALONE if self._alone else self._screen.lines

    @property
    def lamps(self) -> Mapping[str, str]:
        """How each lamp shines: `off`, `on`, `slow` or `fast`."""
        if self._alone or self.state is not State.READY:
            return dict.fromkeys(PANEL_LAMPS, "off")
        return self._screen.lamps

    def lit(self, lamp: str, now: float) -> bool:
        """Whether a person who looks at this moment sees the lamp lit."""
        pattern = self.lamps[lamp]
        period_s = _PERIODS_S.get(pattern)
        return pattern == "on" if period_s is None else now % period_s < period_s / 2

    def receive(self, data: bytes, now: float) -> list[Send]:
        """Take what came over the line; give what is to be sent."""
        pass_time(self, self._electronics, now)
        frames = self._electronics.frames
        for heard in self._electronics.receive(data, now):
            self.hear(heard, now)
        if self._electronics.frames != frames:
            self._heard_at, self._alone = now, False
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
        """Put a fault in. Raises `UnknownFault` for one that a panel cannot have."""
        pass_time(self, self._electronics, now)
        self.faults.set(fault)
        if not self._dark and self.faults.strike("dead-display", now):
            # What it showed is gone: it comes back only when it is asked for again.
            self._dark, self._screen.lines = True, ()
            self._say("fault", now, code="display")
        if not self._broken and (broken := self.faults.strike("unusable", now)):
            self._broken, self._screen = broken.text, _Screen()
            if self.state is not State.STARTING:
                self._show_state()
            self._say("fault", now, code=self._broken)
        if self.faults.strike("reboot", now):
            self.power_cycle(now)
        self._electronics.fall_silent(now)

    def lift_fault(self, name: str, now: float) -> None:
        """Take a fault out again; a device that was silent speaks, and a button that stuck comes free."""
        pass_time(self, self._electronics, now)
        self.faults.lift(name)
        if name == "silent":
            self._electronics.speak_up()
        if name == "stuck-button":
            self._free(now)

    def press(self, button: str, now: float) -> None:
        """Press a button, which is let go at once."""
        pass_time(self, self._electronics, now)
        known = "" if button in BUTTONS else f"it has no button {button}; it has {', '.join(BUTTONS)}"
        allow(PANEL, "press", self.state, HANDS, known or self._down(button))
        self._push(Press(button, "", now), now)

    def press_report(self, word: str, now: float) -> None:
        """Choose what to report, and press the button that reports it."""
        pass_time(self, self._electronics, now)
        known = "" if _WORD.fullmatch(word) else "what is reported is one word, as cards-exposed"
        allow(PANEL, "press_report", self.state, HANDS, known or self._down(REPORT))
        self._push(Press(REPORT, word, now), now)

    def repair(self, now: float) -> None:
        """Make whatever is broken work again: the panel, its display, a button that sticks."""
        pass_time(self, self._electronics, now)
        stuck = any(contact.repeat_s for contact in self._contacts.values())
        whole = not (self._broken or self._dark or stuck)
        allow(PANEL, "repair", self.state, HANDS, "nothing is broken" if whole else "")
        self._free(now)
        if self._dark:
            self._dark = False
            self._say("cleared", now, code="display")
        if self._broken:
            self._say("cleared", now, code=self._broken)
            self._broken = ""
        self._show_state()

    def power_cycle(self, now: float) -> None:
        """Switch it off and on: it starts with a new boot id, and shows nothing."""
        pass_time(self, self._electronics, now)
        self._screen = _Screen()
        self._alone = False
        self._electronics.power_cycle(now, self.build.boot_s)
        self.state = State.STARTING
        self._electronics.show(self.state.value)

    def next_at(self) -> float | None:
        """When a contact moves, or the panel sees that it is alone."""
        moments = [edge.at for contact in self._contacts.values() for edge in contact.edges[:1]]
        if self.state is not State.STARTING and not self._alone:
            moments.append(self._heard_at + ALONE_S)
        return min(moments, default=None)

    def tick(self, at: float) -> None:
        """Let contacts move, and see whether the host is still there."""
        for button, contact in self._contacts.items():
            while contact.edges and contact.edges[0].at <= at:
                self._moved(button, contact, contact.edges.pop(0))
        if self.state is not State.STARTING and at >= self._heard_at + ALONE_S:
            self._alone = True

    def hear(self, heard: Heard, now: float) -> None:
        """Take what the electronics understood."""
        if isinstance(heard, Told):
            self._shown(heard.name, heard.fields, now)
        elif isinstance(heard, Woke):
            self._wake(now)

    def _wake(self, now: float) -> None:
        self._heard_at = now
        for contact in self._contacts.values():
            contact.forget()
        self._show_state()
        for code in ("display" if self._dark else "", self._broken):
            if code:
                self._say("fault", now, code=code)

    def _shown(self, name: str, fields: Mapping[str, object], now: float) -> None:
        """Show what is asked, or say why it cannot be seen."""
        why = "broken" if self._broken else "display" if self._dark and name == TEXT else ""
        if not why:
            self._ask(fields)
        self._orders.append({"name": name, "at": now, "shown": not why, **fields})
        self._electronics.answer(name, why)

    def _ask(self, fields: Mapping[str, object]) -> None:
        lines = fields.get("lines")
        if is_list(lines):
            self._screen.lines = tuple(str(line) for line in lines)
        else:
            self._screen.lamps[str(fields["which"])] = str(fields["pattern"])

    def _push(self, press: Press, now: float) -> None:
        """Move the contact of a button that is pressed."""
        self._presses.append(press)
        self._pressed[press.button] = press
        contact = self._contacts[press.button]
        bounces = self.faults.strike("bounce", now) is not None
        if stuck := self.faults.strike("stuck-button", now):
            contact.repeat_s = stuck.number / 1000
        contact.push(now, bounces=bounces)
        pass_time(self, self._electronics, now)

    def _moved(self, button: str, contact: Contact, edge: Edge) -> None:
        """Take one electrical edge; a panel that starts or is broken makes nothing of it."""
        press = self._pressed[button]
        press.edges += 1
        if contact.moved(edge) and self.state is State.READY:
            press.told += 1
            self._say(button.replace("-", "_"), edge.at, **press.fields)

    def _free(self, now: float) -> None:
        for contact in self._contacts.values():
            contact.free(now)

    def _down(self, button: str) -> str:
        contact = self._contacts.get(button)
        return "it is still down" if contact is not None and contact.edges else ""

    def _show_state(self) -> None:
        self.state = State.BROKEN if self._broken else State.READY
        self._electronics.show(self.state.value)

    def _say(self, name: str, at: float, **fields: object) -> None:
        self._electronics.say(name, at, **fields)
