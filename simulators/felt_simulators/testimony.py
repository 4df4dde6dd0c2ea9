"""Holds what people told, and when, against what the daemon recorded of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, cast

from felt_simulators.check import Check
from felt_simulators.record import FACTS, PRESSED, REFUSED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from felt_simulators.devices.dealers_panel import DealersPanel
    from felt_simulators.journal import JournalRow, JournalRows
    from felt_simulators.record import Record, Told

_FACTS = (*FACTS.values(), *PRESSED.values())
# What a deck is once this is reported of it.
_MARKS = {
    "deck-inspected": "inspected",
    "inspection-verified": "verified",
    "deck-spread": "spread",
    "player-looked": "looked",
    "deck-washed": "washed",
    "deck-shuffled": "shuffled",
    "tens-removed": "tens-removed",
    "stack-cut": "cut",
}
# What brings the table into a state: a fact, or what is reported.
_STATES = {
    "table-opened": "open",
    "table-closed": "closed",
    "cards-spread": "idle",
    "play-resumes": "open",
}
# From the finger on the button to the fact, in seconds: contacts, the line, and a clock of the device's own.
_BUTTON_S = 1.0
# A fact has other names for these words of a command.
_RENAMED = {"reported": {"what": "report"}, "floor-ordered": {"what": "what_ordered"}}
_Statement = tuple[str, str, str, Mapping[str, object], float]


def people(record: Record, panel: DealersPanel | None, rows: JournalRows) -> Iterator[Check]:
    """Who told what when; buttons that were pressed; the table's states; how each deck was prepared."""
    told = record.told
    at_screen = _paired(
        [row for row in rows.of(*_FACTS) if _proof(row) == "stated"],
        [one for one in told if one.way == "screen"],
        0.0,
    )
    at_panel = _paired(
        [row for row in rows.of(*_FACTS) if _proof(row) == "panel"],
        [one for one in told if one.way == "panel"],
        _BUTTON_S,
    )
    yield Check("people", at_screen[0] + at_panel[0], at_screen[1] + at_panel[1])
    yield Check("presses", _told_presses(rows), _true_presses(record, panel))
    yield Check("table", rows.values("table-state-changed", "state"), _states(told))
    yield Check("preparation", _told_marks(rows), _true_marks(told))


def _proof(row: JournalRow) -> str:
    by: Mapping[str, Any] = row.body.get("by") or {}
    return str(by.get("proof", ""))


def _paired(
    rows: Sequence[JournalRow], told: Sequence[Told], within_s: float
) -> tuple[list[_Statement], list[_Statement]]:
    """Both sides, one by one, with the words that people used; times that lie near are the same."""
    recorded: list[_Statement] = []
    true: list[_Statement] = []
    for row, one in zip_longest(rows, told):
        words = _words(one) if one is not None else {}
        if one is not None:
            true.append((one.fact, one.role, one.name, words, one.at_ns / 1e9))
        if row is not None:
            recorded.append(_recorded(row, words, true[-1][4] if one is not None else 0.0, within_s))
    return recorded, true


def _words(one: Told) -> dict[str, object]:
    renamed = _RENAMED.get(one.fact, {})
    words = {renamed.get(name, name): value for name, value in one.args.items()}
    # That a device is empty is shown, and which card it was stays private.
    kept = {name: value for name, value in words.items() if name not in {"shown_empty", "card"}}
    return kept | ({"second": one.second} if one.second else {})


def _recorded(row: JournalRow, words: Mapping[str, object], true_s: float, within_s: float) -> _Statement:
    by = row.body["by"]
    said: dict[str, object] = {name: row.body.get(name) for name in words}
    if "second" in said:
        said["second"] = cast("dict[str, object]", row.body.get("second") or {}).get("name")
    at_s = row.mono_ns / 1e9
    return (row.what, by["role"], by["name"], said, true_s if abs(at_s - true_s) <= within_s else at_s)


def _told_presses(rows: JournalRows) -> list[tuple[str, str, str]]:
    became = {row.cause: row.what for row in rows.of(*_FACTS, REFUSED) if _proof(row) == "panel"}
    return [
        (row.body["button"], row.body.get("report", ""), became.get(row.seq, ""))
        for row in rows.of("panel-pressed")
    ]


def _true_presses(record: Record, panel: DealersPanel | None) -> list[tuple[str, str, str]]:
    """Each press as often as the panel told of it; what is pressed again has been done."""
    if panel is None:
        return []
    found: list[tuple[str, str, str]] = []
    devices = cast("Sequence[Mapping[str, Any]]", panel.truth["presses"])
    for press, device in zip(record.presses, devices, strict=True):
        times = device["told"]
        found += [(press.button, press.word, press.fact)] * min(times, 1)
        found += [(press.button, press.word, REFUSED)] * (times - 1)
    return found


def _states(told: Sequence[Told]) -> list[str]:
    found: list[str] = []
    for one in told:
        now = found[-1] if found else "closed"
        if one.fact == "deck-changed":
            to = "opening" if now == "closed" else now
        else:
            to = _STATES.get(str(one.args.get("what", one.fact)), now)
        if to != now:
            found.append(to)
    return found


def _told_marks(rows: JournalRows) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows.of("deck-changed", "deck-marked"):
        if row.what == "deck-changed":
            found[row.body["deck"]] = []
        else:
            found.setdefault(row.body["deck"], []).append(row.body["mark"])
    return found


def _true_marks(told: Sequence[Told]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in told:
        deck = str(one.args.get("deck", ""))
        if one.fact == "deck-changed":
            found[deck] = []
        elif one.args.get("what") in _MARKS:
            found.setdefault(deck, []).append(_MARKS[str(one.args["what"])])
    return found
