"""Several tables at one control socket: each request is for one of them, with the roles that it gives."""

from __future__ import annotations

import asyncio
import os
import pwd
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from felt_daemon.config import Grant
from felt_daemon.control import MALFORMED, Answer, ControlServer, RoleBook, Served, call

if TYPE_CHECKING:
    import contextlib
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from felt_daemon.control import Caller, Request

    Serving = Callable[..., contextlib.AbstractAsyncContextManager[ControlServer]]


def _served(table: str, *roles: str) -> Served:
    """A table that says its name and the caller's roles; this test's own user has these."""

    async def handle(request: Request, caller: Caller) -> Answer:
        return Answer(request.id, ok=True, data={"table": table, "roles": sorted(caller.roles)})

    me = Grant(users=(pwd.getpwuid(os.getuid()).pw_name,))
    return Served(handle, RoleBook.resolved(dict.fromkeys(roles, me)))  # type: ignore[arg-type] # roles of the tests


@pytest_asyncio.fixture
async def two_tables(path: Path, serving: Serving) -> AsyncIterator[Path]:
    """A socket of two tables, at which this user is a dealer and a floorperson in turn."""
    async with serving(tables={"asia-1": _served("asia-1", "dealer"), "dj-1": _served("dj-1", "floor")}):
        yield path


async def _asked(path: Path, table: str | None) -> Answer:
    return await asyncio.to_thread(lambda: call(path, "state", table=table))


@pytest.mark.asyncio
async def test_each_request_goes_to_its_table_with_the_roles_of_that_table(two_tables: Path) -> None:
    asia, dj = await _asked(two_tables, "asia-1"), await _asked(two_tables, "dj-1")
    assert asia.data == {"table": "asia-1", "roles": ["dealer"]}
    assert dj.data == {"table": "dj-1", "roles": ["floor"]}


@pytest.mark.asyncio
async def test_a_request_that_names_no_table_is_told_which_there_are(two_tables: Path) -> None:
    answer = await _asked(two_tables, None)
    assert (answer.ok, answer.code) == (False, MALFORMED)
    assert answer.why == "several tables are here: asia-1, dj-1; say which one it is for (--table)"


@pytest.mark.asyncio
async def test_a_table_that_is_not_there_is_told_with_the_nearest(two_tables: Path) -> None:
    answer = await _asked(two_tables, "asia-2")
    assert (answer.ok, answer.code) == (False, MALFORMED)
    assert answer.why == "no table here is called asia-2; there is asia-1, dj-1; did you mean asia-1?"
    assert (await _asked(two_tables, "x")).why == "no table here is called x; there is asia-1, dj-1"


@pytest.mark.asyncio
async def test_a_table_that_is_alone_may_be_named_and_no_other(path: Path, serving: Serving) -> None:
    async with serving(tables={"asia-1": _served("asia-1")}):
        named, unnamed, other = [await _asked(path, one) for one in ("asia-1", None, "dj-1")]
    assert named.data == unnamed.data == {"table": "asia-1", "roles": []}
    assert other.why == "no table here is called dj-1; there is asia-1"
