"""Text for whatever terminal, pipe or log it goes to: it never fails, and it never carries control codes."""

from __future__ import annotations

import locale
import sys
from typing import TextIO


def tell(text: str, stream: TextIO | None = None) -> None:
    """Write one line, or several, with what the stream cannot show replaced by a question mark.

    A character that cannot be seen is written as its escape, so that a name out of a file or a device
    cannot move the cursor or colour the screen.
    """
    out = sys.stdout if stream is None else stream
    out.write(shown(text, encoding_of(out)) + "\n")


def shown(text: str, encoding: str) -> str:
    """The text with control characters escaped and what `encoding` lacks replaced."""
    visible = "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)
    return visible.encode(encoding, errors="replace").decode(encoding)


def encoding_of(stream: TextIO) -> str:
    """What the reader of a stream can show.

    Under LC_ALL=C Python itself writes UTF-8 all the same (PEP 540), which such a terminal does not show.
    """
    if locale.setlocale(locale.LC_CTYPE) in {"C", "POSIX"}:
        return "ascii"
    return stream.encoding or "ascii"
