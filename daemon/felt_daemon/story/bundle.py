"""The bundle of an incident: its rows, its story, and how to check both. The same rows make the same bytes.

`incident.json` holds everything; the page and the note are made out of it alone, so that whoever has the rows
can make all of it again and compare.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from felt_daemon.story.note import note
from felt_daemon.story.page import page
from felt_daemon.story.record import PublicRow, row_document
from felt_daemon.story.telling import TELLING, Chapter, Story, document, tell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FORMAT = "felt-incident"
FORMAT_V = 1

JSON_NAME = "incident.json"
PAGE_NAME = "incident.html"
NOTE_NAME = "README.txt"
SUMS_NAME = "SHA256SUMS"
NAMES = (NOTE_NAME, SUMS_NAME, PAGE_NAME, JSON_NAME)

# The first time that a ZIP can say.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
_UNIX = 3


@dataclass(frozen=True, slots=True)
class Bundle:
    """What goes into `incident.json`: the chapter, and its whole range of rows without a gap."""

    chapter: Chapter
    rows: Sequence[PublicRow]


def stem(story: Story) -> str:
    """The bundle's name without an ending, `incident-table-7-12`."""
    return f"incident-{story.table}-{story.number}"


def files_of(bundle: Bundle) -> dict[str, bytes]:
    """Every file of the bundle by its name."""
    story = tell(bundle.chapter)
    files = {
        JSON_NAME: _json(bundle, story),
        PAGE_NAME: page(story).encode(),
        NOTE_NAME: note(story, len(bundle.rows)).encode(),
    }
    return files | {SUMS_NAME: sums(files)}


def sums(files: Mapping[str, bytes]) -> bytes:
    """The digests of files in the form of `sha256sum`, by name."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)).encode()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A ZIP of the files: sorted, of a fixed time, and stored, since compressors differ in their bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.create_system = _UNIX
            entry.external_attr = _MODE
            archive.writestr(entry, files[name])
    return out.getvalue()


def _json(bundle: Bundle, story: Story) -> bytes:
    """Keys sorted, and behind them the rows, one a line."""
    chapter = bundle.chapter
    pack = None
    if chapter.pack is not None and story.starts:
        pack = {"digest": story.starts[0].pack_digest, "text": chapter.pack}
    head: dict[str, Any] = {
        "began": None if chapter.began is None else row_document(chapter.began),
        "epoch": chapter.epoch,
        "format": FORMAT,
        "number": chapter.number,
        "pack": pack,
        "start": None if chapter.start is None else row_document(chapter.start),
        "story": document(story),
        "table": story.table,
        "telling": TELLING,
        "v": FORMAT_V,
    }
    text = json.dumps(head, ensure_ascii=False, indent=1, sort_keys=True)
    rows = ",\n".join(
        json.dumps(row_document(row), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        for row in bundle.rows
    )
    return f'{text.removesuffix("}").rstrip()},\n "rows": [\n{rows}\n ]\n}}\n'.encode()
