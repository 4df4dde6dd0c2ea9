"""What happened, in order: one entry for a row, several alike in one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from felt_daemon.story.holding import Who, who_of
from felt_daemon.story.span import Point, plural, point
from felt_daemon.story.words import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from felt_daemon.story.belonging import Kept, Why
    from felt_daemon.story.record import Said

# A fact and what it joined come again in pairs; a fault of a line, in threes.
_LONGEST_PERIOD = 3

Kind = Literal[
    "cause",
    "ruling",
    "hold",
    "escalation",
    "override",
    "person",
    "refused",
    "device",
    "order",
    "round",
    "daemon",
]

_KINDS: dict[str, Kind] = {
    "hold-overridden": "override",
    "command-rejected": "refused",
    "hold-escalated": "escalation",
    "ruling-made": "ruling",
    "incident-opened": "ruling",
    "incident-joined": "ruling",
    "incident-closed": "ruling",
    "hold-opened": "hold",
    "hold-cause-gone": "hold",
    "hold-ended": "hold",
    "order-issued": "order",
    "order-answered": "order",
    "round-closed": "round",
    "round-voided": "round",
    "started": "daemon",
    "stopped": "daemon",
    "clock-trusted": "daemon",
    "gaming-day-began": "daemon",
    "undecided": "daemon",
    "consumer-suspended": "daemon",
    "consumer-returned": "daemon",
    "events-held": "daemon",
    "events-freed": "daemon",
    "timer-due": "daemon",
    "timer-unknown": "daemon",
    "panel-pressed": "person",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the timeline: `seqs` are the rows that it tells, `until` the last one's time if several."""

    seqs: tuple[int, ...]
    at: Point
    until: Point | None
    kind: Kind
    words: str
    by: Who | None
    late: bool
    why: Why


@dataclass(frozen=True, slots=True)
class RoundStory:
    """A round that was dealt while the incident was open, and when it was over."""

    round: int
    outcome: str
    hands: int
    at: Point


def timeline(kept: Sequence[Kept], opened: Said, reports: Mapping[str, str]) -> tuple[Entry, ...]:
    """Every row that belongs, in plain words, in order; `reports` are the pack's words for reports."""
    return tuple(_merged([_entry(one, opened, reports) for one in kept], kept))


def rounds_of(rows: Sequence[Said], opened: Said) -> tuple[RoundStory, ...]:
    """The rounds with hands that ended while it was open, but for the one in which it began."""
    return tuple(
        RoundStory(row.get("round"), str(row.get("outcome", "")), row.get("hands", 0), point(row, opened))
        for row in rows
        if row.type == "round-closed"
        and row.seq > opened.seq
        and row.get("hands", 0)
        and row.get("round") != opened.context.get("round")
    )


def _entry(one: Kept, opened: Said, reports: Mapping[str, str]) -> Entry:
    row = one.row
    # Of an end of a hold, the person is the one of the fact before it.
    by = None if row.type == "hold-ended" else who_of(row.get("by"))
    kind: Kind = _KINDS.get(row.type) or ("person" if by is not None else "device")
    if row.seq <= (opened.cause or 0):
        kind = "cause"
    return Entry(
        seqs=(row.seq,),
        at=point(row, opened),
        until=None,
        kind=kind,
        words=sentence(row, reports),
        by=by,
        late=bool(row.late),
        why=one.why,
    )


def _merged(entries: Sequence[Entry], kept: Sequence[Kept]) -> Iterator[Entry]:
    """Rounds that ended one after another in one entry; and so what came again in the same words."""
    index = 0
    while index < len(entries):
        ended = _ended(kept, index)
        period, times = (1, 1) if ended else _again(entries, index)
        if ended:
            yield _rounds(entries[index : index + ended], [one.row for one in kept[index : index + ended]])
        else:
            run = entries[index : index + period * times]
            yield from (_together(run[first::period]) for first in range(period))
        index += ended or period * times


def _ended(kept: Sequence[Kept], index: int) -> int:
    """How many rounds ended one after another from here on."""
    end = index
    while end < len(kept) and kept[end].row.type == "round-closed":
        end += 1
    return end - index


def _again(entries: Sequence[Entry], index: int) -> tuple[int, int]:
    """How many entries from here on come again at once in the same words, and how often they come."""
    for period in range(1, _LONGEST_PERIOD + 1):
        pattern = [(one.words, one.by) for one in entries[index : index + period]]
        times = 1
        while [(one.words, one.by) for one in _slice(entries, index + times * period, period)] == pattern:
            times += 1
        if times > 1:
            return period, times
    return 1, 1


def _slice(entries: Sequence[Entry], start: int, count: int) -> Sequence[Entry]:
    return entries[start : start + count]


def _together(run: Sequence[Entry]) -> Entry:
    first = run[0]
    if len(run) == 1:
        return first
    seqs = tuple(seq for one in run for seq in one.seqs)
    return replace(first, seqs=seqs, until=run[-1].at, words=f"{first.words} ({len(run)} times)")


def _rounds(run: Sequence[Entry], rows: Sequence[Said]) -> Entry:
    if len(run) == 1:
        return run[0]
    hands = sum(row.get("hands", 0) for row in rows)
    void = sum(row.get("outcome") == "void" for row in rows)
    words = (
        f"Rounds {rows[0].get('round')} to {rows[-1].get('round')} ended:"
        f" {plural(len(rows), 'round')}, {plural(hands, 'hand')}{f', {void} of them void' if void else ''}."
    )
    return replace(_together(run), words=words)
