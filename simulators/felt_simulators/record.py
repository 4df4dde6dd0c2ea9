"""What people did, as they would swear to it: the truth about rounds that no device knows."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Played:
    """One round as the dealer dealt it. `seat` is where the first stack went; `left` what was counted."""

    number: int
    deck: str = ""
    total: int | None = None
    seat: int | None = None
    stacks: list[int] = field(default_factory=list[int])
    left: int | None = None
    outcome: str = ""


@dataclass(slots=True)
class Record:
    """Everything people did that can be held against the journal."""

    rounds: list[Played] = field(default_factory=list[Played])
    # Hand counts and changes that were reported, as (what, deck or device, number).
    reports: list[tuple[str, str, int]] = field(default_factory=list[tuple[str, str, int]])
