"""What the daemon asks of a clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_protocols.events import Moment


class Clock(Protocol):
    """The one source of time in the daemon.

    *Loop time* is `asyncio`'s: table timers run on it. *Link time* is what drivers see; in a simulated
    run it stands still while a leap moves everything else on, so that 24 hours are one step. Whoever
    schedules by link time looks again at `link_now()` when called, and waits on if it is too early.
    """

    simulated: bool
    # In a simulated run the ports that stand in for the configured ones: device id to path.
    ports: Mapping[str, str]
    # Set by the shell. True while rows wait for their commit, or while it waits for another process,
    # whose time is always real: in a simulated run time stands still meanwhile.
    busy: Callable[[], bool]
    # Set by the shell. For each device whose port is open: bytes read and written since it was opened.
    links: Callable[[], Mapping[str, tuple[int, int]]]

    @property
    def trusted(self) -> bool:
        """Whether the wall clock is synchronized now."""
        ...

    def moment(self, *, late: bool = False, age_s: float = 0.0) -> Moment:
        """The moment `age_s` seconds ago; `late` marks what is told long after it happened."""
        ...

    def link_now(self) -> float:
        """Seconds of link time."""
        ...

    def loop_time(self, link_t: float) -> float:
        """The loop's time, for `call_at`, at which it is this link time unless a leap comes first."""
        ...


def never_busy() -> bool:
    """What a clock takes for `busy` until the shell sets it."""
    return False


def no_links() -> Mapping[str, tuple[int, int]]:
    """What a clock takes for `links` until the shell sets it."""
    return {}
