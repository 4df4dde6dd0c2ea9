"""Points in time as the journal writes them: RFC 3339, UTC, microseconds, Z."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# 9999-12-31T23:59:59.999999Z, the last that four digits of a year can say.
LAST_UTC_US = 253_402_300_799_999_999


def utc_text(utc_us: int) -> str:
    """Return microseconds since 1970 as text, always 27 characters, so that text order is time order."""
    moment = _EPOCH + timedelta(microseconds=utc_us)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def utc_us(text: str) -> int:
    """Return the microseconds since 1970 of an RFC 3339 text; raises ValueError if it is none."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} names no time zone")
    return (moment - _EPOCH) // _MICROSECOND
