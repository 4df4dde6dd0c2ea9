"""The control socket end to end: requests and answers, roles, and callers that behave badly."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import socket
from typing import TYPE_CHECKING

import pytest

from felt_daemon.control import Answer, ControlServer, Limits, Listener, RoleBook, Served, call, refusal

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Callable
    from pathlib import Path

    from felt_daemon.control import Caller, Request

    Serving = Callable[..., contextlib.AbstractAsyncContextManager[ControlServer]]

PING = b'{"id":"1","command":"ping"}\n'


async def _until_callers(server: ControlServer, count: int) -> None:
    async with asyncio.timeout(10):
        while server.callers != count:  # noqa: ASYNC110 - production code needs no event for it
            await asyncio.sleep(0.002)


async def _open(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_unix_connection(path)


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    await writer.wait_closed()


async def _asked(path: Path, command: str, args: dict[str, object], **more: object) -> Answer:
    return await asyncio.to_thread(lambda: call(path, command, args, **more))  # type: ignore[arg-type] # named by the tests


@pytest.mark.asyncio
async def test_a_request_is_answered_with_the_callers_roles(path: Path, serving: Serving) -> None:
    async with serving():
        answer = await _asked(path, "count", {"deck": "red", "count": 53}, person="B. 12")
    assert answer.ok
    assert answer.data == {
        "command": "count",
        "args": {"deck": "red", "count": 53},
        "person": "B. 12",
        "roles": ["dealer", "floor"],
        "uid": os.getuid(),
        "pid": os.getpid(),
    }


@pytest.mark.asyncio
async def test_a_stated_role_gives_no_role_where_the_run_is_real(path: Path, serving: Serving) -> None:
    async with serving():
        answer = await _asked(path, "override", {}, role="tech")
    assert answer.ok
    assert answer.data["roles"] == ["dealer", "floor"]


@pytest.mark.asyncio
async def test_a_role_beside_a_pin_is_for_the_handler_to_judge(path: Path, serving: Serving) -> None:
    async with serving():
        answer = await _asked(path, "override", {}, role="tech", person="ann", pin="481516")
    assert answer.ok
    assert answer.data["roles"] == ["dealer", "floor"]


@pytest.mark.asyncio
async def test_a_stated_role_is_the_only_one_in_a_simulated_run(path: Path, serving: Serving) -> None:
    async with serving(stated_roles=True):
        stated = await _asked(path, "override", {}, role="tech")
        silent = await _asked(path, "override", {})
    assert stated.data["roles"] == ["tech"]
    assert silent.data["roles"] == ["dealer", "floor"]


@pytest.mark.asyncio
async def test_a_line_that_is_no_request_is_answered_and_the_connection_lives(
    path: Path, serving: Serving
) -> None:
    async with serving():
        reader, writer = await _open(path)
        for line in (b"\x00\xff\x80garbage\n", b'{"id":"9"}\n', b"x" * 70_000 + b"\n", PING):
            writer.write(line)
        answers = [json.loads(await reader.readline()) for _ in range(4)]
        await _closed(writer)
    assert [(one["id"], one["ok"], one.get("code")) for one in answers] == [
        (None, False, "malformed"),
        ("9", False, "malformed"),
        (None, False, "malformed"),
        ("1", True, None),
    ]


@pytest.mark.asyncio
async def test_half_lines_are_one_request_once_they_are_whole(path: Path, serving: Serving) -> None:
    async with serving():
        reader, writer = await _open(path)
        for at in range(len(PING)):
            writer.write(PING[at : at + 1])
            await writer.drain()
        assert json.loads(await reader.readline())["ok"] is True
        await _closed(writer)


@pytest.mark.asyncio
async def test_a_caller_that_goes_away_in_mid_answer_is_forgotten_and_its_command_is_carried_out(
    path: Path, serving: Serving
) -> None:
    began, go_on, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(request: Request, _: Caller) -> Answer:
        began.set()
        await go_on.wait()
        done.set()
        return Answer(request.id, ok=True, data={"much": "x" * 1_000_000})

    async with serving(slow) as server:
        _, writer = await _open(path)
        writer.write(PING)
        await began.wait()
        await _closed(writer)
        go_on.set()
        await done.wait()
        await _until_callers(server, 0)


@pytest.mark.asyncio
async def test_a_caller_that_does_not_read_is_let_go_and_others_are_answered_meanwhile(
    path: Path, serving: Serving
) -> None:
    async def much(request: Request, _: Caller) -> Answer:
        size = 4_000_000 if request.command == "much" else 1
        return Answer(request.id, ok=True, data={"text": "x" * size})

    async with serving(much, limits=Limits(write_s=0.5)) as server:
        deaf = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        deaf.connect(str(path))
        deaf.send(b'{"id":"1","command":"much"}\n')
        await _until_callers(server, 1)
        assert (await _asked(path, "ping", {})).data == {"text": "x"}
        await _until_callers(server, 0)
        deaf.close()


@pytest.mark.asyncio
async def test_a_caller_that_says_nothing_is_let_go(path: Path, serving: Serving) -> None:
    async with serving(limits=Limits(idle_s=0.05)) as server:
        reader, writer = await _open(path)
        writer.write(b'{"id":"1",')
        assert await reader.read() == b""
        await _until_callers(server, 0)
        await _closed(writer)


@pytest.mark.asyncio
async def test_callers_past_the_limit_are_told_to_come_back_and_do_not_push_others_out(
    path: Path, serving: Serving
) -> None:
    async with serving(limits=Limits(callers=3, callers_per_user=3)) as server:
        held = [await _open(path) for _ in range(3)]
        await _until_callers(server, 3)
        reader, writer = await _open(path)
        told = json.loads(await reader.readline())
        assert told == {"id": None, "ok": False, "code": "busy", "why": "too many callers; try again"}
        assert await reader.read() == b""
        held[0][1].write(PING)
        assert json.loads(await held[0][0].readline())["ok"] is True
        await _closed(held[1][1])
        await _until_callers(server, 2)
        assert (await _asked(path, "ping", {})).ok
        for _, other in (*held, (reader, writer)):
            await _closed(other)


@pytest.mark.asyncio
async def test_one_user_cannot_take_every_place(path: Path, serving: Serving) -> None:
    async with serving(limits=Limits(callers=10, callers_per_user=1)) as server:
        _, first = await _open(path)
        await _until_callers(server, 1)
        reader, second = await _open(path)
        assert json.loads(await reader.readline())["code"] == "busy"
        await _closed(first)
        await _closed(second)


@pytest.mark.asyncio
async def test_a_flood_of_requests_leaves_the_loop_its_turns(path: Path, serving: Serving) -> None:
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with serving():
        reader, writer = await _open(path)
        ticking = asyncio.create_task(count_turns())
        writer.write(b"x\n" * 4000)
        for _ in range(4000):
            assert b"malformed" in await reader.readline()
        ticking.cancel()
        await _closed(writer)
    assert turns >= 4000


@pytest.mark.asyncio
async def test_requests_of_one_caller_are_carried_out_in_their_order_one_at_a_time(
    path: Path, serving: Serving
) -> None:
    running = 0
    order: list[str] = []

    async def one_at_a_time(request: Request, _: Caller) -> Answer:
        nonlocal running
        running += 1
        assert running == 1
        await asyncio.sleep(0)
        running -= 1
        order.append(request.id)
        return refusal(request.id, "refused", "only a test")

    async with serving(one_at_a_time):
        reader, writer = await _open(path)
        writer.write(b"".join(b'{"id":"%d","command":"ping"}\n' % number for number in range(50)))
        answers = [json.loads(await reader.readline()) for _ in range(50)]
        await _closed(writer)
    assert order == [str(number) for number in range(50)] == [one["id"] for one in answers]
    assert answers[0] == {"id": "0", "ok": False, "code": "refused", "why": "only a test"}


@pytest.mark.asyncio
@pytest.mark.parametrize("error", [RuntimeError("a bug"), OSError("the disk"), TimeoutError("a wait")])
async def test_a_bug_in_the_handler_ends_the_server_and_is_not_swallowed(
    path: Path, book: RoleBook, error: Exception
) -> None:
    async def broken(_: Request, __: Caller) -> Answer:
        raise error

    server = ControlServer(Listener.opened(path), {"asia-1": Served(broken, book)})
    task = asyncio.create_task(server.serve())
    _, writer = await _open(path)
    writer.write(PING)
    with pytest.raises(ExceptionGroup) as caught:
        await task
    assert caught.value.exceptions == (error,)
    assert not os.path.exists(path)  # noqa: ASYNC240, PTH110 - a local look
    await _closed(writer)


@pytest.mark.asyncio
async def test_a_server_that_stops_lets_its_callers_go_and_takes_its_file_away(
    path: Path, serving: Serving
) -> None:
    async with serving() as server:
        reader, writer = await _open(path)
        await _until_callers(server, 1)
    assert await reader.read() == b""
    assert server.callers == 0
    assert not os.path.exists(path)  # noqa: ASYNC240, PTH110 - a local look
    await _closed(writer)


@pytest.mark.asyncio
async def test_a_box_without_a_free_descriptor_takes_its_callers_once_it_has_one(
    path: Path, serving: Serving
) -> None:
    async with serving() as server:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
            caller.settimeout(0)
            free = os.dup(caller.fileno())
            os.close(free)
            before = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (free, before[1]))
            try:
                caller.connect(str(path))
                for _ in range(50):
                    await asyncio.sleep(0)
                assert server.callers == 0
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, before)
            await _until_callers(server, 1)
            caller.send(PING)
            async with asyncio.timeout(10):
                answer = await asyncio.get_running_loop().sock_recv(caller, 4096)
            assert json.loads(answer)["ok"] is True
