"""One device's trouble is its own: attempts, back-off, logs, and drivers that break."""

# A bug is put where users cannot reach.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from felt_drivers import shoe
from felt_drivers.felt_link import FeltLink
from felt_drivers.supervise import Supervisor, TakeFailed
from felt_protocols.errors import LinkLost
from felt_protocols.events import card, device

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.drivers.conftest import Bench, Told

    from felt_drivers.contract import Mark

pytestmark = pytest.mark.asyncio


class Puppet:
    """A driver that does what a test says; all but `attend` is as quiet as can be."""

    def __init__(self, name: str, attend: Callable[[Callable[[], None]], Any]) -> None:
        self.id = name
        self.attempts = 0
        self.closed = 0
        self.faults: list[str] = []
        self.late_s = 0.0
        self._attend = attend

    async def attend(self, settled: Callable[[], None]) -> None:
        """Do what the test says."""
        self.attempts += 1
        await self._attend(settled)

    def faulted(self, why: str) -> None:
        """Keep the fault."""
        self.faults.append(why)

    def close(self) -> None:
        """Count."""
        self.closed += 1

    def overdue_s(self) -> float:
        """What the test says."""
        return self.late_s

    def inhibit(self, why: str, *, after_round: bool = False) -> None:
        """Nothing."""

    def prepare(self, why: str) -> None:
        """Nothing."""

    def release(self) -> None:
        """Nothing."""

    def order(self, number: tuple[str, int], name: str, args: Mapping[str, int | str | bool]) -> None:
        """Nothing."""

    def show(self, lines: tuple[str, ...], lamps: Mapping[str, str]) -> None:
        """Nothing."""

    def acknowledge(self, mark: Mark) -> None:
        """Nothing."""

    def renew(self, wish: bool) -> None:  # noqa: FBT001 - as in `Driver`
        """Nothing."""

    def health(self) -> dict[str, object]:
        """Nothing."""
        return {}

    def links(self) -> tuple[int, int] | None:
        """Nothing."""
        return None


async def _for_ever(_settled: Callable[[], None]) -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("speed", [600], indirect=True)
async def test_an_absent_port_costs_few_attempts_and_fewer_lines_in_ten_minutes(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = bench.supervise(bench.driver("shoe"))
    await bench.pass_time(600)
    health = supervisor.health()["shoe"]
    attempts = health["attempts"]
    assert isinstance(attempts, int)
    assert 20 <= attempts <= 40
    lines = [record.message for record in caplog.records]
    path = bench.folder / "shoe"
    assert lines[0] == f"shoe: port absent: {path}: nothing there"
    assert len(lines) <= 3
    assert all(line.startswith(f"shoe: still: port absent: {path}") for line in lines[1:])
    assert bench.ledger.names() == ["DeviceLost"]
    assert bench.ledger.facts("DeviceLost") == [device.DeviceLost(device="shoe", why="never-seen")]


@pytest.mark.parametrize("speed", [20], indirect=True)
async def test_a_device_that_comes_late_heals_by_itself(bench: Bench) -> None:
    bench.supervise(bench.driver("shoe"))
    far = bench.far("shoe")
    await bench.until(lambda: "DeviceLost" in bench.ledger.names())
    assert bench.clock.link_now() >= 5.0
    far.plug()
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    assert bench.ledger.names() == ["DeviceLost", "DeviceConnected", "DeviceBack", "DeviceDrained"]


@pytest.mark.parametrize("speed", [4], indirect=True)
async def test_a_pulled_plug_is_lost_once_and_back_once_under_the_same_name(bench: Bench) -> None:
    supervisor, [shoe_end] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    shoe_end.pull()
    pulled = bench.clock.link_now()
    await bench.until(lambda: "DeviceLost" in bench.ledger.names())
    assert bench.clock.link_now() - pulled < 0.5
    assert supervisor.links() == {}
    shoe_end.happen("stack", size=7)
    await bench.pass_time(0.5)
    shoe_end.plug()
    await bench.until(lambda: bench.ledger.names()[-1] == "DeviceDrained")
    assert bench.ledger.names()[2:] == [
        "DeviceLost",
        "DeviceConnected",
        "DeviceBack",
        "StackDispensed",
        "DeviceDrained",
    ]
    assert bench.ledger.facts("DeviceLost") == [device.DeviceLost(device="shoe", why="link")]
    [first, second] = bench.ledger.facts("DeviceConnected")
    assert isinstance(second, device.DeviceConnected)
    assert second.same_boot
    assert first != second


@pytest.mark.parametrize("speed", [10], indirect=True)
async def test_an_unread_peer_slows_nobody(bench: Bench) -> None:
    _, [deaf, shaker_end] = bench.table(shoe="shoe", shaker="shaker")
    await bench.until(lambda: bench.ledger.names().count("DeviceDrained") == 2)
    deaf.turn_deaf()
    wrote = bench.ledger.drivers["shoe"]
    for round_number in range(2000):
        wrote.inhibit(f"test-{round_number % 7}")
    for _ in range(20):
        start = asyncio.get_running_loop().time()
        shaker_end.happen("shaken")
        await bench.until(lambda: shaker_end.session.due() == float("inf"))
        assert asyncio.get_running_loop().time() - start < 0.25
    deaf.listen()
    await bench.until(lambda: bench.ledger.names("shoe")[-1] == "DeviceDrained", within_s=20)
    assert deaf.session.why == "test-4", "the wish as it was last: 1999 % 7 == 4"


@pytest.mark.parametrize("speed", [10], indirect=True)
async def test_a_bug_in_a_table_faults_that_device_only_and_loses_nothing(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    broken = {"now": True}

    def buggy(fields: dict[str, Any]) -> card.StackDispensed:
        if broken["now"]:
            raise ValueError(f"secret {fields['size']}")
        return card.StackDispensed.model_validate(fields)

    ends = [bench.far("shoe", "shoe"), bench.far("shaker", "shaker")]
    for end in ends:
        end.plug()
    supervisor = bench.supervise(
        bench.driver("shoe", table={**shoe.FACTS, "stack": buggy}), bench.driver("shaker", "shaker")
    )
    await bench.until(lambda: bench.ledger.names().count("DeviceDrained") == 2)
    ends[0].happen("jam", where="gate")
    ends[0].happen("stack", size=7)
    ends[0].happen("jam", where="exit")
    await bench.until(lambda: supervisor.health()["shoe"]["failures"] == 3)
    ends[1].happen("shaken")
    await bench.until(lambda: "ShakerShaken" in bench.ledger.names())
    assert bench.ledger.facts("DeviceFaulted") == [
        device.DeviceFaulted(device="shoe", code="driver", where="ValueError")
    ]
    assert len(bench.ledger.facts("ShoeJammed")) == 1, "nothing overtakes the event that breaks the driver"
    assert supervisor.health()["shaker"]["failures"] == 0
    first = supervisor.health()["shoe"]["first_failure"]
    assert isinstance(first, dict)
    assert first["what"] == "bug"
    assert "ValueError at test_supervisor.py" in first["why"]
    bugs = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(bugs) == 1
    assert bugs[0].message.startswith("shoe: driver bug: ValueError at test_supervisor.py")
    assert "in _happened" in bugs[0].message
    assert "secret 7" not in caplog.text

    broken["now"] = False
    await bench.until(lambda: "DeviceCleared" in bench.ledger.names(), within_s=20)
    assert [each.mark.n for each in bench.ledger.told if each.device == "shoe" and each.mark] == [1, 2, 3]
    assert bench.ledger.facts("DeviceCleared") == [device.DeviceCleared(device="shoe", code="driver")]
    assert supervisor.health()["shoe"]["first_failure"] == first


@pytest.mark.parametrize("speed", [10], indirect=True)
async def test_after_a_bug_the_wish_stays_and_waiting_orders_are_unknown(bench: Bench) -> None:
    far = bench.far("shoe")
    far.plug()
    made = bench.driver("shoe")
    assert isinstance(made, FeltLink)
    bench.supervise(made)
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    far.turn_deaf()
    made.order(("epoch-1", 5), "permit", {"round": 1})
    made.inhibit("shoe-jammed")
    made.renew(True)  # noqa: FBT003 - as it is meant
    made._fuse.blow(ZeroDivisionError())
    await bench.until(lambda: "DeviceFaulted" in bench.ledger.names())
    far.listen()
    await bench.until(lambda: bench.ledger.names()[-1] == "DeviceCleared", within_s=20)
    assert far.session.why == "shoe-jammed"
    assert made._session.renew
    answers = bench.ledger.facts("OrderAnswered")
    assert [answer.model_dump(include={"order", "result"}) for answer in answers] == [
        {"order": 5, "result": "unknown"}
    ]


@pytest.mark.parametrize("speed", [10], indirect=True)
async def test_after_a_bug_nothing_is_acknowledged_that_is_not_committed(bench: Bench) -> None:
    supervisor, [far] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    bench.ledger.committing = False
    far.happen("stack", size=7)
    await bench.until(lambda: "StackDispensed" in bench.ledger.names())
    made = bench.ledger.drivers["shoe"]
    assert isinstance(made, FeltLink)
    made._fuse.blow(ZeroDivisionError())
    await bench.until(lambda: supervisor.health()["shoe"]["failures"] == 3)
    last = supervisor.health()["shoe"]["last_failure"]
    assert isinstance(last, dict)
    assert last["why"] == "journal behind: shoe: events wait for their commit"
    assert far.session.due() < float("inf"), "the device still has its event"
    bench.ledger.commit()
    await bench.until(lambda: far.session.due() == float("inf"))
    assert len(bench.ledger.facts("StackDispensed")) == 1


async def test_a_cancelled_error_out_of_a_callback_is_a_bug_and_no_cancellation(bench: Bench) -> None:
    def cancels(_fields: dict[str, Any]) -> NoReturn:
        raise asyncio.CancelledError

    far = bench.far("shoe")
    far.plug()
    bench.supervise(bench.driver("shoe", table={**shoe.FACTS, "stack": cancels}))
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    far.happen("stack", size=7)
    await bench.until(lambda: "DeviceFaulted" in bench.ledger.names())
    assert bench.ledger.facts("DeviceFaulted") == [
        device.DeviceFaulted(device="shoe", code="driver", where="RuntimeError")
    ]
    assert not bench.running[0].done()


async def test_an_exception_of_the_tables_ends_the_supervisor_and_blames_no_device(bench: Bench) -> None:
    _, [far] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())

    def breaks(told: Told) -> None:
        raise KeyError(told.name)

    bench.ledger.when = breaks
    far.happen("stack", size=7)
    with pytest.raises(ExceptionGroup) as ended:
        await bench.running.pop()
    assert ended.group_contains(TakeFailed)
    assert bench.ledger.names()[-1] == "StackDispensed"


@pytest.mark.parametrize("speed", [100], indirect=True)
async def test_a_driver_that_hangs_is_ended_and_started_again(bench: Bench) -> None:
    puppet = Puppet("shoe", _for_ever)
    supervisor = bench.supervise(puppet)
    await bench.until(lambda: puppet.attempts == 1)
    puppet.late_s = 9.0
    await bench.pass_time(12)
    assert puppet.attempts == 1
    assert supervisor.progress() == {"shoe": 9.0}
    puppet.late_s = 11.0
    await bench.until(lambda: puppet.attempts == 2)
    assert puppet.faults == ["hung"]


@pytest.mark.parametrize("speed", [20], indirect=True)
async def test_a_driver_that_stops_by_itself_is_at_fault(bench: Bench) -> None:
    async def stops(_settled: Callable[[], None]) -> None:
        pass

    puppet = Puppet("shoe", stops)
    bench.supervise(puppet)
    await bench.until(lambda: puppet.attempts == 3)
    assert puppet.faults[:2] == ["stopped", "stopped"]


@pytest.mark.parametrize("speed", [100], indirect=True)
async def test_an_attempt_that_settled_is_told_and_the_delays_begin_anew(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    at: list[float] = []

    async def attend(settled: Callable[[], None]) -> None:
        at.append(bench.clock.link_now())
        if len(at) == 7:
            settled()
        await asyncio.sleep(0)
        raise LinkLost("hung up", "EIO")

    puppet = Puppet("shoe", attend)
    bench.supervise(puppet)
    await bench.until(lambda: puppet.attempts == 8)
    assert at[6] - at[5] > 6.0
    assert at[7] - at[6] < 2.0
    assert [record.message[:32] for record in caplog.records] == [
        "shoe: hung up: EIO",
        "shoe: over: hung up: EIO (6 time",
        "shoe: hung up: EIO",
    ]


async def test_a_stopped_supervisor_lets_go_of_every_driver() -> None:
    puppets = [Puppet("shoe", _for_ever), Puppet("shaker", _for_ever)]

    class Still:
        def link_now(self) -> float:
            return 0.0

        def loop_time(self, link_t: float) -> float:
            return asyncio.get_running_loop().time() + link_t

    task = asyncio.get_running_loop().create_task(Supervisor(puppets, Still(), lambda: 0.0).run())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [puppet.closed for puppet in puppets] == [1, 1]
