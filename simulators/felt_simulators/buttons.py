"""The dealer's hands at the panel, where the table has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.devices.dealers_panel import REPORT, State
from felt_simulators.record import DEALER, FACTS, PRESSED, REFUSED, Press, Told

if TYPE_CHECKING:
    from felt_simulators.devices.dealers_panel import DealersPanel
    from felt_simulators.host import Host
    from felt_simulators.record import Record


class Buttons:
    """Presses the buttons of one panel and keeps a record of it."""

    def __init__(self, host: Host, panel: DealersPanel, record: Record) -> None:
        self._host = host
        self._panel = panel
        self._record = record

    @property
    def work(self) -> bool:
        """Whether pressing one has a chance: the panel is on and not broken."""
        return self._panel.state is State.READY

    def press(self, button: str, word: str = "", *, refused: bool = False) -> None:
        """Press a button; `word` is what it reports. Raises `Refused` when the panel has no such button.

        `refused`: whoever presses it knows better and expects a refusal.
        """
        if button == REPORT:
            self._panel.press_report(word, self._host.link_now())
        else:
            self._panel.press(button, self._host.link_now())
        fact = REFUSED if refused else PRESSED.get(button, FACTS[button])
        self._record.presses.append(Press(button, word, fact))
        if not refused:
            args = {"what": word} if word else {}
            self._record.told.append(Told(fact, DEALER.role, "", args, self._host.now_ns, way="panel"))
