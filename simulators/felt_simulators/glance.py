"""What a dealer sees at a glance: on the display and the lamps of a dealer's panel, or on the screen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from felt_simulators.devices.dealers_panel import ALONE

if TYPE_CHECKING:
    from felt_simulators.devices.dealers_panel import DealersPanel
    from felt_simulators.view import View

_START = re.compile(r"ROUND \d+ [A-Z]+  START (DEALER|\d)")
_COUNT_LEFT = ("COUNT THE CARDS LEFT", "COUNT STUB")
_COUNTED = frozenset({"count-left", "count-stub"})


@dataclass(frozen=True, slots=True)
class Glance:
    """Whether the round is void, the shoe may deal and the cards left are counted; where the deal starts."""

    void: bool
    may_deal: bool
    count_left: bool
    start_seat: int | None


def on_screen(view: View) -> Glance:
    """What the screen shows."""
    return Glance(
        view.void, view.granted("deal"), bool(_COUNTED & set(view.directives())), view.round.get("start_seat")
    )


def on_panel(panel: DealersPanel) -> Glance | None:
    """What the panel shows; None when it shows nothing that helps."""
    lines = panel.display
    if not lines or lines == ALONE:
        return None
    start = _START.match(lines[0])
    return Glance(
        void=lines[0].endswith(" IS VOID"),
        may_deal=panel.lamps["deal"] == "on",
        count_left=any(words in line for line in lines for words in _COUNT_LEFT),
        start_seat=None if start is None else 0 if start[1] == "DEALER" else int(start[1]),
    )
