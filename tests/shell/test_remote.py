"""What the device process makes of requests over MQTT that the publisher has found signed, or not."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.publisher.request import Refusal, RemoteRequest, Signer
from felt_daemon.shell import commands as commands_module
from felt_daemon.shell.commands import Commands
from felt_daemon.shell.remote import Remote
from felt_protocols.events import Row, incident, person
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.shell.conftest import Felt, Run

pytestmark = pytest.mark.asyncio

ANN = Signer(client="ann", name="Ann (ann)", key="AAAAAAAAAAAAAAAA", roles=("floor", "tech"))
BEN = Signer(client="ben", name="Ben (ben)", key="BBBBBBBBBBBBBBBB", roles=("floor",))
HOUR_US = 3600 * 1_000_000


class Ways:
    """The way in over MQTT to a run of the device process's heart."""

    def __init__(self, run: Run, most_per_client: int = 10) -> None:
        self.run = run
        self.now_us: int | None = 1_000 * HOUR_US
        self.answers: list[tuple[str, dict[str, Any]]] = []
        self.commands = Commands(run.core, run.loop)
        self.remote = Remote(
            self.commands,
            "run-1",
            lambda: self.now_us,
            lambda client, said: self.answers.append((client, said)),
            most_per_client=most_per_client,
        )

    def take(self, jti: str, command: str = "new-dealer", by: Signer | None = ANN, **more: Any) -> None:  # noqa: ANN401 - a request's own parts
        """A request comes over the pipe."""
        self.remote.take(RemoteRequest(**{"command": command, "by": by, "id": jti, "start": "run-1"} | more))

    async def answered(self, count: int) -> list[dict[str, Any]]:
        """The answers so far, once there are so many."""
        await self.run.until(lambda: len(self.answers) >= count)
        return [said for _, said in self.answers]

    def rows(self, name: str) -> list[Row]:
        """Committed rows of this name."""
        return [row for row in self.run.rows() if row.event.what() == name]


@pytest.mark.asyncio
async def test_two_signatures_let_a_hold_go_by_two_people(started: Callable[..., Any], felt: Felt) -> None:
    run: Run = await started()
    await run.ready_table()
    await run.ready_to_deal()
    await run.deal(3)
    felt.shoe.set_fault(Fault.parse("jam=24"), 0.0)
    felt.hand("shoe-1", felt.shoe.press_deal)
    await run.until(lambda: bool(run.state.holds))
    hold = next(iter(run.state.holds))
    ways = Ways(run)
    args = {"hold": hold, "reason": "looked at with the technician"}
    ways.take("a", "override", args=args, second=BEN)
    [answer] = await ways.answered(1)
    assert answer["ok"]
    [row] = ways.rows("hold-overridden")
    assert row.event == person.HoldOverridden(
        request="a",
        by=person.Person(role="floor", name="Ann (ann)", proof="signed", key=ANN.key),
        hold=hold,
        reason="looked at with the technician",
        second=person.Person(role="floor", name="Ben (ben)", proof="signed", key=BEN.key),
    )
    assert isinstance(row.event, person.HoldOverridden)
    assert any(isinstance(one.event, incident.HoldEnded) for one in run.rows())


async def test_a_copy_that_comes_before_the_commit_is_the_same_request(started: Callable[..., Any]) -> None:
    run: Run = await started()
    ways = Ways(run)
    other = sqlite3.connect(run.felt.folder / "journal.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    for _ in range(3):
        ways.take("a")
    other.execute("COMMIT")
    other.close()
    ways.take("b")
    assert [one["id"] for one in await ways.answered(2)] == ["a", "b"]
    assert len(ways.rows("dealer-came")) == 2


async def test_while_the_journal_cannot_be_written_more_is_put_off_and_not_decided(
    started: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run: Run = await started()
    await run.until(lambda: run.core.waiting == 0)
    ways = Ways(run)
    monkeypatch.setattr(commands_module, "MOST_WAITING", 1)
    other = sqlite3.connect(run.felt.folder / "journal.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    ways.take("a")
    ways.take("b")
    assert ways.answers == [
        (
            "ann",
            {"id": "b", "ok": False, "code": "busy", "why": "the journal cannot be written now; ask again"},
        )
    ]
    other.execute("COMMIT")
    other.close()
    await run.until(lambda: run.core.waiting == 0)
    ways.take("b")
    assert [(one["id"], one["ok"]) for one in await ways.answered(3)] == [
        ("b", False),
        ("a", True),
        ("b", True),
    ]


async def test_a_client_whose_requests_have_no_end_is_told_to_give_them_one(
    started: Callable[..., Any],
) -> None:
    run: Run = await started()
    ways = Ways(run, most_per_client=2)
    ways.take("a")
    ways.take("b", exp=1_001 * 3600)
    ways.take("c")
    answers = await ways.answered(3)
    assert [(one["id"], one["ok"]) for one in answers] == [("a", True), ("b", True), ("c", False)]
    assert answers[2]["code"] == "busy"
    assert answers[2]["why"].startswith("this run remembers 2 requests of ann without an expiry and takes no")
    ways.take("d", by=BEN)
    assert (await ways.answered(4))[3]["ok"]
    # An hour after its end it is forgotten, and there is room for another.
    ways.now_us = 1_002 * HOUR_US
    ways.take("c")
    assert (await ways.answered(5))[4] == {
        "id": "c",
        "ok": True,
        "sequence": ways.rows("dealer-came")[-1].seq,
    }


async def test_a_retained_request_is_told_once_and_its_signer_each_time_it_is_another(
    started: Callable[..., Any],
) -> None:
    run: Run = await started()
    ways = Ways(run)
    refusal = Refusal(code="malformed", why="a command is never retained")
    for jti, digest in (("a", "01"), ("a", "01"), ("b", "02"), ("a", "01")):
        ways.take(jti, retained=digest, refusal=refusal)
    assert [one["id"] for one in await ways.answered(2)] == ["a", "b"]
    for number in range(2000):
        ways.take("", by=None, retained=f"x{number}", refusal=refusal)
    # Remembered are so many; after a flood of them the first is told again.
    ways.take("a", retained="01", refusal=refusal)
    assert [one["id"] for one in await ways.answered(3)] == ["a", "b", "a"]


async def test_a_copy_in_a_wrong_place_never_changes_the_answer_of_an_id(started: Callable[..., Any]) -> None:
    run: Run = await started()
    ways = Ways(run)
    refusal = Refusal(code="malformed", why="wrong-command: new-dealer was sent to the topic of open-table")
    ways.take("a")
    ways.take("a", "open-table", refusal=refusal)
    await run.until(lambda: len(ways.rows("command-rejected")) == 1)
    [answer] = await ways.answered(1)
    ways.take("a", "open-table", refusal=refusal)
    assert await ways.answered(2) == [answer, answer]
    await run.until(lambda: len(ways.rows("command-rejected")) == 2)


async def test_a_request_for_another_run_is_late_also_where_a_publisher_let_it_through(
    started: Callable[..., Any],
) -> None:
    run: Run = await started()
    ways = Ways(run)
    ways.take("a", start="run-0")
    [answer] = await ways.answered(1)
    assert (answer["code"], answer["why"].partition(",")[0]) == ("late", "for the run run-0")
    assert ways.rows("dealer-came") == []


async def test_once_the_run_ends_nothing_more_is_decided(started: Callable[..., Any]) -> None:
    run: Run = await started()
    ways = Ways(run)
    ways.remote.close()
    before = run.state.seq
    ways.take("a")
    assert (run.state.seq, ways.answers) == (before, [])


async def test_refusals_beyond_the_room_are_counted_and_the_count_is_a_row(
    started: Callable[..., Any],
) -> None:
    run: Run = await started()
    ways = Ways(run)
    for number in range(40):
        ways.take(f"a{number}", "acknowledge", args={"hold": 99})
    ways.take("", by=None, refusal=Refusal(code="forbidden", why="forged"))
    assert all(not one["ok"] for one in await ways.answered(40))
    ways.remote.uncounted(5)
    ways.commands.close()
    await run.until(lambda: run.core.waiting == 0)
    rejected = [row.event for row in ways.rows("command-rejected")]
    assert len(rejected) == 31
    # Strangers have room of their own.
    assert [one for one in rejected if isinstance(one, person.CommandRejected) and one.by is None]
    assert [row.event for row in ways.rows("commands-uncounted")] == [
        person.CommandsUncounted(count=5),
        person.CommandsUncounted(count=10),
    ]


async def test_a_clock_that_jumps_there_and_back_lets_no_request_be_carried_out_again(
    started: Callable[..., Any],
) -> None:
    run: Run = await started()
    ways = Ways(run)
    ways.take("a", exp=1_001 * 3600)
    await ways.answered(1)
    ways.now_us = 1_030 * HOUR_US
    ways.take("b", by=BEN)
    ways.now_us = 1_000 * HOUR_US
    ways.take("a", exp=1_001 * 3600)
    answer = (await ways.answered(3))[2]
    assert (answer["code"], answer["why"]) == (
        "late",
        "it was to be carried out before 3603600; the table's clock was past that before",
    )
    assert len(ways.rows("dealer-came")) == 2


async def test_a_copy_with_a_later_expiry_is_the_same_request_until_that_is_over(
    started: Callable[..., Any],
) -> None:
    run: Run = await started()
    ways = Ways(run)
    ways.take("a", exp=1_001 * 3600)
    ways.take("a", exp=1_005 * 3600)
    first, *_ = await ways.answered(1)
    ways.now_us = 1_003 * HOUR_US
    ways.take("a", exp=1_005 * 3600)
    assert await ways.answered(2) == [first, first]
    assert len(ways.rows("dealer-came")) == 1


@pytest.mark.parametrize("args", [{f"x{number}": 1 for number in range(2000)}, {"x" * 9000: 1}])
async def test_no_answer_is_longer_than_a_row_whatever_was_asked(
    started: Callable[..., Any], args: dict[str, int]
) -> None:
    run: Run = await started()
    ways = Ways(run)
    ways.take("a", args=args)
    [answer] = await ways.answered(1)
    assert answer["code"] == "malformed"
    assert len(answer["why"]) <= 400
    [row] = ways.rows("command-rejected")
    assert isinstance(row.event, person.CommandRejected)
    assert row.event.reason == answer["why"]
