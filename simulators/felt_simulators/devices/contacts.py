"""The contact of a push button: what a finger does to it, and what a debounced input makes of that."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

DEBOUNCE_S = 0.03
"""Edges that lie less than this apart are one movement of the finger."""

HELD_S = 0.08
"""A finger lets a button go after this."""

_BOUNCES_S = (0.0, 0.003, 0.007, 0.012, 0.018)


@dataclass(frozen=True, slots=True)
class Edge:
    """The moment at which the contact closes or opens."""

    at: float
    closes: bool


@dataclass(slots=True)
class Contact:
    """One contact. `edges` are those to come, in order; `repeat_s`: it sticks and closes again so often."""

    edges: list[Edge] = field(default_factory=list[Edge])
    repeat_s: float = 0.0
    _last_at: float = -inf

    def push(self, now: float, *, bounces: bool = False) -> None:
        """Press it, and let it go."""
        moments = _BOUNCES_S if bounces else _BOUNCES_S[:1]
        self.edges += [Edge(now + after_s, closes=at % 2 == 0) for at, after_s in enumerate(moments)]
        self.edges.append(Edge(now + HELD_S, closes=False))

    def moved(self, edge: Edge) -> bool:
        """Take an edge; true when a debounced input reads it as a press."""
        pressed = edge.closes and edge.at - self._last_at >= DEBOUNCE_S
        self._last_at = edge.at
        if self.repeat_s and not edge.closes and not self.edges:
            self.push(edge.at + max(self.repeat_s - HELD_S, DEBOUNCE_S))
        return pressed

    def free(self, now: float) -> None:
        """Let a contact that sticks come free: it opens, and closes no more by itself."""
        if self.repeat_s:
            self.repeat_s = 0.0
            self.edges = [Edge(now, closes=False)] if self.edges and not self.edges[0].closes else []

    def forget(self) -> None:
        """Start anew, as an input does when it gets power: what was before was nothing."""
        self._last_at = -inf
