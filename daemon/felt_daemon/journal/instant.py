"""Points in time as the journal writes them: RFC 3339, UTC, microseconds, Z."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# 9999-12-31T23:59:59.999999Z, the last that four digits of a year can say.
LAST_UTC_US = 253_402_300_799_999_999


def utc_text(utc_us: int) -> str:
    """Return microseconds since 1970 as text, always 27 characters, so that text order is time order."""
    second, microsecond = divmod(utc_us, 1_000_000)
    return f"{_second(second)}.{microsecond:06}Z"


@lru_cache(maxsize=64)
def _second(second: int) -> str:
    """Rows come many to a second."""
    moment = _EPOCH + timedelta(seconds=second)
    return moment.isoformat(timespec="seconds").removesuffix("+00:00")


def utc_us(text: str) -> int:
    """Return the microseconds since 1970 of an RFC 3339 text; raises ValueError if it is none."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} names no time zone")
    return (moment - _EPOCH) // _MICROSECOND
