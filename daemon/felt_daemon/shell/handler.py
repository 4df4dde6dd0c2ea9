"""Requests from the control socket: queries are answered, commands carried out or refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from felt_daemon.control import MALFORMED, Answer, Caller, Request, refusal
from felt_daemon.shell.commands import Given, known
from felt_daemon.shell.givers import NotProven
from felt_daemon.table import picture

if TYPE_CHECKING:
    from felt_daemon.shell.commands import Commands, Outcome
    from felt_daemon.shell.core import Core
    from felt_daemon.shell.givers import Givers

Look = Callable[[], dict[str, Any]]
_QUERIES = ("state", "health", "ping")


class Handler:
    """Answers requests; which roles a caller has, the server knows."""

    def __init__(self, core: Core, commands: Commands, givers: Givers, now: Look, health: Look) -> None:
        self._core = core
        self._commands = commands
        self._givers = givers
        self._now = now
        self._health = health

    async def __call__(self, request: Request, caller: Caller) -> Answer:
        """Carry out one request; a command is answered when its rows are committed."""
        table = self._core.table
        if request.command == "ping":
            # `pins` tells `felt` whether to ask for one.
            about = {"table": table.state.setup.table, "pins": self._givers.keeps_register}
            return Answer(request.id, ok=True, data=about)
        if request.command == "state":
            data = picture(table.pack, table.state)["state"] | {"now": self._now()}
            return Answer(request.id, ok=True, data=data)
        if request.command == "health":
            return Answer(request.id, ok=True, data=self._health())
        outcome = await self._command(request, caller)
        if outcome.ok:
            return Answer(request.id, ok=True, data={"sequence": outcome.sequence})
        return refusal(request.id, outcome.code, outcome.why)

    async def _command(self, request: Request, caller: Caller) -> Outcome:
        commands = self._commands
        given = Given(name=request.command, args=request.args, way="control", request=request.id)
        done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

        def then(outcome: Outcome) -> None:
            if not done.done():
                done.set_result(outcome)

        asking = self._givers.asking(caller)
        model = known(request.command, _QUERIES)
        if isinstance(model, str):
            commands.refuse(given, asking, MALFORMED, model, then)
            return await done
        try:
            parties = await self._givers.parties(request, caller, model)
        except NotProven as error:
            commands.refuse(given, asking, error.code, str(error), then)
        else:
            commands.carry_out(given, parties.by, parties.second, then)
        return await done
