"""README.txt of a bundle: what it is, and how to check it with and without this program."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from felt_daemon.story.telling import Story

_TEXT = """\
Incident {number} of table {table}

incident.html   the story, for people: opens in any browser, and prints
incident.json   the story, and {rows} rows of the table's journal without a gap, from the row before the
                first that belongs to the incident to the last one
SHA256SUMS      the digests of the three other files

Private bodies (identities of cards and people, composition of decks) are not in here. The chain of hashes
can be checked without them, because each row carries their digest.


CHECKING IT WITH FELT

    felt journal verify {stem}.zip

It takes the whole bundle apart: every hash, every number, and whether the story is what these rows tell.


CHECKING IT BY HAND

1. The files (in the folder of the unpacked bundle):

    sha256sum -c SHA256SUMS

2. A row of "rows" in incident.json: `public` is the public body, byte for byte as it was recorded.

    publichash = SHA-256( public )
    envelope   = JSON object of boot, cause, clock, epoch, late, mono_ns, recorded_utc, seq, simulated,
                 start, stream, type, utc, v: keys in this order, no spaces, UTF-8. `epoch` is the one
                 at the end of this text
    hash       = SHA-256( previous, envelope, publichash, privatehash )

   A comma joins bytes with nothing between; the digests are 32 bytes each, written in hexadecimal here.
   `previous` is the `hash` of the row before, and each `seq` is one more than the last. `start` and `began`
   are rows of their own, further back in the journal; they are checked in the same way, each by itself.


WHAT IT PROVES

That no row between the first and the last was changed, left out, put in or moved. It cannot show by itself
that all of it was not forged together: compare these with the copy that the floor kept of the same rows
(the attributes `sequence` and `hash` of each event), or with the journal itself:

    epoch      {epoch}
{anchors}

    felt journal verify {stem}.zip --anchor {table}:{last_seq}:HASH
"""


def note(story: Story, rows: int) -> str:
    """The text of README.txt; `rows` is how many the bundle holds."""
    apart = (
        [("start", story.starts[0].at)] if story.starts and story.starts[0].at.seq < story.first.seq else []
    )
    if story.began is not None and story.began.seq < story.first.seq:
        apart.append(("began", story.began))
    anchors = (*apart, ("first row", story.first), ("last row", story.last))
    return _TEXT.format(
        number=story.number,
        table=story.table,
        rows=rows,
        stem=f"incident-{story.table}-{story.number}",
        epoch=story.epoch,
        last_seq=story.last.seq,
        anchors="\n".join(f"    {what:10} {anchor.seq:<9} {anchor.hash}" for what, anchor in anchors),
    )
