"""What an incident held: each hold from its beginning to its end, and who had to do with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from felt_daemon.story.span import Point, between_s, point
from felt_daemon.story.words import proof

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from felt_daemon.story.record import Said

How = Literal["observed", "reported", "override"]


@dataclass(frozen=True, slots=True)
class Who:
    """A person as the journal has them. `proof` says in words how that is known."""

    role: str
    name: str
    proof: str

    @property
    def brief(self) -> str:
        """The name with the role; the role alone where nobody was named."""
        return f"{self.name} ({self.role})" if self.name else f"the {self.role}"

    @property
    def full(self) -> str:
        """The same with how it is known."""
        return f"{self.name} ({self.role}, {self.proof})" if self.name else f"the {self.role} ({self.proof})"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened to a hold: it was escalated to somebody, seen or owned by somebody."""

    what: Literal["escalated", "seen", "owned"]
    at: Point
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldStory:
    """One hold. `cause_gone` is when its cause was seen gone; `by` ended it, where a person did."""

    hold: int
    subject: str
    subject_id: str
    gates: tuple[str, ...]
    stops: str
    until: str
    note: str
    opened: Point
    cause_gone: Point | None
    marks: tuple[Mark, ...]
    ended: Point | None
    lasted_s: float | None
    how: How | None
    by: Who | None
    second: Who | None
    reason: str
    rounds: int
    hands: int


def who_of(person: object) -> Who | None:
    """Who a person of a body is; none where nobody is named there."""
    if not isinstance(person, dict):
        return None
    said = cast("dict[str, Any]", person)
    return Who(
        str(said.get("role", "")),
        str(said.get("name", "")),
        proof(str(said.get("proof", "")), said.get("key")),
    )


def holds_of(rows: Sequence[Said], opened: Said, rule: Mapping[str, Any]) -> tuple[HoldStory, ...]:
    """Every hold of the incident that `opened` opens; `rule` is its rule in the pack."""
    number = opened.get("incident")
    beginnings = [row for row in rows if row.type == "hold-opened" and row.get("incident") == number]
    return tuple(_hold(row, rows, opened, _note(rule, row.get("index", 0))) for row in beginnings)


def _hold(begun: Said, rows: Sequence[Said], opened: Said, note: str) -> HoldStory:
    number = begun.get("hold")
    gone = _first(rows, "hold-cause-gone", number)
    ended = _first(rows, "hold-ended", number)
    override = _first(rows, "hold-overridden", number)
    how: How | None = None if ended is None else ended.get("how")
    return HoldStory(
        hold=number,
        subject=str(begun.get("subject", "")),
        subject_id=str(begun.get("subject_id", "")),
        gates=tuple(begun.get("gates", ())),
        stops=str(begun.get("stops", "")),
        until=str(begun.get("until", "")),
        note=note,
        opened=point(begun, opened),
        cause_gone=None if gone is None else point(gone, opened),
        marks=tuple(_marks(rows, number, opened)),
        ended=None if ended is None else point(ended, opened),
        lasted_s=None if ended is None else between_s(begun, ended),
        how=how,
        by=None if ended is None else who_of(ended.get("by")),
        second=who_of(override.get("second")) if override is not None and how == "override" else None,
        reason="" if ended is None else str(ended.get("reason", "")),
        rounds=0 if ended is None else ended.get("rounds", 0),
        hands=0 if ended is None else ended.get("hands", 0),
    )


def _marks(rows: Sequence[Said], number: int, opened: Said) -> Iterator[Mark]:
    for row in rows:
        by = who_of(row.get("by"))
        if row.type == "hold-escalated" and row.get("hold") == number:
            yield Mark("escalated", point(row, opened), str(row.get("step", "")))
        elif by is None:
            continue
        elif row.type == "hold-acknowledged" and row.get("hold") == number:
            yield Mark("owned", point(row, opened), by.brief)
        elif row.type == "trouble-seen" and number in row.get("holds", ()):
            yield Mark("seen", point(row, opened), by.brief)


def _first(rows: Sequence[Said], kind: str, number: int) -> Said | None:
    return next((row for row in rows if row.type == kind and row.get("hold") == number), None)


def _note(rule: Mapping[str, Any], index: int) -> str:
    holds: Sequence[Mapping[str, Any]] = rule.get("holds", ())
    return str(holds[index].get("note", "")) if index < len(holds) else ""
