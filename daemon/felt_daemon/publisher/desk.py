"""All that outlives a connection: one table's delivery, picture and fold, and what is told of them."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from felt_daemon.publisher.acks import Refused, Told, read
from felt_daemon.publisher.consumers import Returned, Suspended
from felt_daemon.publisher.lane import DeadLetter, Freed, Held, Taken
from felt_daemon.publisher.post import Post
from felt_protocols import topics

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping

    from felt_daemon.publisher.delivery import Delivery, Item
    from felt_daemon.publisher.fold import Fold
    from felt_daemon.publisher.intake import Intake
    from felt_daemon.publisher.picture import Picture
    from felt_daemon.publisher.report import Line
    from felt_daemon.publisher.source import Source

T = TypeVar("T")
Health = dict[str, Any]

# A picture that changes faster than this is sent at this pace; events never wait for it.
PICTURE_EVERY_S = 0.05
# So long after the floor's birth, at most, so that not all tables speak at once.
BIRTH_JITTER_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The caller's clock (monotonic seconds), dice (a number between two) and way to report."""

    now: Callable[[], float]
    dice: Callable[[float, float], float]
    report: Callable[[Line], None]


class Desk:
    """One table, as it is to be told and asked. `wake` is set whenever there may be something to do."""

    # The connection is to be made anew as soon as nothing is on its way.
    renewing = False
    # What time it is, in microseconds since 1970; None while nobody can say.
    utc_us: int | None = None
    # The whole picture was asked for.
    pictured = False

    def __init__(  # noqa: PLR0913 - what a table is told from, the last by keyword
        self,
        source: Source,
        fold: Fold[Any],
        delivery: Delivery,
        picture: Picture,
        world: World,
        *,
        intake: Intake | None = None,
        composition: Collection[str] = (),
    ) -> None:
        self.table = source.stream
        self.source = source
        self.delivery = delivery
        self.lane = delivery.lane
        self.post = Post(source, delivery.lane.dead, composition)
        # What a topic of a consumer's acknowledgements begins with.
        self.acks = topics.acks_filter(source.stream).removesuffix("+")
        self.picture = picture
        # Requests and their answers; None where no commands are taken.
        self.intake = intake
        self.now = world.now
        self.dice = world.dice
        self.wake = asyncio.Event()
        # What is done as soon as rows are committed: a session that waits sends their events.
        self.hurry: Callable[[], None] = self.wake.set
        self.left = asyncio.Event()
        self.leaving = ""
        self.leave_at = float("inf")
        self._fold = fold
        self._report = world.report
        self._told_acks = Told(world.now())
        self._cursors: dict[str, int] = {}
        self._standings: dict[str, str] = {}
        self._health: Mapping[str, Health] = {}
        # Why the journal cannot be written; None while it is.
        self._unwritten: Mapping[str, str] | None = None
        self._shown_at = float("-inf")
        self._stale = True

    # What the device process tells.

    def committed(self, seq: int) -> None:
        """The journal has the rows up to `seq`."""
        if seq > self.lane.head:
            self.lane.committed(seq)
            self.hurry()

    def health(self, devices: Mapping[str, Health]) -> None:
        """The health of the table's devices, which is no row."""
        self._health = devices
        self._stale = True
        self.wake.set()

    def journal(self, trouble: Mapping[str, str] | None) -> None:
        """Why the journal cannot be written, which can be no row, or None: shown at once, at no pace."""
        self._unwritten = trouble
        self._stale = True
        self._shown_at = float("-inf")
        self.wake.set()

    def noted(self, noted: Iterable[str]) -> None:
        """The journal knows these retained topics now."""
        self.picture.note(noted)
        self.wake.set()

    def skipped(self, seq: int) -> None:
        """The journal has a row about the dead letter `seq`."""
        self.carry_out(self.delivery.skip(seq, self.now()))
        self.wake.set()

    def replay(self, consumer: str, after: int) -> None:
        """A command asks that a consumer be sent again what stands behind `after`."""
        if not self.delivery.order(consumer, after, self.now()):
            self.trouble(f"no replay for {consumer} from row {after}: nothing follows, or too many wait")
        self.wake.set()

    def snapshot(self) -> None:
        """A command asks for the whole picture."""
        self.pictured = True
        self.wake.set()

    def answer(self, client: str, said: dict[str, Any]) -> None:
        """What became of a request."""
        if self.intake is not None:
            self.intake.answer(client, said)
            self.wake.set()

    def clock(self, now_us: int | None) -> None:
        """What time it is; None while nobody can say."""
        self.utc_us = now_us
        if self.intake is not None:
            self.intake.clock(now_us)

    def leave(self, reason: str, limit_s: float) -> None:
        """Send what is left, for `limit_s` seconds at most, then go offline for this reason."""
        if not self.leaving:
            self.leaving = reason
            self.leave_at = self.now() + limit_s
            self.left.set()
        self.wake.set()

    def renew(self) -> None:
        """Make the connection anew, with nothing on its way."""
        self.renewing = True
        self.wake.set()

    # What a session needs.

    async def unless_leaving(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Wait for work, or give it up as soon as it is time to leave."""
        task = asyncio.create_task(work)
        left = asyncio.create_task(self.left.wait())
        try:
            await asyncio.wait((task, left), return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() else None
        finally:
            left.cancel()
            task.cancel()
            await asyncio.wait((task, left))

    async def catch_up(self) -> None:
        """Fold the whole journal up to now."""
        self.lane.committed(self.source.head())
        await self._fold.catch_up(self.lane.head)

    def refresh(self) -> None:
        """Fold some of what is new and, at its pace, show it."""
        if self._fold.seq < self.lane.head:
            self._stale = True
            if self._fold.advance(self.lane.head):
                self.wake.set()
        if self._stale and self.now() >= self._shown_at + PICTURE_EVERY_S:
            self._stale = False
            self._shown_at = self.now()
            self.picture.show(self._pictures(), self._fold.seq, self._fold.hash)
            if fresh := self.picture.unknown():
                self._report({"retained": fresh})

    def refresh_due(self) -> float | None:
        """When `refresh` has something to show, if nothing else happens."""
        return self._shown_at + PICTURE_EVERY_S if self._stale else None

    def is_birth(self, payload: bytes) -> bool:
        """Whether this payload of the floor's status says that the floor is there."""
        try:
            said: object = json.loads(payload)
        except (ValueError, RecursionError):
            return False
        return isinstance(said, dict) and cast("dict[str, object]", said).get("online") is True

    def birth_jitter_s(self) -> float:
        """How long to wait with the answer to a birth."""
        return self.dice(0.0, BIRTH_JITTER_S)

    def acked(self, consumer: str, payload: bytes, *, retained: bool) -> bool:
        """A message came on a consumer's topic; whether it counts."""
        if not payload:
            return False  # somebody has cleared it
        consumers = self.delivery.consumers
        ack = read(consumer, payload, consumers=consumers, epoch=self.source.epoch, head=self.lane.head)
        if isinstance(ack, Refused):
            if self._told_acks.fresh(ack, self.now()):
                refused = {"consumer": ack.consumer, "why": ack.why, "said": ack.said}
                self._report({"ack_refused": refused, "stream": self.table})
            return False
        self.carry_out(self.delivery.acked(consumer, ack.seq, self.now(), retained=retained))
        return True

    # What is told to the device process.

    def tell_positions(self) -> None:
        """Report how far everybody is and how each consumer stands, as far as that has changed."""
        cursors = self.delivery.cursors()
        if moved := {name: seq for name, seq in cursors.items() if self._cursors.get(name) != seq}:
            self._cursors = cursors
            self._report({"cursors": {self.table: moved}})
        standings = self.delivery.standings()
        if standings != self._standings:
            self._standings = standings
            self._report({"consumers": {self.table: standings}})

    def carry_out(self, items: Iterable[Item]) -> None:
        """Report what the delivery has to say; positions are told by `tell_positions`."""
        for item in items:
            match item:
                case Taken():
                    pass
                case Held(seq, why, code):
                    self._report({"lane": why, "stream": self.table, "seq": seq, "code": code})
                case Freed(seq):
                    self._report({"lane": None, "stream": self.table, "seq": seq, "code": 0})
                case DeadLetter(seq):
                    self._report({"dead_letter": seq, "stream": self.table})
                case Suspended(consumer, seq):
                    self._report({"suspended": consumer, "stream": self.table, "seq": seq})
                case Returned(consumer, seq):
                    self._report({"returned": consumer, "stream": self.table, "seq": seq})

    def trouble(self, text: str) -> None:
        """Something is wrong that only people can put right."""
        self._report({"trouble": text, "stream": self.table})

    def certificate(self, said: dict[str, str]) -> None:
        """Something about certificates, as `report.py` has it."""
        self._report({"certificate": said, "stream": self.table})

    def broker(self, *, up: bool, why: str = "") -> None:
        """The broker is reached, or is not."""
        self._report({"broker": "up" if up else "down", "stream": self.table, "why": why})

    def _pictures(self) -> dict[str, dict[str, Any]]:
        pictures = dict(self._fold.picture())
        for device, health in self._health.items():
            key = f"device/{device}"
            if key in pictures:
                pictures[key] = {**pictures[key], "health": health}
        if self._unwritten is not None:
            pictures["state"] = {**pictures["state"], "journal": self._unwritten}
        return pictures
