"""A control server over a real socket, with a handler that echoes who asked for what."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
from typing import TYPE_CHECKING

import pytest

from felt_daemon.config import Grant
from felt_daemon.control import Answer, ControlServer, Limits, Listener, RoleBook, Served

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping
    from pathlib import Path

    from felt_daemon.control import Caller, Handler, Request

    Serving = Callable[..., contextlib.AbstractAsyncContextManager[ControlServer]]

LIMITS = Limits()


async def echo(request: Request, caller: Caller) -> Answer:
    """Tell the request and the caller's roles back."""
    data = {
        "command": request.command,
        "args": request.args,
        "person": request.person,
        "roles": sorted(caller.roles),
        "uid": caller.uid,
        "pid": caller.pid,
    }
    return Answer(request.id, ok=True, data=data)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the socket is."""
    return tmp_path / "control"


@pytest.fixture
def book() -> RoleBook:
    """This test's own user is dealer and floor."""
    me = pwd.getpwuid(os.getuid()).pw_name
    return RoleBook.resolved({"dealer": Grant(users=(me,)), "floor": Grant(users=(me,))})


@pytest.fixture
def serving(path: Path, book: RoleBook) -> Serving:
    """Run a server for the length of a `with`; fails if it ended by itself."""

    @contextlib.asynccontextmanager
    async def served(
        handle: Handler = echo,
        *,
        tables: Mapping[str, Served] | None = None,
        stated_roles: bool = False,
        limits: Limits = LIMITS,
    ) -> AsyncGenerator[ControlServer]:
        tables = {"asia-1": Served(handle, book)} if tables is None else tables
        server = ControlServer(Listener.opened(path), tables, stated_roles=stated_roles, limits=limits)
        task = asyncio.create_task(server.serve())
        try:
            yield server
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    return served
