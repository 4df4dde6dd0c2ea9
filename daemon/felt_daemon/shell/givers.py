"""Who gives a command at the control socket: an account of the box, or a person with a PIN."""

from __future__ import annotations

import asyncio
import math
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from felt_daemon.control import BUSY, FORBIDDEN, account_name
from felt_daemon.people import Entry, PinUnchecked, Tries, check_pin
from felt_daemon.shell.commands import role_for
from felt_daemon.shell.staff import named, shown
from felt_protocols.errors import FeltError
from felt_protocols.events.person import Person

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from felt_daemon.control import Caller, Request, Second
    from felt_daemon.shell.staff import Staff
    from felt_protocols.commands import Command
    from felt_protocols.events.person import Proof

# Each check takes 19 MiB while it lasts, on a box that has little.
_CHECKS_AT_ONCE = 2
# Checked where there is nobody of that name, so that the time it takes says nothing. Its PIN is 32 letters
# and figures that nobody kept, and no PIN has letters.
_NOBODY = Entry(
    id="nobody",
    name="nobody",
    kind="person",
    roles=("dealer",),
    pin="$argon2id$v=19$m=19456,t=2,p=1$lgMfFUNMguYmeSqOB7EhCw$5zZlHO9n6XcfefEwTo2cGnWWR9AVNr2MBn3ihGqkze8",
)
# Names of nobody share so many counts of wrong tries: they must not fill the memory.
_STRANGERS = 256

_NOT_RIGHT = "the person or the PIN is not right"
_NO_REGISTER = "this table keeps no register of people, so a PIN proves nothing here: leave it out"


class NotProven(FeltError):  # noqa: N818 - a refusal is an answer
    """Nobody is known to give this command; `code` is for programs, the text for whoever tried."""

    def __init__(self, why: str, code: str = FORBIDDEN) -> None:
        super().__init__(why)
        self.code = code


@dataclass(frozen=True, slots=True)
class Parties:
    """Who gives a command, and who with them."""

    by: Person
    second: Person | None = None


class Pins:
    """The PINs that are checked in one process: few at a time, and wrong ones counted for each register.

    Tables that name the same register count together: whoever guesses gains nothing by going round.
    """

    def __init__(self) -> None:
        self.room = asyncio.Semaphore(_CHECKS_AT_ONCE)
        self._tries: dict[Path, Tries] = {}

    def tries(self, register: Path) -> Tries:
        """The count of wrong PINs of a register."""
        return self._tries.setdefault(register.resolve(), Tries())


class Givers:
    """Finds out who gives a command. `staff`: the register, None where the table keeps none.

    An account's roles are its way in. Without a PIN they are also what it may; with one, what the person
    may by the register counts, so that a floorperson comes to the dealer's terminal and types it there.
    """

    def __init__(self, staff: Staff | None, now: Callable[[], float], pins: Pins, *, simulated: bool) -> None:
        self._staff = staff
        self._now = now
        self._simulated = simulated
        self._pins = pins

    @property
    def keeps_register(self) -> bool:
        """Whether people prove here who they are."""
        return self._staff is not None

    async def parties(self, request: Request, caller: Caller, model: type[Command]) -> Parties:
        """Who gives this command. Raises NotProven."""
        second = request.second
        if request.pin is None:
            by = self._account(request, caller, model)
        else:
            if second is not None and second.person == request.person:
                raise NotProven(f"both are {second.person}; it takes two people")
            by = await self._person(request, request.pin, caller, model)
        if second is None:
            return Parties(by)
        if self._staff is None:
            return Parties(by, self._other_name(request, second, caller, by))
        return Parties(by, await self._other_person(second, model))

    def asking(self, caller: Caller) -> Person | None:
        """The account that asks, for the record of a refusal; None for one without any role."""
        role = min(caller.roles, default=None)
        return None if role is None else Person(role=role, name=account_name(caller.uid))

    def _account(self, request: Request, caller: Caller, model: type[Command]) -> Person:
        role = role_for(model, caller.roles, request.role)
        if role is None:
            has = ", ".join(sorted(caller.roles)) or "no role here"
            other = "" if self._staff is None else ". Or a person of the register gives a PIN"
            raise NotProven(f"{model.name} is for {_those(model)}; this account has {has}{other}")
        if model.proven and self._staff is not None:
            raise NotProven(
                f"{model.name} is given by a person of the register, with the PIN: name one"
                " (`felt` asks for the PIN after `--person ID`)"
            )
        account = account_name(caller.uid)
        proof: Proof = "account"
        name = account if request.person is None else named(request.person, account)
        if self._simulated and request.role is not None:
            proof, name = "stated", request.person or account
        return Person(role=role, name=name, proof=proof)

    async def _person(self, request: Request, pin: str, caller: Caller, model: type[Command]) -> Person:
        if self._staff is None:
            raise NotProven(_NO_REGISTER)
        if not caller.roles and not self._simulated:
            raise NotProven("this account has no role here; a PIN is typed at a terminal of the table's own")
        entry = await self._proven(request.person or "", pin)
        role = role_for(model, entry.roles, request.role)
        if role is None:
            has = ", ".join(sorted(entry.roles))
            raise NotProven(f"{model.name} is for {_those(model)}; {shown(entry)} has {has}")
        return Person(role=role, name=shown(entry), proof="pin")

    def _other_name(self, request: Request, second: Second, caller: Caller, by: Person) -> Person:
        """Without a register another name is enough, and no more than that."""
        if second.pin is not None:
            raise NotProven(_NO_REGISTER)
        account = account_name(caller.uid)
        other = second.person.strip()
        if other.casefold() == (request.person or account).strip().casefold():
            raise NotProven(f"both are {other}; it takes two people")
        name = other if by.proof == "stated" else named(other, account)
        return Person(role=by.role, name=name, proof=by.proof)

    async def _other_person(self, second: Second, model: type[Command]) -> Person:
        if second.pin is None:
            raise NotProven("the second person is one of the register, and gives a PIN of their own")
        entry = await self._proven(second.person, second.pin)
        # Which role a second person must have, the table knows.
        role = role_for(model, entry.roles, None) or min(entry.roles)
        return Person(role=role, name=shown(entry), proof="pin")

    async def _proven(self, name: str, pin: str) -> Entry:
        """The entry whose PIN this is. Which of the two was wrong nobody is told, and no time shows it."""
        assert self._staff is not None  # noqa: S101 - whoever calls has looked
        found = self._staff.look().entry(name)
        entry = _NOBODY if found is None or found.pin is None else found
        count = f"?{zlib.crc32(name.encode()) % _STRANGERS}" if found is None else found.id
        tries = self._pins.tries(self._staff.path)
        async with self._pins.room:
            wait_s = tries.take(count, self._now())
            if wait_s > 0:
                raise NotProven(f"too many wrong PINs: try again in {math.ceil(wait_s)} s")
            try:
                right = await check_pin(entry, pin)
            except PinUnchecked as error:
                raise NotProven(str(error), BUSY) from None
        if not right or entry is _NOBODY:
            raise NotProven(_NOT_RIGHT)
        tries.right(count)
        if self._staff.look().entry(name) != entry:
            # A check may take seconds, and longer if others wait: what was withdrawn meanwhile is gone.
            raise NotProven(f"the register has changed {entry.id} just now: try again", BUSY)
        return entry


def _those(model: type[Command]) -> str:
    return ", ".join(sorted(model.roles))
