"""Time: the real clock of a table, and the clock of a simulated run, whose time a host gives out."""

from felt_daemon.clock.contract import Clock
from felt_daemon.clock.hosted import HostedClock, HostLost
from felt_daemon.clock.living import run
from felt_daemon.clock.real import RealClock

__all__ = ["Clock", "HostLost", "HostedClock", "RealClock", "run"]
