"""What ends a round before its end."""

from __future__ import annotations


class RoundVoid(Exception):  # noqa: N818 - that is what the screen says
    """The screen says that the round is void."""


class Stuck(Exception):  # noqa: N818 - the name says how people are
    """The dealer does not know how to go on; the text says what the screen shows."""
