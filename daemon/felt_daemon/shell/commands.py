"""Commands, whichever way they come in: each becomes a fact, or is refused, and a refusal is kept, too."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from felt_daemon.control import FORBIDDEN, MALFORMED, REFUSED
from felt_daemon.shell.core import MOST_WAITING
from felt_daemon.shell.refusals import Gate
from felt_daemon.table import admit
from felt_protocols.commands import COMMANDS
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Collection, Mapping

    from felt_daemon.shell.core import Core
    from felt_protocols.commands import Command
    from felt_protocols.events.person import Person, Role

    Then = Callable[["Outcome"], None]

Way = Literal["control", "mqtt"]

_LONGEST_WORD = 64
_LONGEST_TEXT = 400
# No command has half as many. Each unknown one costs time in which no device is heard.
_MOST_ARGS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A command as it was given: its name, its arguments, the way it came and its giver's id for it."""

    name: str
    args: Mapping[str, object]
    way: Way
    request: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a command: the row that it is, or a word for programs and a reason for people."""

    ok: bool
    sequence: int = 0
    code: str = ""
    why: str = ""


def known(name: str, others: Collection[str] = ()) -> type[Command] | str:
    """The command of this name, or why there is none; `others` are names that are none but are near."""
    model = COMMANDS.get(name)
    if model is not None:
        return model
    near = difflib.get_close_matches(name, [*COMMANDS, *others], 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"no command is called {name}{hint}"


def role_for(model: type[Command], has: Collection[Role], asked: Role | None) -> Role | None:
    """The role in which somebody who has these gives a command: the one asked for, else one that may."""
    if asked is not None:
        return asked if asked in has else None
    return min(model.roles.intersection(has), default=None)


class Commands:
    """Carries commands out. `then` is called with what became of one once its row is committed.

    A refusal has a row of its own while there is room; a flood of them is counted. There is room apart for
    what nobody can be believed to have sent, so that it cannot hide what a person was refused.
    """

    def __init__(self, core: Core, loop: asyncio.AbstractEventLoop) -> None:
        self._core = core
        self._loop = loop
        self._gates: dict[tuple[Way, bool], Gate] = {}

    @property
    def stuck(self) -> bool:
        """Whether so much waits for its commit that no more should be taken on."""
        return self._core.waiting >= MOST_WAITING

    def carry_out(self, given: Given, by: Person, second: Person | None, then: Then) -> None:
        """Carry a command out for somebody who is known, or refuse it."""
        model = known(given.name)
        if isinstance(model, str):
            self.refuse(given, by, MALFORMED, model, then)
            return
        if len(given.args) > _MOST_ARGS:
            self.refuse(given, by, MALFORMED, f"no command has {len(given.args)} arguments", then)
            return
        try:
            command = model.model_validate(given.args)
            fact = admit(self._core.table.pack, self._core.table.state, command, by, second)
        except ValidationError as error:
            self.refuse(given, by, MALFORMED, _mistakes(error), then)
        except CommandRefused as error:
            code = REFUSED if by.role in model.roles else FORBIDDEN
            self.refuse(given, by, code, str(error), then)
        else:
            if given.way == "mqtt":
                # Whoever waits for an answer that never comes finds the request in the events.
                fact = fact.model_copy(update={"request": given.request})
            sequence = self._core.table.state.seq + 1
            self._core.take(fact, lambda: then(Outcome(ok=True, sequence=sequence)))

    def refuse(self, given: Given, by: Person | None, code: str, why: str, then: Then) -> None:
        """Refuse a command; where there is no room for a row of it, `then` is called at once."""
        # Remote requests are remembered with it; and no answer is too long for a broker.
        why = why[:_LONGEST_TEXT]
        outcome = Outcome(ok=False, code=code, why=why)
        if not self._gate(given.way, known=by is not None).take():
            then(outcome)
            return
        self._core.take(
            person.CommandRejected(
                command=given.name[:_LONGEST_WORD],
                by=by,
                reason=why,
                way=given.way,
                request=given.request[:_LONGEST_WORD],
            ),
            lambda: then(outcome),
        )

    def uncounted(self, count: int) -> None:
        """So many were refused without a row of their own."""
        self._core.take(person.CommandsUncounted(count=count))

    def close(self) -> None:
        """No more commands come: say how many refusals were not told."""
        for gate in self._gates.values():
            gate.close()

    def _gate(self, way: Way, *, known: bool) -> Gate:
        gate = self._gates.get((way, known))
        if gate is None:
            gate = self._gates[way, known] = Gate(self._loop, self.uncounted)
        return gate


def _mistakes(error: ValidationError) -> str:
    parts = [
        f"{'.'.join(str(part) for part in one['loc']) or 'args'}: {one['msg']}" for one in error.errors()
    ]
    return "; ".join(parts)
