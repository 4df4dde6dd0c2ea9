"""The story as one HTML page that needs nothing else: no script, no picture, no address outside of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.story.drawing import LEGEND, drawing
from felt_daemon.story.markup import apart, row, table, text
from felt_daemon.story.paper import STYLE
from felt_daemon.story.show import (
    PRIVATE,
    UNTRUSTED,
    about,
    ending,
    happened,
    hold_ended,
    meanwhile,
    overriders,
    start_facts,
    time_text,
)
from felt_daemon.story.span import clock_of, day_of, instant, length
from felt_daemon.story.words import held

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.story.holding import HoldStory
    from felt_daemon.story.telling import Story
    from felt_daemon.story.timeline import Entry

_HEAD = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
"""

# What a row is, said in letters beside its words.
_KINDS = {
    "cause": "cause",
    "ruling": "ruling",
    "hold": "hold",
    "escalation": "escalation",
    "override": "override",
    "person": "person",
    "refused": "refused",
    "device": "device",
    "order": "order",
    "round": "round",
    "daemon": "feltd",
}


def page(story: Story) -> str:
    """The whole page. The same story makes the same text."""
    return "".join(
        (
            _HEAD.format(title=text(f"Incident {story.number}, table {story.table}"), style=STYLE),
            *_top(story),
            *_holds(story),
            *_timeline(story),
            *_people(story),
            *_evidence(story),
            "</body>\n</html>\n",
        )
    )


def _top(story: Story) -> Iterator[str]:
    simulated = ' <span class="soft">(simulated)</span>' if story.simulated else ""
    loud = " loud" if story.overridden or story.closed is None else ""
    yield f"<header>\n<h1>Incident {story.number}, table {text(story.table)}{simulated}</h1>\n"
    yield f'<p class="says">{text(", ".join(story.cite) or "Own rule")}: {text(story.says)}</p>\n'
    yield f'<p class="status{loud}">{text(ending(story.endings))}</p>\n</header>\n'
    for hold in story.holds:
        if hold.how == "override":
            yield _override(hold)
    yield _pairs(_facts(story))
    if story.directives:
        items = "".join(f"<li>{text(one.words)}</li>" for one in story.directives)
        yield f"<h2>What people were told to do</h2>\n<ol>{items}</ol>\n"


def _override(hold: HoldStory) -> str:
    return (
        f'<div class="banner"><strong>OVERRIDE.</strong> Hold {hold.hold} on {text(hold.subject)}'
        f" {text(hold.subject_id)} was let go although its remedy was not seen, by {apart(overriders(hold))}."
        f" Reason: {apart(hold.reason)}</div>\n"
    )


def _facts(story: Story) -> Iterator[tuple[str, str]]:
    rule = f"{story.row}, a rule of our own: the text is silent" if not story.cite else story.row
    yield "Rule", text(f"{rule}{f' ({story.game}; {story.source})' if story.source else ''}")
    if story.note:
        yield "", text(story.note)
    yield "About", text(about(story))
    if story.refers_to is not None:
        yield "Refers to", f"incident {story.refers_to}"
    yield "Opened", text(instant(story.opened.utc, trusted=story.opened.trusted))
    if story.closed is not None:
        over = instant(story.closed.utc, trusted=story.closed.trusted)
        yield "Over", text(f"{over}, after {length(story.lasted_s)}")
    yield "Meanwhile", text(meanwhile(story.rounds, story.hands))
    if story.times > 1:
        yield "Fired", f"{story.times} times"
    yield "Owner", ", ".join(apart(who.brief) for who in story.owners) or "nobody"


def _holds(story: Story) -> Iterator[str]:
    if not story.holds:
        return
    yield "<h2>What was held</h2>\n"
    picture = drawing(story)
    if picture:
        yield f'{picture}<p class="soft">{text(LEGEND)}</p>\n'
    rows = "".join(
        row(
            str(hold.hold),
            text(f"{hold.subject} {hold.subject_id}"),
            f"{text(held(hold.gates, hold.stops))}<br>until {text(hold.until)}",
            "<br>".join(apart(happened(mark)) for mark in hold.marks) or "nobody",
            apart(hold_ended(hold)) + (f"<br>{apart(hold.reason)}" if hold.reason else ""),
            kind="override" if hold.how == "override" else "",
        )
        for hold in story.holds
    )
    yield table(("Hold", "On", "Kept", "Who", "End"), rows, "holds")


def _timeline(story: Story) -> Iterator[str]:
    yield "<h2>What happened</h2>\n"
    rows, day = "", ""
    for entry in story.timeline:
        if day_of(entry.at.utc) != day:
            day = day_of(entry.at.utc)
            rows += f'<tr class="day"><td colspan="4">{text(day)}</td></tr>\n'
        rows += row(
            text(time_text(entry.at)), str(entry.seqs[0]), _KINDS[entry.kind], _words(entry), kind=entry.kind
        )
    yield table(("UTC", "Row", "What", "Words"), rows, "timeline")
    if not all(entry.at.trusted for entry in story.timeline):
        yield f'<p class="soft">{text(UNTRUSTED)}</p>\n'


def _words(entry: Entry) -> str:
    who = f"<strong>{apart(entry.by.brief)}</strong>: " if entry.by is not None else ""
    until = f" Until {text(time_text(entry.until))}." if entry.until is not None else ""
    late = ' <span class="soft">(told late)</span>' if entry.late else ""
    return f"{who}{apart(entry.words)}{until}{late}"


def _people(story: Story) -> Iterator[str]:
    yield "<h2>Who did what, and how that is known</h2>\n"
    rows = "".join(
        row(
            f"{text(day_of(entry.at.utc))} {text(clock_of(entry.at.utc))}",
            apart(entry.by.name or "nobody named"),
            text(entry.by.role),
            apart(entry.by.proof),
            apart(entry.words),
            kind=entry.kind,
        )
        for entry in story.timeline
        if entry.by is not None
    )
    yield (
        table(("UTC", "Who", "As", "Known by", "What"), rows, "people")
        if rows
        else "<p>Nobody did anything.</p>\n"
    )


def _evidence(story: Story) -> Iterator[str]:
    yield "<h2>Where this comes from</h2>\n"
    yield f"<p>{text(PRIVATE)} README.txt tells how to check what stands here.</p>\n"
    facts = [("Epoch", _hash(story.epoch))]
    facts += [
        (name, f"{anchor.seq} {_hash(anchor.hash)}")
        for name, anchor in (("First row", story.first), ("Last row", story.last))
    ]
    for start in story.starts:
        facts += [(_capital(name), _hash(value)) for name, value in start_facts(start)]
    yield _pairs(facts)


def _capital(name: str) -> str:
    """A name as the others stand; the daemon's own is never written large."""
    return name if name == "feltd" else name.capitalize()


def _hash(words: str) -> str:
    return f'<span class="hash">{text(words)}</span>'


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and values; the values are HTML already."""
    lines = (f"<dt>{text(name)}</dt><dd>{value}</dd>" for name, value in pairs)
    return "\n".join(("<dl>", *lines, "</dl>\n"))
