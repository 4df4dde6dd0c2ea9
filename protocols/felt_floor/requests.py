"""Requests to tables that wait for their answers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from felt_floor.payload import value_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_floor.signer import Signer

# An answer is published once: what is not answered is asked for again.
AGAIN_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Reply:
    """A table's answer: `sequence` is the row where it stands; `code` and `why` say why it was refused."""

    ok: bool
    sequence: int | None = None
    code: str = ""
    why: str = ""


class NoAnswerError(TimeoutError):
    """A table did not answer in time: whether it did what was asked for, its events tell."""


class Requests:
    """Sends a signed request again until its answer comes, each time with the same name: it is done once."""

    def __init__(self, signer: Signer, send: Callable[[str, str, bytes], bool]) -> None:
        """`send(table, command, token)` says whether there was a connection to send it on."""
        self._signer = signer
        self._send = send
        self._waiting: dict[str, asyncio.Future[Reply]] = {}

    async def ask(
        self, table: str, start: str, command: str, args: Mapping[str, Any], limit_s: float
    ) -> Reply:
        """Ask, and again every two seconds; raises NoAnswerError after `limit_s`."""
        jti, token = self._signer.token(table, start, command, args)
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[jti] = answer
        try:
            async with asyncio.timeout(limit_s):
                while not answer.done():
                    self._send(table, command, token.encode())
                    await asyncio.wait((answer,), timeout=AGAIN_S)
                return answer.result()
        except TimeoutError:
            raise NoAnswerError(f"{table} has not answered to {command} in {limit_s:g} s") from None
        finally:
            del self._waiting[jti]

    def answered(self, payload: bytes) -> None:
        """Take what came on the topic of answers."""
        try:
            told: Any = value_of(payload)
            waiting = self._waiting.get(told["id"])
            sequence = told.get("sequence")
            reply = Reply(
                told["ok"] is True,
                None if sequence is None else int(sequence),
                str(told.get("code", "")),
                str(told.get("why", "")),
            )
        except (ValueError, LookupError, TypeError, AttributeError):
            return
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)
