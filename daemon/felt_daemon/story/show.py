"""The story and the list of incidents on a terminal, as lines of text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from felt_daemon.story.markup import visible
from felt_daemon.story.span import clock_of, day_of, instant, length, plural
from felt_daemon.story.words import held

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from felt_daemon.story.holding import HoldStory, Mark
    from felt_daemon.story.span import Point
    from felt_daemon.story.summary import Summary
    from felt_daemon.story.telling import Ending, StartStory, Story
    from felt_daemon.story.timeline import Entry

PRIVATE = "Private bodies (identities of cards and people, composition of decks) are not shown."
UNTRUSTED = "~ before a time: the clock was not trusted then."

_ENDINGS: dict[Ending, str] = {
    "override": "OVERRIDDEN",
    "open": "STILL OPEN",
    "at once": "over at once",
    "observed": "remedy seen",
    "reported": "remedy reported",
}
_LABEL = 12


def ending(endings: Sequence[Ending]) -> str:
    """How an incident ended, an override first."""
    return ", ".join(_ENDINGS[one] for one in endings)


def meanwhile(rounds: int, hands: int) -> str:
    """What was dealt while an incident was open."""
    return f"{plural(rounds, 'round')} and {plural(hands, 'hand')} were dealt"


def happened(mark: Mark) -> str:
    """What happened to a hold, and how long after the incident began."""
    words = {"escalated": "escalated to the", "seen": "seen by", "owned": "owned by"}[mark.what]
    when = "at once" if mark.at.after_s == 0 else f"after {length(mark.at.after_s)}"
    return f"{words} {mark.to.replace('shift-manager', 'shift manager')} {when}"


def summary_lines(found: Sequence[Summary], width: int) -> Iterator[str]:
    """The list: two lines or three for an incident."""
    for one in found:
        cite = ", ".join(one.cite) or "own rule"
        head = f"{one.table}  {one.number}  {cite}  {one.row}  {one.subject} {one.subject_id}"
        yield _apart(head, ending(one.endings), width)
        over = f", {length(one.lasted_s)}" if one.closed is not None else f", {length(one.so_far_s)} so far"
        owners = ", ".join(who.brief for who in one.owners)
        owned = (
            f"; owned by {owners}" if owners else "; nobody owned it" if one.things and not one.closed else ""
        )
        times = f"; {one.times} times" if one.times > 1 else ""
        about = f"{instant(one.opened.utc, trusted=one.opened.trusted)}{over}; {plural(one.rounds, 'round')},"
        yield from _wrapped(f"{about} {plural(one.hands, 'hand')}{owned}{times}", "    ", width)
        for override in one.overrides:
            by = override.by.brief if override.by is not None else "nobody named"
            second = f", second person {override.second.brief}" if override.second is not None else ""
            text = f"*** OVERRIDE of hold {override.hold} by {by}{second}: {override.reason}"
            yield from _wrapped(text, "    ", width)


def story_lines(story: Story, width: int) -> Iterator[str]:
    """The whole story."""
    simulated = " (simulated)" if story.simulated else ""
    yield _apart(f"INCIDENT {story.number} of table {story.table}{simulated}", ending(story.endings), width)
    yield "=" * width
    yield from _overrides(story, width)
    yield from _facts(story, width)
    yield from _section("HOLDS", [line for hold in story.holds for line in _hold(hold, width)])
    yield from _section("WHAT HAPPENED (time in UTC, row, words)", list(_timeline(story, width)))
    yield from _section("WHO DID WHAT", list(_people(story, width)))
    yield from _section("WHERE THIS COMES FROM", list(_evidence(story, width)))
    yield ""
    yield from _wrapped(PRIVATE, "", width)


def _overrides(story: Story, width: int) -> Iterator[str]:
    for hold in story.holds:
        if hold.how == "override":
            yield "*" * width
            text = f"OVERRIDE: hold {hold.hold} was let go although its remedy was not seen"
            yield from _wrapped(f"{text}, by {overriders(hold)}. Reason: {hold.reason}", "", width)
            yield "*" * width


def overriders(hold: HoldStory) -> str:
    """Who overrode a hold, and how that is known."""
    by = hold.by.full if hold.by is not None else "nobody named"
    return by if hold.second is None else f"{by}, with {hold.second.full} as second person"


def _facts(story: Story, width: int) -> Iterator[str]:
    own = "own rule; the text is silent"
    yield from _labelled("ruling", f"{', '.join(story.cite) or own} ({story.row})", width)
    yield from _labelled("", story.says, width)
    if story.note:
        yield from _labelled("", story.note, width)
    yield from _labelled("about", about(story), width)
    if story.refers_to is not None:
        yield from _labelled("refers to", f"incident {story.refers_to}", width)
    yield from _labelled("opened", instant(story.opened.utc, trusted=story.opened.trusted), width)
    if story.closed is not None:
        over = instant(story.closed.utc, trusted=story.closed.trusted)
        yield from _labelled("over", f"{over}, after {length(story.lasted_s)}", width)
    yield from _labelled("meanwhile", meanwhile(story.rounds, story.hands), width)
    if story.times > 1:
        yield from _labelled("fired", f"{story.times} times", width)
    yield from _labelled("owner", ", ".join(who.brief for who in story.owners) or "nobody", width)
    for number, directive in enumerate(story.directives, 1):
        yield from _labelled("to do" if number == 1 else "", f"{number}. {directive.words}", width)


def about(story: Story) -> str:
    """What the incident is about, and when in the day of the house."""
    here = "" if story.round is None or story.subject == "round" else f", in round {story.round}"
    day = f"; gaming day {story.gaming_day}" if story.gaming_day else ""
    return f"{story.subject} {story.subject_id}{here}{day}"


def hold_ended(hold: HoldStory) -> str:
    """How a hold ended."""
    if hold.ended is None:
        return "STILL HELD"
    how = {"observed": "its remedy was seen", "reported": "its remedy was reported", "override": "OVERRIDDEN"}
    by = f" by {hold.by.brief}" if hold.by is not None else ""
    dealt = f"{plural(hold.rounds, 'round')} and {plural(hold.hands, 'hand')} since it began"
    return f"ended after {length(hold.lasted_s)}: {how[hold.how or 'observed']}{by}; {dealt}"


def _hold(hold: HoldStory, width: int) -> Iterator[str]:
    keeps = held(hold.gates, hold.stops)
    yield from _labelled(f"hold {hold.hold}", f"{hold.subject} {hold.subject_id}: {keeps}", width)
    yield from _labelled("", f"until {hold.until}", width)
    told = [happened(mark) for mark in hold.marks]
    if hold.cause_gone is not None:
        told.append(f"cause gone after {length(hold.cause_gone.after_s)}")
    if told:
        yield from _labelled("", "; ".join(told), width)
    yield from _labelled("", hold_ended(hold), width)
    if hold.note:
        yield from _labelled("", hold.note, width)


def _timeline(story: Story, width: int) -> Iterator[str]:
    day, clock = "", ""
    for entry in story.timeline:
        if day_of(entry.at.utc) != day:
            day, clock = day_of(entry.at.utc), ""
            yield f"  {day}"
        now = time_text(entry.at)
        head = f"  {now if now != clock else '':10}{entry.seqs[0]:>8}  "
        clock = now
        yield from _wrapped(entry_words(entry), head, width)
    if not all(entry.at.trusted for entry in story.timeline):
        yield f"  {UNTRUSTED}"


def time_text(at: Point) -> str:
    """The time of day of a point, marked where the clock was not trusted."""
    return f"{'' if at.trusted else '~'}{clock_of(at.utc)}"


def entry_words(entry: Entry) -> str:
    """An entry's words, with who it was, until when it went on, and whether it was told late."""
    who = f"{entry.by.brief}: " if entry.by is not None else ""
    until = f" Until {time_text(entry.until)}." if entry.until is not None else ""
    late = " (told late)" if entry.late else ""
    return f"{who}{entry.words}{until}{late}"


def _people(story: Story, width: int) -> Iterator[str]:
    deeds = [entry for entry in story.timeline if entry.by is not None]
    if not deeds:
        yield "  nobody did anything about it"
    for entry in deeds:
        assert entry.by is not None  # noqa: S101 - it was looked at above
        head = f"  {time_text(entry.at):10}"
        yield from _wrapped(f"{entry.by.full}: {entry.words}", head, width)


def _evidence(story: Story, width: int) -> Iterator[str]:
    yield from _labelled("epoch", story.epoch, width)
    yield from _labelled("first row", f"{story.first.seq}  {story.first.hash}", width)
    yield from _labelled("last row", f"{story.last.seq}  {story.last.hash}", width)
    for start in story.starts:
        yield from _start(start, width)


def start_facts(start: StartStory) -> Iterator[tuple[str, str]]:
    """What a start of the daemon recorded: names and values."""
    yield "feltd", f"{start.version}, run {start.start}, started in row {start.at.seq}"
    yield "pack", f"{start.pack}  {start.pack_digest}"
    yield "settings", start.config_digest
    yield "software", start.software_digest or "not recorded"
    yield "submission", f"{start.reference} of {start.reference_date}"


def _start(start: StartStory, width: int) -> Iterator[str]:
    for name, value in start_facts(start):
        yield from _labelled(name, value, width)


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from lines


def _labelled(label: str, text: str, width: int) -> Iterator[str]:
    yield from _wrapped(text, f"  {label:{_LABEL}}", width)


def _wrapped(text: str, head: str, width: int) -> Iterator[str]:
    """Lines of at most `width` columns, the further ones set in as far as the first."""
    yield from textwrap.wrap(
        visible(text), width, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
    ) or [head.rstrip()]


def _apart(left: str, right: str, width: int) -> str:
    """Two texts at the two ends of a line."""
    return f"{left}{' ' * max(2, width - len(left) - len(right))}{right}"
