"""Dealer's panels: their buttons as facts, and what people are to see as orders."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from felt_drivers.facts import EVERY
from felt_protocols.events import panel
from felt_protocols.link.families import LAMP_PATTERNS, LINE_CHARACTERS, PANEL_LAMPS, PANEL_LINES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from felt_drivers.facts import Build, Fields, Table
    from felt_protocols.events import Fact

_REPLACEMENT = "?"
_MORE = "\u2026"
# Eight lines of forty characters fit into a frame while none takes more than three bytes.
_HIGHEST = "\uffff"


def _button(name: panel.Button) -> Build:
    def build(fields: Fields) -> Fact:
        return panel.PanelPressed.model_validate({**fields, "button": name})

    return build


def _report(fields: Fields) -> Fact:
    word = fields.pop("what", None)
    return panel.PanelPressed.model_validate({**fields, "button": "report", "report": word})


FACTS: Table = {
    **EVERY,
    "no_more_bets": _button("no-more-bets"),
    "round_end": _button("round-end"),
    "new_dealer": _button("new-dealer"),
    "call_floor": _button("call-floor"),
    "acknowledge": _button("acknowledge"),
    "report": _report,
}


def orders(lines: Iterable[str], lamps: Mapping[str, str]) -> list[tuple[str, dict[str, object]]]:
    """The orders, by name and fields, that make a panel show this and nothing else.

    A lamp that is left out is off. Raises `ValueError` for a lamp or a pattern that no panel has.
    """
    if unknown := lamps.keys() - set(PANEL_LAMPS):
        raise ValueError(f"a panel has no lamp {', '.join(sorted(unknown))}; it has {', '.join(PANEL_LAMPS)}")
    if unknown := set(lamps.values()) - set(LAMP_PATTERNS):
        raise ValueError(f"no lamp is {', '.join(sorted(unknown))}; it is {', '.join(LAMP_PATTERNS)}")
    return [("text", {"lines": fitted(lines)}), *(_lamp(name, lamps) for name in PANEL_LAMPS)]


def fitted(lines: Iterable[str]) -> list[str]:
    """The lines as a panel can show them: at most 8, each of 1 to 40 printable characters.

    A long line is folded at its spaces; an empty one becomes a space. Of more lines than there is room
    for, the last that is shown ends in an ellipsis. What cannot be shown becomes a question mark.
    """
    folded = list(chain.from_iterable(_folded(_printable(part)) for line in lines for part in _parts(line)))
    if len(folded) > PANEL_LINES:
        folded = folded[:PANEL_LINES]
        folded[-1] = folded[-1][: LINE_CHARACTERS - 1].rstrip() + _MORE
    return folded


def _lamp(name: str, lamps: Mapping[str, str]) -> tuple[str, dict[str, object]]:
    return "lamp", {"which": name, "pattern": lamps.get(name, LAMP_PATTERNS[0])}


def _parts(line: str) -> Sequence[str]:
    return line.splitlines() or [""]


def _printable(line: str) -> str:
    return "".join(
        " " if each.isspace() else each if each.isprintable() and each <= _HIGHEST else _REPLACEMENT
        for each in line
    ).rstrip()


def _folded(line: str) -> Iterable[str]:
    while len(line) > LINE_CHARACTERS:
        space = line.rfind(" ", 1, LINE_CHARACTERS + 1)
        at = space if line[: max(space, 0)].strip() else LINE_CHARACTERS
        yield line[:at].rstrip() or " "
        line = line[at:].lstrip()
    yield line or " "
