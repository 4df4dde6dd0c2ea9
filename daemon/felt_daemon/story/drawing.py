"""The timeline as a picture: a bar for each hold, marks for what happened to it, rounds below. Inline SVG.

Shapes and letters say everything that a colour says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from felt_daemon.story.markup import text
from felt_daemon.story.span import length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.story.holding import HoldStory
    from felt_daemon.story.span import Point
    from felt_daemon.story.telling import Story

_WIDTH = 960
_LEFT = 170
_RIGHT = 20
_LANE = 34
_BAR = 14
_TOP = 8
_AXIS = 30
_TICKS = 5
# More rounds than this are not told apart on a page.
_MOST_ROUNDS = 60
_LETTERS = {"escalated": "E", "seen": "S", "owned": "O"}

LEGEND = (
    "E escalated, S seen by the dealer, O owned by somebody, C cause gone. At the end of a bar: a stroke is a"
    " remedy that was seen or reported, a cross an override, an arrow a hold that goes on."
)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Seconds since the opening, to places on the page."""

    last_s: float

    def x(self, at: Point | None) -> float:
        after_s = self.last_s if at is None or at.after_s is None else at.after_s
        return self.place(after_s)

    def place(self, after_s: float) -> float:
        share = min(1.0, max(0.0, after_s / self.last_s))
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def drawing(story: Story) -> str:
    """The picture; empty where everything was over at once or nothing was held."""
    points = [entry.at.after_s for entry in story.timeline if entry.at.after_s is not None]
    last_s = max(points, default=0.0)
    if last_s <= 0 or not story.holds:
        return ""
    scale = _Scale(last_s)
    lanes = len(story.holds) + bool(story.rounds_dealt)
    bottom = _TOP + lanes * _LANE
    parts = [*_axis(scale, bottom)]
    for index, hold in enumerate(story.holds):
        parts += _hold(hold, scale, _TOP + index * _LANE)
    if story.rounds_dealt:
        parts += _rounds(story, scale, bottom - _LANE)
    height = bottom + _AXIS
    title = f"Holds of incident {story.number} over {length(last_s)}"
    opening = f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{text(title)}">'
    return "\n".join((opening, *parts, "</svg>\n"))


def _axis(scale: _Scale, bottom: float) -> Iterator[str]:
    for tick in range(_TICKS + 1):
        after_s = scale.last_s * tick / _TICKS
        x = scale.place(after_s)
        anchor = "end" if tick == _TICKS else "middle" if tick else "start"
        yield f'<line class="grid" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}"/>'
        label = f"+{length(after_s)}" if tick else "opened"
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="{anchor}">{label}</text>'


def _hold(hold: HoldStory, scale: _Scale, top: float) -> Iterator[str]:
    start, end = scale.x(hold.opened), scale.x(hold.ended)
    middle = top + _LANE / 2
    kind = "override" if hold.how == "override" else "open" if hold.ended is None else "ended"
    label = f"hold {hold.hold}: {hold.subject_id}"
    yield f'<text x="0" y="{middle + 4:.1f}">{text(label)}</text>'
    yield (
        f'<rect class="bar {kind}" x="{start:.1f}" y="{middle - _BAR / 2:.1f}"'
        f' width="{max(3.0, end - start):.1f}" height="{_BAR}"/>'
    )
    last = -100.0
    for letter, at in _letters(hold):
        # Marks at one time stand beside each other.
        last = max(scale.x(at), last + 15)
        yield f'<circle class="mark" cx="{last:.1f}" cy="{middle:.1f}" r="8"/>'
        yield f'<text class="letter" x="{last:.1f}" y="{middle + 4:.1f}" text-anchor="middle">{letter}</text>'
    yield _end(kind, max(end, start + 3), middle)


def _letters(hold: HoldStory) -> list[tuple[str, Point]]:
    found = [(_LETTERS[mark.what], mark.at) for mark in hold.marks]
    if hold.cause_gone is not None:
        found.append(("C", hold.cause_gone))
    return sorted(found, key=lambda one: one[1].seq)


def _end(kind: str, x: float, y: float) -> str:
    if kind == "override":
        return f'<path class="cross" d="M{x - 7:.1f} {y - 9:.1f}l14 18m0 -18l-14 18"/>'
    if kind == "open":
        return f'<path class="arrow" d="M{x:.1f} {y - 9:.1f}l12 9l-12 9z"/>'
    return f'<rect class="stop" x="{x - 1.5:.1f}" y="{y - 10:.1f}" width="3" height="20"/>'


def _rounds(story: Story, scale: _Scale, top: float) -> Iterator[str]:
    middle = top + _LANE / 2
    yield f'<text x="0" y="{middle + 4:.1f}">rounds ended</text>'
    shown = story.rounds_dealt
    named = len(shown) <= _MOST_ROUNDS
    for one in shown:
        x = scale.x(one.at)
        yield f'<line class="round" x1="{x:.1f}" y1="{middle - 8:.1f}" x2="{x:.1f}" y2="{middle + 2:.1f}"/>'
        if named:
            void = " void" if one.outcome == "void" else ""
            label = f"{one.round}{void}"
            yield f'<text class="small" x="{x:.1f}" y="{middle + 14:.1f}" text-anchor="middle">{label}</text>'
