"""Points and lengths of time of a story, and how people read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from felt_daemon.story.record import Said

_NS_PER_S = 1_000_000_000
_US_PER_S = 1_000_000
_S_PER_MIN = 60
_S_PER_H = 3600
_S_PER_DAY = 86_400
_TENS_OF_S = 10


@dataclass(frozen=True, slots=True)
class Point:
    """When a row happened: its UTC text, whether that clock was trusted, and seconds since the opening.

    `after_s` is none where nobody can say: another boot, and a clock that was not trusted.
    """

    seq: int
    utc: str
    trusted: bool
    after_s: float | None


def between_s(first: Said, last: Said) -> float | None:
    """Seconds from a row to another: by the kernel's clock within one boot, else by a trusted wall clock."""
    if first.boot == last.boot:
        return (last.mono_ns - first.mono_ns) / _NS_PER_S
    if first.trusted and last.trusted and first.utc_us is not None and last.utc_us is not None:
        return (last.utc_us - first.utc_us) / _US_PER_S
    return None


def point(row: Said, opened: Said) -> Point:
    """When a row happened, seen from the opening of its incident."""
    return Point(row.seq, row.utc, row.trusted, between_s(opened, row))


def length(seconds: float | None) -> str:
    """A length of time in words, as exact as people need it."""
    if seconds is None:
        return "an unknown time"
    if seconds < _TENS_OF_S:
        return f"{max(0.0, seconds):.1f} s"
    whole = round(seconds)
    if whole < _S_PER_MIN:
        return f"{whole} s"
    if whole < _S_PER_H:
        return f"{whole // _S_PER_MIN} min {whole % _S_PER_MIN} s"
    if whole < _S_PER_DAY:
        return f"{whole // _S_PER_H} h {whole % _S_PER_H // _S_PER_MIN} min"
    return f"{whole // _S_PER_DAY} d {whole % _S_PER_DAY // _S_PER_H} h"


def day_of(utc: str) -> str:
    """The date of a UTC text."""
    return utc[:10]


def clock_of(utc: str) -> str:
    """The time of day of a UTC text, to the second."""
    return utc[11:19]


def instant(utc: str, *, trusted: bool) -> str:
    """A UTC text for people, marked where the clock was not trusted."""
    return f"{day_of(utc)} {clock_of(utc)} UTC" + ("" if trusted else " (clock not trusted)")


def plural(count: int, one: str) -> str:
    """A count with its noun."""
    return f"{count} {one}" if count == 1 else f"{count} {one}s"
