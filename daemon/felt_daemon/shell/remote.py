"""Commands over MQTT, in the device process: what the publisher found signed is decided here, once."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from felt_daemon.control import BUSY
from felt_daemon.publisher.request import LATE, REPLAYED
from felt_daemon.shell.commands import Given, Outcome, known, role_for
from felt_daemon.shell.decided import MOST_PER_CLIENT, Decided
from felt_protocols.events import canonical
from felt_protocols.events.person import Person

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.publisher.request import RemoteRequest, Signer
    from felt_daemon.shell.commands import Commands
    from felt_protocols.events.person import Role

# Retained requests are seen again after every connect; so many are told from those not seen before.
_MOST_RETAINED = 1000
_US_PER_S = 1_000_000


class Remote:
    """Decides requests. `answer` is called with the client and the answer, once rows are committed.

    Whatever comes again under an id that was decided gets the answer that it got then: to its sender that is
    the answer that was lost, and a stranger gains nothing by it. A request that is refused is decided, too:
    nobody can keep it and send it again when it would be carried out.
    """

    def __init__(
        self,
        commands: Commands,
        start: str,
        now_us: Callable[[], int | None],
        answer: Callable[[str, dict[str, Any]], None],
        *,
        most_per_client: int = MOST_PER_CLIENT,
    ) -> None:
        self._commands = commands
        self._start = start
        self._now_us = now_us
        self._tell = answer
        self._most = most_per_client
        self._decided = Decided(most_per_client)
        self._retained: dict[str, None] = {}
        self._closed = False

    def take(self, request: RemoteRequest) -> None:
        """Decide a request, or answer it again."""
        if self._closed:
            return
        self._decided.forget(self._now_us())
        if request.refusal is not None:
            self._refused(request, request.refusal.code, request.refusal.why)
        elif request.by is not None:
            self._signed(request, request.by)

    def close(self) -> None:
        """The run ends: nothing more is decided, and what comes is for a run that is over."""
        self._closed = True

    def uncounted(self, count: int) -> None:
        """So many requests were turned away before they came here."""
        self._commands.uncounted(count)

    def _signed(self, request: RemoteRequest, by: Signer) -> None:
        if request.start != self._start:
            why = f"for the run {request.start}, and this is {self._start}: read `start` in the status again"
            self._refused(request, LATE, why)
            return
        digest, end_us = _digest(request), _end_us(request)
        before = self._decided.find(by.client, request.id)
        if before is not None:
            if before.digest != digest:
                why = f"the id {request.id} was used for another request in this run; ids are used once"
                self._turned_away(request, by, REPLAYED, why)
                return
            self._decided.again(by.client, request.id, end_us)
            if before.outcome is not None:
                self._answer(by, request.id, before.outcome)
        elif self._decided.gone(end_us):
            why = f"it was to be carried out before {request.exp}; the table's clock was past that before"
            self._turned_away(request, by, LATE, why)
        elif self._commands.stuck:
            # A row about it would wait as well.
            why = "the journal cannot be written now; ask again"
            self._answer(by, request.id, Outcome(ok=False, code=BUSY, why=why))
        elif self._decided.full(by.client):
            why = (
                f"this run remembers {self._most} requests of {by.client} without an expiry and takes"
                " no more: give each one an `exp`, and it is forgotten an hour after that"
            )
            self._turned_away(request, by, BUSY, why)
        else:
            self._decided.begin(by.client, request.id, digest, end_us)
            self._decide(request, by)

    def _decide(self, request: RemoteRequest, by: Signer) -> None:

        def then(outcome: Outcome) -> None:
            self._decided.end(by.client, request.id, outcome)
            self._answer(by, request.id, outcome)

        # A role that the request names is the first signer's; which the second must have, the table knows.
        second = None if request.second is None else _person(request.second, request.command, None)
        self._commands.carry_out(_given(request), _person(by, request.command, request.role), second, then)

    def _refused(self, request: RemoteRequest, code: str, why: str) -> None:
        """What the publisher would not take, or what came too late: nothing of it is remembered."""
        if request.retained:
            if request.retained in self._retained:
                return
            self._retained[request.retained] = None
            if len(self._retained) > _MOST_RETAINED:
                del self._retained[next(iter(self._retained))]
        if request.by is None:
            self._commands.refuse(_given(request), None, code, why, lambda _: None)
            return
        before = self._decided.find(request.by.client, request.id)
        if before is None:
            self._turned_away(request, request.by, code, why)
            return
        # Somebody sends a request again where it does not belong. Its id has one answer and no other.
        by = _person(request.by, request.command, request.role)
        self._commands.refuse(_given(request), by, code, why, lambda _: None)
        if before.outcome is not None:
            self._answer(request.by, request.id, before.outcome)

    def _turned_away(self, request: RemoteRequest, by: Signer, code: str, why: str) -> None:
        self._commands.refuse(
            _given(request),
            _person(by, request.command, request.role),
            code,
            why,
            lambda outcome: self._answer(by, request.id, outcome),
        )

    def _answer(self, by: Signer, request_id: str, outcome: Outcome) -> None:
        said: dict[str, Any] = {"id": request_id, "ok": outcome.ok}
        if outcome.ok:
            said["sequence"] = outcome.sequence
        else:
            said |= {"code": outcome.code, "why": outcome.why}
        self._tell(by.client, said)


def _end_us(request: RemoteRequest) -> int | None:
    return None if request.exp is None else request.exp * _US_PER_S


def _given(request: RemoteRequest) -> Given:
    return Given(name=request.command, args=request.args, way="mqtt", request=request.id)


def _person(signer: Signer, command: str, asked: Role | None) -> Person:
    """A signer in the role that may give the command; in any other, the table refuses it."""
    model = known(command)
    role = asked or (None if isinstance(model, str) else role_for(model, signer.roles, None))
    return Person(role=role or min(signer.roles), name=signer.name, proof="signed", key=signer.key)


def _digest(request: RemoteRequest) -> bytes:
    """What is asked for, and by whom: an expiry that was moved makes no other request of it."""
    said = {
        "command": request.command,
        "args": request.args,
        "role": request.role,
        "second": None if request.second is None else request.second.client,
    }
    return hashlib.sha256(canonical(said)).digest()[:16]
