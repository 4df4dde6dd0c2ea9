"""Judges who may be accepted at a port, and says so without flooding line or log."""

from collections import deque
from math import inf
from typing import Final

from felt_protocols.link.items import RefusedDevice
from felt_protocols.link.messages import Hello, Refused

WRONG_FAMILY: Final = "wrong-family"
UNKNOWN_SERIAL: Final = "unknown-serial"
DIGEST_CHANGED: Final = "digest-changed"
OTHER_VERSION: Final = "version"
LEAKS_ORDER: Final = "leaks-order"
NUMBERS_WENT_BACK: Final = "numbers-went-back"

ANSWER_S: Final = 1.0
"""A device is refused at most once in a second, however often it says HELLO."""

BARRED_MOST: Final = 16
PAST_BOOTS: Final = 8


class Gatekeeper:
    """Knows which device is expected, which are barred, and which boots are over."""

    __slots__ = (
        "_barred",
        "_barred_boot",
        "_digest",
        "_family",
        "_past",
        "_quiet_until_s",
        "_serial",
        "_told",
    )

    def __init__(self, family: str, serial: str | None, digest: bytes | None) -> None:
        self._family = family
        self._serial = serial
        self._digest = digest
        self._barred: set[str] = set()
        self._barred_boot: tuple[str, int] | None = None
        self._past: deque[tuple[str, int]] = deque(maxlen=PAST_BOOTS)
        self._told: RefusedDevice | None = None
        self._quiet_until_s = -inf

    def judge(self, hello: Hello) -> str | None:
        """Say why the device is not accepted, or None when it is."""
        if hello.family != self._family:
            return WRONG_FAMILY
        if self._serial is not None and hello.serial != self._serial:
            return UNKNOWN_SERIAL
        if self._digest is not None and hello.digest != self._digest:
            return DIGEST_CHANGED
        # A device that changes its serial to come back does not make the set grow for ever.
        if hello.serial in self._barred or len(self._barred) >= BARRED_MOST:
            return LEAKS_ORDER
        return NUMBERS_WENT_BACK if (hello.serial, hello.boot) == self._barred_boot else None

    def bar_leak(self, hello: Hello) -> None:
        """Accept this device no more: it has offered the order of undealt cards."""
        self._barred.add(hello.serial)

    def bar_boot(self, hello: Hello) -> None:
        """Accept this device no more before it has booted again: it counts its events anew."""
        self._barred_boot = (hello.serial, hello.boot)

    def supersede(self, serial: str, boot: int) -> None:
        """Note that the device's boot is over."""
        self._past.append((serial, boot))

    def superseded(self, hello: Hello) -> bool:
        """Say whether a HELLO is of a boot that is over: an echo from before."""
        return (hello.serial, hello.boot) in self._past

    def refuse(self, why: str, hello: Hello | None, now: float) -> list[Refused | RefusedDevice]:
        """Give the answer to a device that is not accepted, and the news of it when it is new."""
        if now < self._quiet_until_s:
            return []
        self._quiet_until_s = now + ANSWER_S
        news = RefusedDevice(why, hello)
        if self._told is not None and _same(news, self._told):
            return [Refused(why)]
        self._told = news
        return [Refused(why), news]

    def opened(self) -> None:
        """Forget what was told: the port was opened anew."""
        self._told = None
        self._quiet_until_s = -inf

    def leap(self, by_s: float) -> None:
        """Move the time of the next answer along with a simulated clock that leaps."""
        self._quiet_until_s += by_s


def same_boot(hello: Hello, accepted: Hello) -> bool:
    """Say whether a HELLO is another answer of a device that is accepted already."""
    return hello.serial == accepted.serial and hello.boot == accepted.boot


def _same(news: RefusedDevice, told: RefusedDevice) -> bool:
    """Compare but for the uptime and the oldest event, which change while the device waits."""
    if news.hello is None or told.hello is None:
        return news == told
    return news.why == told.why and _identity(news.hello) == _identity(told.hello)


def _identity(hello: Hello) -> tuple[str, str, bytes, int]:
    return hello.family, hello.serial, hello.digest, hello.boot
