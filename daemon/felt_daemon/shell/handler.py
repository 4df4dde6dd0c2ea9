"""Requests from the control socket: commands become facts or are refused, queries are answered."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from felt_daemon.control import FORBIDDEN, MALFORMED, REFUSED, Answer, Caller, Request, refusal
from felt_daemon.table import admit, picture
from felt_protocols.commands import COMMANDS, Command
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person

if TYPE_CHECKING:
    from felt_daemon.shell.core import Core
    from felt_protocols.events import Fact
    from felt_protocols.events.person import Person

Look = Callable[[], dict[str, Any]]


class Handler:
    """Answers requests; which roles a caller has, the server knows."""

    def __init__(self, core: Core, now: Look, health: Look) -> None:
        self._core = core
        self._now = now
        self._health = health

    async def __call__(self, request: Request, caller: Caller) -> Answer:
        """Carry out one request; a command is answered when its rows are committed."""
        table = self._core.table
        if request.command == "ping":
            return Answer(request.id, ok=True, data={"table": table.state.setup.table})
        if request.command == "state":
            data = picture(table.pack, table.state)["state"] | {"now": self._now()}
            return Answer(request.id, ok=True, data=data)
        if request.command == "health":
            return Answer(request.id, ok=True, data=self._health())
        return await self._command(request, caller)

    async def _command(self, request: Request, caller: Caller) -> Answer:
        model = COMMANDS.get(request.command)
        if model is None:
            near = difflib.get_close_matches(request.command, [*COMMANDS, "state", "health", "ping"], 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            return await self._refused(
                request, None, MALFORMED, f"no command is called {request.command}{hint}"
            )
        by = self._person(request, caller, model)
        if by is None:
            asked = ", ".join(sorted(model.roles))
            has = ", ".join(sorted(caller.roles)) or "no role here"
            why = f"{model.name} is for {asked}; this account has {has}"
            return await self._refused(request, None, FORBIDDEN, why)
        try:
            command = model.model_validate(request.args)
            fact = admit(self._core.table.pack, self._core.table.state, command, by)
        except ValidationError as error:
            return await self._refused(request, by, MALFORMED, _mistakes(error))
        except CommandRefused as error:
            return await self._refused(request, by, REFUSED, str(error))
        sequence = await self._committed(fact)
        return Answer(request.id, ok=True, data={"sequence": sequence})

    def _person(self, request: Request, caller: Caller, model: type[Command]) -> Person | None:
        """Who gives the command: in the role that is asked for, else in the first that may."""
        role = request.role if request.role in caller.roles else None
        if request.role is None:
            role = min(caller.roles & model.roles, default=None)
        return None if role is None else person.Person(role=role, name=request.person or f"uid {caller.uid}")

    async def _refused(self, request: Request, by: Person | None, code: str, why: str) -> Answer:
        await self._committed(person.CommandRejected(command=request.command[:64], by=by, reason=why[:400]))
        return refusal(request.id, code, why)

    async def _committed(self, fact: Fact) -> int:
        """Take a fact and wait for its commit; gives the seq of its row."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        sequence = self._core.table.state.seq + 1

        def committed() -> None:
            if not done.done():
                done.set_result(None)

        self._core.take(fact, committed)
        await done
        return sequence


def _mistakes(error: ValidationError) -> str:
    parts = [
        f"{'.'.join(str(part) for part in one['loc']) or 'args'}: {one['msg']}" for one in error.errors()
    ]
    return "; ".join(parts)
