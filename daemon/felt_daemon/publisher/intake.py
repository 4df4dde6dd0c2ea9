"""Requests as they come from the broker: each signature is checked here, and nothing is decided."""

from __future__ import annotations

import hashlib
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Any, Final

from felt_daemon.control import FORBIDDEN, MALFORMED
from felt_daemon.people.signed import who_signed
from felt_daemon.publisher.adapter import Message
from felt_daemon.publisher.request import LATE, Refusal, RemoteRequest, Signer
from felt_daemon.shell.refusals import Gate
from felt_daemon.shell.staff import shown
from felt_protocols import topics
from felt_protocols.events import canonical
from felt_protocols.signed.claims import LARGEST_TOKEN, TokenRefused, Wanted

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from felt_daemon.people import Entry, Register
    from felt_daemon.publisher.report import Line
    from felt_daemon.shell.staff import Staff
    from felt_protocols.signed.claims import Why

# So many signatures are checked at once, and one more every so many seconds: events must go out all the same.
CHECKS_BURST = 200
CHECKS_EVERY_S = 0.02
# A client may have so many requests at once, and one more every so many seconds.
CLIENT_BURST = 60
CLIENT_EVERY_S = 0.2
# The same bytes again within this time are the broker's doing, or a stranger's: the sender waits longer.
REPEATED_S = 0.5
_REMEMBERED = 512
# Answers that wait for a broker to come back; a lost one is asked for again.
_MOST_ANSWERS = 256
_LONGEST_NAME = 64

# What the answer's word is, where it is not MALFORMED.
_CODES: Final[dict[Why, str]] = {
    "wrong-start": LATE,
    "expired": LATE,
    "unknown-key": FORBIDDEN,
    "revoked-key": FORBIDDEN,
    "forged": FORBIDDEN,
    "not-their-role": FORBIDDEN,
    "same-key": FORBIDDEN,
    "same-person": FORBIDDEN,
    "second-differs": FORBIDDEN,
}


class Intake:
    """One table's requests and answers.

    Requests whose signature is not right share one gate, and every client has its own: however many come,
    the device process hears of a few, and of the number of the others. What a client has signed and is not
    taken has a gate apart: anybody can send that again, and it must take no room of what the client asks.
    """

    def __init__(
        self,
        table: str,
        start: str,
        staff: Staff,
        loop: asyncio.AbstractEventLoop,
        report: Callable[[Line], None],
    ) -> None:
        self._table = table
        self._start = start
        self._staff = staff
        self._loop = loop
        self._report = report
        self._now_us: int | None = None
        self._checks = Gate(loop, self._uncounted, CHECKS_BURST, CHECKS_EVERY_S)
        self._strangers = Gate(loop, self._uncounted)
        self._clients: dict[tuple[str, bool], Gate] = {}
        self._seen: OrderedDict[bytes, float] = OrderedDict()
        self._answers: deque[Message] = deque(maxlen=_MOST_ANSWERS)
        self._prefix = topics.commands_filter(table).removesuffix("+")

    @property
    def filter(self) -> str:
        """What to subscribe to."""
        return f"{self._prefix}+"

    def clock(self, now_us: int | None) -> None:
        """What time it is, in microseconds since 1970; None while nobody can say."""
        self._now_us = now_us

    def takes(self, topic: str) -> bool:
        """Whether a topic is a command's."""
        return topic.startswith(self._prefix)

    def heard(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """A message came on a command's topic."""
        if not payload:
            return  # somebody has cleared a retained one
        command = topic.removeprefix(self._prefix)[:_LONGEST_NAME]
        # Of what is too large anyway, no more is looked at than shows that.
        payload = payload[: LARGEST_TOKEN + 1]
        digest = hashlib.sha256(topic.encode() + b"\0" + payload).digest()
        if self._repeated(digest) or not self._checks.take():
            return
        request = self._checked(command, payload)
        if retained:
            refusal = Refusal(code=MALFORMED, why="a command is never retained: publish it without that flag")
            request = request.model_copy(update={"refusal": refusal, "retained": digest.hex()})
        if self._gate(request).take():
            self._report({"request": request.model_dump(mode="json", exclude_defaults=True)})

    # Answers, which the session publishes.

    def answer(self, client: str, said: dict[str, Any]) -> None:
        """What became of a request of this client."""
        self._answers.append(Message(topics.reply(self._table, client), canonical(said)))

    def first_answer(self) -> Message | None:
        """The answer that waits longest, None if none does."""
        return self._answers[0] if self._answers else None

    def answer_sent(self) -> None:
        """The first answer was sent."""
        self._answers.popleft()

    def close(self) -> None:
        """Tell what is not told."""
        for gate in (self._checks, self._strangers, *self._clients.values()):
            gate.close()

    def _repeated(self, digest: bytes) -> bool:
        now = self._loop.time()
        before = self._seen.pop(digest, None)
        if before is not None and now < before + REPEATED_S:
            self._seen[digest] = before
            return True
        self._seen[digest] = now
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return False

    def _checked(self, command: str, payload: bytes) -> RemoteRequest:
        """The request in a payload: who has signed it, or why it is not taken."""
        register = self._staff.look()
        now_s = None if self._now_us is None else self._now_us / 1_000_000
        wanted = Wanted(table=self._table, start=self._start, command=command, now_s=now_s)
        try:
            signed = who_signed(payload, register, wanted)
        except TokenRefused as refused:
            return _refused(command, refused, register)
        claims = signed.claims
        return RemoteRequest(
            command=command,
            by=_signer(signed.by, claims.kid),
            id=claims.jti,
            start=claims.start,
            args=dict(claims.args),
            role=claims.role,
            exp=claims.exp,
            second=None if signed.second is None else _signer(signed.second, claims.second_kid or ""),
        )

    def _gate(self, request: RemoteRequest) -> Gate:
        if request.by is None:
            return self._strangers
        key = request.by.client, request.refusal is None
        gate = self._clients.get(key)
        if gate is None:
            gate = self._clients[key] = Gate(self._loop, self._uncounted, CLIENT_BURST, CLIENT_EVERY_S)
        return gate

    def _uncounted(self, count: int) -> None:
        self._report({"uncounted": count})


def _signer(entry: Entry, kid: str) -> Signer:
    return Signer(client=entry.id, name=shown(entry), key=kid, roles=entry.roles)


def _refused(command: str, refused: TokenRefused, register: Register) -> RemoteRequest:
    """Why a token is not taken; whose it is only where the signature was right."""
    code = _CODES.get(refused.reason, MALFORMED)
    holder = None if refused.jti is None or refused.kid is None else register.holder(refused.kid)
    return RemoteRequest(
        command=command,
        by=None if holder is None else _signer(holder.entry, holder.key.kid),
        id=refused.jti or "",
        refusal=Refusal(code=code, why=f"{refused.reason}: {refused}"),
    )
