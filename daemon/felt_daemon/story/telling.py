"""The story of one incident, out of the rows that belong to it. Pure: the same rows tell the same story."""

from __future__ import annotations

import functools
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from felt_daemon.rules.library import BadPack, read_document
from felt_daemon.rules.settle import settled
from felt_daemon.story.holding import HoldStory, Who, holds_of, who_of
from felt_daemon.story.span import Point, between_s, point
from felt_daemon.story.timeline import Entry, RoundStory, rounds_of, timeline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from felt_daemon.story.belonging import Kept
    from felt_daemon.story.record import PublicRow, Said

# Which telling this is. It changes whenever the same rows would be told in other words, so that a bundle of
# an earlier release is not taken for a forged one.
TELLING = 1

Ending = Literal["open", "at once", "observed", "reported", "override"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """All that a story is made of.

    `first` is the row before the first that belongs (or that row, if it is the stream's first), `last` the
    last one that belongs. `start` is the start of the daemon before it all; `began` is the row that began the
    gaming day after that, if one did. `pack` is the text of the pack, if the journal has it.
    """

    epoch: str
    number: int
    kept: Sequence[Kept]
    first: PublicRow
    last: PublicRow
    start: PublicRow | None
    began: PublicRow | None
    pack: str | None


@dataclass(frozen=True, slots=True)
class Anchor:
    """A row by its number and hash, as the floor has it."""

    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class Directive:
    """What people were told to do, by its name in the pack and in its words."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class StartStory:
    """A start of the daemon, with the digests of what it ran on."""

    at: Anchor
    version: str
    start: str
    pack: str
    pack_digest: str
    config_digest: str
    software_digest: str
    reference: str
    reference_date: str
    gaming_day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """An incident as people read it. Nothing private is in it."""

    table: str
    number: int
    epoch: str
    simulated: bool
    row: str
    cite: tuple[str, ...]
    basis: str
    effect: str
    says: str
    note: str
    game: str
    source: str
    directives: tuple[Directive, ...]
    subject: str
    subject_id: str
    round: int | None
    refers_to: int | None
    times: int
    opened: Point
    closed: Point | None
    lasted_s: float | None
    rounds: int
    hands: int
    endings: tuple[Ending, ...]
    owners: tuple[Who, ...]
    holds: tuple[HoldStory, ...]
    timeline: tuple[Entry, ...]
    rounds_dealt: tuple[RoundStory, ...]
    starts: tuple[StartStory, ...]
    gaming_day: str
    began: Anchor | None
    first: Anchor
    last: Anchor

    @property
    def overridden(self) -> bool:
        """Whether any of its holds was let go although its remedy was not seen."""
        return "override" in self.endings


def tell(chapter: Chapter) -> Story:
    """Tell the story. Raises LookupError where the chapter has no row that opens the incident."""
    rows = [one.row for one in chapter.kept]
    opened = _one(rows, "incident-opened", chapter.number)
    if opened is None:
        raise LookupError(f"no row opens incident {chapter.number}")
    closed = _one(rows, "incident-closed", chapter.number)
    pack = _pack(chapter.pack or "", _elections(chapter.start))
    rule = pack.rule(str(opened.get("row", "")))
    holds = holds_of(rows, opened, rule)
    starts = [
        _start(row) for row in (chapter.start, *(r for r in rows if r.type == "started")) if row is not None
    ]
    return Story(
        number=chapter.number,
        epoch=chapter.epoch,
        simulated=any(row.simulated for row in rows),
        **_ruled(_one(rows, "ruling-made", chapter.number), pack, rule),
        **_about(opened),
        **_course(rows, opened, closed),
        endings=endings_of(holds, closed),
        owners=owners_of(rows),
        holds=holds,
        timeline=timeline(chapter.kept, opened, pack.reports),
        starts=tuple(starts),
        gaming_day=_gaming_day(chapter, starts),
        began=None if chapter.began is None else _anchor(chapter.began),
        first=_anchor(chapter.first),
        last=_anchor(chapter.last),
    )


def _ruled(made: Said | None, pack: _Pack, rule: Mapping[str, Any]) -> dict[str, Any]:
    """What was ruled and from which text: as the ruling says, and as the pack of that time does."""
    ruling: Mapping[str, Any] = made.whole if made is not None else {}
    return {
        "cite": tuple(ruling.get("cite", ())),
        "basis": str(ruling.get("basis", "")),
        "effect": str(ruling.get("effect", "")),
        "says": str(ruling.get("says", "")),
        "note": str(rule.get("note", "")),
        "game": str(pack.source.get("game", "")),
        "source": _source(pack.source),
        "directives": tuple(Directive(name, pack.directive(name)) for name in ruling.get("directives", ())),
    }


def _about(opened: Said) -> dict[str, Any]:
    """What the trouble is about, by the row that opened it."""
    return {
        "table": opened.stream,
        "row": str(opened.get("row", "")),
        "subject": str(opened.get("subject", "")),
        "subject_id": str(opened.get("subject_id", "")),
        "round": opened.context.get("round"),
        "refers_to": opened.get("refers_to"),
    }


def _course(rows: Sequence[Said], opened: Said, closed: Said | None) -> dict[str, Any]:
    """How long it went on, how often it came, and what was dealt meanwhile."""
    dealt = rounds_of(rows, opened)
    return {
        "times": max((row.get("times", 1) for row in rows if row.type == "incident-joined"), default=1),
        "opened": point(opened, opened),
        "closed": None if closed is None else point(closed, opened),
        "lasted_s": None if closed is None else between_s(opened, closed),
        "rounds": closed.get("rounds", 0) if closed is not None else len(dealt),
        "hands": closed.get("hands", 0) if closed is not None else sum(one.hands for one in dealt),
        "rounds_dealt": dealt,
    }


def document(story: Story) -> dict[str, Any]:
    """The story for JSON."""
    return asdict(story) | {"overridden": story.overridden}


class _Pack:
    """The words of a pack's text with the house's answers. It need not be one that this release could run."""

    def __init__(self, text: str, elections: Mapping[str, Any]) -> None:
        try:
            found = settled(read_document(text), elections)
        except BadPack:
            found = {}
        self.source: dict[str, Any] = found.get("source", {})
        self.reports: dict[str, str] = {
            word: str(about.get("says", word)) for word, about in found.get("reports", {}).items()
        }
        self._directives: dict[str, Any] = found.get("directives", {})
        self._rules: dict[str, dict[str, Any]] = {rule.get("id", ""): rule for rule in found.get("rules", ())}

    def rule(self, name: str) -> dict[str, Any]:
        """A rule by its id; empty for one that it does not have, such as the daemon's own."""
        return self._rules.get(name, {})

    def directive(self, name: str) -> str:
        """What people are told to do, or its bare name."""
        return str(self._directives.get(name, name))


@functools.lru_cache(maxsize=2)
def _pack(text: str, elections: str) -> _Pack:
    return _Pack(text, json.loads(elections))


def _elections(start: PublicRow | None) -> str:
    """What the house had elected, as JSON; nothing where no start tells it."""
    found = None if start is None else start.get("elections")
    return json.dumps(found if isinstance(found, dict) else {}, sort_keys=True)


def _one(rows: Sequence[Said], kind: str, number: int) -> Said | None:
    return next((row for row in rows if row.type == kind and row.get("incident") == number), None)


def _source(source: Mapping[str, Any]) -> str:
    if not source:
        return ""
    return f"58 Pa. Code Chapter {source.get('chapter')}, {source.get('bulletin')}, {source.get('standing')}"


def endings_of(holds: Sequence[HoldStory], closed: Said | None) -> tuple[Ending, ...]:
    """How its holds ended, an override first; it may be open still although some of them have."""
    found: set[Ending] = {one.how for one in holds if one.how is not None}
    if closed is None:
        found.add("open")
    elif not holds:
        found.add("at once")
    order: tuple[Ending, ...] = ("override", "open", "at once", "observed", "reported")
    return tuple(one for one in order if one in found)


def owners_of(rows: Sequence[Said]) -> tuple[Who, ...]:
    """Everybody who owned one of the incident's holds, in the order in which they took them."""
    found = [who_of(row.get("by")) for row in rows if row.type == "hold-acknowledged"]
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _start(row: PublicRow) -> StartStory:
    names = (
        "version",
        "pack",
        "pack_digest",
        "config_digest",
        "software_digest",
        "reference",
        "reference_date",
    )
    said = {name: str(row.get(name, "")) for name in names}
    return StartStory(at=_anchor(row), start=row.start, gaming_day=str(row.get("gaming_day", "")), **said)


def _anchor(row: PublicRow) -> Anchor:
    return Anchor(row.seq, row.hash.hex())


def _gaming_day(chapter: Chapter, starts: Sequence[StartStory]) -> str:
    """The gaming day in which the incident began."""
    if chapter.began is not None:
        return str(chapter.began.get("day", ""))
    return starts[0].gaming_day if starts else ""
