"""Lines of a story, as a terminal shows them."""

from __future__ import annotations

import textwrap

WIDTH = 100
# The time that each line begins with, and what a line that goes on is set in by.
_TIME = 10
_DEEPER = 4


def wrapped(line: str) -> str:
    """The line, in as many of 100 columns as it takes; what follows stands under its text."""
    text = line[_TIME:]
    depth = _TIME + len(text) - len(text.lstrip()) + _DEEPER
    return textwrap.fill(
        line, WIDTH, subsequent_indent=" " * depth, break_long_words=False, break_on_hyphens=False
    )
