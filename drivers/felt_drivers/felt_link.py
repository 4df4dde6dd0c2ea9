"""One device on Felt Link: the shell around its session.

Bytes that are readable become facts, and an inhibit that comes of them is written, within one callback
of the event loop. Nothing here decides anything: the session knows the protocol, the family's table
knows its events.
"""

from __future__ import annotations

import asyncio
import logging
from math import inf
from typing import TYPE_CHECKING

from felt_drivers.contract import Mark
from felt_drivers.diagnosis import Noise
from felt_drivers.facts import Malformed, translate
from felt_drivers.link_facts import link_fact
from felt_drivers.port.serial import SerialPort
from felt_drivers.pulse import Pulse
from felt_drivers.standing import Standing
from felt_drivers.supervise import Fuse
from felt_drivers.wishes import Wishes
from felt_protocols.errors import LinkLost
from felt_protocols.events import device as facts
from felt_protocols.link import items
from felt_protocols.link.host import HostSession
from felt_protocols.link.interlock import HOST_LOST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from felt_drivers.contract import Clock, Device, Take
    from felt_drivers.facts import Screen, Table
    from felt_protocols.events import Fact

LOG = logging.getLogger(__name__)

# An attempt that has heard the device for so long has worked.
SETTLED_S = 5.0
# The codes of faults that the driver tells of itself and of what it cannot read.
DRIVER_FAULT = "driver"
NOT_UNDERSTOOD = "not-understood"
_TICK_S = 1e-6


class FeltLink:
    """Drives one device. `session`: 64-bit number of this run; `last`: the last event committed."""

    def __init__(  # noqa: PLR0913 - a driver's whole world, each part given by name
        self,
        device: Device,
        *,
        table: Table,
        clock: Clock,
        take: Take,
        session: int,
        last: Mark | None = None,
        screen: Screen | None = None,
    ) -> None:
        self._device = device
        self._table = table
        self._clock = clock
        self._take = take
        self._number = session
        self._taken = self._committed = last
        self._session = self._new_session()
        self._port: SerialPort | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._armed_s = inf
        self._fuse = Fuse()
        self._ring = self._fuse.guard(self._rang)
        self._receive = self._fuse.guard(self._received)
        self._settled: Callable[[], None] | None = None
        self._wishes = Wishes(device.family, screen)
        self._unanswered: set[int] = set()
        self._broken = False
        # Why the device last showed itself inhibited.
        self._why: str | None = None
        self._standing = Standing()
        self._noise = Noise(clock.link_now())
        self._pulse = Pulse()

    @property
    def id(self) -> str:
        """The device's id in the configuration."""
        return self._device.id

    async def attend(self, settled: Callable[[], None]) -> None:
        """Open the port and serve it; ends only by raising `LinkLost` or whatever bug came up."""
        self._fuse.check()
        if self._broken:
            self._mend()
        self._disarm()
        self._arm()
        try:
            self._open(settled)
            await self._fuse.blown()
        except LinkLost:
            if self._shut():
                self._hung_up()
            raise
        finally:
            self._shut()

    def faulted(self, why: str) -> None:
        """A bug ended `attend`: tell the table, once until an attempt has settled.

        The session is not trusted any more; the next attempt begins with a new one.
        """
        self._disarm()
        if self._standing.hung_up():
            self._tell(facts.DeviceLost(device=self.id, why="link"))
        if not self._pulse.faulty:
            self._tell(facts.DeviceFaulted(device=self.id, code=DRIVER_FAULT, where=why[:64]))
        self._broken = self._pulse.faulty = True

    def close(self) -> None:
        """Let go of port and timer, for good."""
        self._disarm()
        self._shut()

    def overdue_s(self) -> float:
        """Seconds of link time since the session ought to have been woken."""
        return max(0.0, self._clock.link_now() - self._session.due())

    def inhibit(self, why: str, *, after_round: bool = False) -> None:
        """Stop the device, at once or after the round; said again until the device shows it."""
        when = "after-round" if after_round else "now"
        self._write(self._wishes.inhibit(self._session, why, when, self._clock.link_now()))
        self._arm()

    def prepare(self, why: str) -> None:
        """Have the inhibit for this reason ready, so that it only has to be written."""
        self._wishes.prepare(self._session, why)

    def release(self) -> None:
        """Wish the device no longer inhibited. Nothing is sent: only a permit frees it."""
        self._wishes.release(self._session)

    def order(self, number: tuple[str, int], name: str, args: Mapping[str, int | str | bool]) -> None:
        """Send an order that is committed as row `number` (epoch, seq); `OrderAnswered` comes of it."""
        data = self._session.order(name, args, number, self._clock.link_now())
        self._unanswered.add(number[1])
        self._write(data)
        self._arm()

    def show(self, lines: tuple[str, ...], lamps: Mapping[str, str]) -> None:
        """Wish people shown these lines and lamps, in place of whatever was wished before."""
        self._write(self._wishes.show(self._session, lines, lamps, self._clock.link_now()))
        self._arm()

    def acknowledge(self, mark: Mark) -> None:
        """Tell the device that its events up to `mark` are committed."""
        if self._taken is not None and mark.boot == self._taken.boot:
            self._committed = mark
        if not self._broken:
            self._write(self._session.acknowledge(mark.n, mark.boot))

    def renew(self, wish: bool) -> None:  # noqa: FBT001 - `renew(False)` reads as it is meant
        """Whether the leases of permits are renewed."""
        self._session.renew = wish

    def health(self) -> dict[str, object]:
        """How the device is heard, level by level: link, bytes, frames, facts; JSON types only."""
        now = self._clock.link_now()
        hello, shown = self._session.hello, self._session.shown
        return {
            "link": {
                "port": self._device.path,
                "open": self._port is not None,
                "session": self._session.state.name.lower(),
                "standing": self._standing.now,
                "diagnosis": self._noise.diagnosis(now),
            },
            **self._pulse.health(now, self._session.counters, self.links() or (0, 0)),
            "stale": self._standing.now != "heard",
            "firmware": "" if hello is None else hello.firmware,
            "state": "" if shown is None else shown.state,
            "inhibited": None if shown is None else shown.inhibited,
        }

    def links(self) -> tuple[int, int] | None:
        """Bytes read and bytes written since the port was opened; None while it is closed."""
        return None if self._port is None else (self._port.bytes_read, self._port.bytes_written)

    def _open(self, settled: Callable[[], None]) -> None:
        self._port = SerialPort(
            self._device.path,
            self._device.baud,
            self._clock,
            received=self._receive,
            lost=self._fuse.blow,
        )
        now = self._clock.link_now()
        self._settled = settled
        self._pulse.opened_s = now
        self._noise.cleared(now)
        self._carry(self._session.opened(now), now)
        self._arm()

    def _shut(self) -> bool:
        """Let go of the port; false when there was none."""
        port, self._port = self._port, None
        if port is None:
            return False
        self._pulse.left(port.bytes_read, port.bytes_written)
        port.close()
        return True

    def _hung_up(self) -> None:
        now = self._clock.link_now()
        why = self._standing.hung_up()
        if why is not None:
            self._tell(facts.DeviceLost(device=self.id, why=why))
        self._carry(self._session.closed(now), now)
        self._arm()

    def _received(self, data: bytes) -> None:
        now = self._clock.link_now()
        frames = self._session.counters.frames
        self._carry(self._session.receive(data, now), now)
        self._compare_why()
        self._pulse.bytes_s = now
        if self._session.counters.frames == frames:
            self._noise.heard(data)
        else:
            self._pulse.frame_s = now
            self._noise.cleared(now)
        self._arm()

    def _compare_why(self) -> None:
        """Tell when the device shows for the first time that nobody renewed its permit."""
        shown = self._session.shown
        if shown is not None and shown.why != self._why:
            self._why = shown.why
            if shown.why == HOST_LOST:
                self._tell(facts.LeaseLapsed(device=self.id))

    def _rang(self) -> None:
        """The session is due, or would be had time not leapt."""
        self._timer = None
        now = self._clock.link_now()
        due = self._session.due()
        if due <= now + _TICK_S:
            self._carry(self._session.elapsed(max(now, due)), now)
        self._look(now)
        self._arm()

    def _look(self, now: float) -> None:
        """See whether the attempt has settled, and whether bytes come that are no frames."""
        if self._settled is not None and self._pulse.heard_for_s(now) >= SETTLED_S:
            settled, self._settled = self._settled, None
            settled()
            if self._pulse.faulty:
                self._pulse.faulty = False
                self._tell(facts.DeviceCleared(device=self.id, code=DRIVER_FAULT))
        wrong = self._noise.news(now)
        if wrong:
            LOG.warning("%s: %s: %s", self.id, self._device.path, wrong)

    def _carry(self, found: Iterable[items.Item], now: float) -> None:
        """Carry out what the session says, in its order."""
        for item in found:
            if isinstance(item, items.Send):
                self._write(item.data)
            elif isinstance(item, items.Happened):
                self._happened(item, now)
            else:
                self._reported(item)

    def _happened(self, item: items.Happened, now: float) -> None:
        try:
            fact = translate(self._table, self.id, item.name, item.fields, item.n)
        except Malformed as malformed:
            fact = self._not_understood(str(malformed), item.n)
        self._pulse.fact_s = now
        self._take_event(fact, item.age_s, item.late, Mark(item.boot, item.n))

    def _reported(self, item: items.Item) -> None:
        """Tell what the session says about the link and about events that are no facts."""
        match item:
            case items.NotUnderstood(n, why, age_s, late, boot):
                self._take_event(self._not_understood(why, n), age_s, late, Mark(boot, n))
            case items.EventsLost(_, _, n, boot):
                self._take_event(link_fact(self.id, item), 0.0, late=True, mark=Mark(boot, n))
            case items.Stale(silent_s):
                if self._standing.silent():
                    self._tell(facts.DeviceStale(device=self.id, silent_ms=round(silent_s * 1000)))
            case items.Lost():
                self._silenced()
            case items.Back():
                self._heard()
            case items.Connected():
                self._connected(item)
            case items.Answered(number=(_, row)):
                self._unanswered.discard(row)
                self._tell(link_fact(self.id, item))
            case _:
                self._tell(link_fact(self.id, item))

    def _silenced(self) -> None:
        why = self._standing.gone()
        if why is not None:
            self._tell(facts.DeviceLost(device=self.id, why=why))
        if self._port is not None:
            # Closing the port drops what waits in it: a device that reads on some day shall not find
            # orders and leases of today. It also frees an adapter that hangs.
            self._fuse.blow(LinkLost("silent", f"{self._device.path}: nothing heard for 5 s"))

    def _connected(self, item: items.Connected) -> None:
        if not item.same_boot:
            # What an earlier boot has not told yet, it never will.
            self._taken = self._committed = Mark(item.hello.boot, item.hello.first - 1)
        self._tell(link_fact(self.id, item))
        self._heard()

    def _heard(self) -> None:
        if self._standing.heard():
            self._tell(facts.DeviceBack(device=self.id))

    def _not_understood(self, why: str, n: int) -> Fact:
        # It may have been a jam: what is not understood counts as a fault until the device restarts.
        self._pulse.not_understood += 1
        return facts.DeviceFaulted(device=self.id, code=NOT_UNDERSTOOD, where=why[:64], n=n)

    def _take_event(self, fact: Fact | None, age_s: float, late: bool, mark: Mark) -> None:  # noqa: FBT001 - as in `Take`
        self._taken = mark
        self._pulse.facts += 1
        if fact is not None:
            self._take(self.id, fact, age_s, late, mark)

    def _tell(self, fact: Fact | None) -> None:
        """Give the table a fact of the driver's own; None is none."""
        if fact is not None:
            self._take(self.id, fact, 0.0, False, None)  # noqa: FBT003 - as in `Take`

    def _write(self, data: bytes) -> None:
        if self._port is not None and data:
            self._port.write(data)

    def _arm(self) -> None:
        """Ring when the session is due; ringing too early does no harm, and arming costs."""
        due = self._session.due()
        if self._timer is not None:
            if self._armed_s <= due:
                return
            self._timer.cancel()
            self._timer = None
        if due < inf:
            self._armed_s = due
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(self._clock.loop_time(due), self._ring)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _new_session(self) -> HostSession:
        device, last = self._device, self._committed
        return HostSession(
            self._number,
            device.family,
            device.serial,
            device.digest,
            None if last is None else (last.boot, last.n),
            self._clock.link_now(),
        )

    def _mend(self) -> None:
        """Go on with a new session after a bug, from the last event that was taken.

        A session acknowledges what it begins with, so nothing may wait for its commit any more.
        """
        if self._taken != self._committed:
            raise LinkLost("journal behind", f"{self.id}: events wait for their commit")
        self._pulse.earlier_frames += self._session.counters.frames
        fresh = self._new_session()
        fresh.renew = self._session.renew
        self._wishes.again(fresh, self._clock.link_now())
        self._session, self._broken = fresh, False
        rows, self._unanswered = sorted(self._unanswered), set()
        for row in rows:
            self._tell(
                facts.OrderAnswered(device=self.id, order=row, result="unknown", why="driver-restarted")
            )
